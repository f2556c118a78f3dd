"""Values of YAML, whose scalars are strings: of front matter, and of a configuration of MkDocs.

Only this module imports PyYAML, and only for one of them: that takes longer than a short document.

It reads the parser's events: nothing is constructed or resolved, aliases are never expanded, and deep nesting ends it.
"""

import json
from collections.abc import Iterator
from typing import Any

from mdpublish_core.front_matter import FrontMatter, FrontMatterValue
from mdpublish_core.resources.characters import replace_surrogates
from mdpublish_core.strings.lazy_patterns import compile_lazily

MAX_DEPTH = 8
"""Collections in one another. Site generators' configurations reach four."""

_MAX_TAGGED_DEPTH = 40
"""Of menus in configurations."""

# YAML 1.2.2, section 10.3.2. Other words stay strings: `no` is a language.
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})

# YAML 1.2.2, section 5.1, and the line breaks of YAML 1.1.
_UNPRINTABLE = compile_lazily("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


class UnreadableValue(Exception):  # noqa: N818  (named after the fault)
    """The value is not YAML, or has an anchor, an alias or a tag; the message is for the author."""


def read_pair(source: str) -> tuple[str, FrontMatterValue | None]:
    """Return a key and its value, None if it is null. Nulls in lists and mappings are left out.

    Raises `UnreadableValue`.
    """
    import yaml

    try:
        return _pair(_events(source))
    except yaml.YAMLError as error:
        raise UnreadableValue(str(getattr(error, "problem", None) or "a character is not allowed")) from None


def read_tagged(source: str) -> FrontMatterValue | None:
    """Return a document whose tags and anchors count for nothing, as in configurations; within it, a null is an empty string.

    Raises `UnreadableValue`.
    """
    import yaml

    events = _parsed(source)
    try:
        for _ in ("stream", "document"):
            next(events)
        return _value(next(events), events, MAX_DEPTH - _MAX_TAGGED_DEPTH, null="")
    except (yaml.YAMLError, StopIteration) as error:
        raise UnreadableValue(str(error)) from None


def double_quoted(value: str) -> str:
    """Return a scalar on one line, for YAML 1.1 and 1.2."""
    quoted = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def _parsed(source: str) -> Iterator[Any]:
    import yaml

    # Python's own parser, where there is no libyaml, is slower, and strict about tabs.
    return yaml.parse(source, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))


def _events(source: str) -> Iterator[Any]:
    import yaml

    for event in _parsed(source):
        if isinstance(event, yaml.AliasEvent):
            raise UnreadableValue("aliases are not allowed")
        if getattr(event, "anchor", None) is not None:
            raise UnreadableValue("anchors are not allowed")
        if getattr(event, "tag", None) is not None:
            raise UnreadableValue("tags are not allowed")
        yield event


def _pair(events: Iterator[Any]) -> tuple[str, FrontMatterValue | None]:
    import yaml

    for start in (yaml.StreamStartEvent, yaml.DocumentStartEvent, yaml.MappingStartEvent):
        _require(events, start)
    key: str = _require(events, yaml.ScalarEvent).value
    value = _value(next(events), events, 0)
    for end in (yaml.MappingEndEvent, yaml.DocumentEndEvent, yaml.StreamEndEvent):
        _require(events, end)
    return key, value


def _require(events: Iterator[Any], kind: type) -> Any:
    event = next(events, None)
    if not isinstance(event, kind):
        raise UnreadableValue("it is not one key with one value")
    return event


def _value(event: Any, events: Iterator[Any], depth: int, null: str | None = None) -> FrontMatterValue | None:
    import yaml

    if isinstance(event, yaml.AliasEvent):
        return null
    if isinstance(event, yaml.ScalarEvent):
        return null if (written := _string(event)) is None else written
    if not isinstance(event, yaml.CollectionStartEvent):
        raise UnreadableValue("it has no value")
    if depth == MAX_DEPTH:
        raise UnreadableValue(f"it is nested deeper than {MAX_DEPTH} levels")
    is_mapping = isinstance(event, yaml.MappingStartEvent)
    items: list[FrontMatterValue | None] = []
    while not isinstance(event := next(events), yaml.CollectionEndEvent):
        items.append(_value(event, events, depth + 1, null))
    if not is_mapping:
        return tuple(item for item in items if item is not None)
    pairs = list(zip(items[::2], items[1::2], strict=True))
    if not all(isinstance(key, str) for key, _ in pairs):
        raise UnreadableValue("a key is not text")
    return FrontMatter({str(key): value for key, value in pairs if value is not None})


def _string(scalar: Any) -> str | None:
    """Return a scalar's text, or None if it is a plain null."""
    if scalar.implicit[0] and scalar.style in (None, "") and scalar.value in _NULLS:
        return None
    return replace_surrogates(scalar.value.replace("\0", "\ufffd"))
