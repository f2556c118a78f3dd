"""Destination `jira`: HTML for the editor of Jira Cloud; `adf` is the same text for its API."""

import json

from mdpublish_core import nodes
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.places.atlassian import AtlassianHtml, AtlassianRenderer, adf
from mdpublish_core.writers.places.html import html_in_parts
from mdpublish_core.writers.places.parts import Limit

MAX_CHARACTERS = 32_767
"""Of a description or comment. They are counted in the format in which it is stored, with its markup."""


class JiraRenderer(AtlassianRenderer):
    """A text that is too long for a field is in numbered parts, each a `div`."""

    @classmethod
    def render(cls, document: nodes.Document, context: RenderContext) -> str:
        limit = Limit(MAX_CHARACTERS, "characters", lambda several: len(json.dumps(adf(several), ensure_ascii=False)))
        return html_in_parts(AtlassianHtml, cls.fitted(document, context), context, limit)


render = JiraRenderer.render
