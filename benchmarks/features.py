"""What mdpublish and other converters do with the same Markdown: the table of docs/explanation/comparison.md.

    python -m benchmarks.features            prints the table
    python -m benchmarks.features --check    exits with 1 if the page has another one

A cell is what a program did: "yes" as it comes, "option" with options, extensions or plugins that its own project
ships, "function" with some lines of the caller's Python, else "no". `nox -s features` installs them all.
"""

import argparse
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.comparison_page import PAGE, table_of_page

Run = Callable[[str], str | bytes]
Check = Callable[[str | bytes], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A converter. Its ways to write HTML are tried in turn, and those of `special` for features of that name."""

    version: str
    ways: tuple[tuple[str, Run], ...]
    special: Mapping[str, tuple[str, Run]] = field(default_factory=dict)
    syntax: Mapping[str, str] = field(default_factory=dict)
    """What an author writes for a feature in this tool's dialect instead."""


@dataclass(frozen=True, slots=True)
class Feature:
    """Markdown, and a check of what became of it. A special one is no HTML: only a tool that names it has it."""

    name: str
    markdown: str
    check: Check
    is_special: bool = False


def has(pattern: str, without: str = "(?!)") -> Check:
    return lambda output: (
        isinstance(output, str) and bool(re.search(pattern, output)) and not re.search(without, output)
    )


def begins(start: bytes) -> Check:
    return lambda output: isinstance(output, bytes) and output.startswith(start)


SAMPLE = "# Title\n\nSome **bold** text.\n"
FEATURES = (
    Feature("tables", "| a | b |\n|---|--:|\n| 1 | 2 |\n", has("<table")),
    Feature("task lists", "- [x] a\n- [ ] b\n", has("checkbox|☑|☒")),
    Feature("strikethrough", "~~old~~\n", has("<(del|s)>")),
    Feature("bare URLs become links", "See https://example.org/page.\n", has("<a [^>]*href=.https://example.org")),
    Feature("footnotes", "A claim.[^1]\n\n[^1]: Its source.\n", has("Its source", r"\[\^1\]")),
    Feature("GitHub's alerts, `> [!NOTE]`", "> [!NOTE]\n> Mind this.\n", has("Mind this", r"\[!NOTE\]")),
    Feature("definition lists", "term\n: definition\n", has("<dt")),
    Feature("sub- and superscripts", "H~2~O and x^2^\n", has(r"<sub>2</sub>[\s\S]*<sup>2</sup>")),
    Feature("ids and classes of elements", "# A {#b .c}\n", has("""id=["']b["']""")),
    Feature("wiki links, `[[Page]]`", "See [[Page]].\n", has("<a ", r"\[\[")),
    Feature("front matter is no text", "---\ntitle: Secret\n---\n\nText.\n", has("Text", "title: Secret|<h2")),
    Feature(
        "citations with a bibliography",
        "---\nreferences:\n- id: doe\n  type: book\n  title: A Book\n  author:\n  - family: Doe\n---\n\nSee [@doe].\n",
        has(r"\(Doe"),
    ),
    Feature("directives of Sphinx", "```{note}\nMind this.\n```\n", has("admonition|<aside")),
    Feature("formulas without JavaScript", "Let $x^2$ be.\n", has("<math|<svg")),
    Feature("highlighted code without JavaScript", "```python\nimport os\n```\n", has("<span[^>]*>import</span>")),
    Feature("Mermaid without JavaScript", "```mermaid\ngraph TD; A-->B\n```\n", has("<svg")),
    Feature("the author's HTML as it is", '<video src="a.mp4" controls></video>\n', has('<video src="a.mp4" controls')),
    Feature(
        "no scripts from the author",
        "<script>alert(1)</script>\n\n[a](javascript:alert)\n\ntext\n",
        has("text", "<script|href=.javascript:"),
    ),
    Feature("styled email, without a stylesheet", SAMPLE, has('<h1[^>]* style="', "<link"), is_special=True),
    Feature("Slack's mrkdwn", SAMPLE, has(r"^\*Title\*[\s\S]*Some \*bold\* text"), is_special=True),
    Feature("whole web pages", SAMPLE, has("(?i)^<!doctype html|^<[?]xml"), is_special=True),
    Feature("plain text", SAMPLE, has(r"(?i)Some \W*bold\W* text", "<|# Title"), is_special=True),
    Feature("Word files", SAMPLE, begins(b"PK"), is_special=True),
    Feature("LaTeX", SAMPLE, has(r"\\(textbf|DUrole)|\\sphinxstrong"), is_special=True),
    Feature("EPUB", SAMPLE, begins(b"PK"), is_special=True),
    Feature("Markdown again", SAMPLE, has(r"\*\*bold\*\*", "<"), is_special=True),
    Feature("reads Word files", "", has("bold"), is_special=True),
)


def mdpublish() -> Tool:
    from mdpublish_core import ALL_EXTENSIONS, PageOptions, convert, parse, read_file, render

    return Tool(
        version=version("mdpublish-core"),
        ways=(
            ("yes", lambda markdown: convert(markdown).html),
            ("option", lambda markdown: convert(markdown, extensions=ALL_EXTENSIONS).html),
            ("option", lambda markdown: convert(markdown, raw_html="keep").html),
        ),
        special={
            "styled email, without a stylesheet": ("yes", lambda markdown: convert(markdown, to="email").html),
            "Slack's mrkdwn": ("yes", lambda markdown: convert(markdown, to="slack").text),
            "whole web pages": (
                "yes",
                lambda markdown: render(parse(markdown), to="page", options=PageOptions(title="x")).html,
            ),
            "plain text": ("yes", lambda markdown: convert(markdown, to="plain-text").text),
            "Word files": ("yes", lambda markdown: convert(markdown, to="docx").content),
            "Markdown again": ("yes", lambda markdown: convert(markdown, to="markdown").text),
            "reads Word files": (
                "option",
                lambda _: read_file(convert(SAMPLE, to="docx").to_bytes(), ".docx").markdown,
            ),
        },
    )


def pandoc() -> Tool:
    import pypandoc  # type: ignore[import-untyped]  # it has no types
    from pypandoc import convert_text, get_pandoc_version

    def to(target: str, markdown: str, *options: str, source: str = "markdown") -> str:
        return str(convert_text(markdown, target, format=source, extra_args=list(options)))

    def file(target: str, markdown: str) -> bytes:
        from tempfile import TemporaryDirectory

        with TemporaryDirectory() as folder:
            written = Path(folder, f"out.{target}")
            convert_text(
                markdown, target, format="markdown", outputfile=str(written), extra_args=["--metadata", "title=x"]
            )
            return written.read_bytes()

    def from_word(_markdown: str) -> str:
        from tempfile import TemporaryDirectory

        with TemporaryDirectory() as folder:
            written = Path(folder, "in.docx")
            written.write_bytes(file("docx", SAMPLE))
            return str(pypandoc.convert_file(str(written), "plain", format="docx"))

    # Alerts and bare URLs are of its GitHub dialect, wiki links and MathML options.
    more = "markdown+autolink_bare_uris+alerts+wikilinks_title_after_pipe+tex_math_dollars"
    return Tool(
        version=get_pandoc_version(),
        ways=(
            ("yes", partial(to, "html")),
            ("option", lambda markdown: to("html", markdown, "--mathml", "--citeproc", source=more)),
            ("option", lambda markdown: to("html", markdown, "--mathml", source="gfm")),
            ("option", partial(to, "html", source="markdown-raw_html-raw_attribute")),
        ),
        special={
            "whole web pages": ("option", lambda markdown: to("html", markdown, "--standalone", "--metadata=title:x")),
            "plain text": ("yes", partial(to, "plain")),
            "Word files": ("yes", partial(file, "docx")),
            "LaTeX": ("yes", partial(to, "latex")),
            "EPUB": ("yes", partial(file, "epub")),
            "Markdown again": ("yes", partial(to, "commonmark")),
            "reads Word files": ("yes", from_word),
        },
    )


def highlighted(code: str, language: str) -> str:
    """Highlight code as the examples of these libraries do."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return str(highlight(code, get_lexer_by_name(language), HtmlFormatter()))
    except ClassNotFound:
        return f"<pre>{escape(code)}</pre>"


def markdown_it() -> Tool:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin
    from mdit_py_plugins.front_matter import front_matter_plugin
    from mdit_py_plugins.gfm import gfm_plugin
    from mdit_py_plugins.subscript import sub_plugin
    from mdit_py_plugins.superscript import superscript_plugin
    from mdit_py_plugins.tasklists import tasklists_plugin

    plugins: tuple[Callable[..., None], ...] = (
        attrs_plugin,
        attrs_block_plugin,
        deflist_plugin,
        dollarmath_plugin,
        footnote_plugin,
        front_matter_plugin,
        sub_plugin,
        superscript_plugin,
        tasklists_plugin,
    )
    full = MarkdownIt("gfm-like")
    for plugin in plugins:
        full.use(plugin)
    function = MarkdownIt("commonmark", {"highlight": lambda code, language, _attributes: highlighted(code, language)})
    return Tool(
        version=f"{version('markdown-it-py')}, mdit-py-plugins {version('mdit-py-plugins')}",
        ways=(
            ("yes", MarkdownIt().render),
            ("option", full.render),
            ("option", MarkdownIt().use(gfm_plugin).render),
            ("option", MarkdownIt("js-default").render),
            ("function", function.render),
        ),
        syntax={"ids and classes of elements": "{#b .c}\n# A\n"},
    )


def mistune() -> Tool:
    import mistune as library
    from mistune.renderers.markdown import MarkdownRenderer

    plugins = [
        "strikethrough",
        "footnotes",
        "table",
        "url",
        "task_lists",
        "def_list",
        "abbr",
        "mark",
        "superscript",
        "subscript",
        "math",
        "speedup",
    ]

    class Highlighting(library.HTMLRenderer):
        def block_code(self, code: str, info: str | None = None) -> str:
            return highlighted(code, info or "")

    from mistune.directives import Admonition, FencedDirective

    def html(**options: Any) -> Run:
        parser = library.create_markdown(**options)
        return lambda markdown: str(parser(markdown))

    return Tool(
        version=version("mistune"),
        ways=(
            ("yes", lambda markdown: str(library.html(markdown))),
            ("option", html(plugins=[*plugins, FencedDirective([Admonition()])])),
            ("function", html(renderer=Highlighting())),
        ),
        special={"Markdown again": ("option", html(renderer=MarkdownRenderer()))},
    )


def marko() -> Tool:
    from marko import Markdown
    from marko.ext.latex_renderer import LatexRenderer
    from marko.md_renderer import MarkdownRenderer

    extensions = ["gfm", "footnote", "toc", "pangu", "codehilite"]
    return Tool(
        version=version("marko"),
        ways=(("yes", Markdown().convert), ("option", Markdown(extensions=extensions).convert)),
        special={
            "LaTeX": ("option", Markdown(renderer=LatexRenderer).convert),
            "Markdown again": ("option", Markdown(renderer=MarkdownRenderer).convert),
        },
    )


def myst() -> Tool:
    from docutils.core import publish_string
    from myst_parser.parsers.docutils_ import Parser

    def publish(markdown: str, writer: str = "html5", **options: Any) -> str:
        settings = {"report_level": 5, "output_encoding": "unicode", "embed_stylesheet": False, **options}
        return str(publish_string(markdown, parser=Parser(), writer=writer, settings_overrides=settings))

    def body(markdown: str, **options: Any) -> str:
        return publish(markdown, **options).partition("<main")[2]

    extensions = [
        "amsmath",
        "attrs_block",
        "attrs_inline",
        "colon_fence",
        "deflist",
        "dollarmath",
        "fieldlist",
        "html_admonition",
        "linkify",
        "replacements",
        "smartquotes",
        "strikethrough",
        "tasklist",
        "alert",
    ]
    return Tool(
        version=f"{version('myst-parser')} with docutils {version('docutils')}",
        ways=(
            ("yes", body),
            ("option", partial(body, myst_enable_extensions=extensions, math_output="MathML")),
            ("option", partial(body, raw_enabled=False, myst_url_schemes=["http", "https", "mailto"])),
        ),
        special={
            "whole web pages": ("yes", publish),
            "LaTeX": ("yes", partial(publish, writer="latex")),
            "EPUB": ("yes", partial(by_sphinx, "epub", "x.epub")),
            "plain text": ("yes", partial(by_sphinx, "text", "index.txt")),
        },
        syntax={
            "sub- and superscripts": "H{sub}`2`O and x{sup}`2`\n",
            "ids and classes of elements": "{#b .c}\n# A\n",
        },
    )


def by_sphinx(builder: str, file: str, markdown: str) -> str | bytes:
    """Build a book of one document with Sphinx, which myst-parser requires."""
    from tempfile import TemporaryDirectory

    from sphinx.application import Sphinx

    with TemporaryDirectory() as name:
        folder = Path(name)
        Path(folder, "conf.py").write_text('extensions = ["myst_parser"]\nproject = "x"\nversion = "1"\n')
        Path(folder, "index.md").write_text(markdown)
        Sphinx(folder, folder, folder / "out", folder / "trees", builder, status=None, warning=None).build()
        written = (folder / "out" / file).read_bytes()
    return written.decode() if builder == "text" else written


TOOLS = {
    "mdpublish": mdpublish,
    "pandoc": pandoc,
    "MyST": myst,
    "markdown-it-py": markdown_it,
    "mistune": mistune,
    "marko": marko,
}


def cell(tool: Tool, feature: Feature) -> str:
    special = (tool.special[feature.name],) if feature.name in tool.special else ()
    ways = special if feature.is_special else tool.ways
    markdown = tool.syntax.get(feature.name, feature.markdown)
    return next((label for label, run in ways if feature.check(run(markdown))), "no")


def column(name: str) -> list[str]:
    """Return a tool's name with its version, and its cells."""
    tool = TOOLS[name]()
    return [f"{name} {tool.version}", *(cell(tool, feature) for feature in FEATURES)]


def table() -> str:
    columns = [["", *(feature.name for feature in FEATURES)], *map(column, TOOLS)]
    head, *rows = zip(*columns, strict=True)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare what converters do with the same Markdown.")
    parser.add_argument("--check", action="store_true", help="compare with the page")
    measured = table()
    print(measured, end="")
    if parser.parse_args().check and measured != table_of_page("features"):
        sys.exit(f"{PAGE} has another table")


if __name__ == "__main__":
    main()
