-- part: is_public
-- The condition of `ix_documents_public`: else databases do not use a partial index.
documents.visibility = 'public' AND documents.published_at IS NOT NULL

-- part: is_up
-- A second barrier: taken-down documents are unpublished.
{is_public} AND NOT documents.is_taken_down AND documents.password_hash IS NULL AND documents.expires_at IS NULL

-- part: is_of_user
-- Not a join: PostgreSQL uses the index order only for a single account.
documents.account_id = (
    SELECT accounts.id FROM usernames JOIN accounts ON accounts.id = usernames.account_id
    WHERE usernames.username = :key AND NOT accounts.is_suspended
)

-- name: older
SELECT {public_page} FROM documents
WHERE {is_of_user} AND {is_up} AND (published_at, id) < (:before, :before_id)
ORDER BY published_at DESC, id DESC LIMIT :limit

-- name: newer
SELECT {feed_position} FROM documents
WHERE {is_of_user} AND {is_up} AND (published_at, id) > (:after, :after_id)
ORDER BY published_at, id LIMIT 1 OFFSET :rank

-- name: body
SELECT pages.body FROM pages JOIN documents ON documents.id = pages.document_id
WHERE documents.id = :document AND {is_up} AND length(pages.body) <= :limit

-- part: is_after
({sitemap_position}) > (:after_account, :after_time, :after_id)

-- name: sitemap_position_at
-- Index-only, so it counts suspended accounts: some sitemap parts are smaller.
SELECT {sitemap_position} FROM documents WHERE {is_public} AND {is_after}
ORDER BY {sitemap_position} LIMIT 1 OFFSET :rank

-- name: sitemap_pages
SELECT {sitemap_position}, accounts.username, documents.slug, documents.updated_at
FROM documents JOIN accounts ON accounts.id = documents.account_id
WHERE {is_up} AND NOT accounts.is_suspended AND {is_after}
AND ({sitemap_position}) <= (:last_account, :last_time, :last_id)
ORDER BY {sitemap_position} LIMIT :limit

-- name: parts
SELECT number, account_id, published_at, document_id FROM sitemap_parts

-- name: add_part
INSERT INTO sitemap_parts (number, account_id, published_at, document_id)
VALUES (:number, :account_id, :published_at, :document_id)
