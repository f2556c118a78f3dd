"""The output `adf`: a document for the APIs of Jira and Confluence in the Cloud, as JSON of Atlassian's document format."""

import json

from mdpublish_core.nodes import Document
from mdpublish_core.writers.places.atlassian import AtlassianRenderer, adf
from mdpublish_core.writers.rendering import RenderRequest, destination_context
from mdpublish_core.writers.results import Conversion


def write(document: Document, request: RenderRequest) -> Conversion:
    """Write the output `adf`, on one line."""
    context = destination_context(document, request)
    content = adf(AtlassianRenderer.fitted(document, context))
    return request.result(document, json.dumps(content, ensure_ascii=False) + "\n", context)
