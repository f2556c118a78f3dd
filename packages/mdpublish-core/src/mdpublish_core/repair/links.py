"""Links as Slack writes them."""

from collections.abc import Iterator

from mdpublish_core.readers.markdown.slips import CORRECTED, SLACK_LINK, is_slack_link
from mdpublish_core.repair.draft import Changes
from mdpublish_core.repair.source import Source
from mdpublish_core.strings.changes import Change


def rewrite_slack_links(source: Source) -> Iterator[Changes]:
    """Rewrite links of Slack, a URL and a text around a bar, as Markdown's; a URL with a bar in its query stays."""
    for match in source.matches(SLACK_LINK, is_markup=True):
        if is_slack_link(match):
            yield (Change(*match.span(), CORRECTED["slack-link"](match[0])),)
