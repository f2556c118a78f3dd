"""A document's tree as JSON, which `readers.json_tree` reads.

Each node is an object of its `type`, the arguments of its constructor, and its line. What it sets is left out.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from types import NoneType
from typing import Any

from mdpublish_core.arguments import require_type
from mdpublish_core.nodes import Document, Token
from mdpublish_core.nodes.tokens import values_of
from mdpublish_core.options.limits import DEFAULT_LIMITS
from mdpublish_core.readers.json_tree import VERSION
from mdpublish_core.readers.markdown.tree_check import require_tree
from mdpublish_core.writers import RenderContext
from mdpublish_core.writers.rendering import RenderRequest
from mdpublish_core.writers.results import Conversion

_POSITIONS = {"line": "line_number", "content_line": "content_line", "column": "column"}


def write(document: Document, request: RenderRequest) -> Conversion:
    """Write the output `json`."""
    return request.result(document, to_json(document, indent=2) + "\n", RenderContext(None))


def to_json(document: Document, *, indent: int | None = None) -> str:
    """Return a document as JSON, from which `from_json` makes an equal one, with the same lines and notices.

    With `indent`, each value is on a line of its own. Raises `InvalidArgument` and `LimitExceeded` for a tree built by
    hand that cannot be rendered.
    """
    require_type("document", document, Document, expected="a Document, as parse returns it")
    require_type("indent", indent, int, NoneType)
    if not document.origin.is_parsed:
        require_tree(document, DEFAULT_LIMITS)
    tree = {"version": VERSION} | _node(document)
    if document.notices:
        tree["notices"] = [_without_none(asdict(notice)) for notice in document.notices]
    return json.dumps(tree, ensure_ascii=False, indent=indent)


def _node(token: Token) -> dict[str, Any]:
    positions = {name: getattr(token, attribute, None) for name, attribute in _POSITIONS.items()}
    fields = {field.name: _value(value) for field, value in values_of(token)}
    return {"type": type(token).__name__} | _without_none(positions) | fields


def _value(value: object) -> object:
    if isinstance(value, Token):
        return _node(value)
    if isinstance(value, list | tuple):
        return [_value(each) for each in value]
    return {key: _value(each) for key, each in value.items()} if isinstance(value, Mapping) else value


def _without_none(values: Mapping[str, object]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
