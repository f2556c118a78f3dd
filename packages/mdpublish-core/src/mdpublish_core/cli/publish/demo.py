"""Pages without an account."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.batch.plan import expand_folders
from mdpublish_core.cli.inputs import ParseOptions, read_markdown
from mdpublish_core.cli.progress import Progress
from mdpublish_core.cli.publish.page_ids import with_extensions
from mdpublish_core.cli.publish.publisher import Outcome
from mdpublish_core.client.errors import BadRequest
from mdpublish_core.notices import Notice

if TYPE_CHECKING:
    from mdpublish_core.client import Client


def publish_demos(
    client: "Client", files: Iterable[str], progress: Progress, *, parsing: ParseOptions, is_dry: bool
) -> Iterator[Outcome]:
    """Publish each file for 72 hours; links between files and images stay as they are."""
    for file in progress.track(expand_folders(files)):
        try:
            markdown = read_markdown(file)
            page = None if is_dry else client.publish_demo(with_extensions(markdown, parsing))
        except (BadRequest, click.ClickException) as error:
            yield Outcome(file, "failed", problem=str(error))
        else:
            claim = page and f"published until {page.expires_at}; claim it at {page.claim_url}; page"
            notices = tuple(Notice(each.code, each.message) for each in page.notices) if page else ()
            yield Outcome(file, claim or "published as a demo page", page.url if page else "", notices=notices)
