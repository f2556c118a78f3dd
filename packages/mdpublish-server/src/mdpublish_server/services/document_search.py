"""Search in an account's documents for all words in title or text; the last word may be a beginning.

Documents with all words in their title come first, newest text first. The others follow in windows, newest first; in a
window, those whose text has the words among its frequent ones come first. A window is what of the newest documents in
the index has the words, or, if that does not fill a page, what the index finds. Thus the first page costs the same in a
large account: rare words are found by the index, and frequent ones, which it would have to sort, by looking.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from mdpublish_server.errors import ValidationError
from mdpublish_server.search_words import UNSPACED, WORD, WORD_CHARACTERS, Query, fold, parse_query
from mdpublish_server.storage import DocumentSummary, Transaction
from mdpublish_server.storage.documents import BEGINNING_CHARACTERS, CONTENTS, find_contents
from mdpublish_server.storage.search_index import READ_WORDS, IndexedDocument, matching_documents, newest_indexed
from mdpublish_server.validation.validators import UNTITLED

QUERY_CHARACTERS = 100

WINDOW = 200
"""Documents that are ranked together."""

LOOKED_AT = 100
"""Newest documents that are looked at before the index is asked."""

READ_CHARACTERS = 4_000_000
"""Characters of the texts that one request reads: some tenths of a second."""

_WINDOWS = 5

_EXCERPT_CHARACTERS = 160

_LAST_NUMBER = 2**63 - 1

_CURSOR = re.compile(r"([01])-(\d{1,19})-(\d{1,3})")

# What readers don't see.
_MARKUP = re.compile(
    r"^[\s>]*[-+=:|]+(?=\s|$)|<!--[^\n]*?-->|</?[a-zA-Z][^<>\n]*>|\]\([^)\n]*\)?|(?<=\|)[ \t]*:?-+:?[ \t]*(?=\|)|-{3,}"
    r"|[*_`#|>~\[\]!]+"
)
_FRONT_MATTER = re.compile(r"(---|\+\+\+)[ \t]*\r?\n.*?^\1[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_PIECES = re.compile(rf"[^\n]{{1,{_EXCERPT_CHARACTERS}}}(?=\s|$)|[^\n]{{1,{_EXCERPT_CHARACTERS}}}")


class Marked(NamedTuple):
    """A run of text, and whether the search asked for it."""

    content: str
    is_hit: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A document, with its title and what is around the first hit in its text."""

    document: DocumentSummary
    title: Sequence[Marked]
    excerpt: Sequence[Marked]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """A page of hits; `next_cursor` is None after the last."""

    hits: Sequence[Hit]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPosition:
    """The place after `offset` documents of the window that begins before a number."""

    in_title: bool = True
    before: int = _LAST_NUMBER
    offset: int = 0

    @property
    def cursor(self) -> str:
        return f"{int(self.in_title)}-{self.before}-{self.offset}"


def search_documents(
    transaction: Transaction, account_id: str, query: str, *, cursor: str | None, limit: int
) -> Matches:
    """Return at most `limit` documents; raise `ValidationError`."""
    if len(query) > QUERY_CHARACTERS:
        raise ValidationError(f"The search must be at most {QUERY_CHARACTERS} characters (got {len(query):,})")
    search = _Search(transaction, account_id, parse_query(query), limit)
    position: SearchPosition | None = read_search_cursor(cursor)
    hits: list[Hit] = []
    characters = 0
    for _ in range(_WINDOWS):
        assert position is not None
        window, following = search.window(position)
        for offset in range(position.offset, len(window)):
            if len(hits) == limit or characters >= READ_CHARACTERS:
                return Matches(hits=hits, next_cursor=replace(position, offset=offset).cursor)
            if (stored := search.stored(window, offset)) is not None:
                document, content = stored
                characters += len(content)
                if search.has_phrases(document.title, content):
                    hits.append(search.hit(document, content))
        position = following
        if position is None:
            break
    return Matches(hits=hits, next_cursor=None if position is None else position.cursor)


