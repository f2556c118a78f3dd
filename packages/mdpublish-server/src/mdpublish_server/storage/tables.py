"""Tables; `schema` creates them, `migrations` change those that are there.

Times are microseconds since 1970, UTC. Counters (`accounts.documents`, `pages`, `active_keys`, `used`) are incremented
while below their limit, in the transaction that adds the row: limits hold without races.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
    text,
)
from sqlalchemy.schema import SchemaItem

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _table(name: str, *parts: SchemaItem) -> Table:
    return Table(name, METADATA, *parts)


ACCOUNTS = _table(
    "accounts",
    Column("id", String(36), primary_key=True),
    Column("email", String(254), nullable=False, unique=True),
    Column("password_hash", String(200), nullable=True),
    Column("username", String(30), nullable=True),
    Column("plan", String(10), nullable=False),
    Column("plan_until", BigInteger, nullable=True),
    Column("is_suspended", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("documents", Integer, nullable=False),
    Column("pages", Integer, nullable=False),
    Column("active_keys", Integer, nullable=False),
    Column("month", String(7), nullable=False),
    Column("used", Integer, nullable=False),
    # Of the files of `images`, those to be removed included.
    Column("image_bytes", BigInteger, nullable=False, server_default=text("0")),
    # The next edit is later, whatever the clock says.
    Column("edited_at", BigInteger, nullable=False),
    Column("is_operator", Boolean, nullable=False, server_default=false()),
    # Counts usernames: the n-th is the current one, earlier ones are in `former_usernames`.
    Column("renames", Integer, nullable=False, server_default=text("0")),
    # The rest of a deleted account is deleted in batches.
    Column("deleted_at", BigInteger, nullable=True),
    Column("default_language", String(100), nullable=True),
    # A JSON object of months, each with what was used in it: the clock may have been wrong, and return to one.
    Column("other_months", Text, nullable=True),
    Index(None, "deleted_at"),
)

_ENDS = text("plan_until IS NOT NULL")
Index("ix_accounts_plan_until", ACCOUNTS.c.plan_until, sqlite_where=_ENDS, postgresql_where=_ENDS)

# Rows of deleted accounts stay, without `account_id`: usernames are never reassigned.
USERNAMES = _table(
    "usernames",
    Column("username", String(30), primary_key=True),
    Column("account_id", String(36), nullable=True),
    Index(None, "account_id"),
)

# The account was called so until its rename `number` + 1.
FORMER_USERNAMES = _table(
    "former_usernames",
    Column("account_id", String(36), ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("username", String(30), nullable=False),
    Column("left_at", BigInteger, nullable=False),
    Index(None, "username", "left_at"),
)

KEYS = _table(
    "keys",
    Column("id", String(36), primary_key=True),
    Column("account_id", String(36), ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(100), nullable=False),
    Column("key_hash", String(64), nullable=False, unique=True),
    Column("last_four", String(4), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger, nullable=True),
    Column("revoked_at", BigInteger, nullable=True),
    Index(None, "account_id"),
)

SESSIONS = _table(
    "sessions",
    Column("token_hash", String(64), primary_key=True),
    Column("account_id", String(36), ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("browser", String(40), nullable=False, server_default=text("''")),
    Column("network", String(50), nullable=False, server_default=text("''")),
    Column("used_at", BigInteger, nullable=True),
    Index(None, "account_id"),
    Index(None, "expires_at"),
)

# `content` after what lists show: SQLite reads rows from the start.
DOCUMENTS = _table(
    "documents",
    Column("id", String(36), primary_key=True),
    Column("account_id", String(36), ForeignKey("accounts.id", ondelete="CASCADE"), nullable=True),
    Column("title", String(200), nullable=False),
    Column("template_id", String(60), nullable=False),
    Column("theme_mode", String(10), nullable=False),
    Column("description", String(500), nullable=True),
    Column("page_width", String(10), nullable=True),
    Column("visibility", String(10), nullable=True),
    Column("hides_badge", Boolean, key="hide_badge", nullable=False),
    Column("slug", String(60), nullable=True),
    Column("folder", String(60), nullable=True),
    # What its name is compared by, "" without one; folding may triple the characters.
    Column("folder_key", String(180), nullable=False, server_default=text("''")),
    # What its title is sorted by, in the same order in both databases.
    Column(
        "title_key",
        String(200).with_variant(String(200, collation="C"), "postgresql"),
        nullable=False,
        server_default=text("''"),
    ),
    Column("published_at", BigInteger, nullable=True),
    Column("is_taken_down", Boolean, nullable=False),
    Column("expires_at", BigInteger, nullable=True),
    Column("word_count", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("content", Text, nullable=False),
    Column("is_autosaved", Boolean, nullable=False, server_default=false()),
    Column("shows_source", Boolean, key="show_source", nullable=False, server_default=false()),
    Column("offers_pdf", Boolean, key="offer_pdf", nullable=False, server_default=false()),
    # Email addresses and `@domain`, a line each.
    Column("readers", Text, nullable=False, server_default=text("''")),
    # Of the page.
    Column("password_hash", String(200), nullable=True),
    Index(None, "account_id", "updated_at", "id"),
    Index(None, "account_id", "folder_key", "updated_at", "id"),
    Index(None, "account_id", "title_key", "id"),
    Index(None, "account_id", "created_at", "id"),
    Index(None, "expires_at"),
)

_IS_PUBLIC = text("visibility = 'public' AND published_at IS NOT NULL")
_listed = (DOCUMENTS.c.account_id, DOCUMENTS.c.published_at, DOCUMENTS.c.id)
Index("ix_documents_public", *_listed, sqlite_where=_IS_PUBLIC, postgresql_where=_IS_PUBLIC)

# What `search_index` finds documents by; `size` is the number of characters of the words.
DOCUMENT_WORDS = _table(
    "document_words",
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column(
        "document_id",
        String(36),
        ForeignKey("documents.id", name="fk_document_words_document_id_documents", ondelete="CASCADE"),
        nullable=False,
        unique=True,
    ),
    Column("account_id", String(36), nullable=False),
    Column("size", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("words", Text, nullable=False),
    Index(None, "account_id", "number"),
)

# Former contents; `number` is the revision of the document that each belonged to.
DOCUMENT_REVISIONS = _table(
    "document_revisions",
    Column("document_id", String(36), ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("title", String(200), nullable=False),
    Column("word_count", Integer, nullable=False),
    Column("saved_at", BigInteger, nullable=False),
    Column("replaced_at", BigInteger, nullable=False),
    Column("is_before_restore", Boolean, nullable=False),
    Column("bytes", Integer, nullable=False),
    # Given by a person, who wants to keep it.
    Column("name", String(100), nullable=False, server_default=text("''")),
    # Compressed with zlib.
    Column("content", LargeBinary, nullable=False),
)

# What the site saves of a published document until it is published; `number` rises with each change. A discarded one
# can return.
WORKING_COPIES = _table(
    "working_copies",
    Column("document_id", String(36), ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("title", String(200), nullable=False),
    Column("template_id", String(60), nullable=False),
    Column("theme_mode", String(10), nullable=False),
    Column("description", String(500), nullable=True),
    Column("page_width", String(10), nullable=True),
    Column("word_count", Integer, nullable=False),
    Column("saved_at", BigInteger, nullable=False),
    Column("is_autosaved", Boolean, nullable=False),
    Column("is_conflicting", Boolean, nullable=False),
    Column("discarded_at", BigInteger, nullable=True),
    Column("content", Text, nullable=False),
    Index(None, "discarded_at"),
)

# Documents that were deleted on the site: they have no `account_id` until they are restored.
TRASH = _table(
    "trash",
    Column("document_id", String(36), ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("account_id", String(36), nullable=False),
    Column("deleted_at", BigInteger, nullable=False),
    Column("was_published", Boolean, nullable=False),
    Index(None, "account_id", "deleted_at"),
    Index(None, "deleted_at"),
)

# A row is there before its file, and until after it: `removable_at` is when both are removed, None while the image is
# of use. No foreign key: a deleted account's rows name the files that are left.
IMAGES = _table(
    "images",
    Column("id", String(36), primary_key=True),
    Column("account_id", String(36), nullable=False),
    Column("suffix", String(4), nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    # When a document was last seen to use it.
    Column("used_at", BigInteger, nullable=False),
    Column("removable_at", BigInteger, nullable=True),
    # Widths of smaller files, separated by spaces.
    Column("variants", String(40), nullable=False, server_default=text("''")),
    # Whether it stood in a page that is not, or no longer, for everybody.
    Column("is_restricted", Boolean, nullable=False, server_default=false()),
    Index(None, "account_id", "created_at", "id"),
    Index(None, "used_at"),
)

_IS_REMOVABLE = text("removable_at IS NOT NULL")
Index("ix_images_removable_at", IMAGES.c.removable_at, sqlite_where=_IS_REMOVABLE, postgresql_where=_IS_REMOVABLE)

PAGES = _table(
    "pages",
    Column("document_id", String(36), ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("etag", String(64), nullable=False),
    Column("style_hash", String(64), nullable=False),
    Column("render_version", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("has_badge", Boolean, nullable=False),
    Column("body", LargeBinary, nullable=False),
    # The canonical URL in the body; None in pages stored by former versions.
    Column("path", String(200), nullable=True),
    # Of the account when the page was rendered.
    Column("default_language", String(100), nullable=True),
)

# `space` is an account's id, so that a rename changes no row; "d" and "p" are the spaces of all accounts and of demos.
# In an account's space, a slug is an address under the account's usernames from number `since` to `until`; the current
# one has no end. `number` orders the addresses of a document.
PERMALINKS = _table(
    "addresses",
    Column("space", String(36), primary_key=True),
    Column("slug", String(60), primary_key=True),
    Column("since", Integer, primary_key=True, autoincrement=False),
    Column("until", Integer, nullable=True),
    Column("document_id", String(36), ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Index(None, "document_id"),
)

# Raised by triggers. `changes`: a page that was seen may look different now. `additions`: there are new pages.
PAGE_CHANGES = _table(
    "page_changes",
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("changes", BigInteger, nullable=False),
    Column("additions", BigInteger, nullable=False),
)

# Parts of the sitemap after the first: each begins after a page, whether that page is still there or not.
SITEMAP_PARTS = _table(
    "sitemap_parts",
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("account_id", String(36), nullable=False),
    Column("published_at", BigInteger, nullable=False),
    Column("document_id", String(36), nullable=False),
)

# No foreign key: expired pages return 410 after their document is gone.
DEMO_PAGES = _table(
    "demo_pages",
    Column("identifier", String(20), primary_key=True),
    Column("document_id", String(36), nullable=False),
    Column("claim_token_hash", String(64), nullable=False, unique=True),
    Column("expires_at", BigInteger, nullable=False),
    Column("claimed_at", BigInteger, nullable=True),
    # Of Markdown and page; negative once freed.
    Column("bytes", BigInteger, nullable=False, server_default="0"),
    Index(None, "expires_at"),
)

_IS_HELD = text("bytes > 0")
Index("ix_demo_pages_held", DEMO_PAGES.c.expires_at, sqlite_where=_IS_HELD, postgresql_where=_IS_HELD)

# One row: the sum of the bytes of demos that are not freed.
DEMO_USAGE = _table(
    "demo_usage",
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("bytes", BigInteger, nullable=False),
)

# One row, made when it is first needed.
SERVER_KEYS = _table(
    "server_keys",
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("key", LargeBinary, nullable=False),
)

# By a hash of account, method, path and `Idempotency-Key`. The response, encrypted, is null while the request runs.
REPLAYS = _table(
    "replays",
    Column("id", String(64), primary_key=True),
    Column("body_hash", String(64), nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("response", LargeBinary, nullable=True),
    Index(None, "started_at"),
)

# No foreign key: reports outlive their page.
REPORTS = _table(
    "reports",
    Column("id", String(36), primary_key=True),
    Column("document_id", String(36), nullable=False),
    Column("path", String(200), nullable=False),
    Column("title", String(200), nullable=False),
    Column("reason", String(20), nullable=False),
    Column("details", String(2000), nullable=False),
    Column("email", String(254), nullable=True),
    Column("reported_at", BigInteger, nullable=False),
    Column("closed_at", BigInteger, nullable=True),
    Column("outcome", String(20), nullable=True),
    Index(None, "closed_at", "reported_at"),
    Index(None, "document_id"),
)

INVITATIONS = _table(
    "invitations",
    Column("token_hash", String(64), primary_key=True),
    Column("note", String(100), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Index(None, "expires_at"),
)

COPY_PAGES = _table(
    "copy_pages",
    Column("token_hash", String(64), primary_key=True),
    Column("account_id", String(36), ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("content", Text, nullable=False),
    Column("destination", String(20), nullable=False),
    Column("template_id", String(40), nullable=False),
    Column("theme_mode", String(10), nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Index(None, "account_id"),
    Index(None, "expires_at"),
)

# Programs that ask people for access. `id` is the URL of its metadata document, else one that we gave it. `expires_at`
# is null once somebody has allowed it something.
APP_CLIENTS = _table(
    "app_clients",
    Column("id", String(500), primary_key=True),
    Column("name", String(100), nullable=False),
    # A JSON array.
    Column("redirect_uris", Text, nullable=False),
    Column("secret_hash", String(64), nullable=True),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=True),
    Index(None, "expires_at"),
)

# What somebody has allowed a client, by one code. Its tokens are a family: they end together.
APP_GRANTS = _table(
    "app_grants",
    Column("id", String(36), primary_key=True),
    Column("account_id", String(36), ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("client_id", String(500), nullable=False),
    Column("client_name", String(100), nullable=False),
    Column("redirect_uri", String(500), nullable=False),
    Column("scopes", String(100), nullable=False),
    Column("resource", String(300), nullable=False),
    Column("code_hash", String(64), nullable=False, unique=True),
    Column("code_challenge", String(43), nullable=False),
    Column("code_used_at", BigInteger, nullable=True),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger, nullable=True),
    Column("expires_at", BigInteger, nullable=False),
    Index(None, "account_id"),
    Index(None, "expires_at"),
)

APP_TOKENS = _table(
    "app_tokens",
    Column("token_hash", String(64), primary_key=True),
    Column("grant_id", String(36), ForeignKey("app_grants.id", ondelete="CASCADE"), nullable=False),
    Column("scopes", String(100), nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    # Of a refresh token: when it was first exchanged for another.
    Column("replaced_at", BigInteger, nullable=True),
    Index(None, "grant_id", "expires_at"),
    Index(None, "expires_at"),
)

# Ways to a reader's session: a mail's link, valid in the browser that asked for it or with the mail's code, or, without
# both, a link that the owner made. `email` is empty where no mail was sent.
READER_LINKS = _table(
    "reader_links",
    Column("token_hash", String(64), primary_key=True),
    Column("document_id", String(36), ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    Column("email", String(254), nullable=False),
    Column("browser_hash", String(64), nullable=True),
    Column("code_hash", String(64), nullable=True),
    # Codes that were tried.
    Column("tries", Integer, nullable=False, server_default=text("0")),
    Column("expires_at", BigInteger, nullable=False),
    Index(None, "document_id"),
    Index(None, "browser_hash"),
    Index(None, "expires_at"),
)

# What a browser proved to an account's pages: an address, or the password that `proof` is a hash of.
READER_SESSIONS = _table(
    "reader_sessions",
    Column("id", String(36), primary_key=True),
    Column("token_hash", String(64), nullable=False),
    Column("account_id", String(36), ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("email", String(254), nullable=True),
    Column("proof", String(64), nullable=True),
    Column("expires_at", BigInteger, nullable=False),
    Index(None, "token_hash"),
    Index(None, "account_id"),
    Index(None, "expires_at"),
)

# When a reader saw a page last, to the hour.
READER_VIEWS = _table(
    "reader_views",
    Column("document_id", String(36), ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("email", String(254), primary_key=True),
    Column("seen_at", BigInteger, nullable=False),
)

# Images that private pages show.
PRIVATE_IMAGES = _table(
    "private_images",
    Column("document_id", String(36), ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("image_id", String(36), primary_key=True),
    Index(None, "image_id"),
)

EMAIL_TOKENS = _table(
    "letters",
    Column("token_hash", String(64), primary_key=True),
    Column("purpose", String(10), nullable=False),
    Column("email", String(254), nullable=False),
    Column("account_id", String(36), ForeignKey("accounts.id", ondelete="CASCADE"), nullable=True),
    Column("password_hash", String(200), nullable=True),
    Column("username", String(30), nullable=True),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Index(None, "account_id"),
    Index(None, "email"),
    Index(None, "expires_at"),
)
