"""A sample output for test_registries.py: the title in capitals, as bytes."""

from collections.abc import Mapping
from typing import Any, Unpack

from mdpublish_core.nodes import Document
from mdpublish_core.writers.document_defaults import title_of
from mdpublish_core.writers.results import StyleArguments, Written


def write(document: Document, options: Mapping[str, Any], *, name: str, **_style: Unpack[StyleArguments]) -> Written:
    title = options.get("title") or title_of(document) or name
    return Written(f"{title}\n".upper().encode(), document.notices)
