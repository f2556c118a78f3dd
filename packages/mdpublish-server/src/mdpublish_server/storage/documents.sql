-- name: add_counted
-- For PostgreSQL. The edit time is the account's next one. Casts: a null in a list of columns is taken for text.
WITH counted AS (
    {count_document}
), added AS (
    INSERT INTO documents ({columns}) SELECT {new_values} FROM counted RETURNING id, updated_at
), indexed AS (
    INSERT INTO document_words (document_id, account_id, size, title, words)
    SELECT
        id,
        CAST(:indexed_account_id AS VARCHAR(36)),
        CAST(:indexed_size AS INTEGER),
        CAST(:indexed_title AS TEXT),
        CAST(:indexed_words AS TEXT)
    FROM added
)
SELECT updated_at FROM added

-- name: find
SELECT {document} FROM documents WHERE id = :document_id

-- name: find_of_account
SELECT {document} FROM documents WHERE id = :document_id AND account_id = :account

-- part: listed
SELECT {summary}, CASE WHEN title = :untitled THEN substr(content, 1, {beginning_characters}) ELSE '' END
FROM documents WHERE account_id = :account

-- Row values: an index finds them, but not each of two alternatives.

-- name: list_updated
{listed} AND (updated_at, id) < (:before, :before_id)
ORDER BY updated_at DESC, id DESC LIMIT :limit

-- name: list_updated_in_folder
{listed} AND folder_key = :folder_key AND (updated_at, id) < (:before, :before_id)
ORDER BY updated_at DESC, id DESC LIMIT :limit

-- name: list_created
{listed} AND (created_at, id) < (:before, :before_id)
ORDER BY created_at DESC, id DESC LIMIT :limit

-- name: list_created_in_folder
{listed} AND folder_key = :folder_key AND (created_at, id) < (:before, :before_id)
ORDER BY created_at DESC, id DESC LIMIT :limit

-- name: list_title
{listed} AND (title_key, id) > (:before, :before_id)
ORDER BY title_key, id LIMIT :limit

-- name: list_title_in_folder
{listed} AND folder_key = :folder_key AND (title_key, id) > (:before, :before_id)
ORDER BY title_key, id LIMIT :limit

-- name: chosen
{listed} AND id IN ({chosen})

-- name: folders
-- A folder is called as in the document edited last: an index counts, and finds one name for each.
SELECT (
    SELECT other.folder FROM documents AS other
    WHERE other.account_id = :account AND other.folder_key = documents.folder_key
    ORDER BY other.updated_at DESC, other.id DESC LIMIT 1
), count(*)
FROM documents WHERE account_id = :account GROUP BY folder_key

-- name: contents
SELECT {summary}, content FROM documents WHERE account_id = :account AND id IN ({contents})

-- name: ids
-- Return ids, newest edit first.
SELECT id FROM documents WHERE account_id = :account ORDER BY updated_at DESC, id DESC

-- name: edited
-- Return the edit time at `rank` (from 0), newest first.
SELECT updated_at FROM documents WHERE account_id = :account ORDER BY updated_at DESC, id DESC LIMIT 1 OFFSET :rank

-- name: replace
UPDATE documents SET {replaced}, revision = revision + 1 WHERE id = :document_id AND revision = :seen

-- name: mark_saved
UPDATE documents SET is_autosaved = FALSE WHERE id = :document_id AND revision = :seen

-- name: delete
DELETE FROM documents WHERE id = :document_id AND account_id = :account RETURNING published_at

-- name: unpublish
UPDATE documents SET published_at = NULL, revision = revision + 1 WHERE id = :document_id AND published_at IS NOT NULL

-- name: give
UPDATE documents SET account_id = :taker WHERE id = :document_id

-- name: give_words
-- Let the other account find the document by its words.
UPDATE document_words SET account_id = :taker WHERE document_id = :document_id

-- name: set_slug
UPDATE documents SET slug = :to WHERE id = :document_id

-- name: take_down
-- A new revision makes a concurrent publish conflict.
UPDATE documents SET is_taken_down = TRUE, revision = revision + 1 WHERE id = :document_id

-- part: is_demo
-- What is in the trash has no account either.
account_id IS NULL AND NOT EXISTS (SELECT * FROM trash WHERE trash.document_id = documents.id)

-- name: delete_demo
DELETE FROM documents WHERE id = :document_id AND {is_demo}

-- part: is_expired
-- Of an account's document, only the page ends.
expires_at <= :now AND {is_demo}

-- name: expired
SELECT id FROM documents WHERE {is_expired} LIMIT :limit

-- name: delete_expired
-- Return False if it was claimed or is gone.
-- A demo may have been claimed meanwhile.
DELETE FROM documents WHERE id = :document_id AND {is_expired}

-- name: some
-- Return ids of documents of an account, in any order.
SELECT id FROM documents WHERE account_id = :account LIMIT :limit
