-- name: start
INSERT INTO replays (id, body_hash, started_at, response) VALUES (:id, :body_hash, :started_at, :response)
ON CONFLICT (id) DO UPDATE SET body_hash = excluded.body_hash, started_at = excluded.started_at, response = NULL
WHERE replays.started_at <= :expired OR replays.response IS NULL AND replays.started_at <= :abandoned
RETURNING id

-- name: find
SELECT body_hash, response FROM replays WHERE id = :replay_id

-- part: is_mine
id = :replay_id AND started_at = :started_at AND response IS NULL

-- name: finish
UPDATE replays SET response = :response WHERE {is_mine}

-- name: release
-- Forget a request, which may be sent again.
DELETE FROM replays WHERE {is_mine}
