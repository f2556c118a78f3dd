"""Fields of a text, `{{name}}`, filled for each recipient.

They are replaced in the parsed document, so that a value is text, whatever marks it has; in a URL it is
percent-encoded. Code, formulas and figures keep what looks like a field: Mermaid draws `{{…}}` as a hexagon.
"""

from collections.abc import Callable, Mapping
from functools import partial
from urllib.parse import quote

import click

from mdpublish_core import DEFAULT_LIMITS, nodes
from mdpublish_core.front_matter import FrontMatter
from mdpublish_core.readers.markdown.transforms import apply_transforms
from mdpublish_core.strings.lazy_patterns import compile_lazily

_FIELD = compile_lazily(r"\{\{ ?([^\W\d_][\w-]*) ?\}\}")


def names_in(content: str) -> list[str]:
    """Return the names of the fields in a text."""
    return _FIELD.findall(content)


def fill_text(values: Mapping[str, str], content: str) -> str:
    return _FIELD.sub(lambda match: values[match[1]], content)


def fill_url(values: Mapping[str, str], url: str) -> str:
    """Return a URL with encoded values; one that is nothing but a field has its value as it is."""
    whole = _FIELD.fullmatch(url)
    return values[whole[1]] if whole else _FIELD.sub(lambda match: quote(values[match[1]], safe=""), url)


def document_fields(document: nodes.Document) -> set[str]:
    """Return the names of all fields in a document and its front matter."""
    names: set[str] = set()

    def note(content: str) -> str:
        names.update(names_in(content))
        return content

    _with_values(document, note, note)
    return names


def fill_document(document: nodes.Document, values: Mapping[str, str]) -> nodes.Document:
    """Return a copy with the values of a recipient, which is checked as what a transform returns."""

    def fill(unfilled: nodes.Document) -> nodes.Document:
        return _with_values(unfilled, partial(fill_text, values), partial(fill_url, values))

    filled = apply_transforms(
        document, [("filling in the fields", fill)], raw_html=document.origin.raw_html, limits=DEFAULT_LIMITS
    )
    for notice in filled.notices:
        if notice.code == "plugin-failed" and notice not in document.notices:
            raise click.ClickException(notice.message.removesuffix("; the document is shown without it"))
    return filled


def _with_values(document: nodes.Document, words: Callable[[str], str], url: Callable[[str], str]) -> nodes.Document:
    def filled(token: nodes.Token) -> nodes.Token:
        match token:
            case nodes.RawText():
                return nodes.RawText(words(token.content))
            case nodes.Link():
                return nodes.replace(token, target=url(token.target), title=words(token.title))
            case nodes.AutoLink():
                return nodes.replace(token, content=url(token.content), target=url(token.target))
            case nodes.Image():
                return nodes.replace(token, src=url(token.src), title=words(token.title))
            case nodes.HtmlElement():
                attributes = {
                    name: (url if name in {"href", "src"} else words)(value) for name, value in token.attributes.items()
                }
                return nodes.replace(token, attributes=attributes)
        return token

    values = document.front_matter
    front_matter = FrontMatter(
        {key: words(value) if isinstance(value, str) else value for key, value in values.items()},
        {key: values.position_of(key) for key in values},
    )
    return nodes.replace(nodes.transform(document, filled), front_matter=front_matter)
