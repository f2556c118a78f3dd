-- name: add
INSERT INTO document_words (document_id, account_id, size, title, words)
VALUES (:document_id, :account_id, :size, :title, :words)

-- name: remove
DELETE FROM document_words WHERE document_id = :document_id

-- name: size
SELECT size FROM document_words WHERE document_id = :document_id

-- name: size_if_retitled
SELECT size FROM document_words WHERE document_id = :document_id AND title != :new_title

-- name: retitle
UPDATE document_words SET title = :new_title WHERE document_id = :document_id AND title != :new_title

-- part: found
SELECT number, document_id, document_words.title, CASE WHEN size <= {read_words} THEN document_words.words END

-- name: newest
-- Without row values, PostgreSQL might read the newest documents of all accounts.
{found} FROM document_words
WHERE (account_id, number) < (:account, :before) AND account_id >= :account
ORDER BY account_id DESC, number DESC LIMIT :limit

-- name: matching_sqlite
-- Rows come from the index in this order, no more than are asked for.
{found} FROM document_words JOIN document_index ON document_index.rowid = document_words.number
WHERE document_index MATCH :query AND document_index.rowid < :before AND account_id = :account
ORDER BY document_index.rowid DESC LIMIT :limit

-- name: matching_postgresql
-- All matches are sorted. Other conditions beside that of the index would make PostgreSQL read all documents.
WITH matching AS MATERIALIZED (
    SELECT number, account_id FROM document_words WHERE {vector} @@ CAST(:query AS tsquery)
)
{found} FROM document_words
WHERE number IN (
    SELECT number FROM matching WHERE account_id = :account AND number < :before ORDER BY number DESC LIMIT :limit
)
ORDER BY number DESC
