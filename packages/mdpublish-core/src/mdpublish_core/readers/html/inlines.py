"""Runs of text with marks to inlines.

A paragraph is a flat list of runs, as in the editors that people copy from. White space collapses over the whole list,
as in browsers, and what is left of it belongs to the marks of both its sides. The tree is built from the list, the
longest mark outermost, so nothing in it is empty, touches its like, or holds a second link.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.nodes.comments import is_comment
from mdpublish_core.readers.html_elements import EMPHASIS_TYPES, Content, element_of, longest_first, nest
from mdpublish_core.readers.markdown.autolinks import link_bare
from mdpublish_core.resources.allowed_elements import collapse_spaces, single_line
from mdpublish_core.resources.urls import encode_url
from mdpublish_core.strings.lazy_patterns import compile_lazily

_BLANK = " \t\n\f\r\ufeff"

_BRACKETS = dict(
    zip(
        "\"'([{\u201c\u2018\u00ab\uff08\u300a\u3008\u300c\u300e\u3010",
        "\"')]}\u201d\u2019\u00bb\uff09\u300b\u3009\u300d\u300f\u3011",
        strict=True,
    )
)
"""Quotes, too."""

_BARE_URL = compile_lazily(r"(?:https?://|mailto:|www\.)[^\s<>]+|[\w.+-]+@[\w.-]+", 0)


class Mark(NamedTuple):
    """What a run is: `strong`, `em`, `del`, `code`, `a`, or the tag of another element."""

    kind: str
    attributes: tuple[tuple[str, str], ...] = ()


class Run(NamedTuple):
    """A text, or an inline without text, and its marks, outermost first."""

    content: Content
    marks: tuple[Mark, ...] = ()


_CODE = Mark("code")


def paragraphs_of(runs: Iterable[Run], *, soft_breaks: bool = False) -> list[list[nodes.Token]]:
    """Return the inlines of each paragraph, divided by two line breaks. `soft_breaks` keeps the source's line ends."""
    collapsed: list[list[Run]] = [[]]
    breaks, space = 0, ""
    between: tuple[Mark, ...] | None = None
    for run in _pieces(runs):
        content = run.content
        if not isinstance(content, str) and is_comment(content):
            collapsed[-1].append(run)
        elif isinstance(content, nodes.LineBreak):
            breaks += 1
        elif isinstance(content, str) and content.isspace() and not _is_element(run):
            space = "\n" if soft_breaks and "\n" in content + space else " "
            between = run.marks if between is None else _shared(between, run.marks)
        else:
            if breaks > 1 and collapsed[-1]:
                collapsed.append([])
            if collapsed[-1] and (breaks or space):
                marks = _shared(collapsed[-1][-1].marks, run.marks)
                if breaks:
                    marks = tuple(mark for mark in marks if mark.kind != "code")
                    collapsed[-1].append(Run(nodes.LineBreak(soft=False), marks))
                else:
                    collapsed[-1].append(Run(space, _shared(marks, between or ())))
            collapsed[-1].append(run)
            breaks, space, between = 0, "", None
    read = partial(_read, soft_breaks=soft_breaks)
    plain = ([_with_plain_code(run) for run in _with_edges(_trimmed(each))] for each in collapsed if each)
    trees = (nest(longest_first(each, _CODE.__eq__), _wrapped, read) for each in plain)
    return [tokens for tokens in trees if tokens]


def _trimmed(runs: list[Run]) -> list[Run]:
    """Return runs without what editors leave at the end, or in an empty paragraph: no-break spaces."""
    while runs:
        last = runs[-1]
        if not isinstance(last.content, str) or _is_element(last):
            return runs
        if string := last.content.rstrip():
            return [*runs[:-1], last._replace(content=string)]
        runs = runs[:-1]
    return runs


def _with_edges(runs: list[Run]) -> Iterator[Run]:
    """Yield runs whose emphasis neither begins nor ends at signs beside a letter, which Markdown cannot: `**Name:**Ann`."""
    for before, run, after in zip([None, *runs], runs, [*runs[1:], None], strict=False):
        start, core, end = _edges_of(before, run, after)
        if not (start or end):
            yield run
            continue
        if start:
            yield Run(start, _without_emphasis(run, before))
        if core:
            yield run._replace(content=core)
        if end:
            yield Run(end, _without_emphasis(run, after))


def _edges_of(before: Run | None, run: Run, after: Run | None) -> tuple[str, str, str]:
    """Return the signs at the start and end of a run's text that its emphasis must leave out, and what is between."""
    content = run.content
    if not isinstance(content, str) or _is_element(run):
        return "", "", ""
    start = end = ""
    if after and content.endswith("\xa0") and any(map(_is_emphasis, _ending(run, after))):
        end = content[len(content.rstrip("\xa0")) :]
    elif after and _loses_emphasis(run, after) and _has_word_edge(after, 0):
        end = _signs(content[::-1])[::-1]
    if before and content.startswith("\xa0") and any(map(_is_emphasis, _ending(run, before))):
        start = content[: -len(content.lstrip("\xa0")) or None]
    elif before and _loses_emphasis(run, before) and _has_word_edge(before, -1):
        start = _signs(content)
    if len(content) > 1 and _BRACKETS.get(content[0]) == content[-1]:
        # Brackets go together.
        start, end = (start or content[0], end or content[-1]) if start or end else ("", "")
    if len(start) + len(end) > len(content):
        start = ""
    return start, content[len(start) : len(content) - len(end)], end


