-- Texts on their way in have no destination yet; those to download once have a suffix as the destination.

-- part: this
token_hash = :hash AND expires_at > :now

-- name: find
SELECT {copy_page} FROM copy_pages WHERE {this} AND destination != '' AND destination NOT LIKE '.%'

-- name: find_download
SELECT {copy_page} FROM copy_pages WHERE {this} AND destination LIKE '.%'

-- name: take
-- Return whether it was there; of concurrent requests, one takes it.
DELETE FROM copy_pages WHERE token_hash = :hash AND destination LIKE '.%'

-- name: fill
-- Return whether it was empty; of concurrent texts, one is stored.
UPDATE copy_pages SET content = :text WHERE {this} AND destination = '' AND content = ''

-- name: uploaded
SELECT content FROM copy_pages WHERE {this} AND destination = '' AND account_id = :account

-- name: count
SELECT count(*) FROM copy_pages WHERE account_id = :account AND expires_at > :now
