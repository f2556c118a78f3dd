"""What converters to Markdown lose of other programs' files, and whether they say so: a table of docs/explanation/comparison.md.

    python -m benchmarks.losses            prints the table, and each loss and false alarm of ours
    python -m benchmarks.losses --check    exits with 1 if the page has another table

A file is one with a loss if words, links, images, numbers of lists or boxes that it shows are not in the Markdown, as
markdown-it-py renders it. Neither that nor what reads the sources, html5lib and python-docx, is ours.
"""

import io
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple
from unicodedata import normalize
from urllib.parse import unquote
from zipfile import BadZipFile

import docx
import html5lib
from docx.oxml.ns import nsmap
from lxml import etree
from mdit_py_plugins.footnote import footnote_plugin

from benchmarks.comparison_page import PAGE, table_of_page
from benchmarks.imports import render, turndown
from mdpublish_core import read_file
from tests.corpora.strangers import PROGRAMS, Program

_UNSEEN = frozenset("head style script template noscript title math textarea select iframe !".split())  # noqa: SIM905
_INLINE = frozenset(
    "a abbr b big cite code del em font i ins kbd label mark q s samp small span strike strong sub sup tt u var wbr".split()  # noqa: SIM905
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all")
_BOXES = {"☐": False, "☑": True, "☒": True}
_WORD_PATH = "//*[self::w:t or self::w:p or self::w:tab or self::w:br or self::w:hyperlink[@r:id] or self::a:blip][not({})]".format(
    "ancestor::w:del or ancestor::w:moveFrom or ancestor::w:r/w:rPr/w:vanish or ancestor::*[local-name() = 'Fallback']"
)

Seen = Mapping[str, Counter[str]]
"""What a person sees, by kind."""

_NAMES = {"words": "passage", "links": "link", "images": "image", "numbers": "number", "boxes": "check box"}
"""Kinds, and how our notices name them."""


def seen_in_html(html: str | bytes) -> Seen:
    """Read HTML as a browser shows it, without stylesheets."""
    strings: list[str] = []
    things: dict[str, Counter[str]] = {kind: Counter() for kind in _NAMES}
    _see(html5lib.parse(html, namespaceHTMLElements=False), strings, things)
    shown = normalize("NFKC", re.sub("[\u00ad\u200b-\u200f\u2060\ufeff]", "", "".join(strings)))
    things["words"].update(re.findall(r"\w+", shown))
    things["boxes"].update(str(_BOXES[each]) for each in shown if each in _BOXES)
    return things


def _see(element: Any, strings: list[str], things: Seen) -> None:
    tag = element.tag if isinstance(element.tag, str) else "!"
    is_hidden = "hidden" in element.attrib or _HIDDEN.search(element.get("style", "")) is not None
    if not (is_hidden or tag in _UNSEEN or "math" in element.get("class", "").split()):
        edge = ["\n"] * (tag not in _INLINE)
        strings += [*edge, element.text or ""]
        for kind, value in _marks_of(tag, element):
            things[kind][value] += 1
        for child in element:
            _see(child, strings, things)
        strings += edge
    strings.append(element.tail or "")


def _marks_of(tag: str, element: Any) -> Iterator[tuple[str, str]]:
    if tag == "a" and re.match("https?:|mailto:", element.get("href", "")) and "".join(element.itertext()).strip():
        yield "links", unquote(element.get("href").strip()).rstrip("/")
    elif tag == "img" and element.get("src"):
        yield "images", ""
    elif tag == "input" and element.get("type") == "checkbox":
        yield "boxes", str("checked" in element.attrib)
    elif tag == "ol":
        number = _integer(element.get("start"), 1)
        for item in element.findall("li"):
            number = _integer(item.get("value"), number)
            yield "numbers", f"{element.get('type', '1')} {number}"
            number += 1


def _integer(written: str | None, default: int) -> int:
    match = re.match(r"\s*([+-]?\d+)", written or "")
    return int(match[1]) if match else default


def seen_in_word(content: bytes) -> Seen:
    """Read the text and the notes of a Word file, changes accepted, without numbers and boxes.

    The glossary, which no reader of the document sees, has what programs may put into it.
    """
    strings = []
    for part in docx.Document(io.BytesIO(content)).part.package.iter_parts():
        folder, _, name = str(part.partname).rpartition("/")
        if name in {"document.xml", "footnotes.xml", "endnotes.xml"} and not folder.endswith("/glossary"):
            elements: Any = etree.fromstring(part.blob).xpath(_WORD_PATH, namespaces=nsmap)
            for element in elements:
                name = element.tag.rpartition("}")[2]
                keys = [value for key, value in element.attrib.items() if key.endswith(("}id", "}embed", "}link"))]
                if name == "t":
                    strings.append(escape(element.text or ""))
                elif name == "hyperlink" and keys[0] in part.rels:
                    anchor = "".join(f"#{value}" for key, value in element.attrib.items() if key.endswith("}anchor"))
                    strings.append(f'<a href="{escape(part.rels[keys[0]].target_ref + anchor)}">\u200b</a>')
                elif name == "blip":
                    strings += ["<img src=x>"] * any(key in part.rels for key in keys)
                else:
                    strings.append("<br>")
    return seen_in_html("".join(strings))


def lost(source: Seen, result: Seen) -> list[str]:
    """Return the kinds of which something is missing. A word may be two words in the result, and two may be one."""
    missing, surplus = (
        "".join(each.elements()) for each in (source["words"] - result["words"], result["words"] - source["words"])
    )
    kinds = [kind for kind in _NAMES if kind != "words" and source[kind] - result[kind]]
    return [*(["words"] if Counter(missing) - Counter(surplus) else []), *kinds]


class Written(NamedTuple):
    """What a converter wrote."""

    markdown: str
    is_reported: bool = False
    """Whether it said something: any warning or message, or that it does not convert the file."""

    losses: Sequence[str] = ()
    """Our messages about losses."""


Tool = Callable[[Sequence[bytes]], list[Written]]


def _each(function: Callable[[bytes], Written]) -> Tool:
    def converted(content: bytes) -> Written:
        try:
            return function(content)
        except Exception:  # noqa: BLE001  (whatever a converter raises, it says so)
            return Written("", is_reported=True)

    return lambda files: list(map(converted, files))


def _ours(suffix: str) -> Tool:
    def convert(content: bytes) -> Written:
        read = read_file(content, suffix)
        lost = [notice.message for notice in read.notices if notice.code == "lost-on-import"]
        return Written(read.markdown, bool(read.notices), lost)

    return _each(convert)


def _turndown(files: Sequence[bytes]) -> list[Written]:
    pages: Sequence[str | None] = turndown(1)(list(map(_decoded, files)))[0]
    return [Written(markdown or "", is_reported=markdown is None) for markdown in pages]


def _decoded(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def tools(suffix: str) -> dict[str, Tool]:
    """Return the converters of such files."""
    import pypandoc  # type: ignore[import-untyped]  # it has no types
    from html_to_markdown import convert as html_to_markdown
    from mammoth import convert_to_markdown  # type: ignore[attr-defined]  # ours has the types of what the core uses
    from markdownify import markdownify
    from markitdown import MarkItDown, StreamInfo

    markitdown, info = MarkItDown(), StreamInfo(extension=suffix, charset="utf-8" if suffix == ".html" else None)

    def by_pandoc(content: bytes) -> Written:
        command = [pypandoc.get_pandoc_path(), "--from", suffix[1:], "--to", "gfm+tex_math_dollars"]
        run = subprocess.run(command, input=content, capture_output=True, check=True)
        return Written(run.stdout.decode(), bool(run.stderr))

    def by_mammoth(content: bytes) -> Written:
        result = convert_to_markdown(io.BytesIO(content))
        return Written(result.value, bool(result.messages))

    every = {
        "mdpublish": _ours(suffix),
        "pandoc": _each(by_pandoc),
        "markitdown": _each(
            lambda file: Written(markitdown.convert_stream(io.BytesIO(file), stream_info=info).text_content)
        ),
    }
    if suffix == ".docx":
        return {**every, "mammoth": _each(by_mammoth)}
    return {
        **every,
        "markdownify": _each(lambda content: Written(markdownify(_decoded(content), heading_style="ATX"))),
        "html-to-markdown": _each(lambda content: Written(html_to_markdown(_decoded(content)).content or "")),
        "turndown": _turndown,
    }


TOOLS = ("mdpublish", "pandoc", "markitdown", "mammoth", "markdownify", "html-to-markdown", "turndown")


def _sources(program: Program) -> Iterator[tuple[str, bytes, Seen]]:
    for name, content in program.files():
        try:
            yield name, content, seen_in_word(content) if program.suffix == ".docx" else seen_in_html(content)
        except (KeyError, SyntaxError, ValueError, BadZipFile):  # python-docx opens fewer files than Word
            continue


def measure() -> tuple[str, list[str]]:
    """Return the lines of the page, and each loss and false alarm of ours."""
    rows, remarks = [["files of", "of", *TOOLS], ["---"] * (2 + len(TOOLS))], []
    files = alarms = 0
    for name, program in PROGRAMS.items():
        sources = list(_sources(program))
        files += len(sources)
        cells = dict.fromkeys(TOOLS, "")
        for tool, convert in tools(program.suffix).items():
            counts: Counter[bool] = Counter()
            for (path, _, seen), written in zip(sources, convert([content for _, content, _ in sources]), strict=True):
                missing = lost(seen, seen_in_html(render(written.markdown, footnote_plugin)))
                counts.update([written.is_reported] * bool(missing))
                is_alarm = _is_false(missing, written, program.suffix)
                alarms += is_alarm
                if tool == "mdpublish" and (missing or is_alarm):
                    said = "silent" if missing and not written.is_reported else "false" if is_alarm else "named"
                    remarks.append(f"{name}'s {path}, {said}: {' '.join(missing)} {written.losses}")
            cells[tool] = f"{counts[True]} / {counts[False]}"
        rows.append([f"{name}, {program.suffix}", str(len(sources)), *cells.values()])
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return f"{table}\nFalse alarms of mdpublish: {alarms} in {files} files.\n", remarks


def _is_false(missing: Sequence[str], written: Written, suffix: str) -> bool:
    """Tell whether a notice names something of a kind of which nothing is missing."""
    unknown = {"numbers", "boxes"} if suffix == ".docx" else set()
    kinds = set(_NAMES) - set(missing) - unknown
    return any(f" {_NAMES[kind]}" in message.split(":")[1] for message in written.losses for kind in kinds)


def main() -> None:
    measured, remarks = measure()
    print(measured, *remarks, sep="\n")
    if "--check" in sys.argv and measured != table_of_page("losses"):
        sys.exit(f"{PAGE} has another table")


if __name__ == "__main__":
    main()
