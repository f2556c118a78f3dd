"""Lines of front matter that the command writes.

The id of a file's page survives a renamed file and a lost `pages.json`, and is not sent. Extensions that the command or
the configuration adds are sent, since the service reads them there.
"""

import re
from typing import TYPE_CHECKING
from uuid import UUID

from mdpublish_core.options.extensions import named_extensions
from mdpublish_core.readers.markdown import read_front_matter
from mdpublish_core.readers.markdown.front_matter import extension_words
from mdpublish_core.strings.lazy_patterns import compile_lazily

if TYPE_CHECKING:
    from mdpublish_core import Document
    from mdpublish_core.cli.inputs import ParseOptions

KEY = "mdpublish-page"

_LINE = compile_lazily(rf"^{KEY}(?::| =).*(?:\r\n|\n)", re.MULTILINE)
_EXTENSIONS = compile_lazily(r"^extensions(?::.*\n(?:(?:[ \t]+\S|-[ \t]).*\n)*|[ \t]*=.*\n)", re.MULTILINE)
_EMPTY = compile_lazily(r"\A(\ufeff?)(---|\+\+\+)[ \t]*\r?\n\2[ \t]*(?:\r?\n|\Z)")
_OPENING = compile_lazily(r"\A\ufeff?(?:---|\+\+\+)[ \t]*\r?\n")


def page_id(document: "Document") -> str | None:
    """Return the id in a document's front matter."""
    try:
        return str(UUID(str(document.front_matter.get(KEY, ""))))
    except ValueError:
        return None


def without_id(markdown: str) -> str:
    """Return the text of a file whose front matter has an id as it is without it."""
    return _EMPTY.sub(r"\1", _LINE.sub("", markdown, count=1), count=1)


def with_id(markdown: str, new_id: str) -> str:
    """Return a text without an id with one: in its front matter, or in a new one."""
    return _with_line(markdown, f"{KEY}: {new_id}")


def with_extensions(markdown: str, parsing: "ParseOptions") -> str:
    """Return a text whose front matter selects the extensions with which it is parsed."""
    values, _ = read_front_matter(markdown)
    written = extension_words(values)
    merged = [*parsing.configured_extensions, *written, *parsing.extensions]
    if named_extensions(merged)[0] == named_extensions(written)[0]:
        return markdown
    return _with_line(
        markdown, f"extensions: {', '.join(merged)}", _EXTENSIONS.search(markdown) if "extensions" in values else None
    )


def _with_line(markdown: str, line: str, replaced: re.Match[str] | None = None) -> str:
    end = "\r\n" if "\r\n" in markdown else "\n"
    opening = _OPENING.match(markdown) if read_front_matter(markdown)[0] else None
    if opening and "+" in opening[0]:
        name, _, value = line.partition(": ")
        line = f'{name} = "{value}"'
    if replaced:
        return markdown[: replaced.start()] + line + end + markdown[replaced.end() :]
    if opening:
        return markdown[: opening.end()] + line + end + markdown[opening.end() :]
    mark = "\ufeff" if markdown.startswith("\ufeff") else ""
    return f"{mark}---{end}{line}{end}---{end}{markdown.removeprefix(mark)}"
