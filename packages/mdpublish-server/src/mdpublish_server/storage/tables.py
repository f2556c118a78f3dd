"""The tables. A change here goes with a revision in `migrations/versions`; a test compares the two.

Times are whole microseconds since 1970 in UTC, so that they compare and sort alike in every database.
"""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, LargeBinary, MetaData, String, Table, Text

# Named constraints, so that a later revision can name what it changes.
METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

DOCUMENTS = Table(
    "documents",
    METADATA,
    Column("id", String(36), primary_key=True),
    Column("title", String(200), nullable=False),
    Column("content", Text, nullable=False),
    Column("template_id", String(60), nullable=False),
    Column("theme_mode", String(10), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
)

# No foreign key: the row outlives its document, so that an expired page can say that it has expired.
DEMO_PAGES = Table(
    "demo_pages",
    METADATA,
    Column("identifier", String(20), primary_key=True),
    Column("document_id", String(36), nullable=False),
    Column("claim_token_hash", String(64), nullable=False, unique=True),
    Column("expires_at", BigInteger, nullable=False),
    Index(None, "expires_at"),
)

# Every public path, with the ready bytes of what it shows.
ADDRESSES = Table(
    "addresses",
    METADATA,
    Column("path", String(200), primary_key=True),
    Column("document_id", String(36), ForeignKey("documents.id", ondelete="CASCADE"), nullable=True),
    Column("body", LargeBinary, nullable=True),
    Column("etag", String(64), nullable=True),
    Column("style_hash", String(64), nullable=True),
    Column("render_version", Integer, nullable=True),
    Index(None, "document_id"),
)
