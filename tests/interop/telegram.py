"""What TDLib, Telegram's library, reads of messages: it parses their HTML and finds mentions without an account."""

import json
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

Json = dict[str, Any]

CODE = frozenset({"textEntityTypeCode", "textEntityTypePre", "textEntityTypePreCode"})


class Entity(NamedTuple):
    """A mark on a text: its kind, and the text."""

    kind: str
    content: str
    value: str


class Message(NamedTuple):
    content: str
    entities: list[Entity]
    mentions: list[str]
    """Those that would ping, which nothing in code does."""


def read_messages(lines: str) -> list[Message]:
    """Return what is understood of the output `telegram`."""
    return [_read(json.loads(line)) for line in lines.splitlines()]


def _read(message: Json) -> Message:
    assert set(message) == {"parse_mode", "text"}
    version = {"version": 2} if message["parse_mode"] == "Markdown" else {}
    parse_mode = {"@type": f"textParseMode{message['parse_mode']}", **version}
    parsed = _execute("parseTextEntities", text=message["text"], parse_mode=parse_mode)
    assert parsed["@type"] == "formattedText", (parsed, message)
    units = parsed["text"].encode("utf-16-le")
    entities = [
        Entity(each["type"]["@type"], _part(units, each), each["type"].get("url", each["type"].get("language", "")))
        for each in parsed["entities"]
    ]
    return Message(parsed["text"], entities, [*_mentions(parsed, units)])


def _mentions(parsed: Json, units: bytes) -> Iterator[str]:
    code = [_range(each) for each in parsed["entities"] if each["type"]["@type"] in CODE]
    detected = _execute("getTextEntities", text=parsed["text"])["entities"]
    for each in (*parsed["entities"], *detected):
        is_in_code = any(set(_range(each)) & set(inside) for inside in code)
        if "Mention" in each["type"]["@type"] and not is_in_code:
            yield _part(units, each)


def _range(entity: Json) -> range:
    return range(entity["offset"], entity["offset"] + entity["length"])


def _part(units: bytes, entity: Json) -> str:
    where = _range(entity)
    return units[2 * where.start : 2 * where.stop].decode("utf-16-le")


@cache
def _library() -> Any:
    library = import_module("tdjson")
    # It logs each call.
    library.td_execute(json.dumps({"@type": "setLogStream", "log_stream": {"@type": "logStreamEmpty"}}).encode())
    return library


def _execute(method: str, **arguments: Any) -> Json:
    response: Json = json.loads(_library().td_execute(json.dumps({"@type": method, **arguments}).encode()))
    return response
