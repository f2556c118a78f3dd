"""The index of documents by words: full text in SQLite (FTS5) and PostgreSQL (GIN).

    documents ── document_words: title, words ── document_index (SQLite, by triggers), an index of an expression (PostgreSQL)

In the index, words of an account begin with a part of its id: a search reads nothing of other accounts, however
frequent a word is there. Then comes `t` for a title's words, `w` for a text's. Rows are numbered as texts were written.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mdpublish_server.search_words import Query, Term, indexed_words
from mdpublish_server.storage.records import DocumentRecord
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.transactions import POSTGRESQL, SQLITE, LongChange, Statement, Transaction

_LONG_WORDS = 50_000
"""Characters of words: to index them, or to undo that, takes SQLite about 6 ms."""

READ_WORDS = 16_000
"""Characters of a text's different words; longer lists are not read in searches. A text of 8,000 words has as many."""

# What is indexed of a row of `document_words`, whose columns are named after `{0}`.
_TITLE = "replace(' ' || {0}title, ' ', ' ' || substr({0}account_id, 1, 6) || 't')"
_WORDS = "replace(' ' || {0}words, ' ', ' ' || substr({0}account_id, 1, 6) || 'w')"
_VECTOR = f"array_to_tsvector(string_to_array(ltrim({_TITLE} || {_WORDS}), ' '))".format("")
_INDEXED = f"SELECT {{0}}number, {_TITLE} AS title, {_WORDS} AS words"

_UNINDEX = f"INSERT INTO document_index (rowid, title, words, document_index) {_INDEXED}, 'delete'; ".format("OLD.")
_INDEX_ROW = f"INSERT INTO document_index (rowid, title, words) {_INDEXED}; ".format("NEW.")
_TRIGGERS = {"INSERT": _INDEX_ROW, "UPDATE": _UNINDEX + _INDEX_ROW, "DELETE": _UNINDEX}

_SQL = read_statements(__name__, read_words=READ_WORDS, vector=_VECTOR)


@dataclass(frozen=True, slots=True)
class _Operators:
    """What the queries of a database's full text are made of."""

    quote: str
    prefix: str
    conjunction: str
    disjunction: str
    exception: str


_OPERATORS = {
    SQLITE: _Operators(quote='"', prefix="*", conjunction=" AND ", disjunction=" OR ", exception=" NOT "),
    POSTGRESQL: _Operators(quote="'", prefix=":*", conjunction=" & ", disjunction=" | ", exception=" & !"),
}


def index_statements(dialect: str) -> Iterator[str]:
    """Yield the statements that create the index."""
    if dialect == SQLITE:
        yield f"CREATE VIEW indexed_words AS {_INDEXED} FROM document_words".format("")
        # Words are only compared: no positions. This tokenizer splits at ASCII characters alone.
        yield (
            "CREATE VIRTUAL TABLE document_index USING fts5(title, words, content=indexed_words, content_rowid=number, "
            "detail=none, columnsize=0, tokenize=ascii)"
        )
        for event, steps in _TRIGGERS.items():
            yield f"CREATE TRIGGER document_words_{event.lower()} AFTER {event} ON document_words BEGIN {steps}END"
        return
    # Rows are short, since searches may read many: words are stored apart.
    yield "ALTER TABLE document_words SET (toast_tuple_target = 256)"
    # Searches read what is not merged into the index yet: half a megabyte at most.
    yield (
        f"CREATE INDEX ix_document_words_vector ON document_words USING gin (({_VECTOR})) "
        "WITH (gin_pending_list_limit = 512)"
    )


class IndexedDocument(NamedTuple):
    """A document in the index; `words` are None if they are many."""

    number: int
    document_id: str
    title: str
    words: str | None


def index_values(document: DocumentRecord, words: str) -> dict[str, object]:
    """Return the row of a document, from what `indexed_words` returns for its text."""
    return {
        "document_id": document.id,
        "account_id": document.account_id,
        "title": indexed_words(document.title),
        "words": words,
        "size": len(words),
    }


def index_document(transaction: Transaction, document: DocumentRecord, words: str, *, is_new: bool = False) -> None:
    """Index a document's title and text; one of no account is not indexed."""
    if document.account_id is None:
        return
    if transaction.in_event_loop and len(words) > _LONG_WORDS:
        raise LongChange
    if not is_new:
        unindex_document(transaction, document.id)
    transaction.change(_SQL["add"], **index_values(document, words))


def index_title(transaction: Transaction, document: DocumentRecord) -> None:
    if document.account_id is not None:
        values = {"document_id": document.id, "new_title": indexed_words(document.title)}
        # Indexes the text again, too.
        _require_thread(transaction, _SQL["size_if_retitled"], **values)
        transaction.change(_SQL["retitle"], **values)


def unindex_document(transaction: Transaction, document_id: str) -> None:
    require_thread_to_unindex(transaction, document_id)
    transaction.change(_SQL["remove"], document_id=document_id)


def require_thread_to_unindex(transaction: Transaction, document_id: str) -> None:
    """Raise `LongChange` in the event loop if many words of the document are indexed."""
    _require_thread(transaction, _SQL["size"], document_id=document_id)


def _require_thread(transaction: Transaction, size: Statement, **values: object) -> None:
    if transaction.in_event_loop and (transaction.value(size, **values) or 0) > _LONG_WORDS:
        raise LongChange


def newest_indexed(transaction: Transaction, account_id: str, *, before: int, limit: int) -> Sequence[IndexedDocument]:
    rows = transaction.rows(_SQL["newest"], account=account_id, before=before, limit=limit)
    return tuple(map(IndexedDocument._make, rows))


def matching_documents(
    transaction: Transaction, account_id: str, query: Query, *, in_title: bool | None, before: int, limit: int
) -> Sequence[IndexedDocument]:
    """Return the newest documents that have all words of `query`: in their title, not all there, or either."""
    expression = _expression(_OPERATORS[transaction.dialect], account_id, query.terms, in_title=in_title)
    rows = transaction.rows(
        _SQL[f"matching_{transaction.dialect}"], query=expression, account=account_id, before=before, limit=limit
    )
    return tuple(map(IndexedDocument._make, rows))


def _expression(operators: _Operators, account_id: str, terms: Sequence[Term], *, in_title: bool | None) -> str:
    def of(kind: str) -> list[str]:
        return [
            f"{operators.quote}{account_id[:6]}{kind}{term.word}{operators.quote}{operators.prefix if term.is_prefix else ''}"
            for term in terms
        ]

    titles, bodies = of("t"), of("w")
    in_titles = operators.conjunction.join(titles)
    if in_title:
        return in_titles
    words = (f"({operators.disjunction.join(pair)})" for pair in zip(titles, bodies, strict=True))
    anywhere = operators.conjunction.join(words)
    return anywhere if in_title is None else f"({anywhere}){operators.exception}({in_titles})"
