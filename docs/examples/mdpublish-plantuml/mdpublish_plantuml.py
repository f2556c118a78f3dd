"""PlantUML's sequence diagrams as numbered lists, which every destination can show."""

import re

from mdpublish_core import Fence, nodes
from mdpublish_core.errors import FenceError

_MESSAGE = re.compile(r"(.+?)\s*(<?--?>?>?)\s*([^:]+?)\s*(?::\s*(.*))?")
_PARTICIPANT = re.compile(r"(?:participant|actor|database|queue)\s+(.+)")
_IGNORED = re.compile(r"(?:@(?:start|end)uml.*|'.*|autonumber.*|)")


def sequence(fence: Fence) -> list[nodes.Block]:
    title: str = fence.options.get("title", "")
    steps: list[nodes.ListItem] = []
    for number, line in enumerate(map(str.strip, fence.content.splitlines()), 1):
        if line.startswith("title "):
            title = line.removeprefix("title ").strip()
        elif message := _MESSAGE.fullmatch(line):
            steps.append(_step(*message.groups(default="")))
        elif not _IGNORED.fullmatch(line) and not _PARTICIPANT.fullmatch(line):
            raise FenceError("only messages, such as `Ann -> Bob: hello`, are supported", line=number)
    blocks: list[nodes.Block] = [nodes.List(steps, start=1)]
    if title:
        blocks.insert(0, nodes.Paragraph([nodes.Strong([nodes.RawText(title)])]))
    return blocks


def _step(left: str, arrow: str, right: str, message: str) -> nodes.ListItem:
    sender, receiver = (right, left) if arrow.startswith("<") else (left, right)
    label = f": {message}" if message else ""
    return nodes.ListItem(
        [nodes.Paragraph([nodes.Strong([nodes.RawText(sender)]), nodes.RawText(f" → {receiver}{label}")])]
    )
