"""Base classes of renderers, for destinations of your own.

    from mdpublish_core import Destination, nodes
    from mdpublish_core.renderers import PlainTextRenderer

    class JiraRenderer(PlainTextRenderer):
        def render_strong(self, token: nodes.Strong) -> str:
            return f"*{self.render_inlines(token)}*"

    JIRA = Destination("jira", "Jira's markup", renderer=JiraRenderer, is_text=True)

Derive from the class that is nearest, and override the methods of the nodes that differ; `BLOCK_METHODS` and `INLINE_METHODS` list
them. `PlainTextRenderer` returns a list of lines for a block and a `str` for an inline, `HtmlRenderer` writes to `self.writer`.
"""

from mdpublish_core.html import HtmlWriter
from mdpublish_core.writers.generic import GenericRenderer
from mdpublish_core.writers.html import HtmlRenderer
from mdpublish_core.writers.plain_text import Lines, PlainTextRenderer
from mdpublish_core.writers.renderer import BLOCK_METHODS, INLINE_METHODS, Renderer

__all__ = [
    "BLOCK_METHODS",
    "INLINE_METHODS",
    "GenericRenderer",
    "HtmlRenderer",
    "HtmlWriter",
    "Lines",
    "PlainTextRenderer",
    "Renderer",
]
