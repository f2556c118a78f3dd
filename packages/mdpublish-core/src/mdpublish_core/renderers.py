"""Base classes of renderers, for destinations of your own.

    from mdpublish_core import Output, nodes
    from mdpublish_core.renderers import PlainTextRenderer

    class JiraRenderer(PlainTextRenderer):
        def render_strong(self, token: nodes.Strong) -> str:
            return f"*{self.render_inlines(token)}*"

    JIRA = Output("jira", "Jira's markup", renderer=JiraRenderer, is_text=True)

Derive from the class that is nearest, and override the methods of the nodes that differ; `BLOCK_METHODS` and
`INLINE_METHODS` list them. `PlainTextRenderer` returns a list of lines for a block and a `str` for an inline,
`HtmlRenderer` writes to `self.writer`.

`StyledHtmlWriter` is the walk that email, Google Docs, Word, OneNote and .docx share. It decides the order of blocks,
what is tight, captions, links, HTML's elements; a format says how it opens and closes a line, a box, a list and a span.
`UNSTYLED` is for formats that bring styles of their own, `replace_invalid` for XML.
`PlaceRenderer.blocks_of` makes a list of `Block` for chats and wikis; `fit` replaces what containers may not hold there,
`in_parts` divides what is longer than a `Limit`, and a class derived from `PlaceHtml` writes them.
"""

from mdpublish_core.html import HtmlWriter
from mdpublish_core.resources.characters import replace_invalid
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.figures.placement import Placement
from mdpublish_core.writers.generic import GenericRenderer
from mdpublish_core.writers.html import HtmlRenderer
from mdpublish_core.writers.places.blocks import Block, MarkedSpan, PlaceRenderer
from mdpublish_core.writers.places.fit import fit
from mdpublish_core.writers.places.html import PlaceHtml
from mdpublish_core.writers.places.parts import Limit, in_parts
from mdpublish_core.writers.plain_text import Lines, PlainTextRenderer
from mdpublish_core.writers.renderer import BLOCK_METHODS, INLINE_METHODS, Renderer
from mdpublish_core.writers.styled.lists import StyledItem, StyledList
from mdpublish_core.writers.styled.walk import UNSTYLED, StyledHtmlWriter

__all__ = [
    "BLOCK_METHODS",
    "INLINE_METHODS",
    "UNSTYLED",
    "Block",
    "GenericRenderer",
    "HtmlRenderer",
    "HtmlWriter",
    "Limit",
    "Lines",
    "MarkedSpan",
    "PlaceHtml",
    "PlaceRenderer",
    "Placement",
    "PlainTextRenderer",
    "RenderContext",
    "Renderer",
    "StyledHtmlWriter",
    "StyledItem",
    "StyledList",
    "fit",
    "in_parts",
    "replace_invalid",
]