class _Search:
    """A query in an account's documents."""

    def __init__(self, transaction: Transaction, account_id: str, query: Query, limit: int) -> None:
        self._transaction = transaction
        self._account_id = account_id
        self._query = query
        self._limit = limit
        self._all: Sequence[IndexedDocument] | None = None
        self._looked_at: tuple[int, Sequence[tuple[IndexedDocument, bool | None]]] | None = None
        self._stored: Mapping[str, tuple[DocumentSummary, str]] = {}
        self._words = [f" {term.word}{'' if term.is_prefix else ' '}" for term in query.terms]

    def window(self, position: SearchPosition) -> tuple[Sequence[IndexedDocument], SearchPosition | None]:
        """Return the documents of a window in their order, and where the next one begins."""
        newest = self._newest(position.before)
        is_all = len(newest) < LOOKED_AT
        window = [indexed for indexed, is_in_title in newest if is_in_title is position.in_title]
        is_read = all(indexed.words is not None for indexed, _ in newest)
        # Without words, there is nothing to ask the index for.
        if not self._words or (is_read and (is_all or len(window) >= self._limit)):
            last = None if is_all else newest[-1][0].number
        else:
            window = self._matching(position)
            last = window[-1].number if len(window) == WINDOW else None
        if not position.in_title:
            window.sort(key=self._rank)
        if last is not None:
            return window, SearchPosition(in_title=position.in_title, before=last)
        return window, SearchPosition(in_title=False) if position.in_title else None

    def stored(self, window: Sequence[IndexedDocument], offset: int) -> tuple[DocumentSummary, str] | None:
        """Return a document and its text, if it still exists; those that follow it are read with it."""
        document_id = window[offset].document_id
        if document_id not in self._stored:
            following = [indexed.document_id for indexed in window[offset : offset + CONTENTS]]
            self._stored = find_contents(self._transaction, self._account_id, following)
        return self._stored.get(document_id)

    def has_phrases(self, title: str, content: str) -> bool:
        if not self._query.phrases:
            return True
        folded = fold(f"{title}\n{content}")
        return all(phrase in folded for phrase in self._query.phrases)

    def hit(self, document: DocumentSummary, content: str) -> Hit:
        if document.title == UNTITLED:
            document = replace(document, beginning=content[:BEGINNING_CHARACTERS])
        return Hit(
            document=document, title=self._marked(document.title), excerpt=self._excerpt(document.title, content)
        )

    def _newest(self, before: int) -> Sequence[tuple[IndexedDocument, bool | None]]:
        """Return the newest documents, each with whether its title has all words; None if they are in neither."""
        # The first window of titles begins where that of texts does.
        if self._looked_at is None or self._looked_at[0] != before:
            newest = newest_indexed(self._transaction, self._account_id, before=before, limit=LOOKED_AT)
            self._looked_at = (before, [(indexed, self._is_in_title(indexed)) for indexed in newest])
        return self._looked_at[1]

    def _matching(self, position: SearchPosition) -> list[IndexedDocument]:
        """Ask the index: once for all, if they are less than a window."""
        if self._all is None and not self._is_frequent():
            self._all = self._ask_index(None, _LAST_NUMBER)
        if self._all is None or len(self._all) == WINDOW:
            return list(self._ask_index(position.in_title, position.before))
        return [
            indexed
            for indexed in self._all
            if indexed.number < position.before and self._is_in_title(indexed) is position.in_title
        ]

    def _is_frequent(self) -> bool:
        """Return whether many of the newest documents match, so that the index should not be asked for all."""
        return sum(is_in_title is not None for _, is_in_title in self._newest(_LAST_NUMBER)) >= self._limit

    def _ask_index(self, in_title: bool | None, before: int) -> Sequence[IndexedDocument]:
        return matching_documents(
            self._transaction, self._account_id, self._query, in_title=in_title, before=before, limit=WINDOW
        )

    def _is_in_title(self, indexed: IndexedDocument) -> bool | None:
        title, words = f" {indexed.title} ", f" {indexed.words} "
        missing = [word for word in self._words if word not in title]
        if self._words and not missing:
            return True
        # Words that are not read match, or the index would not know of them.
        return False if indexed.words is None or all(word in words for word in missing) else None

    def _rank(self, indexed: IndexedDocument) -> int:
        """Return a number that is lower for words in the title, and for frequent ones of the text."""
        title, words = f" {indexed.title} ", f" {indexed.words} "
        return sum(
            READ_WORDS if indexed.words is None else words.find(word) for word in self._words if word not in title
        )

    def _excerpt(self, title: str, content: str) -> Sequence[Marked]:
        """Return a piece of the text with a hit, without markup; nothing if only addresses and the title have hits."""
        words = [term.word for term in self._query.terms]
        for piece in _PIECES.findall(content):
            folded = fold(piece)
            if any(word in folded for word in words):
                shown = " ".join(_MARKUP.sub(" ", piece).split())
                marked = self._marked(shown)
                if shown != title and any(run.is_hit for run in marked):
                    return marked
        return ()

    def _marked(self, content: str) -> Sequence[Marked]:
        runs: list[Marked] = []
        end = 0
        for start, stop in self._spans(content):
            if start > end:
                runs.append(Marked(content[end:start], is_hit=False))
            runs.append(Marked(content[start:stop], is_hit=True))
            end = stop
        return [*runs, Marked(content[end:], is_hit=False)] if content[end:] else runs

    def _spans(self, content: str) -> Iterator[tuple[int, int]]:
        """Yield where the words of the search are, whole words but in scripts without spaces."""
        for word in WORD.finditer(content):
            folded = fold(word[0])
            if UNSPACED.search(folded) is None:
                cut = folded[:WORD_CHARACTERS]
                if any(
                    cut == term.word or (term.is_prefix and cut.startswith(term.word)) for term in self._query.terms
                ):
                    yield word.span()
            elif len(folded) == len(word[0]):
                hits = [False] * len(folded)
                for term in self._query.terms:
                    for match in re.finditer(f"(?={re.escape(term.word)})", folded):
                        hits[match.start() : match.start() + len(term.word)] = [True] * len(term.word)
                for run in re.finditer("x+", "".join(" x"[is_hit] for is_hit in hits)):
                    yield word.start() + run.start(), word.start() + run.end()


def first_words(beginning: str) -> str:
    """Return how a text begins for readers: without front matter and markup."""
    body = beginning[match.end() :] if (match := _FRONT_MATTER.match(beginning)) else beginning
    shown = " ".join(" ".join(_MARKUP.sub(" ", line) for line in body.splitlines()).split())
    return shown if len(shown) <= _EXCERPT_CHARACTERS else f"{shown[:_EXCERPT_CHARACTERS].rstrip()}…"


def read_search_cursor(cursor: str | None) -> SearchPosition:
    """Return the position of a `next_cursor`, the first if it is empty; raise `ValidationError`."""
    if not cursor:
        return SearchPosition()
    if (match := _CURSOR.fullmatch(cursor)) is None or int(match[2]) > _LAST_NUMBER:
        raise ValidationError("cursor must be that of a link to older documents")
    return SearchPosition(in_title=match[1] == "1", before=int(match[2]), offset=int(match[3]))
