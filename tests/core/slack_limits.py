"""Slack's limits of messages, checked by a program that knows nothing of the renderer.

https://docs.slack.dev/reference/block-kit/blocks
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mdpublish_core import Document, render

Json = Mapping[str, Any]

MAX_BLOCKS, MAX_CHARACTERS, MAX_HEADER = 50, 13_200, 150
MAX_ROWS, MAX_COLUMNS, MAX_CELL_CHARACTERS = 100, 20, 10_000
MAX_INDENT = 8

STYLES = {"bold", "italic", "strike", "code"}
ELEMENTS = {"rich_text_section", "rich_text_list", "rich_text_preformatted", "rich_text_quote"}


def slack_messages(document: Document) -> list[Json]:
    return [json.loads(line) for line in render(document, to="blocks").text.splitlines()]


def problems(message: Json) -> Iterator[str]:
    blocks = message["blocks"]
    if not 1 <= len(blocks) <= MAX_BLOCKS:
        yield f"{len(blocks)} blocks"
    if not message["text"].strip() and any(shown.strip() for shown in strings(blocks)):
        yield "no text for notifications"
    if sum(block["type"] == "table" for block in blocks) > 1:
        yield "more than one table"
    if sum(map(len, strings(blocks))) > MAX_CHARACTERS:
        yield f"{sum(map(len, strings(blocks)))} characters"
    for block in blocks:
        yield from _block(block)


def _block(block: Json) -> Iterator[str]:
    match block["type"]:
        case "header":
            yield from _header(block)
        case "rich_text":
            yield from _rich_text(block)
        case "table":
            yield from _table(block)
        case "divider":
            if block != {"type": "divider"}:
                yield "a divider has other fields"
        case kind:
            yield f"a block of type {kind}"


def strings(value: object) -> Iterator[str]:
    """Yield each text and URL."""
    match value:
        case {"type": "text" | "plain_text", "text": str(shown)}:
            yield shown
        case {"type": "link", "url": url, **others}:
            yield str(others.get("text", ""))
            yield str(url)
        case dict():
            for each in value.values():
                yield from strings(each)
        case list():
            for each in value:
                yield from strings(each)


def passages(value: object) -> Iterator[str]:
    """Yield the text of each section, header or piece of code."""
    match value:
        case {"type": "plain_text", "text": str(shown)}:
            yield shown
        case {"elements": [{"type": "text" | "link"}, *_] as inlines}:
            yield "".join(each.get("text", each.get("url", "")) for each in inlines)
        case dict():
            for each in value.values():
                yield from passages(each)
        case list():
            for each in value:
                yield from passages(each)


def _header(block: Json) -> Iterator[str]:
    if not 1 <= len(block["text"]["text"]) <= MAX_HEADER or block["text"]["type"] != "plain_text":
        yield f"header: {block}"


def _rich_text(block: Json) -> Iterator[str]:
    if not block["elements"]:
        yield "an empty rich_text"
    for element in block["elements"]:
        if element["type"] not in ELEMENTS:
            yield f"an element of type {element['type']}"
        if element["type"] == "rich_text_list":
            if element["style"] not in {"bullet", "ordered"} or not 0 <= element["indent"] <= MAX_INDENT:
                yield f"list: {element}"
            if element.get("offset", 1) < 1 or not element["elements"]:
                yield f"list: {element}"
            for section in element["elements"]:
                yield from _inlines(section["elements"])
        else:
            yield from _inlines(element["elements"])


def _inlines(elements: Sequence[Json]) -> Iterator[str]:
    if not elements:
        yield "no elements"
    for element in elements:
        if element["type"] not in {"text", "link"}:
            yield f"an inline element of type {element['type']}"
        if element["type"] == "text" and not element["text"]:
            yield "an empty text"
        if element["type"] == "link" and not element["url"].lower().startswith(("http://", "https://", "mailto:")):
            yield f"a link to {element['url']}"
        if not set(element.get("style", {"bold": True})) <= STYLES or element.get("style") == {}:
            yield f"style: {element}"


def _table(block: Json) -> Iterator[str]:
    rows = block["rows"]
    if not 1 <= len(rows) <= MAX_ROWS or not 1 <= len(rows[0]) <= MAX_COLUMNS:
        yield f"a table of {len(rows)} rows and {len(rows[0])} columns"
    if {len(row) for row in rows} != {len(rows[0])} or len(block["column_settings"]) > MAX_COLUMNS:
        yield "rows of different lengths"
    if sum(map(len, strings(rows))) > MAX_CELL_CHARACTERS:
        yield f"{sum(map(len, strings(rows)))} characters in a table"
    for row in rows:
        for cell in row:
            yield from _rich_text(cell)
