"""The id of a file's page in its front matter; it survives a renamed file and a lost `pages.json`, and is not sent."""

import re
from typing import TYPE_CHECKING
from uuid import UUID

from mdpublish_core.strings.lazy_patterns import compile_lazily

if TYPE_CHECKING:
    from mdpublish_core import Document

KEY = "mdpublish-page"

_LINE = compile_lazily(rf"^{KEY}:.*(?:\r\n|\n)", re.MULTILINE)
_EMPTY = compile_lazily(r"\A(\ufeff?)---[ \t]*\r?\n---[ \t]*(?:\r?\n|\Z)")
_OPENING = compile_lazily(r"\A\ufeff?---[ \t]*\r?\n")


def page_id(document: "Document") -> str | None:
    """Return the id in a document's front matter."""
    try:
        return str(UUID(str(document.front_matter.get(KEY, ""))))
    except ValueError:
        return None


def without_id(markdown: str) -> str:
    """Return the text of a file whose front matter has an id as it is without it."""
    return _EMPTY.sub(r"\1", _LINE.sub("", markdown, count=1), count=1)


def with_id(markdown: str, document: "Document", new_id: str) -> str:
    """Return a text without an id with one: in its front matter, or in a new one."""
    end = "\r\n" if "\r\n" in markdown else "\n"
    line = f"{KEY}: {new_id}{end}"
    opening = _OPENING.match(markdown) if document.front_matter else None
    if opening:
        return markdown[: opening.end()] + line + markdown[opening.end() :]
    mark = "\ufeff" if markdown.startswith("\ufeff") else ""
    return f"{mark}---{end}{line}---{end}{markdown.removeprefix(mark)}"
