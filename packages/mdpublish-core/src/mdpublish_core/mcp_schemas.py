"""Arguments and bounds of tools that assistants call over MCP, on this computer and on the service.

An assistant reads the descriptions with each conversation, and results whole. Requires the extra `mcp`.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from mdpublish_core.readers.formats import FORMAT_NAMES
from mdpublish_core.templates import CATEGORIES
from mdpublish_core.writers.outputs import DESTINATIONS

MAX_NOTICES = 20

MAX_OUTPUT_CHARACTERS = 20_000
"""About 6,000 tokens."""

Markdown = Annotated[
    str,
    Field(
        description="The whole document: CommonMark and GFM, with fences `mermaid`, `chart` (Chart.js JSON), `dot` and `math`, "
        "inline math `$…$`, callouts `> [!NOTE]`, footnotes."
    ),
]
DestinationName = Annotated[
    str, Field(description="Where the reader will see it.", json_schema_extra={"enum": list(DESTINATIONS)})
]
TemplateId = Annotated[str | None, Field(description="Id of a template, from `list_templates`.")]
Mode = Annotated[Literal["light", "dark"] | None, Field(description="Colors; light by default.")]
IncludeOutput = Annotated[
    bool,
    Field(
        description=f"Whether to return the converted text, of at most {MAX_OUTPUT_CHARACTERS:,} characters: HTML is many times "
        "as long as its Markdown."
    ),
]
FormatName = Annotated[
    Literal["eml", "blocks"] | None,
    Field(
        description="`eml` for an email file (destination email), `blocks` for Slack's Block Kit as JSON (destination slack)."
    ),
]
DestinationNames = Annotated[
    list[str],
    Field(
        description="Destinations to check for.",
        min_length=1,
        json_schema_extra={"items": {"type": "string", "enum": list(DESTINATIONS)}},
    ),
]
CategoryName = Annotated[
    str | None,
    Field(
        description="Only templates of this category; null for all.", json_schema_extra={"enum": [*CATEGORIES, None]}
    ),
]

Html = Annotated[str | None, Field(description="HTML, such as a web page; null with `file`.")]
FileContent = Annotated[str | None, Field(description="A file in base64; null with `html`.")]
InputFormat = Annotated[
    str | None,
    Field(
        description="Suffix of the file's name; null if the file shows what it is, as HTML, Word files and notebooks do.",
        json_schema_extra={"enum": [*FORMAT_NAMES, None]},
    ),
]
Offset = Annotated[int, Field(description="Character to begin at: `next_offset` of the result before.", ge=0)]


def imported_fields(
    markdown: str, title: str | None, notices: Iterable[Mapping[str, Any]], *, images: int, offset: int
) -> dict[str, Any]:
    """Return what an assistant gets of a document that was imported; its images are not in the result."""
    return {
        **first_notices(notices),
        "title": title,
        **part_of(markdown, "markdown", offset),
        "images_left_out": images,
    }


def part_of(content: str, name: str, offset: int) -> dict[str, Any]:
    """Return the part of a text that begins at an offset, and where the next one does."""
    end = offset + MAX_OUTPUT_CHARACTERS
    return {
        name: content[offset:end],
        f"{name}_characters": len(content),
        "next_offset": end if end < len(content) else None,
    }


def first_notices(notices: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the first notices, without fields that are unknown, and how many more there are."""
    fields = [{name: value for name, value in notice.items() if value is not None} for notice in notices]
    return {"notices": fields[:MAX_NOTICES], "notices_left_out": max(0, len(fields) - MAX_NOTICES)}
