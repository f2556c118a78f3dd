"""Search in an account's documents: those whose title or content has all words, in any case.

Documents are read newest first, a few at a time. A search stops after `SEARCHED_DOCUMENTS` or `SEARCHED_CHARACTERS` and
goes on from there on its next page: neither a large account nor a long text takes long. SQLite's `LIKE` ignores the case
of ASCII letters alone, so words are compared here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from mdpublish_server.errors import ValidationError
from mdpublish_server.storage import DocumentSummary, Transaction
from mdpublish_server.storage.documents import list_contents

QUERY_CHARACTERS = 100

SEARCHED_DOCUMENTS = 1_000

SEARCHED_CHARACTERS = 10_000_000
"""Compared in some tenths of a second."""

# A megabyte each at most.
_BATCH_DOCUMENTS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """Matches, newest first; `last` is the document to go on from, None if none is left."""

    documents: Sequence[DocumentSummary]
    last: DocumentSummary | None


def words_of(query: str) -> tuple[str, ...]:
    """Return the words, without case; raise `ValidationError`."""
    if len(query) > QUERY_CHARACTERS:
        raise ValidationError(f"The search must be at most {QUERY_CHARACTERS} characters (got {len(query):,})")
    return tuple(dict.fromkeys(query.casefold().split()))


def search_documents(
    transaction: Transaction, account_id: str, words: Sequence[str], *, before: datetime, before_id: str, limit: int
) -> Matches:
    """Return at most `limit` documents before (`before`, `before_id`) that have all `words`."""
    matches: list[DocumentSummary] = []
    searched = characters = 0
    while True:
        batch = list_contents(transaction, account_id, before=before, before_id=before_id, limit=_BATCH_DOCUMENTS)
        for summary, content in batch:
            searched += 1
            characters += len(content)
            if _has_all(words, summary.title, content):
                matches.append(summary)
            if len(matches) == limit or searched == SEARCHED_DOCUMENTS or characters >= SEARCHED_CHARACTERS:
                return Matches(documents=matches, last=summary)
        if len(batch) < _BATCH_DOCUMENTS:
            return Matches(documents=matches, last=None)
        before, before_id = batch[-1][0].updated_at, batch[-1][0].id


def _has_all(words: Sequence[str], title: str, content: str) -> bool:
    folded = f"{title}\n{content}".casefold()
    return all(word in folded for word in words)
