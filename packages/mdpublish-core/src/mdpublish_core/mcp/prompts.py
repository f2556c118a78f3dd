"""The guide and the prompts: what an assistant reads before it writes, and what its person begins a chat with."""

from functools import cache
from pathlib import Path
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.prompts import Prompt


def add_guide(server: MCPServer[Any], ending: Path) -> None:
    """Add the guide, whose last steps are those of a server."""

    @server.resource("mdpublish://guide", title="What to write so that it arrives", mime_type="text/markdown")
    def guide() -> str:
        return Path(__file__).with_name("guide.md").read_text("utf-8") + ending.read_text("utf-8")


@cache
def make_prompts(*, word: str, paste: str) -> tuple[Prompt, ...]:
    """Return the prompts, which name a server's tools. Making a schema of each takes longer than all else of it."""

    def publish_this(markdown: str = "your last answer", template: str = "") -> str:
        return (
            f"Publish this on the web with mdpublish{_in(template)}, mend what its notices name, and give me the link:"
            f"\n\n{markdown}"
        )

    def word_report(markdown: str = "your last answer", template: str = "") -> str:
        return f"Make a report of this{_in(template)}, by mdpublish's {word}:\n\n{markdown}"

    def paste_this(destination: str, markdown: str = "your last answer") -> str:
        return f"Let me paste this into {destination}, by mdpublish's {paste}:\n\n{markdown}"

    return tuple(
        Prompt.from_function(function, title=title, description=description)
        for function, title, description in (
            (publish_this, "Publish this", "Publish a text as a web page."),
            (word_report, "Make this a Word report", "Hand a text over as a Word file."),
            (paste_this, "Let me paste this", "Hand a text over for a program."),
        )
    )


def _in(template: str) -> str:
    return f" in the template {template}" if template else ""
