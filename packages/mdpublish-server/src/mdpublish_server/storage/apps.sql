-- name: find_client
SELECT {client} FROM app_clients WHERE id = :app

-- name: replace_client
DELETE FROM app_clients WHERE id = :app

-- name: keep_client
UPDATE app_clients SET expires_at = NULL WHERE id = :app

-- name: oldest_unused
DELETE FROM app_clients WHERE id IN (
    SELECT id FROM app_clients WHERE expires_at IS NOT NULL ORDER BY expires_at DESC LIMIT 1 OFFSET :offset
)

-- name: by_code
SELECT {grant} FROM app_grants WHERE code_hash = :hash

-- name: use_code
UPDATE app_grants SET code_used_at = :now WHERE id = :grant AND code_used_at IS NULL

-- name: of_account
SELECT {grant} FROM app_grants WHERE account_id = :account AND expires_at > :now ORDER BY created_at DESC, id

-- name: delete_grants
DELETE FROM app_grants WHERE account_id = :account

-- name: delete_grant
DELETE FROM app_grants WHERE id = :grant

-- name: use_grant
UPDATE app_grants SET used_at = :now WHERE id = :grant

-- name: extend
UPDATE app_grants SET expires_at = :end WHERE id = :grant

-- name: holder
SELECT {account}, {grant}, {token}
FROM app_tokens
JOIN app_grants ON app_tokens.grant_id = app_grants.id
JOIN accounts ON accounts.id = app_grants.account_id
WHERE app_tokens.token_hash = :hash AND app_tokens.expires_at > :now

-- name: replace
UPDATE app_tokens SET replaced_at = :now, expires_at = :end WHERE token_hash = :hash AND replaced_at IS NULL

-- name: surplus
DELETE FROM app_tokens WHERE token_hash IN (
    SELECT token_hash FROM app_tokens WHERE grant_id = :grant
    ORDER BY replaced_at IS NOT NULL, expires_at DESC LIMIT :limit OFFSET :offset
)
