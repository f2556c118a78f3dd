-- name: owner
SELECT accounts.id, accounts.username, accounts.renames
FROM documents JOIN accounts ON accounts.id = documents.account_id
WHERE documents.id = :document

-- name: next_number
SELECT coalesce(max(number), 0) + 1 FROM addresses WHERE document_id = :document

-- part: has_moved
-- Renaming an account leaves its rows in the shared space as they are.
EXISTS (
    SELECT documents.id FROM documents JOIN accounts ON accounts.id = documents.account_id
    WHERE documents.id = addresses.document_id AND accounts.username IS NOT NULL
)

-- part: add
INSERT INTO addresses (space, slug, since, until, document_id, number)
VALUES (:space, :slug, :since, :until, :document_id, :number)

-- name: claim_shared
{add}
ON CONFLICT (space, slug, since)
DO UPDATE SET document_id = excluded.document_id, until = NULL, number = excluded.number
WHERE addresses.document_id = excluded.document_id OR addresses.until IS NOT NULL OR {has_moved}
RETURNING slug

-- name: held
SELECT since, until, document_id FROM addresses
WHERE space = :in_space AND slug = :named AND since <= :renames AND (until IS NULL OR until >= :renames)

-- name: add
{add}

-- part: this
space = :in_space AND slug = :named AND since = :from_rename

-- name: delete
DELETE FROM addresses WHERE {this}

-- name: reopen
UPDATE addresses SET until = NULL, number = :next_number WHERE {this}

-- name: end
UPDATE addresses SET until = :to_rename WHERE {this}

-- name: retire_others
UPDATE addresses SET until = :renames WHERE document_id = :document AND slug != :named AND until IS NULL

-- name: end_claims
-- Let a document's address in an account's space redirect to the one that it gets in another's.
UPDATE addresses SET until = :renames WHERE document_id = :document AND space = :in_space AND until IS NULL

-- name: delete_unused
-- No username, no address: without one, slugs in the account's own space are only reserved.
DELETE FROM addresses WHERE document_id = :document AND space = :in_space AND until IS NOT NULL

-- name: too_old
SELECT space, slug, since FROM addresses
WHERE document_id = :document AND until IS NOT NULL AND space != '{demos}'
ORDER BY number DESC, since DESC LIMIT 1000 OFFSET {former_slugs}

-- name: shared_holder
SELECT document_id FROM addresses
WHERE slug = :named AND until IS NULL AND space = '{shared}' AND NOT {has_moved}

-- name: holder
SELECT document_id FROM addresses
WHERE slug = :named AND until IS NULL AND space = (SELECT account_id FROM usernames WHERE username = :name)
