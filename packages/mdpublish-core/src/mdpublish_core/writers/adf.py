"""The output `adf`: a document for the APIs of Jira and Confluence in the Cloud, as JSON of Atlassian's document format."""

from mdpublish_core.nodes import Document
from mdpublish_core.writers.json_lines import json_line
from mdpublish_core.writers.options.adf import AdfOptions
from mdpublish_core.writers.places.atlassian import JIRA_FIELD, AtlassianRenderer, adf
from mdpublish_core.writers.places.parts import in_parts
from mdpublish_core.writers.rendering import RenderRequest, destination_context
from mdpublish_core.writers.results import Conversion


def write(document: Document, request: RenderRequest) -> Conversion:
    """Write the output `adf`, on one line, or each part on one."""
    options = request.options or AdfOptions()
    context = destination_context(document, request)
    blocks = AtlassianRenderer.fitted(document, context)
    parts = in_parts(blocks, JIRA_FIELD, context.notices) if options.in_parts else [blocks]
    if not options.in_parts and (size := JIRA_FIELD.measure(blocks)) > JIRA_FIELD.size:
        limit = f"of which a field of Jira can have {JIRA_FIELD.size:,}; the option in_parts divides it"
        context.notice("message-too-long", f"the document has {size:,} characters, {limit}")
    return request.result(document, "".join(json_line(adf(each)) for each in parts), context)
