"""What an edit of a document must come to: every word, box, link and image of it is read, and merged, or a notice names it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from mdpublish_core import Converter, nodes, parse, read_file, read_html
from mdpublish_core.importing import Imported
from mdpublish_core.merging import merge
from mdpublish_core.merging.losses import FEATURES
from mdpublish_core.notices import Notice
from tests.edited_documents import SIGNS, WORD, Case, editor_of

_STAYING: Mapping[type[nodes.Token], str] = {
    nodes.Figure: "a figure",
    nodes.Image: "an image",
    nodes.MathBlock: "a formula",
    nodes.MathSpan: "a formula",
}
"""What stays as the source has it, with a notice, if a program shows it as something else."""

_SOURCES = nodes.MathSpan | nodes.MathBlock | nodes.Figure


class Seen(NamedTuple):
    """What a document has, of which nothing may be lost."""

    words: Sequence[str]
    boxes: Counter[bool]
    callouts: Counter[str]
    targets: Counter[str]
    sources: Counter[str]
    """Of formulas and figures."""
    signs: Counter[str]
    notes: frozenset[str]
    """Words of footnotes, which are anywhere in a file."""


def seen_of(document: nodes.Token) -> Seen:
    every = list(nodes.walk(document))
    return Seen(
        list(_words_of(document)),
        Counter(each.checked for each in every if isinstance(each, nodes.TaskItem)),
        Counter(each.kind for each in every if isinstance(each, nodes.Callout)),
        Counter({*filter(WORD.search, map(_target, every))}),
        Counter("".join(each.content.split()) for each in every if isinstance(each, _SOURCES)),
        Counter(each for each in nodes.text_content(document) if each in SIGNS),
        frozenset(word for each in every if isinstance(each, nodes.FootnoteDefinition) for word in _words_of(each)),
    )


def _words_of(token: nodes.Token) -> Iterator[str]:
    for each in nodes.walk(token):
        content = getattr(each, "content", "")
        yield from WORD.findall(content)


def _target(token: nodes.Token) -> str:
    return str(getattr(token, "target", "") or getattr(token, "src", ""))


def edited(case: Case) -> bytes | str:
    """Return the document of a case, with its edits."""
    editor = editor_of(_sent(case.markdown, case.output))
    for edit in case.changes:
        editor.make(edit)
    return editor.save()


def losses(case: Case, document: bytes | str) -> Iterator[str]:
    """Yield what is in an edited document of a case and became of nothing, what no notice names, and errors."""
    try:
        read = _read(document)
        merged = merge(case.markdown, read, Converter(to=case.output))
    except Exception as error:  # noqa: BLE001  (whatever is found)
        yield f"{type(error).__name__}: {error}"
        return
    yield from _lost_on_import("\n".join(editor_of(document).shown()), read)
    notices = (*read.notices, *merged.notices)
    yield from _lost_in_merge(
        case, parse(merged.markdown), _read(_sent(case.markdown, case.output)).document, read.document, notices
    )


@lru_cache(maxsize=1)
def _sent(markdown: str, output: str) -> bytes | str:
    conversion = Converter(to=output).convert(markdown)
    return conversion.content if isinstance(conversion.content, bytes) else conversion.html


def _read(content: bytes | str) -> Imported:
    return read_file(content, ".docx") if isinstance(content, bytes) else read_html(content)


def _lost_on_import(shown: str, read: Imported) -> Iterator[str]:
    named = WORD.findall(" ".join(notice.message for notice in read.notices))
    words, written = (list(dict.fromkeys(WORD.findall(each))) for each in (shown, read.markdown))
    if missing := set(words) - set(written) - set(named):
        yield f"not imported: {sorted(missing)}"
    seen = seen_of(read.document)
    common = (set(words) & set(written)) - seen.notes - set(WORD.findall(" ".join(seen.targets)))
    yield from _unlike(_sequence(words, common), _sequence(written, common))
    if signs := Counter(each for each in shown if each in SIGNS) - Counter(read.markdown):
        yield f"not imported: {signs}"


def _lost_in_merge(
    case: Case, result: nodes.Document, sent: nodes.Document, edited: nodes.Document, notices: Sequence[Notice]
) -> Iterator[str]:
    base = parse(case.markdown)
    named = " ".join(notice.message for notice in notices)
    staying = {kind for kind, name in FEATURES.items() if f"has no {name};" in named}
    if "formulas were lost by the editing program" in named:
        staying |= {nodes.MathSpan, nodes.MathBlock}
    excused: set[Any] = set(WORD.findall(named))
    for each in nodes.walk(base):
        if type(each) in staying or f"{_STAYING.get(type(each))} stays" in named:
            excused.update(_words_of(each), seen_of(each).sources, seen_of(each).callouts, seen_of(each).boxes)
    before, after, there, back = map(seen_of, (base, result, sent, edited))
    excused.update(each for each in back.sources if each in "".join(named.split()))
    deletes = not set(there.words) <= set(back.words)
    if "check box" in named:
        # Of a task without text, which Markdown has not.
        excused |= {True, False}
    for name in ("words", "targets", "sources", "signs", "boxes", "callouts"):
        old, new, out, came = (Counter(getattr(each, name)) for each in (before, after, there, back))
        # What the program does not show is deleted with what is around it.
        unseen = set(old - out) if deletes else set()
        # The copy of a picture is a copy of its source.
        copied = set(old) if name == "sources" else set()
        yield from _unequal(f"{name} added", came - out, new - old, excused | copied)
        yield from _unequal(f"{name} removed", out - came, old - new, excused | unseen)
    yield from _moved(before, after, there, back)


def _unequal(name: str, expected: Counter[str], done: Counter[str], named: set[str]) -> Iterator[str]:
    for what, counts in (("not done", expected - done), ("not asked for", done - expected)):
        if left := [each for each in counts.elements() if named.isdisjoint({each, *WORD.findall(str(each))})]:
            yield f"{name}, {what}: {left}"


def _moved(before: Seen, after: Seen, there: Seen, back: Seen) -> Iterator[str]:
    """Yield words that are in another order than in the edited document, if that had the order of the source."""
    sent = set(before.words) & set(there.words)
    if _sequence(before.words, sent - before.notes) == _sequence(there.words, sent - before.notes):
        common = set(back.words) & set(after.words) - before.notes - after.notes
        yield from _unlike(_sequence(back.words, common), _sequence(after.words, common))


def _unlike(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    if unlike := [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]:
        yield f"in another order: {unlike[:4]}"


def _sequence(words: Sequence[str], of: set[str]) -> list[str]:
    return list(dict.fromkeys(word for word in words if word in of))