def _loses_emphasis(run: Run, neighbor: Run) -> bool:
    """Whether what ends between two runs is emphasis alone."""
    ending = _ending(run, neighbor)
    return bool(ending) and all(map(_is_emphasis, ending))


def _ending(run: Run, neighbor: Run) -> list[Mark]:
    return [mark for mark in run.marks if mark not in neighbor.marks]


def _is_emphasis(mark: Mark) -> bool:
    return mark.kind in EMPHASIS_TYPES


def _has_word_edge(run: Run, position: int) -> bool:
    """Whether a run has a letter or digit at its edge, but of a script that has no spaces between words, as Chinese."""
    edge = run.content[position] if isinstance(run.content, str) and run.content else ""
    return edge.isalnum() and edge < "\u2e80"


def _signs(content: str) -> str:
    """Return the signs with which a text begins."""
    return content[: next((number for number, sign in enumerate(content) if sign.isalnum()), len(content))]


def _without_emphasis(run: Run, neighbor: Run | None) -> tuple[Mark, ...]:
    others = neighbor.marks if neighbor else ()
    return tuple(mark for mark in run.marks if mark.kind not in EMPHASIS_TYPES or mark in others)


def _pieces(runs: Iterable[Run]) -> Iterator[Run]:
    """Yield runs with white space at their edges apart."""
    for run in runs:
        string = run.content
        if not isinstance(string, str) or _is_element(run):
            yield run
            continue
        core = string.strip(_BLANK)
        start = string.find(core)
        if start or not core:
            yield Run(" " + string[: start or None], run.marks)
        if core:
            yield run._replace(content=core)
            if start + len(core) < len(string):
                yield Run(" " + string[start + len(core) :], run.marks)


def _is_element(run: Run) -> bool:
    """Return whether a run is in a `code` element, whose white space counts, not only in its font."""
    return any(mark.kind == "code" and mark.attributes for mark in run.marks)


def _shared(left: Sequence[Mark], right: Sequence[Mark]) -> tuple[Mark, ...]:
    return tuple(mark for mark in left if mark in right)


def _with_plain_code(run: Run) -> Run:
    """Return a run whose code is like all other, without the no-break spaces of what is only in its font."""
    others = tuple(mark for mark in run.marks if mark.kind != "code")
    if len(others) == len(run.marks):
        return run
    content = run.content if _is_element(run) else str(run.content).replace("\xa0", " ")
    return Run(content, (*others, _CODE))


def _read(string: str, marks: Sequence[Mark], *, soft_breaks: bool) -> list[nodes.Token]:
    if _CODE in marks:
        return [nodes.RawText(string)]
    is_plain = soft_breaks or any(mark.kind == "a" for mark in marks)
    linked = [nodes.RawText(string)] if is_plain else link_bare(string)
    return [part for each in linked for part in _text_tokens(each, soft_breaks=soft_breaks)]


def _text_tokens(token: nodes.Token, *, soft_breaks: bool) -> list[nodes.Token]:
    if not isinstance(token, nodes.RawText):
        return [token]
    tokens: list[nodes.Token] = []
    for number, line in enumerate(token.content.split("\n") if soft_breaks else [token.content]):
        tokens += [nodes.LineBreak(soft=True)] if number else []
        # An empty line is the beginning or the end of a text between other inlines.
        tokens += [nodes.RawText(collapse_spaces(line))] if line else []
    return tokens


def _wrapped(mark: Mark, children: list[nodes.Token]) -> list[nodes.Token]:
    if not children:
        return []
    attributes = dict(mark.attributes)
    if mark == _CODE:
        code = nodes.text_content(children[0])
        # Spaces are the author's, lines those of a program.
        code = single_line(code) if "\n" in code else code
        return [nodes.InlineCode(code)] if code.strip(" ") else []
    if mark.kind == "a":
        return [_link(attributes["href"], attributes.get("title", ""), children)]
    return [element_of(mark.kind, attributes, children)]


def _link(target: str, title: str, children: list[nodes.Token]) -> nodes.Token:
    if not title and len(children) == 1 and isinstance(children[0], nodes.RawText):
        string = children[0].content
        if _BARE_URL.fullmatch(string):
            for prefix in ("", "mailto:", "http://"):
                if encode_url(prefix + string) == encode_url(target):
                    return nodes.AutoLink(string, target=prefix + string)
    return nodes.Link(target, children, title=title)
