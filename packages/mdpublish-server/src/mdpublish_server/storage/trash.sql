-- name: give
UPDATE documents SET account_id = :owner, published_at = NULL, updated_at = :now, revision = revision + 1
WHERE id = :document

-- name: add
INSERT INTO trash (document_id, account_id, deleted_at, was_published)
VALUES (:document_id, :account_id, :deleted_at, :was_published)

-- name: list
-- Return deleted documents, the last one first.
SELECT {trashed} FROM trash JOIN documents ON documents.id = trash.document_id
WHERE trash.account_id = :account ORDER BY trash.deleted_at DESC LIMIT :limit

-- name: content
-- Return the content of a deleted document of an account.
SELECT documents.content FROM trash JOIN documents ON documents.id = trash.document_id
WHERE trash.document_id = :document AND trash.account_id = :account

-- name: take
DELETE FROM trash WHERE document_id = :document AND account_id = :account RETURNING was_published

-- name: expired
SELECT document_id FROM trash WHERE deleted_at <= :until LIMIT :limit

-- name: some
SELECT document_id FROM trash WHERE account_id = :account LIMIT :limit

-- name: delete
-- Delete a document that is in the trash.
DELETE FROM documents WHERE id = :document AND account_id IS NULL
