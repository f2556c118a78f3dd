"""What clients send as arguments of tools, by mistake or of themselves, for each tool of a server."""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any

from mcp_types import CallToolResult, Tool

UseTool = Callable[[str, dict[str, Any]], Awaitable[CallToolResult]]

# As n8n, Cline, Gemini CLI and Cursor add them.
EXTRAS = {
    "toolCallId": "call_0BCIShth4lxZuYr4coSp4E5E",
    "sessionId": "8b0c",
    "action": "sendMessage",
    "chatInput": "hi",
    "tool": "convert",
    "task_progress": "- [ ] a",
    "wait_for_previous": False,
    "random_string": "a",
}

IDENTIFIERS = {"cursor", "document_id", "template", "upload_id"}


def error_line(result: CallToolResult) -> str:
    """Return an error's text, which is one line."""
    assert result.is_error, result
    [content] = result.content
    line: str = content.text  # type: ignore[union-attr]
    assert line.splitlines() == [line]
    return line


def slips(name: str) -> Iterator[str]:
    """Yield a name with one letter wrong, missing, twice or swapped, and a longer one with two."""
    yield from (f"{name}s", name[0] + name, name.replace("_", "", 1).title() if "_" in name else f"{name}_")
    if len(name) > 3:
        yield from (name[1:], name[:-1], name[:-2] + name[-1] + name[-2], name[:-1] + "q")
    if len(name) > 5:
        yield from (name[2:], f"{name[:-2]}qq", name[:2] + name[4:])


async def check_unknown_names(use: UseTool, tools: Iterable[Tool], ready: dict[str, dict[str, Any]]) -> None:
    """Check that each tool refuses what it does not have, and says what was meant."""
    for tool in tools:
        names = list(tool.input_schema["properties"])
        unknown = error_line(await use(tool.name, {**ready[tool.name], "zz%^": 1}))
        offer = f"choose from: {', '.join(names)}" if names else "this tool takes none"
        assert unknown == f"unknown argument 'zz%^'; {offer}"
        for name in names:
            for slip in {*slips(name)} - {"destination"}:  # of `destinations` another name
                line = error_line(await use(tool.name, {**ready[tool.name], slip: 1}))
                assert line == f"unknown argument {slip!r}; did you mean {name!r}? Choose from: {', '.join(names)}"


def without_a_value(tool: Tool) -> Iterator[tuple[str, Any]]:
    """Yield each optional argument of a tool with each form in which clients leave it out."""
    for name, field in tool.input_schema["properties"].items():
        if name in tool.input_schema.get("required", ()):
            continue
        yield from ((name, None), (name, ["null"]))
        if field["type"] != "string" or "enum" in field or name in IDENTIFIERS:
            yield from ((name, ""), (name, "null"))


async def check_absent_values(use: UseTool, tools: Iterable[Tool], ready: dict[str, dict[str, Any]]) -> int:
    """Check that each tool works without arguments, one by one and all, and with additions; return how many."""
    count = 0
    for tool in tools:
        every = list(without_a_value(tool))
        others = [{name: value} for name, value in every if name not in ready[tool.name]]
        together: list[dict[str, Any]] = [{}, {name: None for name, _ in every if name not in ready[tool.name]}, EXTRAS]
        for absent in (*others, *together):
            result = await use(tool.name, {**ready[tool.name], **absent})
            assert not result.is_error, (tool.name, absent, result)
            count += 1
    return count


def check_schema(tool: Tool) -> None:
    """Check that adapters of all models can read a schema: it is open, and each field has one type."""
    written = tool.model_dump_json(by_alias=True, include={"input_schema"})
    assert not any(f'"{word}"' in written for word in ("additionalProperties", "anyOf", "oneOf", "$ref", "null")), (
        written
    )
    for field in tool.input_schema["properties"].values():
        assert isinstance(field["type"], str)
        assert field["type"] != "array" or isinstance(field["items"]["type"], str)
