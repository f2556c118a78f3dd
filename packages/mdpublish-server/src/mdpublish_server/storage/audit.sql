-- name: add
INSERT INTO audit (at, kind, account_id, actor_id, means, app, address, object, before, after)
VALUES (:at, :kind, :account_id, :actor_id, :means, :app, :address, :object, :before, :after)

-- part: shown
SELECT {event}, CASE WHEN accounts.deleted_at IS NULL THEN accounts.email END
FROM audit LEFT JOIN accounts ON accounts.id = audit.account_id

-- name: since
-- Return events after `number`, oldest first; those of any account, or kind, for "". A kind is a whole group, too.
{shown}
WHERE audit.number > :number AND audit.at >= :since
AND (:account = '' OR audit.account_id = :account OR audit.actor_id = :account)
AND (:kind = '' OR audit.kind = :kind OR audit.kind LIKE :kinds)
ORDER BY audit.number LIMIT :limit

-- name: of_account
-- Return what happened to an account before `number`, newest first.
{shown}
WHERE audit.account_id = :account AND audit.number < :number ORDER BY audit.number DESC LIMIT :limit

-- name: is_older
SELECT number FROM audit WHERE at < :until LIMIT 1

-- name: purged_until
SELECT max(CAST(object AS BIGINT)) FROM audit WHERE kind = 'audit.purged'

-- name: purge
DELETE FROM audit WHERE number IN (SELECT number FROM audit WHERE at < :until ORDER BY at LIMIT :limit)
