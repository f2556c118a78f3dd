"""The tables. A change here goes with a revision in `migrations/versions`; a test compares the two.

Times are whole microseconds since 1970 in UTC, so that they compare and sort alike in every database. Counters
(`accounts.documents`, `pages`, `active_keys`, `used`) are rows of their own right, not counted anew: whoever adds one raises the
counter in the same transaction, under the condition that it is below its limit, which holds in any race.
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

# Named constraints, so that a later revision can name what it changes.
METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

ACCOUNTS = Table(
    "accounts",
    METADATA,
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
    # The last `updated_at` given to one of its documents: the next is later, whatever the clock says.
    Column("edited_at", BigInteger, nullable=False),
    Column("is_operator", Boolean, nullable=False, server_default=false()),
)

# Every username that is or was an account's when it was deleted: that one is never given again.
USERNAMES = Table(
    "usernames",
    METADATA,
    Column("username", String(30), primary_key=True),
    Column("account_id", String(36), nullable=True),
)

KEYS = Table(
    "keys",
    METADATA,
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

SESSIONS = Table(
    "sessions",
    METADATA,
    Column("token_hash", String(64), primary_key=True),
    Column("account_id", String(36), ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Index(None, "account_id"),
    Index(None, "expires_at"),
)

# Without an account it is a demo's, and has `expires_at`. `published_at` is null while it is not published. The text
# comes last, since SQLite reads a row from its beginning, and lists are made without the text.
DOCUMENTS = Table(
    "documents",
    METADATA,
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
    Column("published_at", BigInteger, nullable=True),
    Column("is_taken_down", Boolean, nullable=False),
    Column("expires_at", BigInteger, nullable=True),
    Column("word_count", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    # Raised by every change that a page would show.
    Column("revision", Integer, nullable=False),
    Column("content", Text, nullable=False),
    Index(None, "account_id", "updated_at", "id"),
    Index(None, "expires_at"),
)

# What sitemap, feeds and users' pages list, in their order.
_IS_PUBLIC = text("visibility = 'public' AND published_at IS NOT NULL")
Index(
    "ix_documents_public",
    DOCUMENTS.c.account_id,
    DOCUMENTS.c.published_at,
    DOCUMENTS.c.id,
    sqlite_where=_IS_PUBLIC,
    postgresql_where=_IS_PUBLIC,
)

# The ready bytes of each published document.
PAGES = Table(
    "pages",
    METADATA,
    Column("document_id", String(36), ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("etag", String(64), nullable=False),
    Column("style_hash", String(64), nullable=False),
    Column("render_version", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("has_badge", Boolean, nullable=False),
    Column("body", LargeBinary, nullable=False),
)

# Every public path that leads to a document: the current one, and former ones, which redirect to it.
PERMALINKS = Table(
    "addresses",
    METADATA,
    Column("path", String(200), primary_key=True),
    Column("document_id", String(36), ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    Column("is_current", Boolean, nullable=False),
    Index(None, "document_id"),
)

# No foreign key: the row outlives its document, so that an expired page can say that it has expired.
DEMO_PAGES = Table(
    "demo_pages",
    METADATA,
    Column("identifier", String(20), primary_key=True),
    Column("document_id", String(36), nullable=False),
    Column("claim_token_hash", String(64), nullable=False, unique=True),
    Column("expires_at", BigInteger, nullable=False),
    Column("claimed_at", BigInteger, nullable=True),
    Index(None, "expires_at"),
)

# No foreign key: what was reported is kept for a while after its page is gone.
REPORTS = Table(
    "reports",
    METADATA,
    Column("id", String(36), primary_key=True),
    Column("document_id", String(36), nullable=False),
    Column("path", String(200), nullable=False),
    Column("title", String(200), nullable=False),
    Column("reason", String(20), nullable=False),
    Column("details", String(2000), nullable=False),
    Column("email", String(254), nullable=True),
    Column("reported_at", BigInteger, nullable=False),
    # Both are null while nobody has looked at it.
    Column("closed_at", BigInteger, nullable=True),
    Column("outcome", String(20), nullable=True),
    Index(None, "closed_at", "reported_at"),
    Index(None, "document_id"),
)

# Each lets one account be opened; it is deleted when it is used.
INVITATIONS = Table(
    "invitations",
    METADATA,
    Column("token_hash", String(64), primary_key=True),
    Column("note", String(100), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Index(None, "expires_at"),
)

# A link that was mailed: whoever opens it reads that address. One to sign up (`signup`) holds what was asked for; one to
# choose a new password (`password`) names its account. It is deleted when it is used.
EMAIL_TOKENS = Table(
    "letters",
    METADATA,
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
