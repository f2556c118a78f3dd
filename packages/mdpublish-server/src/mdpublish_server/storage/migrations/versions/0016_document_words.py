"""The index of documents by words; see `search_index`."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from mdpublish_server.search_words import indexed_words

revision = "0016"
down_revision = "0015"

_TITLE = "replace(' ' || {0}title, ' ', ' ' || substr({0}account_id, 1, 6) || 't')"
_WORDS = "replace(' ' || {0}words, ' ', ' ' || substr({0}account_id, 1, 6) || 'w')"
_VECTOR = f"array_to_tsvector(string_to_array(ltrim({_TITLE} || {_WORDS}), ' '))".format("")
_INDEXED = f"SELECT {{0}}number, {_TITLE} AS title, {_WORDS} AS words"

_REMOVE = f"INSERT INTO document_index (rowid, title, words, document_index) {_INDEXED}, 'delete'; ".format("OLD.")
_ADD = f"INSERT INTO document_index (rowid, title, words) {_INDEXED}; ".format("NEW.")
_TRIGGERS = {"INSERT": _ADD, "UPDATE": _REMOVE + _ADD, "DELETE": _REMOVE}


def upgrade() -> None:
    op.create_table(
        "document_words",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer, "sqlite"), autoincrement=True),
        sa.Column("document_id", sa.String(36), nullable=False),
        sa.Column("account_id", sa.String(36), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_document_words"),
        sa.UniqueConstraint("document_id", name="uq_document_words_document_id"),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name="fk_document_words_document_id_documents", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_document_words_account_id_number", "document_words", ["account_id", "number"])
    if op.get_bind().dialect.name == "sqlite":
        op.execute(f"CREATE VIEW indexed_words AS {_INDEXED} FROM document_words".format(""))
        # Words are only compared: no positions. This tokenizer splits at ASCII characters alone.
        op.execute(
            "CREATE VIRTUAL TABLE document_index USING fts5(title, words, content=indexed_words, content_rowid=number, "
            "detail=none, columnsize=0, tokenize=ascii)"
        )
        for event, steps in _TRIGGERS.items():
            op.execute(
                f"CREATE TRIGGER document_words_{event.lower()} AFTER {event} ON document_words BEGIN {steps}END"
            )
    else:
        # Rows are short, since searches may read many: words are stored apart.
        op.execute("ALTER TABLE document_words SET (toast_tuple_target = 256)")
    _index_documents()
    if op.get_bind().dialect.name != "sqlite":
        # Searches read what is not merged into the index yet: half a megabyte at most.
        op.execute(
            f"CREATE INDEX ix_document_words_vector ON document_words USING gin (({_VECTOR})) "
            "WITH (gin_pending_list_limit = 512)"
        )


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE document_index")
        op.execute("DROP VIEW indexed_words")
    op.drop_table("document_words")


def _index_documents() -> None:
    """Index texts in the order of their last edits."""
    connection = op.get_bind()
    ids = connection.execute(sa.text("SELECT id FROM documents WHERE account_id IS NOT NULL ORDER BY updated_at, id"))
    one = sa.text("SELECT id, account_id, title, content FROM documents WHERE id = :id")
    add = sa.text(
        "INSERT INTO document_words (document_id, account_id, size, title, words) VALUES (:id, :account, :size, :title, :words)"
    )
    for document_id in ids.scalars().all():
        connection.execute(add, _entry(connection.execute(one, {"id": document_id}).one()))


def _entry(row: Any) -> dict[str, object]:
    words = indexed_words(row.content)
    return {
        "id": row.id,
        "account": row.account_id,
        "size": len(words),
        "title": indexed_words(row.title),
        "words": words,
    }
