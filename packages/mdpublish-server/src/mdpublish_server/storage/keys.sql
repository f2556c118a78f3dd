-- name: of_account
-- Return keys, including revoked ones, oldest first.
SELECT {key} FROM keys WHERE account_id = :account ORDER BY created_at, id

-- name: holder
SELECT {account}, keys.id, keys.used_at
FROM keys JOIN accounts ON accounts.id = keys.account_id
WHERE keys.key_hash = :hash AND keys.revoked_at IS NULL

-- name: use
UPDATE keys SET used_at = :now WHERE id = :key_id

-- name: revoke
UPDATE keys SET revoked_at = :now WHERE id = :key_id AND account_id = :account AND revoked_at IS NULL

-- name: prune_revoked
-- Keep only the `limit` most recently revoked keys.
DELETE FROM keys WHERE account_id = :account AND revoked_at IS NOT NULL AND id NOT IN (
    SELECT id FROM keys WHERE account_id = :account AND revoked_at IS NOT NULL
    ORDER BY revoked_at DESC, id LIMIT :limit
)

-- name: delete_keys
DELETE FROM keys WHERE account_id = :account

-- name: signed_in
SELECT {account}, sessions.used_at
FROM sessions JOIN accounts ON accounts.id = sessions.account_id
WHERE sessions.token_hash = :hash AND sessions.expires_at > :now

-- name: sessions_of_account
-- Return the sessions that have not expired, the last used first.
SELECT {session} FROM sessions WHERE account_id = :account AND expires_at > :now
ORDER BY coalesce(used_at, created_at) DESC, token_hash

-- name: use_session
UPDATE sessions SET used_at = :now, network = :network WHERE token_hash = :token_hash

-- name: end_session
-- Return the session that is ended.
DELETE FROM sessions WHERE token_hash = :hash RETURNING {session}

-- name: end_sessions
DELETE FROM sessions WHERE account_id = :account
