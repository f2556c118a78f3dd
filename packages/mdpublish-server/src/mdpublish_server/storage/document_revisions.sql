-- name: list
-- Return a document's former contents, newest first.
SELECT {summary} FROM document_revisions WHERE document_id = :document ORDER BY number DESC

-- name: newest
SELECT {summary} FROM document_revisions WHERE document_id = :document ORDER BY number DESC LIMIT 1

-- name: sizes
SELECT number, bytes FROM document_revisions WHERE document_id = :document AND name = '' ORDER BY number DESC

-- name: find
SELECT {revision} FROM document_revisions WHERE document_id = :document AND number = :this_number

-- name: name
-- Keep a former content under a name; without one, it may be deleted like others.
UPDATE document_revisions SET name = :given WHERE document_id = :document AND number = :this_number

-- name: numbers_of_account
SELECT document_revisions.document_id, document_revisions.number
FROM document_revisions JOIN documents ON documents.id = document_revisions.document_id
WHERE documents.account_id = :account
ORDER BY document_revisions.document_id, document_revisions.number DESC

-- name: delete_same
DELETE FROM document_revisions
WHERE document_id = :document AND name = '' AND bytes = :size AND content = :same_content

-- name: delete_up_to
DELETE FROM document_revisions WHERE document_id = :document AND name = '' AND number <= :last
