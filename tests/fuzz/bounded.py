"""Spoiled, nested and endless documents cause only documented errors, and memory in proportion to the input."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import click
from lxml import etree

from mdpublish_core import Converter, MdpublishError, convert, read_file, read_html
from mdpublish_core.cli.check.checking import CheckOptions, fix_file
from mdpublish_core.cli.check.selection import Selection
from mdpublish_core.cli.inputs import ParseOptions
from mdpublish_core.merging import merge
from mdpublish_core.repair import repair
from tests.cases.case_files import all_cases
from tests.core.readers.docx.word_sources import root, with_entry
from tests.fuzz.session import Unexpected
from tests.fuzz.spoiling import BLOCKS, INLINES, TAGS, spoiled
from tests.peak_memory import peak_bytes

CONSTANT_BYTES = 12_000_000
"""Of caches and patterns that are made when they are first needed."""

FACTORS: Mapping[str, int] = {"repair": 400, "merge": 4_000, "HTML": 2_500, "Word": 600, "fixes": 3_000}
"""Bytes of memory for each byte of input: a merged word is an object of three versions, with its marks."""

_MARKS = (*BLOCKS, *INLINES, *TAGS)
_MAX_RUN = 8_000
"""Characters: what is quadratic takes hundreds of megabytes for them."""

_WORD_MARKS = tuple(
    f"<w:{name}>" for name in ("p", "r", "t", "tbl", "tr", "tc", "hyperlink", "ins", "sdt", "sdtContent", "pict")
)


@cache
def _sources() -> tuple[str, ...]:
    return tuple(case.markdown for case in all_cases())


def make_document(seed: int) -> str:
    """Return a case by the seed's remainder: a spoiled one, a long run of few marks, or marks nested around words."""
    random = Random(seed)
    if seed % 4 < 2:
        return spoiled(random, _sources())
    marks = random.choices(_MARKS, k=random.choice((1, 2, 3)))
    length = round(_MAX_RUN * random.random() ** 3)
    if seed % 4 == 2:
        return "".join(random.choices([*marks, "a", " ", "a b\n"], k=length // 3))[:_MAX_RUN]
    inner = random.choice(("a ", "a-", "https://a.example/b-", "a\n\n", "| a "))
    depth = random.choice((1, 5, 60))
    return "".join(marks) * depth + inner * (length // len(inner)) + "".join(reversed(marks)) * depth


def _repairs(seed: int) -> tuple[int, Callable[[], object]]:
    markdown = make_document(seed)
    return len(markdown.encode("utf-8", "replace")), partial(repair, markdown)


def _merges(seed: int) -> tuple[int, Callable[[], object]]:
    markdown, converter = make_document(seed), Converter(to="generic")
    edited = read_html(spoiled(Random(seed), [converter.convert(markdown).html]))
    return len((markdown + edited.markdown).encode("utf-8", "replace")), partial(merge, markdown, edited, converter)


def _html(seed: int) -> tuple[int, Callable[[], object]]:
    markdown = make_document(seed)
    html = markdown if seed % 4 > 1 else spoiled(Random(seed), [convert(markdown, to="generic").html])
    return len(html.encode("utf-8", "replace")), lambda: read_html(html).markdown


def _word(seed: int) -> tuple[int, Callable[[], object]]:
    random, file = Random(seed), convert(make_document(seed), to="docx").to_bytes()
    with ZipFile(BytesIO(file)) as archive:
        body = archive.read("word/document.xml").decode()
    body = body[body.index("<w:body>") : body.rindex("</w:document>")]
    if seed % 4 > 1:
        body = "".join(random.choices(_WORD_MARKS, k=random.choice((1, 20, 300)))) + body
    xml = root("document", spoiled(random, [body])).encode("utf-8", "replace")
    mended = etree.tostring(etree.fromstring(xml, etree.XMLParser(recover=True)), encoding="UTF-8")
    return len(mended), lambda: read_file(with_entry(file, "word/document.xml", mended), ".docx").markdown


def _fixes(seed: int) -> tuple[int, Callable[[], object]]:
    content = make_document(seed).encode("utf-8", "replace")
    options = CheckOptions([], ("generic", "slack", "email"), ParseOptions())

    def fix() -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "a.md"
            path.write_bytes(content)
            selection = Selection.of((), (), (), Path(folder))
            for is_first in (True, False):
                fixed = fix_file(str(path), options, selection, unsafe=True)
                if not is_first and fixed.before != fixed.after:
                    raise Unexpected("fixes that are not stable")
                path.write_bytes(fixed.after.encode())

    return len(content), fix


WORK: Mapping[str, Callable[[int], tuple[int, Callable[[], object]]]] = {
    "repair": _repairs,
    "merge": _merges,
    "HTML": _html,
    "Word": _word,
    "fixes": _fixes,
}


def input_of(name: str, seed: int) -> tuple[int, Callable[[], None]] | None:
    """Return the bytes and the work of a seed's document, or None without one; errors of the work are undocumented."""
    try:
        size, work = WORK[name](seed)
    except MdpublishError:
        return None

    def documented() -> None:
        try:
            work()
        except (MdpublishError, click.ClickException):
            return

    return size, documented


def allowed_bytes(name: str, size: int) -> int:
    return CONSTANT_BYTES + FACTORS[name] * size


def check_bounded(name: str, seed: int) -> float:
    """Run one work on a seed's document; return its share of the allowed memory. Raises `Unexpected` past it."""
    case = input_of(name, seed)
    if case is None:
        return 0.0
    size, work = case
    taken, allowed = peak_bytes(work), allowed_bytes(name, size)
    if taken > allowed:
        raise Unexpected(f"{name} {seed}: {taken:,} bytes of memory for {size:,} bytes, more than {allowed:,}")
    return taken / allowed
