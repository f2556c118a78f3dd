"""Reads a document's tree from the JSON of `writers.json_tree`, and checks it as it checks a plug-in's tree."""

import json
from collections.abc import Mapping
from typing import Any, cast, get_args

from mdpublish_core import nodes
from mdpublish_core.arguments import require_fields, require_input_size, require_limits, require_type
from mdpublish_core.errors import InvalidArgument, LimitExceeded, UnknownRawHtmlMode
from mdpublish_core.nodes import open_nodes
from mdpublish_core.nodes.tokens import argument_names, required_names
from mdpublish_core.notices import NOTICES, Notice, limit_notices
from mdpublish_core.options.extensions import RAW_HTML_MODES, RawHtml
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits, budget_of, html_levels
from mdpublish_core.readers.markdown.raw_html import convert_raw_html
from mdpublish_core.readers.markdown.tree_check import InvalidTree, TooDeep, TreeCopier, footnote_numbers
from mdpublish_core.resources.characters import replace_surrogates

VERSION = 1
"""Version of the format: another one would not be read."""

_CLASSES: Mapping[str, type[nodes.Token]] = {kind.__name__: kind for kind in get_args(nodes.Block | nodes.Inline)}

_MAX_LINE = 1 << 31


def from_json(content: str, *, raw_html: RawHtml = "sanitize", limits: Limits = DEFAULT_LIMITS) -> nodes.Document:
    """Return the document that `to_json` wrote.

    `raw_html` says what becomes of raw HTML in it, as in `parse`: `keep` is for JSON that you trust.

    Raises `UnknownRawHtmlMode`, `InvalidArgument` for what is not such a tree, and `LimitExceeded` past
    `limits.max_input_bytes`, or if the tree is nested deeper than twice `limits.max_depth`.
    """
    require_type("content", content, str)
    if raw_html not in RAW_HTML_MODES:
        raise UnknownRawHtmlMode(raw_html, RAW_HTML_MODES)
    require_limits(limits)
    size = len(content.encode(errors="replace"))
    require_input_size(size, limits)
    max_depth = 2 * limits.max_depth
    try:
        return _document(json.loads(content), size, limits, raw_html)
    except (TooDeep, RecursionError):
        raise LimitExceeded("max_depth", max_depth, max_depth + 1) from None
    except ValueError as error:
        # Python also refuses numbers of more than 4,300 digits.
        raise InvalidArgument("content", f"must be JSON: {error}") from None
    except InvalidArgument as error:
        problem = f"`{error.argument}` of nodes.Document {error.problem}"
        raise InvalidArgument("content", f"is not a document's tree: {problem}") from None
    except InvalidTree as error:
        raise InvalidArgument("content", f"is not a document's tree: {error}") from None


def _document(tree: object, size: int, limits: Limits, raw_html: RawHtml) -> nodes.Document:
    if not isinstance(tree, dict) or tree.get("type") != "Document":
        raise InvalidTree("it must be an object with the type 'Document'")
    if tree.get("version") != VERSION:
        raise InvalidTree(f"`version` must be {VERSION} (got {tree.get('version')!r})")
    max_depth = 2 * limits.max_depth
    reader = _NodeReader(max_depth)
    notes = reader.read_all(tree.get("footnote_definitions", []))
    budget = budget_of(limits, size)
    checked = nodes.Document(
        reader.read_all(tree.get("children")), footnote_definitions=cast("list[nodes.FootnoteDefinition]", notes)
    )
    copier = TreeCopier(
        budget, max_depth=max_depth, footnotes=footnote_numbers(checked), lines=range(1, _MAX_LINE), line=None
    )
    root = open_nodes.Document(copier.copy_all(checked.children, 1))
    footnotes = copier.copy_all(checked.footnote_definitions, 1)
    notices = [_notice(each) for each in _list(tree.get("notices", []), "notices")]
    if copier.has_raw_html and raw_html != "keep":
        levels = html_levels(limits)
        for parent, max_level in ((root, levels), *((note, levels - 1) for note in footnotes)):
            parent.children, added = convert_raw_html(list(parent.children), raw_html, max_depth=max_level)
            notices += added
    return nodes.Document(
        root.children,
        footnote_definitions=footnotes,
        notices=tuple(limit_notices(notices)),
        front_matter=tree.get("front_matter"),
        trusted=raw_html == "keep" and tree.get("trusted") is True,
        origin=nodes.Origin(source_bytes=size, steps_left=budget.left),
    )


class _NodeReader:
    def __init__(self, max_depth: int) -> None:
        self._levels_left = max_depth + 1

    def read_all(self, values: object) -> list[nodes.Token]:
        return [self._node(value) for value in _list(values, "children")]

    def _node(self, value: object) -> nodes.Token:
        if not isinstance(value, dict):
            raise InvalidTree(f"a node must be an object (got {type(value).__name__})")
        if (kind := _CLASSES.get(str(value.get("type")))) is None:
            raise InvalidTree(f"`type` must be the name of a node (got {value.get('type')!r:.60})")
        if self._levels_left == 0:
            raise TooDeep
        given = {name: each for name, each in value.items() if name != "type"}
        if unknown := given.keys() - argument_names(kind):
            raise InvalidTree(f"nodes.{kind.__name__} has no `{min(unknown)}`")
        if missing := required_names(kind) - given.keys():
            raise InvalidTree(f"`{min(missing)}` of nodes.{kind.__name__} is missing")
        self._levels_left -= 1
        arguments = {name: self._argument(name, each) for name, each in given.items()}
        self._levels_left += 1
        try:
            return kind(**arguments)
        except InvalidArgument as error:
            raise InvalidTree(f"`{error.argument}` of nodes.{kind.__name__} {error.problem}") from None
        except (AttributeError, TypeError):
            # Constructors of tables and formulas compute with their arguments.
            raise InvalidTree(f"nodes.{kind.__name__} has an argument of a wrong type") from None

    def _argument(self, name: str, value: Any) -> Any:
        if name == "children":
            return self.read_all(value)
        if name == "header" or (name == "title" and isinstance(value, dict)):
            return self._node(value)
        return tuple(value) if name == "delimiters" and isinstance(value, list) else value


def _list(value: object, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise InvalidTree(f"`{name}` must be a list (got {type(value).__name__})")
    return value


def _notice(value: object) -> Notice:
    fields = value if isinstance(value, dict) else {}
    code, fix = fields.get("code"), fields.get("fix")
    if isinstance(code, str) and code in NOTICES and (fix is None or fields.get("source") is not None):
        try:
            notice = Notice(**{name: _clean(each) for name, each in fields.items()})
            require_fields(notice)
        except (TypeError, InvalidArgument):
            pass
        else:
            return notice
    raise InvalidTree("each of `notices` must be an object with the fields of a Notice")


def _clean(value: Any) -> Any:
    """Return a value that can be encoded: JSON may escape half of a character."""
    return replace_surrogates(value) if isinstance(value, str) else value
