"""What tools return, compared with what their lists say that they do, and what they report of their progress."""

from collections.abc import Iterable
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it has no types
from mcp_types import Tool


def check_output(tools: Iterable[Tool], name: str, content: object) -> None:
    """Check that structured content has the fields of the tool's schema, all of them and no others."""
    schema: dict[str, Any] = next(tool.output_schema or {} for tool in tools if tool.name == name)
    assert schema["properties"], name
    jsonschema.validate(content, {**schema, "required": list(schema["properties"]), "additionalProperties": False})


class Steps(list[tuple[float, float | None, str | None]]):
    """The progress notifications that a client received."""

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        self.append((progress, total, message))
