"""Arguments and bounds of tools that assistants call over MCP, on this computer and on the service.

An assistant reads the descriptions with each conversation, and results whole. Requires the extra `mcp`.
"""

from collections.abc import Iterable, Mapping
from inspect import cleandoc
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, cast

from mcp_types import Tool
from pydantic import Field

from mdpublish_core.readers.formats import COMMENTS, FORMAT_NAMES, WHOLE_PAGE
from mdpublish_core.templates import CATEGORIES
from mdpublish_core.writers.options import declared_options
from mdpublish_core.writers.outputs import DESTINATIONS, FILES

MAX_NOTICES = 20

MAX_OUTPUT_CHARACTERS = 20_000
"""About 6,000 tokens."""

Markdown = Annotated[
    str,
    Field(
        description="The whole document: CommonMark and GFM, with fences `mermaid`, `chart` (Chart.js JSON), `dot` and "
        "`math`, inline math `$…$`, callouts `> [!NOTE]`, footnotes."
    ),
]
DestinationName = Annotated[str, Field(description="Where it is read.", json_schema_extra={"enum": list(DESTINATIONS)})]
TemplateId = Annotated[str | None, Field(description="From list_templates.")]
Mode = Annotated[Literal["light", "dark"] | None, Field(description="Colors.")]
IncludeOutput = Annotated[
    bool,
    Field(description=f"Return the output, if of {MAX_OUTPUT_CHARACTERS:,} characters at most."),
]
_TEXT_FILES = {name: each for name, each in FILES.items() if each.destination and not (each.is_binary or each.is_page)}

if TYPE_CHECKING:
    _TextFile = str
else:
    _TextFile = Literal[tuple(_TEXT_FILES)]

FormatName = Annotated[
    _TextFile | None,
    Field(
        description=", ".join(
            f"`{each.name}` for {' or '.join(filter(None, (each.destination, each.also_for)))}"
            for each in _TEXT_FILES.values()
        )
        + "."
    ),
]
OptionValues = Annotated[
    dict[str, Any] | None,
    Field(
        description="Of the format; of a file, its path.",
        json_schema_extra={"properties": {name: each.schema for name, each in declared_options().items()}},
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
    Field(description="Only this category.", json_schema_extra={"enum": [*CATEGORIES, None]}),
]

Html = Annotated[str | None, Field(description="A web page.")]
FileContent = Annotated[str | None, Field(description="Or a file, in base64.")]
InputFormat = Annotated[
    str | None,
    Field(
        description="The file's suffix; HTML, Word files and notebooks need none.",
        json_schema_extra={"enum": [*FORMAT_NAMES, None]},
    ),
]
WithComments = Annotated[bool, Field(description=COMMENTS)]
WholePage = Annotated[bool, Field(description=WHOLE_PAGE)]
Repairs = Annotated[bool, Field(description="Before, repair what a chat, a terminal or a mail program spoiled.")]
Offset = Annotated[int, Field(description="The last `next_offset`.", ge=0)]


class Notices(TypedDict):
    """What the author should know."""

    notices: list[Any]
    notices_left_out: int


class Converted(Notices):
    """A conversion, with its output where that was asked for, and what arrives in another form."""

    delivery: str
    characters: int
    output: str | None
    next_step: str | None


class Imported(Notices):
    """A document that was imported, without its images."""

    title: str | None
    markdown: str
    markdown_characters: int
    next_offset: int | None
    images_left_out: int


class TemplateList(TypedDict):
    """Templates by category."""

    templates: dict[str, list[str]]


def compact_tool(tool: Tool) -> Tool:
    """Return a tool as lists have it: in few tokens, which an assistant pays for in each conversation."""
    short = {
        "description": cleandoc(tool.description or ""),
        "input_schema": _shortened(tool.input_schema),
        "output_schema": _named(tool.output_schema or {}),
    }
    return tool.model_copy(update=short)


def _shortened(schema: Any) -> Any:
    """Return a schema without the titles that pydantic makes of names, and without defaults that say nothing."""
    if isinstance(schema, list):
        return [_shortened(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    short = {name: _shortened(each) for name, each in schema.items() if name != "title" or not isinstance(each, str)}
    if short.get("default") in (False, [], 0):
        del short["default"]
    if short.get("additionalProperties") is True:
        del short["additionalProperties"]
    if "default" in short and short["default"] is None:
        del short["default"]
        [given] = [each for each in short.pop("anyOf") if each != {"type": "null"}]
        short = {**given, **short, **({"enum": [each for each in short["enum"] if each]} if "enum" in short else {})}
    return short


def _named(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an object's schema with its fields and their types; nothing of what these contain."""
    fields = schema["properties"]
    types = {name: [each["type"] for each in field.get("anyOf", [field])] for name, field in fields.items()}
    return {
        "type": "object",
        "properties": {name: {"type": each if len(each) > 1 else each[0]} for name, each in types.items()},
    }


def imported_fields(
    markdown: str, title: str | None, notices: Iterable[Mapping[str, Any]], *, images: int, offset: int
) -> Imported:
    """Return what an assistant gets of a document that was imported."""
    fields = {
        **first_notices(notices),
        "title": title,
        **part_of(markdown, "markdown", offset),
        "images_left_out": images,
    }
    return cast("Imported", fields)


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
