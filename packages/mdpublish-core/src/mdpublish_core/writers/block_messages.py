"""A document as messages of Block Kit, one JSON object a line.

Each is JSON for `chat.postMessage` or an incoming webhook: `text`, which notifications show, and `blocks`: header, rich
text, table, divider.
"""

from dataclasses import replace

from mdpublish_core.nodes import Document, Table, line_of, walk
from mdpublish_core.writers.json_lines import json_line
from mdpublish_core.writers.outputs import DESTINATIONS
from mdpublish_core.writers.rendering import RenderRequest, destination_context
from mdpublish_core.writers.results import Conversion
from mdpublish_core.writers.slack.block_kit import block_kit_messages, has_block


def write(document: Document, request: RenderRequest) -> Conversion:
    """Write the output `blocks`. The messages are as many as the text needs."""
    slack = DESTINATIONS["slack"]
    context = destination_context(document, replace(request, output=slack))
    slack.render(document, context)  # for its notices
    tables = {line_of(token) for token in walk(document) if isinstance(token, Table) and has_block(token, document)}
    context.notices = [
        notice
        for notice in context.notices
        if notice.code != "message-too-long" and not (notice.code == "table-stacked" and notice.line in tables)
    ]
    messages = block_kit_messages(document, context.figures)
    lines = (json_line({"text": line, "blocks": blocks}) for line, blocks in messages)
    return request.result(document, "".join(lines), context)
