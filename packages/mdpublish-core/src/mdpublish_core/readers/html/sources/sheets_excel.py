"""Google Sheets and Excel: a table whose numbers may be shown shortened."""

import json
from typing import Any

from mdpublish_core.readers.html.parse import Element, text_of
from mdpublish_core.readers.html.sources.cleaning import refill
from mdpublish_core.strings.lazy_patterns import compile_lazily

_SCIENTIFIC = compile_lazily(r"-?[0-9.,]+E[+-]?[0-9]+|#+")

_NUMBER_KEY = "3"
"""The key of a number in `data-sheets-value`, whose key `1` says that it is one."""


def clean(root: Element) -> None:
    for cell in root.iter("td"):
        if _SCIENTIFIC.fullmatch(text_of(cell)) and (number := _number(cell)):
            refill(cell, "td", number, style=cell.get("style", ""))


def _number(cell: Element) -> str:
    """Return what was typed: Sheets has it as JSON, Excel in `x:num`."""
    if written := cell.get("x:num"):
        return str(written)
    try:
        value: Any = json.loads(cell.get("data-sheets-value", "{}"))
        return f"{value[_NUMBER_KEY]}"
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""
