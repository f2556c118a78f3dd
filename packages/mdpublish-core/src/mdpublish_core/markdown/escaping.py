"""Text, links and code of a program as Markdown."""

import re

from mdpublish_core import nodes, parse, render
from mdpublish_core.arguments import require_type
from mdpublish_core.writers.markdown import to_markdown

_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_LINE_END = re.compile(r"\r\n?|\n")


class Markdown(str):
    """Text that is Markdown already: `table` writes a cell of it as it is."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Show a table, a chart or an image in Jupyter as a document has it."""
        return render(parse(self), to="generic", plain_text=False).html


def escape(value: object) -> Markdown:
    """Return a value as Markdown that reads as its text and nothing else, in a line, a heading or a table's cell.

    Line ends become spaces.
    """
    # With a backslash, an address is a link all the same.
    return Markdown(_PUNCTUATION.sub(lambda match: "&#64;" if match[0] == "@" else f"\\{match[0]}", one_line(value)))


def link(value: object, url: str) -> Markdown:
    """Return a link with a value's text."""
    require_type("url", url, str)
    return block(nodes.Paragraph([nodes.Link(url, [nodes.RawText(one_line(value))])]))


def code(source: str, language: str = "") -> Markdown:
    """Return a block of code, fenced so that no line of it ends it."""
    require_type("source", source, str)
    require_type("language", language, str)
    return block(nodes.CodeFence(f"{source}\n" if source and not source.endswith("\n") else source, language=language))


def block(content: nodes.Token) -> Markdown:
    """Return a block as it stands in a text, without the last line end."""
    return Markdown(to_markdown(nodes.Document([content])).rstrip("\n"))


def one_line(value: object) -> str:
    return " ".join(lines(value))


def lines(value: object) -> list[str]:
    """Return the lines of a value's text, as Markdown can have them: without white space at the edges."""
    return [line.strip(" \t") for line in _LINE_END.split(str(value).replace("\0", "\ufffd"))]
