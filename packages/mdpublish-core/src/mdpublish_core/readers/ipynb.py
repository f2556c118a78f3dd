"""Jupyter notebooks (nbformat 4): Markdown, code and outputs in order."""

from __future__ import annotations

import json
from binascii import Error as NotBase64
from binascii import a2b_base64
from itertools import count
from typing import TYPE_CHECKING, Any

from mdpublish_core import nodes
from mdpublish_core.arguments import require_input_size
from mdpublish_core.errors import InvalidFile
from mdpublish_core.nodes.tokens import amend
from mdpublish_core.notices import Notice, limit_notices, unsafe_link_notice
from mdpublish_core.readers import parse
from mdpublish_core.readers.formats import decode
from mdpublish_core.readers.html import read_html
from mdpublish_core.readers.html_elements.attributes import LANGUAGE_NAME
from mdpublish_core.readers.imported import ReadFile
from mdpublish_core.readers.markdown.document import number_footnotes
from mdpublish_core.resources.media import Media, image_from_bytes
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.positions import SourcePosition

if TYPE_CHECKING:
    from collections.abc import Mapping

_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")

_ESCAPE_SEQUENCES = compile_lazily("\x1b\\[[0-9;?]*[A-Za-z]")


def read(content: bytes) -> ReadFile:
    """Read a notebook. Outputs are text, HTML, TeX and images; those of widgets are left out. Raises `InvalidFile`."""
    try:
        notebook = json.loads(decode(content))
        cells = notebook["cells"]
        kernel = notebook.get("metadata", {}).get("kernelspec", {}).get("language") or ""
        language = notebook.get("metadata", {}).get("language_info", {}).get("name") or kernel
        reader = _NotebookReader(language if LANGUAGE_NAME.fullmatch(language) else "")
        for cell in cells:
            reader.add_cell(cell)
    except (AttributeError, KeyError, RecursionError, TypeError, json.JSONDecodeError):
        raise InvalidFile("is no notebook of nbformat 4; save it again in Jupyter") from None
    return reader.imported(len(content))


class _NotebookReader:
    def __init__(self, language: str) -> None:
        self._language = language
        self._blocks: list[nodes.Token] = []
        self._notes: list[nodes.FootnoteDefinition] = []
        self._notices: list[Notice] = []
        self._media: dict[str, Media] = {}
        self._size = 0

    def imported(self, size: int) -> ReadFile:
        notices = tuple(limit_notices(self._notices))
        document = nodes.Document(
            self._blocks, footnote_definitions=self._notes, notices=notices, origin=nodes.Origin(size)
        )
        references = [each for each in nodes.walk(document) if isinstance(each, nodes.FootnoteReference)]
        amend(document, footnote_definitions=tuple(number_footnotes(self._notes, references)))
        return ReadFile(document, tuple(self._media.values()))

    def add_cell(self, cell: Mapping[str, Any]) -> None:
        add = {"markdown": self._add_markdown, "code": self._add_code_cell}.get(cell["cell_type"])
        source = self._written(cell["source"])
        if add:
            add(cell, source)
        else:
            self._add_code(source, "")

    def _add_markdown(self, cell: Mapping[str, Any], source: str) -> None:
        document, resolved = parse(source), set[str]()
        for image in document.images:
            attachment = cell.get("attachments", {}).get(image.src.removeprefix("attachment:"), {})
            if image.src.startswith("attachment:") and (media := self._image(attachment, nodes.text_content(image))):
                resolved.add(unsafe_link_notice(image.src, SourcePosition(None)).message)
                amend(image, src=media.content_id)
        amend(document, notices=tuple(notice for notice in document.notices if notice.message not in resolved))
        self._add(document)

    def _add_code_cell(self, cell: Mapping[str, Any], source: str) -> None:
        self._add_code(source, self._language)
        for output in cell.get("outputs", ()):
            self._add_output(output)

    def _add_output(self, output: Mapping[str, Any]) -> None:
        data = output.get("data", {})
        if output["output_type"] == "stream":
            self._add_code(self._written(output["text"]), "")
        elif output["output_type"] == "error":
            self._add_code("\n".join(map(self._written, output["traceback"])), "")
        elif media := self._image(data, self._written(data.get("text/plain", ""))):
            alt = [nodes.RawText(media.alt)] if media.alt else []
            self._blocks.append(nodes.Paragraph([nodes.Image(media.content_id, alt)]))
        elif "text/markdown" in data:
            self._add(parse(self._written(data["text/markdown"])))
        elif "text/html" in data:
            imported = read_html(self._written(data["text/html"]), source="html")
            self._media |= {each.content_id: each for each in imported.media}
            self._add(imported.document)
        elif "text/latex" in data:
            self._blocks.append(nodes.MathBlock(self._written(data["text/latex"]).strip(" \n$") + "\n"))
        else:
            self._add_code(self._written(data.get("text/plain", "")), "")

    def _add(self, document: nodes.Document) -> None:
        """Add a cell's document; its footnotes are its own."""
        taken = {note.label for note in self._notes}
        labels = {
            note.label: next(name for n in count() if (name := f"{note.label}-{n}" if n else note.label) not in taken)
            for note in document.footnote_definitions
        }
        for each in nodes.walk(document) if labels else ():
            if isinstance(each, nodes.FootnoteReference | nodes.FootnoteDefinition):
                amend(each, label=labels[each.label])
        self._blocks += document.children
        self._notes += document.footnote_definitions
        self._notices += document.notices

    def _add_code(self, source: str, language: str) -> None:
        if source.strip():
            self._blocks.append(nodes.CodeFence(source.rstrip() + "\n", language=language))

    def _image(self, data: Mapping[str, Any], alt: str) -> Media | None:
        encoded = next((data[kind] for kind in _IMAGES if kind in data), "")
        try:
            media = image_from_bytes(a2b_base64("".join(encoded)), " ".join(alt.split()))
        except (NotBase64, ValueError):
            return None
        if media:
            self._media.setdefault(media.content_id, media)
        return media

    def _written(self, source: str | list[str]) -> str:
        """Return a text, which may be a list of lines, without colors of terminals. Raises `LimitExceeded`."""
        written = _ESCAPE_SEQUENCES.sub("", "".join(source))
        self._size += len(written.encode(errors="replace"))
        require_input_size(self._size)
        return written
