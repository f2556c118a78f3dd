-- name: add
INSERT INTO server_keys (id, key) VALUES (:id, :key) ON CONFLICT DO NOTHING

-- name: key
SELECT key FROM server_keys
