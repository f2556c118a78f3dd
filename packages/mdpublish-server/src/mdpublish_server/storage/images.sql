-- name: keep
-- Keep an image whose file is there; return False if it is to be removed by `until`, or is removed already.
UPDATE images SET removable_at = NULL WHERE id = :image_id AND removable_at > :until

-- name: restrict
UPDATE images SET is_restricted = TRUE WHERE account_id = :account AND id IN ({shown}) AND NOT is_restricted

-- name: free
-- Let everybody see an image again; return None if the account has no such image.
UPDATE images SET is_restricted = FALSE WHERE id = :image_id AND account_id = :account AND removable_at IS NULL
RETURNING {image}

-- part: live
SELECT {image} FROM images JOIN accounts ON accounts.id = images.account_id
WHERE images.removable_at IS NULL AND NOT accounts.is_suspended

-- name: find_live
-- Return an image, unless its account is suspended or deleted.
{live} AND images.id = :image_id

-- name: live_among
{live} AND images.id IN ({shown})

-- name: give
-- Give an image to another account, and return it; None if the account has no such image.
UPDATE images SET account_id = :taker WHERE id = :image_id AND account_id = :account AND removable_at IS NULL
RETURNING {image}

-- name: list
-- Return an account's images, newest first.
SELECT {image} FROM images
WHERE account_id = :account AND removable_at IS NULL
AND (created_at < :before OR created_at = :before AND id < :before_id)
ORDER BY created_at DESC, id DESC LIMIT :limit

-- name: release
-- Make an image nonexistent to everybody, and return it; its file and row are to be removed.
UPDATE images SET removable_at = :now WHERE id = :image_id AND account_id = :account AND removable_at IS NULL
RETURNING {image}

-- name: release_some
-- Release images of an account; return how many there were, at most `limit`.
UPDATE images SET removable_at = 0
WHERE id IN (SELECT id FROM images WHERE account_id = :account AND removable_at IS NULL LIMIT :limit)

-- name: release_lost
-- Release images that were kept while their account was deleted.
UPDATE images SET removable_at = 0
WHERE removable_at IS NULL AND used_at <= :until
AND NOT EXISTS (SELECT * FROM accounts WHERE accounts.id = images.account_id)

-- name: removable
SELECT {image} FROM images WHERE removable_at <= :now ORDER BY removable_at LIMIT :limit

-- name: postpone
UPDATE images SET removable_at = :until WHERE id = :image_id AND removable_at IS NOT NULL

-- name: remove
DELETE FROM images WHERE id = :image_id AND removable_at <= :now RETURNING account_id, bytes

-- name: idle
SELECT {image} FROM images WHERE account_id = :account AND removable_at IS NULL AND used_at <= :until

-- name: idle_accounts
-- Return the accounts of images that were not seen to be used after `until`.
SELECT DISTINCT account_id FROM images WHERE removable_at IS NULL AND used_at <= :until

-- name: all
-- Return all images, also those that are to be removed.
SELECT {image} FROM images

-- name: of_account
-- Return all images of an account, oldest first.
SELECT {image} FROM images WHERE account_id = :account AND removable_at IS NULL ORDER BY created_at, id

-- name: used
UPDATE images SET used_at = :now WHERE id = :image_id

-- part: trashed
FROM trash JOIN documents ON documents.id = trash.document_id WHERE trash.account_id = :account

-- part: drafts
FROM working_copies JOIN documents ON documents.id = working_copies.document_id WHERE documents.account_id = :account

-- name: contents
-- Return the texts of an account that may show images of the store.
SELECT content FROM documents WHERE account_id = :account AND content LIKE '%/i/%'
UNION ALL
SELECT documents.content {trashed} AND documents.content LIKE '%/i/%'
UNION ALL
SELECT working_copies.content {drafts} AND working_copies.content LIKE '%/i/%'

-- name: is_used
SELECT id FROM documents WHERE account_id = :account AND content LIKE :pattern
UNION ALL
SELECT documents.id {trashed} AND documents.content LIKE :pattern
UNION ALL
SELECT documents.id {drafts} AND working_copies.content LIKE :pattern
LIMIT 1
