"""`read_html` and `read_file` of Word files, and that what renders of them is safe."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

from lxml import etree

from mdpublish_core import MdpublishError, convert, read_file, read_html, render
from mdpublish_core.importing import Imported
from mdpublish_core.readers.html.sources import AUTO, SOURCES
from mdpublish_core.testing import VOCABULARIES
from tests.browser.vectors.composing import composed
from tests.cases.case_files import all_cases
from tests.core.readers.docx.word_sources import root, with_entry
from tests.fuzz.session import Case, Unexpected

_FIXTURES = Path(__file__).parents[1] / "core/readers/html/fixtures"

_OUTPUTS = ("generic", "google-docs", "word", "onenote", "email")
"""Whose HTML is spoiled, and in which what was read is rendered."""

_VECTORS_PER_PAGE = 20

_AUTO_SHARE = 0.7

_BROKEN_SHARE = 0.1
"""Of Word files whose XML is not well-formed, and of those in which bytes are changed."""

_PARTS = {"word/document.xml": "document", "word/styles.xml": "styles", "word/numbering.xml": "numbering"}


def html_sources() -> list[str]:
    """Return what programs put on the clipboard, our own outputs, and what would run in a browser."""
    written = [convert(case.markdown, to=output).html for case in all_cases() for output in _OUTPUTS]
    vectors = [vector.markdown for vector in composed()]
    pages = ["\n".join(vectors[at : at + _VECTORS_PER_PAGE]) for at in range(0, len(vectors), _VECTORS_PER_PAGE)]
    return [*(path.read_text("utf-8") for path in sorted(_FIXTURES.glob("*.html"))), *written, *pages]


def word_files() -> list[bytes]:
    return [convert(case.markdown, to="docx").to_bytes() for case in all_cases()]


def check_safe(imported: Imported, output: str) -> None:
    """Raise `Unexpected` for HTML with an element, attribute or URL that is not allowed."""
    imported.markdown.encode()
    faults = list(VOCABULARIES[output].violations(render(imported.document, to=output).html))
    if faults:
        raise Unexpected(f"{output} has {faults[0]}")


class HtmlImports:
    """`read_html`, as each program."""

    name = "HTML"

    def options(self, random: Random, markdown: str) -> Iterator[dict[str, Any]]:
        del markdown
        source = AUTO if random.random() < _AUTO_SHARE else random.choice(sorted(SOURCES))
        yield {"source": source, "to": random.choice(_OUTPUTS)}

    def convert(self, case: Case) -> None:
        try:
            check_safe(read_html(case.markdown, source=case.options["source"]), case.options["to"])
        except MdpublishError:
            return

    def snippet(self, case: Case) -> str:
        source, output = case.options["source"], case.options["to"]
        return f"from mdpublish_core import read_html, render\nrender(read_html({case.markdown!a}, source={source!r}).document, to={output!r}).html"


class WordImports:
    """`read_file` of Word files with a spoiled part: text is spoiled, and what is not well-formed is mended."""

    name = "Word files"

    def __init__(self, files: Sequence[bytes]) -> None:
        self._files = files

    def options(self, random: Random, markdown: str) -> Iterator[dict[str, Any]]:
        del markdown
        yield {
            "file": random.randrange(len(self._files)),
            "part": random.choice([*_PARTS, *["word/document.xml"] * 7]),
            "is_mended": random.random() >= _BROKEN_SHARE,
            "changed": [random.random() for _ in range(20)] if random.random() < _BROKEN_SHARE else [],
            "to": random.choice(_OUTPUTS),
        }

    def convert(self, case: Case) -> None:
        try:
            check_safe(read_file(self._file(case), ".docx"), case.options["to"])
        except MdpublishError:
            return

    def _file(self, case: Case) -> bytes:
        part = case.options["part"]
        xml = root(_PARTS[part], case.markdown).encode("utf-8", "replace")
        if case.options["is_mended"]:
            xml = etree.tostring(etree.fromstring(xml, etree.XMLParser(recover=True)), encoding="UTF-8")
        content = bytearray(with_entry(self._files[case.options["file"]], part, xml))
        for place in case.options["changed"]:
            content[int(place * len(content))] ^= 1
        return bytes(content)

    def snippet(self, case: Case) -> str:
        content = b64encode(self._file(case)).decode()
        return f"from base64 import b64decode\nfrom mdpublish_core import read_file\nread_file(b64decode({content!r}), '.docx').markdown"


def word_sources(files: Sequence[bytes]) -> list[str]:
    """Return what is in the parts' roots."""
    contents = []
    for file in files:
        with ZipFile(BytesIO(file)) as archive:
            for part in _PARTS.keys() & set(archive.namelist()):
                whole = archive.read(part).decode()
                contents.append(whole[whole.index(">", whole.index("<w:")) + 1 : whole.rindex("</w:")])
    return contents
