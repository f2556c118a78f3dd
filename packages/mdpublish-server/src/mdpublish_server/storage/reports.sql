-- name: open
SELECT {report} FROM reports WHERE closed_at IS NULL ORDER BY reported_at, id LIMIT :limit

-- name: open_of_page
SELECT {report} FROM reports WHERE closed_at IS NULL AND document_id = :document ORDER BY reported_at, id

-- name: count_of_page
SELECT count(*) FROM reports WHERE closed_at IS NULL AND document_id = :document

-- name: close
UPDATE reports SET closed_at = :now, outcome = :outcome WHERE closed_at IS NULL AND document_id = :document
