"""Checks and copies trees of plug-ins and callers, so that renderers see only what the parser could return.

One table says of each class of nodes which attributes it has and what its children are. A copy shares no node with the
original: a plug-in may keep and change its own.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, cast, get_args

from mdpublish_core import nodes
from mdpublish_core.budget import INLINE_STEPS, LEAF_STEPS, Budget
from mdpublish_core.errors import InvalidArgument, LimitExceeded
from mdpublish_core.figure_kinds import FIGURE_KINDS, MATH_KIND
from mdpublish_core.options.limits import Limits
from mdpublish_core.positions import Span
from mdpublish_core.readers.markdown.raw_html.elements import BLOCK_TAGS, INLINE_TAGS, allowed_attributes, fragment_id
from mdpublish_core.resources.characters import replace_surrogates

Check = Callable[[Any], Any]
"""Returns the value to use; raises `_Unexpected`."""

Content = Literal["blocks", "inlines", "items", "rows", "cells", "notes", "any", "none"]

_MISSING = object()

NO_FOOTNOTES: Mapping[str, int] = {}


class InvalidTree(Exception):  # noqa: N818  (named after the fault)
    """A tree is wrong: the message says what is allowed."""


class TooDeep(InvalidTree):
    """A tree that renderers, which recurse, cannot render."""


class _Unexpected(Exception):  # noqa: N818
    """A value is wrong: the message says what it must be."""


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise _Unexpected("a str")
    # Not a subclass: some are written unchecked.
    return replace_surrogates(str.__str__(value)).replace("\0", "\ufffd")


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Unexpected("a bool")
    return value


def _number(first: int, last: int) -> Check:
    def check(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not first <= value <= last:
            raise _Unexpected(f"a number from {first} to {last}")
        return value

    return check


def _optional(check: Check) -> Check:
    def check_optional(value: object) -> Any:
        try:
            return None if value is None else check(value)
        except _Unexpected as error:
            raise _Unexpected(f"{error} or None") from None

    return check_optional


def _one_of(*choices: object) -> Check:
    def check(value: object) -> object:
        if isinstance(value, bool) or value not in choices:
            raise _Unexpected(f"one of {', '.join(map(repr, choices))}")
        return value

    return check


def _options(value: object) -> Mapping[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(word, str) for pair in value.items() for word in pair):
        raise _Unexpected("a mapping of str to str")
    return {_string(name): _string(content) for name, content in value.items()}


def _delimiters(value: object) -> tuple[str, str]:
    if not isinstance(value, tuple) or len(value) != 2:
        raise _Unexpected("a tuple of two str")
    return _string(value[0]), _string(value[1])


_LARGEST = 999_999_999
_FIGURES = tuple(name for name in FIGURE_KINDS if name != MATH_KIND.name)
_CODE = {"content": _string}
_FENCE = {"content": _string, "options": _options}

_NODES: Mapping[type[nodes.Token], tuple[Mapping[str, Check], Content]] = {
    nodes.Heading: ({"level": _number(1, 6)}, "inlines"),
    nodes.SetextHeading: ({"level": _number(1, 2)}, "inlines"),
    nodes.Paragraph: ({}, "inlines"),
    nodes.Quote: ({}, "blocks"),
    nodes.Callout: (
        {"kind": _one_of(*get_args(nodes.CalloutKind)), "name": _string, "fold": _one_of("", "-", "+")},
        "blocks",
    ),
    nodes.List: ({"start": _optional(_number(0, _LARGEST)), "loose": _flag}, "items"),
    nodes.ListItem: ({"leader": _string}, "blocks"),
    nodes.TaskItem: ({"leader": _string, "checked": _flag}, "blocks"),
    nodes.CodeFence: ({**_FENCE, "language": _string, "info_string": _string}, "none"),
    nodes.BlockCode: (_CODE, "none"),
    nodes.Figure: ({**_FENCE, "kind": _one_of(*_FIGURES), "language": _string, "column": _number(1, _LARGEST)}, "none"),
    nodes.MathBlock: ({**_FENCE, "delimiters": _optional(_delimiters)}, "none"),
    nodes.Table: ({}, "rows"),
    nodes.TableRow: ({}, "cells"),
    nodes.TableCell: ({"align": _one_of(None, -1, 0, 1)}, "inlines"),
    nodes.ThematicBreak: ({}, "none"),
    nodes.FootnoteDefinition: (
        {"label": _string, "number": _number(1, _LARGEST), "references": _number(0, _LARGEST)},
        "blocks",
    ),
    nodes.HtmlBlock: (_CODE, "none"),
    nodes.HtmlElement: ({}, "any"),
    nodes.RawText: (_CODE, "none"),
    nodes.Emphasis: ({}, "inlines"),
    nodes.Strong: ({}, "inlines"),
    nodes.Strikethrough: ({}, "inlines"),
    nodes.InlineCode: (_CODE, "none"),
    nodes.Link: ({"target": _string, "title": _string, "by_name": _flag}, "inlines"),
    nodes.AutoLink: ({"content": _string, "target": _string}, "none"),
    nodes.Image: (
        {"src": _string, "title": _string, "width": _optional(_string), "height": _optional(_string), "by_name": _flag},
        "inlines",
    ),
    nodes.LineBreak: ({"soft": _flag}, "none"),
    nodes.MathSpan: ({"content": _string, "display": _flag, "delimiters": _delimiters}, "none"),
    nodes.FootnoteReference: (
        {"label": _string, "number": _number(1, _LARGEST), "occurrence": _number(1, _LARGEST)},
        "none",
    ),
    nodes.HtmlSpan: (_CODE, "none"),
}

_ITEMS = frozenset({nodes.ListItem, nodes.TaskItem})
_PARTS = _ITEMS | {nodes.TableRow, nodes.TableCell, nodes.FootnoteDefinition}
_BLOCKS = frozenset(get_args(nodes.Block)) - _PARTS
_INLINES = frozenset(get_args(nodes.Inline))
_RAW_HTML = frozenset({nodes.HtmlBlock, nodes.HtmlSpan})

_ALLOWED: Mapping[Content, tuple[frozenset[type[nodes.Token]], str]] = {
    "blocks": (_BLOCKS, "a block, such as nodes.Paragraph"),
    "inlines": (_INLINES, "an inline, such as nodes.RawText"),
    "items": (_ITEMS, "a nodes.ListItem or nodes.TaskItem"),
    "rows": (frozenset({nodes.TableRow}), "a nodes.TableRow"),
    "cells": (frozenset({nodes.TableCell}), "a nodes.TableCell"),
    "notes": (frozenset({nodes.FootnoteDefinition}), "a nodes.FootnoteDefinition"),
    "any": (_BLOCKS | _INLINES, "a block or an inline"),
    "none": (frozenset(), ""),
}

_LINK_ATTRIBUTES = frozenset({"href", "name", "id"})

_TAGS = BLOCK_TAGS | INLINE_TAGS


def require_tree(document: nodes.Document, limits: Limits) -> None:
    """Raise `InvalidArgument` if a document built by hand cannot be rendered, `LimitExceeded` if it is too deep."""
    max_depth = 2 * limits.max_depth
    definitions: object = document.footnote_definitions
    copier = TreeCopier(Budget(sys.maxsize), max_depth=max_depth, lines=range(0), line=None, footnotes=None)
    try:
        copier.copy_blocks(document.children, 1, origin="each child of nodes.Document")
        copier.copy_footnotes(definitions)
    except TooDeep:
        raise LimitExceeded("max_depth", max_depth, max_depth + 1) from None
    except InvalidTree as error:
        raise InvalidArgument("document", f"is not valid: {error}") from None


def footnote_numbers(definitions: object) -> Mapping[str, int]:
    """Return the footnotes that may be referenced, as labels with numbers; others are refused when they are copied."""
    if not isinstance(definitions, Sequence):
        raise InvalidTree(f"`footnote_definitions` must be a list or tuple (got {type(definitions).__name__})")
    return {
        definition.label: definition.number
        for definition in definitions
        if isinstance(definition, nodes.FootnoteDefinition) and isinstance(definition.label, str)
    }


class TreeCopier:
    """Copies checked nodes; raises `InvalidTree`, and `BudgetExhausted` past the budget.

    `max_depth` is the greatest level. `footnotes` are those that may be referenced, labels with numbers, or None for
    any. Blocks without a line, or with one that is not in `lines`, get `line`; inlines keep the document's `spans`.
    """

    def __init__(
        self,
        budget: Budget,
        *,
        max_depth: int,
        lines: range,
        line: int | None,
        footnotes: Mapping[str, int] | None = NO_FOOTNOTES,
        spans: frozenset[Span] = frozenset(),
    ) -> None:
        self.image_characters = 0
        self.has_raw_html = False
        self._budget = budget
        self._max_depth = max_depth
        self._footnotes = footnotes
        self._lines = lines
        self._line = line
        self._spans = spans
        self._in_link = False

    def copy_blocks(self, blocks: object, level: int, *, origin: str) -> list[nodes.Token]:
        return self._copy_all(blocks, "blocks", level, origin)

    def copy_footnotes(self, definitions: object) -> list[nodes.FootnoteDefinition]:
        copied = self._copy_all(definitions, "notes", 1, "each footnote")
        return cast("list[nodes.FootnoteDefinition]", copied)

    def _copy_all(self, children: object, content: Content, level: int, origin: str) -> list[nodes.Token]:
        allowed, expected = _ALLOWED[content]
        copied = []
        for child in _sequence(children, origin):
            if type(child) not in allowed:
                raise InvalidTree(f"{origin} must be {expected} (got {_kind(child)})")
            copied.append(self._copy(child, level))
        return copied

    def _copy(self, node: Any, level: int) -> nodes.Token:
        kind = type(node)
        if level > self._max_depth:
            raise TooDeep(f"nodes must nest at most {self._max_depth} levels deep")
        self._budget.spend(INLINE_STEPS if kind in _INLINES else LEAF_STEPS)
        checks, content = _NODES[kind]
        copied: Any = object.__new__(kind)
        values = copied.__dict__
        values.update(vars(node))
        for name, check in checks.items():
            try:
                values[name] = check(getattr(node, name, _MISSING))
            except _Unexpected as error:
                value = getattr(node, name, None)
                raise InvalidTree(f"`{name}` of {_kind(node)} must be {error} (got {_shown(value)})") from None
        if content != "none":
            is_link = kind is nodes.Link or (kind is nodes.HtmlElement and node.tag == "a")
            if is_link and self._in_link:
                raise InvalidTree("a link must not contain another")
            outer, self._in_link = self._in_link, self._in_link or is_link
            copied.children = self._copy_all(node.children, content, level + 1, f"each child of {_kind(node)}")
            self._in_link = outer
        self.has_raw_html |= kind in _RAW_HTML
        if kind in _FINISH:
            getattr(self, _FINISH[kind])(node, copied, level)
        if isinstance(copied, nodes.BlockToken):
            line = values.get("line_number")
            copied.line_number = line if isinstance(line, int) and line in self._lines else self._line
        elif "span" in values and not (isinstance(copied, nodes.SpanToken) and values["span"] in self._spans):
            del values["span"]
        return cast("nodes.Token", copied)

    def _finish_callout(self, node: nodes.Callout, copied: nodes.Callout, level: int) -> None:
        if node.title is not None:
            title = self._copy_all([node.title], "blocks", level + 1, "`title` of nodes.Callout")[0]
            if not isinstance(title, nodes.Paragraph):
                raise InvalidTree(f"`title` of nodes.Callout must be a nodes.Paragraph or None (got {_kind(title)})")
            copied.title = title

    def _finish_row(self, _node: nodes.TableRow, copied: nodes.TableRow, _level: int) -> None:
        copied.row_align = [cell.align for cell in copied.children]

    def _finish_table(self, node: nodes.Table, copied: nodes.Table, level: int) -> None:
        header = self._copy_all([getattr(node, "header", None)], "rows", level + 1, "`header` of nodes.Table")[0]
        assert isinstance(header, nodes.TableRow)
        for row in copied.children:
            if len(row.children) != len(header.children):
                raise InvalidTree(
                    f"each row of nodes.Table must have as many cells as its header, {len(header.children)} (got {len(row.children)})"
                )
        copied.header, copied.column_align = header, header.row_align

    def _finish_math(self, _node: nodes.MathBlock, copied: nodes.MathBlock, _level: int) -> None:
        line = copied.__dict__.get("content_line")
        copied.content_line = line if isinstance(line, int) and line in self._lines else None

    def _finish_element(self, node: nodes.HtmlElement, copied: nodes.HtmlElement, _level: int) -> None:
        tag, attributes = getattr(node, "tag", None), getattr(node, "attributes", None)
        if not isinstance(tag, str) or tag not in _TAGS:
            raise InvalidTree(f"`tag` of nodes.HtmlElement must be one that Markdown may contain (got {_shown(tag)})")
        if not isinstance(attributes, Mapping) or not all(
            isinstance(each, str) for pair in attributes.items() for each in pair
        ):
            raise InvalidTree("`attributes` of nodes.HtmlElement must be a mapping of str to str")
        cleaned = {str.__str__(name): _string(value) for name, value in attributes.items()}
        allowed = allowed_attributes(tag, cleaned)
        if tag == "a":
            allowed |= {
                name: cleaned[name] for name in _LINK_ATTRIBUTES & cleaned.keys() if _is_link_value(name, cleaned[name])
            }
        if refused := sorted(cleaned.keys() - allowed.keys()):
            shown = f"{refused[0]}={cleaned[refused[0]]!r}"
            raise InvalidTree(f"`attributes` of nodes.HtmlElement must be allowed on `{tag}` (got {_cut(shown)})")
        copied.attributes = {name: allowed[name] for name in cleaned}

    def _finish_image(self, _node: nodes.Image, copied: nodes.Image, _level: int) -> None:
        if copied.src[:5].lower() == "data:":
            self.image_characters += len(copied.src)

    def _finish_reference(self, node: nodes.FootnoteReference, copied: nodes.FootnoteReference, _level: int) -> None:
        if self._footnotes is not None and self._footnotes.get(copied.label) != copied.number:
            raise InvalidTree(
                f"a nodes.FootnoteReference must be to a footnote of the document (got {_shown(node.label)})"
            )


_FINISH: Mapping[type[nodes.Token], str] = {
    nodes.Callout: "_finish_callout",
    nodes.Table: "_finish_table",
    nodes.TableRow: "_finish_row",
    nodes.MathBlock: "_finish_math",
    nodes.HtmlElement: "_finish_element",
    nodes.Image: "_finish_image",
    nodes.FootnoteReference: "_finish_reference",
}
"""Methods of the copier, for what the table does not say."""


def _sequence(children: object, origin: str) -> Sequence[Any]:
    if not isinstance(children, Sequence) or isinstance(children, str | bytes):
        raise InvalidTree(f"{origin}: must be in a list or tuple (got {_shown(children)})")
    return children


def _is_link_value(name: str, value: str) -> bool:
    return name == "href" or fragment_id(value) == value


def _kind(node: object) -> str:
    """Return the name of an object's class, as a plug-in writes it."""
    kind = type(node)
    return f"nodes.{kind.__name__}" if kind in _NODES else _shown(node)


def _shown(value: object) -> str:
    if value is None or isinstance(value, str | bytes | int | float):
        return _cut(repr(value))
    return f"an object of {type(value).__module__}.{type(value).__qualname__}"


def _cut(words: str) -> str:
    return words if len(words) <= 60 else f"{words[:59]}…"
