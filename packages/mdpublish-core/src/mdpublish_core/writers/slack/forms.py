"""A document for Slack in other forms than mrkdwn: messages of Block Kit, and HTML for its composer."""

import json
from collections.abc import Mapping
from typing import Any, Unpack

from mdpublish_core.arguments import require_limits, require_type
from mdpublish_core.figures.results import RenderedFigures
from mdpublish_core.nodes import Document
from mdpublish_core.options.limits import DEFAULT_LIMITS, OUTPUT_BYTES_PER_INPUT_BYTE, Limits
from mdpublish_core.readers.markdown.tree_check import require_tree
from mdpublish_core.templates import bind, get_template
from mdpublish_core.writers import render_figures_for
from mdpublish_core.writers.rendering import render
from mdpublish_core.writers.results import StyleArguments, Written
from mdpublish_core.writers.slack.block_kit import block_kit_messages
from mdpublish_core.writers.slack.composer import composer_html


def slack_messages(document: Document, *, limits: Limits = DEFAULT_LIMITS) -> tuple[dict[str, Any], ...]:
    """Return a document as messages of Block Kit, in order: header, rich text, table and divider blocks.

    Each is JSON for `chat.postMessage` or an incoming webhook: `text`, which notifications show, and `blocks`. It is within
    Slack's limits: 50 blocks, one table, 12,000 characters; 100 rows, 20 columns and 10,000 characters a table. Longer tables
    continue in the next message below their header, and wider ones are preformatted text. Mentions in the text notify nobody. Math and figures have their text forms.
    """
    require_type("document", document, Document, expected="a Document, as parse returns it")
    require_limits(limits)
    if not document.origin.is_parsed:
        require_tree(document, limits)
    messages = block_kit_messages(document, _figures(document, limits))
    return tuple({"text": line, "blocks": blocks} for line, blocks in messages)


def write(document: Document, options: Mapping[str, Any], *, name: str, **style: Unpack[StyleArguments]) -> Written:
    """Write the output `blocks`: messages as JSON, one a line. They are as many as the text needs."""
    limits = style.get("limits", DEFAULT_LIMITS)
    conversion = render(document, destination="slack", limits=limits)
    lines = [f"{json.dumps(message, ensure_ascii=False)}\n" for message in slack_messages(document, limits=limits)]
    notices = tuple(notice for notice in conversion.notices if notice.code != "slack-too-long")
    return Written("".join(lines).encode(), notices)


def slack_composer_html(document: Document, *, limits: Limits = DEFAULT_LIMITS) -> str:
    """Return HTML to be pasted into Slack's composer, of the elements that it keeps.

    Raises `LimitExceeded` past `limits.max_output_bytes`.
    """
    allowed = limits.max_output_bytes + OUTPUT_BYTES_PER_INPUT_BYTE * document.origin.source_bytes
    return composer_html(document, _figures(document, limits), max_characters=allowed)


def _figures(document: Document, limits: Limits) -> RenderedFigures:
    # Text has no style.
    style = bind(get_template("swiss"), "light")
    return render_figures_for(document, style, figure_form="text", math_form="text", limits=limits)
