"""Destination `teams`: HTML for the compose box of Microsoft Teams.

Elements that its editor, CKEditor, keeps: code needs `code` in its `pre`, and no color may be there, which dark mode
would not change. Headings below the second level are smaller than text, so that they are bold lines.
"""

from collections.abc import Mapping
from typing import ClassVar

from mdpublish_core import nodes
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.places.blocks import PlaceRenderer
from mdpublish_core.writers.places.fit import RULES, fit
from mdpublish_core.writers.places.html import PlaceHtml, Tags, html_in_parts, html_of
from mdpublish_core.writers.places.parts import Limit

MAX_BYTES = 28_000
"""Of a message for Microsoft Graph, with its markup: https://learn.microsoft.com/microsoftteams/limits-specifications-teams (28 KB)."""


class TeamsHtml(PlaceHtml):
    """Marks of a language are those of CKEditor's code blocks."""

    tags: ClassVar[Tags] = {
        **PlaceHtml.tags,
        "codeBlock": lambda block: [
            ("pre", ()),
            ("code", (("class", f"language-{block.attributes['language'] or 'plaintext'}"),)),
        ],
    }
    marks: ClassVar[Mapping[str, str]] = {**PlaceHtml.marks, "mark": "strong"}


class TeamsRenderer(PlaceRenderer):
    """A message that is too long is in numbered parts, each a `div`."""

    starts_anywhere = False

    @classmethod
    def render(cls, document: nodes.Document, context: RenderContext) -> str:
        blocks = fit(cls.blocks_of(document, context), RULES["teams"], context)
        limit = Limit(MAX_BYTES, "bytes", lambda several: len(html_of(TeamsHtml, several, context).encode()))
        return html_in_parts(TeamsHtml, blocks, context, limit)


render = TeamsRenderer.render
