-- part: resolved
-- Rows in the shared space stay open when the account gets a username.
SELECT current_addresses.space, current_addresses.slug, accounts.username, pages.document_id, {page}, {resolved_page}
FROM addresses
JOIN documents ON documents.id = addresses.document_id
JOIN addresses AS current_addresses ON current_addresses.document_id = addresses.document_id
    AND current_addresses.until IS NULL AND current_addresses.space != '{shared}'
LEFT JOIN accounts ON accounts.id = documents.account_id
LEFT JOIN pages ON pages.document_id = documents.id

-- name: find
{resolved}
WHERE addresses.space = :space AND addresses.slug = :slug

-- name: find_of_user
{resolved}
JOIN usernames ON usernames.account_id = addresses.space
JOIN accounts AS holders ON holders.id = addresses.space  -- who may have handed the document to another account
WHERE usernames.username = :name AND addresses.slug = :slug AND addresses.since <= holders.renames
AND (addresses.until IS NULL OR addresses.until >= holders.renames)

-- name: find_of_former_user
-- Where several accounts had the username and the slug, it was the last one's.
{resolved}
JOIN former_usernames ON former_usernames.account_id = addresses.space
WHERE former_usernames.username = :name AND addresses.slug = :slug AND addresses.since <= former_usernames.number
AND (addresses.until IS NULL OR addresses.until >= former_usernames.number)
ORDER BY former_usernames.left_at DESC, former_usernames.number DESC LIMIT 1

-- name: find_of_document
{resolved}
WHERE documents.id = :document LIMIT 1

-- name: delete_page
DELETE FROM pages WHERE document_id = :document

-- name: revision
-- A lock of the row: the document must not change before its page is saved.
SELECT revision FROM documents WHERE id = :document FOR SHARE

-- name: demo_of_identifier
SELECT {demo} FROM demo_pages WHERE identifier = :key

-- name: demo_of_token
SELECT {demo} FROM demo_pages WHERE claim_token_hash = :key

-- name: claim_demo
-- Return False if already claimed.
UPDATE demo_pages SET claimed_at = :now WHERE identifier = :key AND claimed_at IS NULL

-- name: delete_unclaimed
-- Return False if claimed or gone.
DELETE FROM demo_pages WHERE identifier = :key AND claimed_at IS NULL
