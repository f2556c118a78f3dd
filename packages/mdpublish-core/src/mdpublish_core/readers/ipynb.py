"""Jupyter notebooks (nbformat 4): Markdown, code and outputs in order, without what a cell's tags hide."""

from __future__ import annotations

import json
from binascii import Error as NotBase64
from binascii import a2b_base64
from itertools import count
from typing import TYPE_CHECKING, Any

from mdpublish_core import nodes
from mdpublish_core.arguments import require_input_size
from mdpublish_core.errors import InvalidFile, MissingExtra
from mdpublish_core.images import convert_image
from mdpublish_core.nodes.tokens import amend
from mdpublish_core.notices import Notice, limit_notices, unsafe_link_notice
from mdpublish_core.readers import parse
from mdpublish_core.readers.formats import decode
from mdpublish_core.readers.html import read_html
from mdpublish_core.readers.html_elements import LANGUAGE_NAME
from mdpublish_core.readers.imported import ReadFile
from mdpublish_core.readers.markdown.document import number_footnotes
from mdpublish_core.resources.media import Media, image_from_bytes
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.positions import SourcePosition

if TYPE_CHECKING:
    from collections.abc import Mapping

_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml")

_HIDDEN = {part: {f"{verb}-{part}" for verb in ("hide", "remove")} for part in ("cell", "input", "output")}
"""Tags by the part of a cell that they hide: those of Jupyter Book, which nbconvert also writes with `_`."""

_FOLDED = {"input": "source_hidden", "output": "outputs_hidden"}
"""What JupyterLab writes where it folds a cell."""

_CURRENT = 4
"""Version of nbformat."""

_ESCAPE_SEQUENCES = compile_lazily("\x1b\\[[0-9;?]*[A-Za-z]")


def read(content: bytes) -> ReadFile:
    """Read a notebook. Outputs are text, HTML, TeX and images; those of widgets are left out. Raises `InvalidFile`."""
    try:
        notebook = json.loads(decode(content))
        if (version := notebook.get("nbformat", _CURRENT)) != _CURRENT:
            problem = f"must be a notebook of nbformat {_CURRENT} (it has {version}); open it in Jupyter and save it"
            raise InvalidFile(f"{problem}, or run: jupyter nbconvert --to notebook --inplace")
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
        if _is_hidden(cell, "cell"):
            return
        add = {"markdown": self._add_markdown, "code": self._add_code_cell}.get(cell["cell_type"])
        source = self._written(cell.get("source", ""))
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
        if not _is_hidden(cell, "input"):
            self._add_code(source, self._language)
        for output in () if _is_hidden(cell, "output") else cell.get("outputs", ()):
            self._add_output(output)

    def _add_output(self, output: Mapping[str, Any]) -> None:
        data = output.get("data", {})
        words = self._written(data.get("text/plain", ""))
        if output["output_type"] == "stream":
            self._add_code(_overwritten(self._written(output["text"])), "")
        elif output["output_type"] == "error":
            frames = [*map(self._written, output.get("traceback", ()))]
            self._add_code("\n".join(frames) or f"{output.get('ename', '')}: {output.get('evalue', '')}", "")
        elif media := self._image(data, _alternative_text(output) or ("" if words.startswith("<") else words)):
            alt = [nodes.RawText(media.alt)] if media.alt else []
            self._blocks.append(nodes.Paragraph([nodes.Image(media.content_id, alt)]))
        elif "text/markdown" in data:
            self._add(parse(self._written(data["text/markdown"])))
        elif (html := self._html(data)) and html.document.children:
            self._media |= {each.content_id: each for each in html.media}
            self._add(html.document)
        elif "text/latex" in data:
            self._blocks.append(nodes.MathBlock(self._written(data["text/latex"]).strip(" \n$") + "\n"))
        else:
            self._add_code(words, "")

    def _html(self, data: Mapping[str, Any]) -> ReadFile | None:
        """Read HTML, of which scripts alone leave nothing."""
        return read_html(self._written(data["text/html"]), source="html") if "text/html" in data else None

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
        kind = next((kind for kind in _IMAGES if kind in data), "")
        encoded = "".join(data.get(kind, ""))
        try:
            content = convert_image(encoded.encode()) if kind.endswith("+xml") else a2b_base64(encoded)
            media = image_from_bytes(content, " ".join(alt.split()))
        except (NotBase64, ValueError, InvalidFile, MissingExtra):
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


def _overwritten(stream: str) -> str:
    """Return what a terminal shows of lines that are written again, such as progress bars."""
    lines = stream.replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)


def _is_hidden(cell: Mapping[str, Any], part: str) -> bool:
    metadata = cell.get("metadata", {})
    tags = {str(tag).replace("_", "-").replace("-all-outputs", "-output") for tag in metadata.get("tags", ())}
    return not tags.isdisjoint(_HIDDEN[part]) or bool(metadata.get("jupyter", {}).get(_FOLDED.get(part)))


def _alternative_text(output: Mapping[str, Any]) -> str:
    """Return what nbconvert takes: that of the image, or of the output."""
    metadata = output.get("metadata", {})
    values = [metadata.get(kind, {}).get("alt") for kind in _IMAGES] + [metadata.get("alt")]
    return next(filter(None, values), "")
