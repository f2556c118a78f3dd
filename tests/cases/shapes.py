"""What readers understand of outputs, on a line: names of elements as pandoc has them, targets, and text.

pandoc reads HTML and Word files, `tests/mrkdwn.py` reads Slack's messages, and a few lines read Block Kit. Text is read
as is.
"""

import json
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pypandoc  # type: ignore[import-untyped]  # it has no types, and one function is called

from tests.interop import slack_tree, understood

Json = Any

_UNSEEN = re.compile(r"<style\b.*?</style>|<title>.*?</title>|<div style=\"display:none.*?</div>", re.DOTALL)


def shapes_of(outputs: Sequence[tuple[str, str | bytes]]) -> Iterator[str]:
    """Yield the shape of each output, which is given with its name."""
    html = [
        (name, _UNSEEN.sub("", source)) for name, source in outputs if isinstance(source, str) and name not in _READERS
    ]
    read = iter(understood.read_trees(html))
    for name, source in outputs:
        if isinstance(source, bytes):
            yield _docx(source)
        else:
            yield _READERS[name](source) if name in _READERS else _shape(next(read))


def main_part(content: bytes) -> str:
    """Return the XML of a Word file's text."""
    with zipfile.ZipFile(BytesIO(content)) as parts:
        return parts.read("word/document.xml").decode()


def _docx(content: bytes) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "a.docx")
        file.write_bytes(content)
        return _shape(json.loads(pypandoc.convert_file(str(file), "json"))["blocks"])


def _shape(tree: Json) -> str:
    if isinstance(tree, list):
        return "".join(map(_shape, tree))
    if not isinstance(tree, dict) or "t" not in tree:
        return tree if isinstance(tree, str) else ""
    kind, content = tree["t"], tree.get("c")
    return _ELEMENTS[kind](content) if kind in _ELEMENTS else f"{kind}[{_shape(content)}]"


def _targeted(kind: str) -> Callable[[Json], str]:
    return lambda content: f"{kind}<{' '.join(filter(None, content[2]))}>[{_shape(content[1])}]"


def _classed(kind: str) -> Callable[[Json], str]:
    return lambda content: f"{'.'.join([kind, *content[0][1]])}[{_shape(content[1])}]"


_ELEMENTS: Mapping[str, Callable[[Json], str]] = {
    "Str": str,
    **dict.fromkeys(("Space", "SoftBreak", "LineBreak"), lambda _content: " "),
    **dict.fromkeys(("RawInline", "RawBlock"), lambda content: content[1]),
    "Code": lambda content: f"Code[{content[1]}]",
    "CodeBlock": lambda content: f"CodeBlock[{content[1]}]",
    "Math": lambda content: f"Math[{content[1]}]",
    "Link": _targeted("Link"),
    "Image": _targeted("Image"),
    "Span": _classed("Span"),
    "Div": _classed("Div"),
    "OrderedList": lambda content: f"OrderedList{content[0][0]}[{_shape(content[1])}]",
    "Header": lambda content: f"Header[{_shape(content[2])}]",
    "Table": lambda content: f"Table[{_shape(content[3:])}]",
}

_STYLE_NAMES = {"bold": "Strong", "italic": "Emph", "strike": "Strikeout", "code": "Code"}


def _message(block: Json) -> str:
    """Return a block or element of Block Kit in the notation of `_shape`."""
    inner = "".join(
        map(_message, [*block.get("elements", ()), *(cell for row in block.get("rows", ()) for cell in row)])
    )
    match block["type"]:
        case "text" | "link":
            styles = [_STYLE_NAMES[name] for name in block.get("style", ())]
            shown = "".join(f"{name}[" for name in styles) + block.get("text", "") + "]" * len(styles)
            return shown if block["type"] == "text" else f"Link<{block['url']}>[{shown}]"
        case "header":
            return f"Header[{block['text']['text']}]"
        case "rich_text_list":
            kind = "BulletList" if block["style"] == "bullet" else f"OrderedList{block.get('offset', 0) + 1}"
            return f"{kind}[{inner}]"
        case "rich_text":
            return inner
        case kind:
            return f"{_BLOCKS[kind]}[{inner}]"


_BLOCKS = {
    "rich_text_section": "Para",
    "rich_text_quote": "BlockQuote",
    "rich_text_preformatted": "CodeBlock",
    "table": "Table",
    "divider": "HorizontalRule",
}

_READERS: Mapping[str, Callable[[str], str]] = {
    "slack": lambda source: _shape(slack_tree.tree(source)),
    "blocks": lambda source: "".join(
        _message(block) for line in source.splitlines() for block in json.loads(line)["blocks"]
    ),
    "plain-text": str,
}
