-- name: bytes
SELECT bytes FROM demo_usage

-- name: add
INSERT INTO demo_usage (id, bytes) VALUES (:id, :bytes)
ON CONFLICT (id) DO UPDATE SET bytes = demo_usage.bytes + excluded.bytes
WHERE demo_usage.bytes + excluded.bytes <= :limit
RETURNING bytes

-- name: free
UPDATE demo_pages SET bytes = -bytes WHERE identifier = :key AND bytes > 0 RETURNING -bytes

-- name: resize
UPDATE demo_pages SET bytes = :bytes WHERE identifier = :key AND bytes = :former

-- name: free_expired
-- The condition is repeated: PostgreSQL rechecks it for a row claimed meanwhile.
UPDATE demo_pages SET bytes = -bytes
WHERE bytes > 0 AND expires_at <= :now
AND identifier IN (SELECT identifier FROM demo_pages WHERE bytes > 0 AND expires_at <= :now LIMIT :limit)
RETURNING -bytes

-- name: miscounted
SELECT
    coalesce((SELECT bytes FROM demo_usage), 0),
    coalesce((SELECT sum(bytes) FROM demo_pages WHERE bytes > 0), 0)
