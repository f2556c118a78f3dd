-- name: sessions
-- Return what a browser proved to an account's pages.
SELECT {reader_session} FROM reader_sessions WHERE token_hash = :hash AND account_id = :account AND expires_at > :now

-- name: emails
SELECT DISTINCT email FROM reader_sessions WHERE account_id = :account AND email IS NOT NULL

-- name: end
DELETE FROM reader_sessions WHERE account_id = :account AND email = :address

-- name: renew
UPDATE reader_sessions SET token_hash = :new_hash WHERE token_hash = :hash

-- name: renew_links
UPDATE reader_links SET browser_hash = :new_hash WHERE browser_hash = :hash

-- name: link
SELECT {reader_link} FROM reader_links WHERE token_hash = :hash AND expires_at > :now

-- name: links_of_browser
-- Return the links for a document that a browser asked for, latest first.
SELECT {reader_link} FROM reader_links
WHERE browser_hash = :hash AND document_id = :document AND expires_at > :now
ORDER BY expires_at DESC LIMIT :limit

-- name: count_try
-- Return False if a link's code was tried `limit` times.
-- The lock makes tries exact: of two requests, the second counts after the first.
UPDATE reader_links SET tries = tries + 1 WHERE token_hash = :hash AND tries < :limit

-- name: use_link
-- Delete a link; return False if another request has.
DELETE FROM reader_links WHERE token_hash = :hash

-- name: delete_links
DELETE FROM reader_links WHERE document_id = :document AND email = :address

-- name: delete_links_of_account
DELETE FROM reader_links WHERE document_id IN (SELECT id FROM documents WHERE account_id = :account)

-- name: linked
-- Return the addresses that have a link of the owner's.
SELECT email FROM reader_links WHERE document_id = :document AND browser_hash IS NULL AND expires_at > :now

-- name: views
-- Return who has seen a page, latest first.
SELECT {reader_view} FROM reader_views WHERE document_id = :document ORDER BY seen_at DESC LIMIT :limit

-- name: view
SELECT {reader_view} FROM reader_views WHERE document_id = :document AND email = :address

-- name: saw
INSERT INTO reader_views (document_id, email, seen_at) VALUES (:document_id, :email, :seen_at)
ON CONFLICT (document_id, email) DO UPDATE SET seen_at = excluded.seen_at

-- name: set_readers
UPDATE documents SET readers = :listed, revision = revision + 1 WHERE id = :document_id

-- name: unmark
DELETE FROM private_images WHERE document_id = :document

-- name: mark
INSERT INTO private_images (document_id, image_id) VALUES (:document_id, :image_id)

-- name: image_ids
SELECT id FROM images WHERE account_id = :account

-- name: showing
-- Return the private documents that show an image.
SELECT document_id FROM private_images WHERE image_id = :image

-- name: elsewhere
SELECT id FROM documents
WHERE account_id = :account AND published_at IS NOT NULL AND NOT (visibility = 'specific' OR password_hash IS NOT NULL)
AND (expires_at IS NULL OR expires_at > :now) AND content LIKE :pattern
LIMIT 1
