-- name: find
SELECT {invitation} FROM invitations WHERE token_hash = :hash

-- name: all
SELECT {invitation} FROM invitations ORDER BY created_at, token_hash

-- name: consume
-- Atomic: only one of two concurrent requests succeeds.
DELETE FROM invitations WHERE token_hash = :hash AND expires_at > :now

-- name: delete
DELETE FROM invitations WHERE token_hash = :hash
