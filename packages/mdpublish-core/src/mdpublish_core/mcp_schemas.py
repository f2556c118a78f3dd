"""Arguments and bounds of tools that assistants call over MCP, on this computer and on the service.

An assistant reads the descriptions with each conversation, and results whole. Requires the extra `mcp`.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

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
    str,
    Field(
        description="Where the reader will see it.",
        json_schema_extra={"enum": list(DESTINATIONS)},
    ),
]
TemplateId = Annotated[str | None, Field(description="Id of a template, from `list_templates`; null for the default.")]
Mode = Annotated[Literal["light", "dark"] | None, Field(description="Colors; null for light.")]
IncludeOutput = Annotated[
    bool,
    Field(
        description=f"Whether to return the converted text, of at most {MAX_OUTPUT_CHARACTERS:,} characters. Leave it false "
        "to learn of notices only: HTML for Word or email is many times as long as its Markdown."
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
        description="Only templates of this category; null for all.",
        json_schema_extra={"enum": [*CATEGORIES, None]},
    ),
]


def first_notices(notices: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the first notices, without fields that are unknown, and how many more there are."""
    fields = [{name: value for name, value in notice.items() if value is not None} for notice in notices]
    return {"notices": fields[:MAX_NOTICES], "notices_left_out": max(0, len(fields) - MAX_NOTICES)}
