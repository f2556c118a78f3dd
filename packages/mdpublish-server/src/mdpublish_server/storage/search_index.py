"""The index of documents by words: full text in SQLite (FTS5) and PostgreSQL (GIN).

    documents ── document_words: title, words ── document_index (SQLite, by triggers), an index of an expression (PostgreSQL)

In the index, words of an account begin with a part of its id: a search reads nothing of other accounts, however frequent a
word is there. Then comes `t` for a title's words, `w` for a text's. Rows are numbered in the order in which texts were written.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import bindparam, case, delete, insert, select, text, update

from mdpublish_server.search_words import Query, Term, indexed_words
from mdpublish_server.storage.records import Document
from mdpublish_server.storage.tables import DOCUMENT_WORDS
from mdpublish_server.storage.transactions import POSTGRESQL, SQLITE, Statement, Transaction

READ_WORDS = 16_000
"""Characters of a text's different words; longer lists are not read in searches. A text of 8,000 words has as many."""

VECTOR = (
    "array_to_tsvector(string_to_array(ltrim(replace(' ' || title, ' ', ' ' || substr(account_id, 1, 6) || 't') || "
    "replace(' ' || words, ' ', ' ' || substr(account_id, 1, 6) || 'w')), ' '))"
)
"""PostgreSQL's index is of this expression."""

_COLUMNS = (
    DOCUMENT_WORDS.c.number,
    DOCUMENT_WORDS.c.document_id,
    DOCUMENT_WORDS.c.title,
    case((DOCUMENT_WORDS.c.size <= READ_WORDS, DOCUMENT_WORDS.c.words)),
)
_this = DOCUMENT_WORDS.c.document_id == bindparam("document_id")

# All columns but `number`, which the database counts.
ADDED_COLUMNS = tuple(DOCUMENT_WORDS.c[name] for name in ("document_id", "account_id", "size", "title", "words"))
_ADD = Statement(insert(DOCUMENT_WORDS).values({column.key: bindparam(column.key) for column in ADDED_COLUMNS}))
_REMOVE = Statement(delete(DOCUMENT_WORDS).where(_this))
_RETITLE = Statement(
    update(DOCUMENT_WORDS)
    .where(_this, DOCUMENT_WORDS.c.title != bindparam("new_title"))
    .values(title=bindparam("new_title"))
)
_NEWEST = Statement(
    select(*_COLUMNS)
    .where(DOCUMENT_WORDS.c.account_id == bindparam("account"), DOCUMENT_WORDS.c.number < bindparam("before"))
    .order_by(DOCUMENT_WORDS.c.number.desc())
    .limit(bindparam("limit"))
)
_READ = f"document_words.number, document_id, document_words.title, CASE WHEN size <= {READ_WORDS} THEN document_words.words END"
_MATCHING: Mapping[str, Statement] = {
    # Rows come from the index in this order, no more than are asked for.
    SQLITE: Statement(
        text(
            f"SELECT {_READ} FROM document_index JOIN document_words ON document_words.number = document_index.rowid "  # noqa: S608  (our own)
            "WHERE document_index MATCH :query AND document_index.rowid < :before AND account_id = :account "
            "ORDER BY document_index.rowid DESC LIMIT :limit"
        )
    ),
    # All matches are sorted. A condition beside the limit would make PostgreSQL read all documents in order instead.
    POSTGRESQL: Statement(
        text(
            f"WITH matching AS MATERIALIZED (SELECT number FROM document_words WHERE {VECTOR} @@ CAST(:query AS tsquery) "  # noqa: S608  (our own)
            "AND account_id = :account AND number < :before), "
            "newest AS MATERIALIZED (SELECT number FROM matching ORDER BY number DESC LIMIT :limit) "
            f"SELECT {_READ} FROM newest JOIN document_words USING (number) ORDER BY number DESC"
        )
    ),
}


class IndexedDocument(NamedTuple):
    """A document in the index; `words` are None if they are many."""

    number: int
    document_id: str
    title: str
    words: str | None


def index_values(document: Document, words: str) -> dict[str, object]:
    """Return the row of a document, from what `indexed_words` returns for its text."""
    return {
        "document_id": document.id,
        "account_id": document.account_id,
        "title": indexed_words(document.title),
        "words": words,
        "size": len(words),
    }


def index_document(transaction: Transaction, document: Document, words: str, *, is_new: bool = False) -> None:
    """Index a document's title and text; one of no account is not indexed."""
    if document.account_id is None:
        return
    if not is_new:
        transaction.change(_REMOVE, document_id=document.id)
    transaction.change(_ADD, **index_values(document, words))


def index_title(transaction: Transaction, document: Document) -> None:
    if document.account_id is not None:
        transaction.change(_RETITLE, document_id=document.id, new_title=indexed_words(document.title))


def newest_indexed(transaction: Transaction, account_id: str, *, before: int, limit: int) -> Sequence[IndexedDocument]:
    rows = transaction.rows(_NEWEST, account=account_id, before=before, limit=limit)
    return tuple(map(IndexedDocument._make, rows))


def matching_documents(
    transaction: Transaction, account_id: str, query: Query, *, in_title: bool | None, before: int, limit: int
) -> Sequence[IndexedDocument]:
    """Return the newest documents that have all words of `query`: in their title, or not all of them there, or either."""
    is_sqlite = transaction.dialect == SQLITE
    expression = (_sqlite_query if is_sqlite else _postgresql_query)(account_id, query.terms, in_title=in_title)
    rows = transaction.rows(
        _MATCHING[transaction.dialect], query=expression, account=account_id, before=before, limit=limit
    )
    return tuple(map(IndexedDocument._make, rows))


def _sqlite_query(account_id: str, terms: Sequence[Term], *, in_title: bool | None) -> str:
    def of(kind: str) -> list[str]:
        return [f'"{account_id[:6]}{kind}{term.word}"{"*" if term.is_prefix else ""}' for term in terms]

    in_titles = " AND ".join(of("t"))
    if in_title:
        return in_titles
    anywhere = " AND ".join(f"({title} OR {word})" for title, word in zip(of("t"), of("w"), strict=True))
    return anywhere if in_title is None else f"({anywhere}) NOT ({in_titles})"


def _postgresql_query(account_id: str, terms: Sequence[Term], *, in_title: bool | None) -> str:
    def of(kind: str) -> list[str]:
        return [f"'{account_id[:6]}{kind}{term.word}'{':*' if term.is_prefix else ''}" for term in terms]

    in_titles = " & ".join(of("t"))
    if in_title:
        return in_titles
    anywhere = " & ".join(f"({title} | {word})" for title, word in zip(of("t"), of("w"), strict=True))
    return anywhere if in_title is None else f"({anywhere}) & !({in_titles})"
