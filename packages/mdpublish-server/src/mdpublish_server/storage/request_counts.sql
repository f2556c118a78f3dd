-- name: spend
UPDATE accounts SET used = used + 1 WHERE id = :account_id AND month = :this_month AND used < :limit RETURNING used

-- name: give_back
UPDATE accounts SET used = used - 1 WHERE id = :account_id AND month = :this_month AND used > 0

-- name: months
SELECT month, used, other_months FROM accounts WHERE id = :account_id FOR UPDATE

-- name: set_months
UPDATE accounts SET month = :to, used = :spent, other_months = :others WHERE id = :account_id
