-- name: of_id
SELECT {account} FROM accounts WHERE id = :account_id AND deleted_at IS NULL

-- name: lock
-- Call before changing an account's documents, to keep one lock order.
SELECT id FROM accounts WHERE id = :account_id FOR UPDATE

-- name: of_email
SELECT {account} FROM accounts WHERE email = :email_address AND deleted_at IS NULL

-- name: of_subject
SELECT {account} FROM accounts WHERE issuer = :issuer AND subject = :subject AND deleted_at IS NULL

-- name: set_subject
UPDATE accounts SET issuer = :issuer, subject = :subject WHERE id = :account_id

-- name: set_external_id
UPDATE accounts SET external_id = :to WHERE id = :account_id

-- name: set_second_factor
UPDATE accounts SET totp_secret = :secret, totp_step = :step, recovery_hashes = :hashes WHERE id = :account_id

-- name: use_totp
-- Return False if a code of this step or a later one was used.
UPDATE accounts SET totp_step = :step WHERE id = :account_id AND totp_secret IS NOT NULL AND totp_step < :step

-- name: use_recovery_code
-- Each has 64 characters, and none is part of another.
UPDATE accounts SET recovery_hashes = replace(recovery_hashes, :hash, '')
WHERE id = :account_id AND recovery_hashes LIKE :pattern

-- name: all
SELECT {account} FROM accounts WHERE deleted_at IS NULL ORDER BY email

-- part: is_listed
deleted_at IS NULL
AND (:name = '' OR :value = CASE :name WHEN 'username' THEN email WHEN 'externalid' THEN external_id ELSE id END)

-- name: listed
SELECT {account} FROM accounts WHERE {is_listed} ORDER BY id LIMIT :limit OFFSET :offset

-- name: count_listed
SELECT count(*) FROM accounts WHERE {is_listed}

-- name: delete
DELETE FROM accounts WHERE id = :account_id

-- name: retire
UPDATE accounts
SET email = :email_address, password_hash = NULL, issuer = NULL, subject = NULL, is_suspended = TRUE, is_operator = FALSE,
    deleted_at = :now
WHERE id = :account_id

-- name: retired
-- Return an account that is to be deleted.
SELECT id FROM accounts WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 1

-- name: increment_documents
UPDATE accounts SET documents = documents + 1 WHERE id = :account_id AND documents < :limit

-- name: increment_pages
UPDATE accounts SET pages = pages + 1 WHERE id = :account_id AND pages < :limit

-- name: increment_active_keys
UPDATE accounts SET active_keys = active_keys + 1 WHERE id = :account_id AND active_keys < :limit

-- name: decrement_documents
UPDATE accounts SET documents = documents - 1 WHERE id = :account_id

-- name: decrement_pages
UPDATE accounts SET pages = pages - 1 WHERE id = :account_id

-- name: decrement_active_keys
UPDATE accounts SET active_keys = active_keys - 1 WHERE id = :account_id

-- name: take_image_bytes
-- Return False, and take nothing, past the limit.
UPDATE accounts SET image_bytes = image_bytes + :number WHERE id = :account_id AND image_bytes + :number <= :limit

-- name: give_image_bytes
UPDATE accounts SET image_bytes = image_bytes - :number WHERE id = :account_id

-- part: next_edit
-- Strictly increasing: no two documents of an account have the same edit time.
edited_at = CASE WHEN edited_at >= :now THEN edited_at + 1 ELSE :now END

-- name: edit
-- Return a new edit time, later than the account's last.
UPDATE accounts SET {next_edit} WHERE id = :account_id RETURNING edited_at

-- name: add_document
-- As `edit`, but without a row at the limit.
UPDATE accounts SET documents = documents + 1, {next_edit}
WHERE id = :account_id AND documents < :limit
RETURNING edited_at

-- name: count_document
-- Count a request of `this_month`, and a document; do, and return, nothing at the limit of either or in a new month.
UPDATE accounts SET documents = documents + 1, used = used + 1, {next_edit}
WHERE id = :account_id AND month = :this_month AND used < :limit AND documents < :max_documents
RETURNING edited_at

-- name: set_plan
UPDATE accounts SET plan = :to, plan_until = :until WHERE id = :account_id

-- name: downgrade
UPDATE accounts SET plan = 'free', plan_until = NULL WHERE plan_until <= :now

-- name: suspend
UPDATE accounts SET is_suspended = :suspended WHERE id = :account_id

-- name: deactivate
UPDATE accounts SET is_deactivated = :deactivated WHERE id = :account_id

-- name: set_operator
UPDATE accounts SET is_operator = :operator WHERE id = :account_id

-- name: set_password
UPDATE accounts SET password_hash = :to WHERE id = :account_id

-- name: replace_password
-- Return False if another password was set meanwhile.
UPDATE accounts SET password_hash = :to WHERE id = :account_id AND password_hash = :seen

-- name: set_default_language
UPDATE accounts SET default_language = :to WHERE id = :account_id

-- name: set_username
UPDATE accounts SET username = :to, renames = renames + 1 WHERE id = :account_id

-- name: add_former_username
INSERT INTO former_usernames (account_id, number, username, left_at) VALUES (:account_id, :number, :username, :left_at)

-- name: left_at
-- Return when the username was changed, `rank` (from 0) changes ago.
SELECT left_at FROM former_usernames WHERE account_id = :account_id ORDER BY left_at DESC LIMIT 1 OFFSET :rank

-- name: oldest_of_account
SELECT account_id, number FROM former_usernames WHERE account_id = :account_id
ORDER BY number DESC LIMIT 1000 OFFSET {max_former_usernames}

-- name: oldest_of_username
SELECT account_id, number FROM former_usernames WHERE username = :name
ORDER BY left_at DESC, number DESC LIMIT 1000 OFFSET {max_former_usernames}

-- name: delete_former_username
DELETE FROM former_usernames WHERE account_id = :account_id AND number = :former

-- name: claim_username
INSERT INTO usernames (username, account_id) VALUES (:username, :account_id) ON CONFLICT DO NOTHING RETURNING username

-- name: username
SELECT username FROM usernames WHERE username = :name

-- name: release_username
DELETE FROM usernames WHERE username = :name AND account_id = :account_id

-- name: retire_usernames
UPDATE usernames SET account_id = NULL WHERE account_id = :leaving

-- name: miscounted
-- Accounts whose counters differ from their rows.
SELECT email FROM accounts
LEFT JOIN (
    SELECT account_id, count(*) AS documents, count(published_at) AS pages FROM documents GROUP BY account_id
) AS stored ON stored.account_id = accounts.id
LEFT JOIN (
    SELECT account_id, count(*) AS active_keys FROM keys WHERE revoked_at IS NULL GROUP BY account_id
) AS active ON active.account_id = accounts.id
LEFT JOIN (
    SELECT account_id, sum(bytes) AS image_bytes FROM images GROUP BY account_id
) AS shown ON shown.account_id = accounts.id
WHERE deleted_at IS NULL AND (
    accounts.documents != coalesce(stored.documents, 0)
    OR accounts.pages != coalesce(stored.pages, 0)
    OR accounts.active_keys != coalesce(active.active_keys, 0)
    OR accounts.image_bytes != coalesce(shown.image_bytes, 0)
)
ORDER BY email
