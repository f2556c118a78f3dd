-- name: find_client
SELECT {client} FROM app_clients WHERE id = :app

-- name: replace_client
DELETE FROM app_clients WHERE id = :app

-- name: keep_client
-- Keep a client that somebody has allowed something.
UPDATE app_clients SET expires_at = NULL WHERE id = :app

-- name: oldest_unused
-- Delete the oldest client that nobody has allowed anything, if there are more than `limit`.
DELETE FROM app_clients WHERE id IN (
    SELECT id FROM app_clients WHERE expires_at IS NOT NULL ORDER BY expires_at DESC LIMIT 1 OFFSET :limit
)

-- name: by_code
SELECT {grant} FROM app_grants WHERE code_hash = :hash

-- name: use_code
-- Return whether this is the code's first use; of concurrent ones, one is.
UPDATE app_grants SET code_used_at = :now WHERE id = :grant AND code_used_at IS NULL

-- name: of_account
-- Return grants, newest first.
SELECT {grant} FROM app_grants WHERE account_id = :account AND expires_at > :now ORDER BY created_at DESC, id

-- name: delete_grant
-- Delete a grant and all of its tokens.
DELETE FROM app_grants WHERE id = :grant

-- name: use_grant
UPDATE app_grants SET used_at = :now WHERE id = :grant_id

-- name: extend
UPDATE app_grants SET expires_at = :until WHERE id = :grant

-- name: holder
SELECT {account}, {grant}, {token}
FROM app_tokens
JOIN app_grants ON app_tokens.grant_id = app_grants.id
JOIN accounts ON accounts.id = app_grants.account_id
WHERE app_tokens.token_hash = :hash AND app_tokens.expires_at > :now

-- name: replace
-- Note the first exchange of a refresh token, which is remembered `until` then.
UPDATE app_tokens SET replaced_at = :now, expires_at = :until WHERE token_hash = :hash AND replaced_at IS NULL

-- name: surplus
-- Keep the `limit` tokens of a grant that expire last, replaced ones after the others.
DELETE FROM app_tokens WHERE token_hash IN (
    SELECT token_hash FROM app_tokens WHERE grant_id = :grant
    ORDER BY replaced_at IS NOT NULL, expires_at DESC LIMIT :limit OFFSET :limit
)
