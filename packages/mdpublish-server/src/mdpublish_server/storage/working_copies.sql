-- name: find
-- Return a document's working copy, also one that was discarded.
SELECT {copy} FROM working_copies WHERE document_id = :document

-- name: among
SELECT document_id FROM working_copies WHERE document_id IN ({listed}) AND discarded_at IS NULL

-- name: delete
DELETE FROM working_copies WHERE document_id = :document AND number = :seen

-- name: delete_discarded
DELETE FROM working_copies WHERE discarded_at <= :until

-- name: hold
-- Locks the row: until the end of the transaction, nobody changes the document or its working copy.
UPDATE documents SET is_autosaved = is_autosaved WHERE id = :document AND revision = :seen
