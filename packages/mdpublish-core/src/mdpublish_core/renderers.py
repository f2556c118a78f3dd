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
"""

from mdpublish_core.html import HtmlWriter
from mdpublish_core.resources.characters import replace_invalid
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.figures.placement import Placement
from mdpublish_core.writers.generic import GenericRenderer
from mdpublish_core.writers.html import HtmlRenderer
from mdpublish_core.writers.plain_text import Lines, PlainTextRenderer
from mdpublish_core.writers.renderer import BLOCK_METHODS, INLINE_METHODS, Renderer
from mdpublish_core.writers.styled.lists import StyledItem, StyledList
from mdpublish_core.writers.styled.walk import UNSTYLED, StyledHtmlWriter

__all__ = [
    "BLOCK_METHODS",
    "INLINE_METHODS",
    "UNSTYLED",
    "GenericRenderer",
    "HtmlRenderer",
    "HtmlWriter",
    "Lines",
    "Placement",
    "PlainTextRenderer",
    "RenderContext",
    "Renderer",
    "StyledHtmlWriter",
    "StyledItem",
    "StyledList",
    "replace_invalid",
]
