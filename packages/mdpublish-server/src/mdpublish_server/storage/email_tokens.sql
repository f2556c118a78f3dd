-- name: find
SELECT {email_token} FROM letters WHERE token_hash = :hash

-- name: consume
-- Atomic: only one of two concurrent requests succeeds.
DELETE FROM letters WHERE token_hash = :hash RETURNING {email_token}

-- name: delete_of_email
DELETE FROM letters WHERE email = :email_address AND purpose = :key
