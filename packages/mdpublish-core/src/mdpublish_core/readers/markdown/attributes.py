"""Attribute lists: `{#id .class width=50%}`, of kramdown `{: .class }`; and the sizes of images.

Sources: Python-Markdown, "Attribute Lists"; Pandoc's manual, `header_attributes`, `link_attributes` and
`bracketed_spans`; kramdown, "Attribute List Definitions"; Docusaurus, "Heading IDs", for `{/* #id */}`; Obsidian's
help, "Embed files"; Joplin and markdown-it-imsize for `=200x`.
"""

from collections.abc import Mapping
from typing import NamedTuple

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.readers.markdown.links import Definition
from mdpublish_core.resources.allowed_elements import dimension, fragment_id
from mdpublish_core.strings.lazy_patterns import compile_lazily

ATTRIBUTE = r"(?:[#.][A-Za-z_][\w:.-]*|[A-Za-z][\w:-]*=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s{}\"'=]+))"
ATTRIBUTES = rf"(?:[ \t]*{ATTRIBUTE}(?:[ \t]+{ATTRIBUTE})*[ \t]*|/\* #[A-Za-z][\w-]* \*/)\}}"

_LIST = compile_lazily(rf"\{{(?::?{ATTRIBUTES}|:toc\}}|-\}})")
_ATTRIBUTE = compile_lazily(ATTRIBUTE)
_SIZE_AFTER_BAR = compile_lazily(r"\|(\d{1,4})(?:x(\d{1,4}))?\Z")
_SIZE_AFTER_TARGET = compile_lazily(r"\(([^()\s]+)[ \t]+=(\d{0,4}%?)(?:x(\d{0,4}%?))?(?:[ \t]+\"([^\"\n]*)\")?[ \t]*\)")
_LENGTH = compile_lazily(r"(\d{1,4}(?:\.\d{1,4})?)(in|cm|mm|pt)")


class Attributes(NamedTuple):
    """What a list says that is shown: an id, classes and values. `end` is where it ends."""

    id: str
    classes: frozenset[str]
    values: Mapping[str, str]
    end: int

    def anchor(self) -> list[nodes.Token]:
        return [nodes.HtmlElement("a", {"name": self.id}, ())] if self.id else []


def read_attributes(source: str, start: int) -> Attributes | None:
    if not (match := _LIST.match(source, start)):
        return None
    parts = _ATTRIBUTE.findall(match[0])
    ids = [name for part in parts if part[0] == "#" and (name := fragment_id(part[1:]))]
    values = (part.partition("=")[::2] for part in parts if part[0] not in "#.")
    return Attributes(
        ids[-1] if ids else "",
        frozenset(part[1:] for part in parts if part[0] == "."),
        {name: value.strip("\"'") for name, value in values},
        match.end(),
    )


def resize(image: nodes.Image, values: Mapping[str, str]) -> None:
    """Give an image the sizes of a list, in pixels or percent."""
    image.width = dimension(_in_pixels(values.get("width", ""))) or image.width
    image.height = dimension(_in_pixels(values.get("height", ""))) or image.height


def _in_pixels(length: str) -> str:
    from mdpublish_core.css.lengths import PIXELS  # late: few documents have such lengths

    match = _LENGTH.fullmatch(length.strip())
    return str(round(float(match[1]) * PIXELS[match[2]])) if match else length


def size_in_alt(alt: str) -> tuple[str, Mapping[str, str]]:
    """Return what is before the size in `alt|300x200`, and the size."""
    if not (match := _SIZE_AFTER_BAR.search(alt)):
        return alt, {}
    return alt[: match.start()], {"width": match[1], "height": match[2] or ""}


def read_sized_target(source: str, start: int) -> tuple[tuple[Definition, int], Mapping[str, str]] | None:
    """Read `(target =300x200 "title")`; either number may be missing."""
    match = _SIZE_AFTER_TARGET.match(source, start)
    if not match or not (match[2] or match[3]):
        return None
    return (Definition(match[1], match[4] or ""), match.end()), {"width": match[2], "height": match[3] or ""}
