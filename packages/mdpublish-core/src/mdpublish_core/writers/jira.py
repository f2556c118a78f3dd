"""Destination `jira`: HTML for the editor of Jira Cloud; `adf` is the same text for its API."""

from mdpublish_core import nodes
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.places.atlassian import JIRA_FIELD, AtlassianHtml, AtlassianRenderer
from mdpublish_core.writers.places.html import html_in_parts


class JiraRenderer(AtlassianRenderer):
    """A text that is too long for a field is in numbered parts, each a `div`."""

    @classmethod
    def render(cls, document: nodes.Document, context: RenderContext) -> str:
        return html_in_parts(AtlassianHtml, cls.fitted(document, context), context, JIRA_FIELD)


render = JiraRenderer.render
