-- name: keep
UPDATE images SET removable_at = NULL WHERE id = :image_id AND removable_at > :until

-- name: restrict
UPDATE images SET is_restricted = TRUE WHERE account_id = :account AND id IN ({shown}) AND NOT is_restricted

-- name: free
UPDATE images SET is_restricted = FALSE WHERE id = :image_id AND account_id = :account AND removable_at IS NULL
RETURNING {image}

-- part: live
SELECT {image} FROM images JOIN accounts ON accounts.id = images.account_id
WHERE images.removable_at IS NULL AND NOT accounts.is_suspended

-- name: find_live
{live} AND images.id = :image_id

-- name: live_among
{live} AND images.id IN ({shown})

-- name: list
SELECT {image} FROM images
WHERE account_id = :account AND removable_at IS NULL
AND (created_at < :before OR created_at = :before AND id < :before_id)
ORDER BY created_at DESC, id DESC LIMIT :limit

-- name: release
UPDATE images SET removable_at = :now WHERE id = :image_id AND account_id = :account AND removable_at IS NULL
RETURNING {image}

-- name: release_some
UPDATE images SET removable_at = 0
WHERE id IN (SELECT id FROM images WHERE account_id = :account AND removable_at IS NULL LIMIT :limit)

-- name: release_lost
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
SELECT DISTINCT account_id FROM images WHERE removable_at IS NULL AND used_at <= :until

-- name: all
SELECT {image} FROM images

-- name: of_account
SELECT {image} FROM images WHERE account_id = :account AND removable_at IS NULL ORDER BY created_at, id

-- name: used
UPDATE images SET used_at = :now WHERE id = :image_id

-- part: trashed
FROM trash JOIN documents ON documents.id = trash.document_id WHERE trash.account_id = :account

-- part: drafts
FROM working_copies JOIN documents ON documents.id = working_copies.document_id WHERE documents.account_id = :account

-- name: contents
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
