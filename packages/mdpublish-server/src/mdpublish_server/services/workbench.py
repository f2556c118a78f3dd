"""Texts that are being written: as they will look in each place, and what each place's clipboard holds."""

from collections.abc import Hashable
from typing import NamedTuple

from msgspec import Struct, msgpack
from msgspec.structs import replace

from mdpublish_core import Output
from mdpublish_core.hosting.outputs import OUTPUTS
from mdpublish_server.auth.plans import Plan
from mdpublish_server.conversion.converter import Converter, Share
from mdpublish_server.conversion.protocol import Compared, Placed, RenderJob
from mdpublish_server.services.front_matter import FrontMatterDefaults, joined_notices
from mdpublish_server.services.pages import PageMaker
from mdpublish_server.validation.validators import validate_theme_mode

PAGE = "page"


class Place(NamedTuple):
    """What a text is written for: the name of its output, and what the site says of it."""

    name: str
    title: str
    arrival: str = ""
    """How a text arrives where it is pasted, in a few words; empty where only its text is."""
    also_copied: str = ""
    """Name of another output for the same program, whose text can be copied, too."""


_PLACES = (
    Place(PAGE, "Web page"),
    Place("google-docs", "Google Docs", "Editable, in your style"),
    Place("word", "Word", "Editable, with equations"),
    Place("slack", "Slack", "A formatted message", also_copied="blocks"),
    Place("onenote", "OneNote", "A note, styled"),
    Place("email", "Email", "A styled message"),
    Place("teams", "Teams", "A formatted message"),
    Place("jira", "Jira", "Editable, with panels and tasks", also_copied="adf"),
    Place("confluence", "Confluence", "Editable, with panels and tasks"),
    Place("plain-text", "Plain text"),
)

PLACES = {each.name: each for each in _PLACES}
"""What a text is shown as while it is written, in the order of the tabs."""

COPIED = {name: OUTPUTS[name] for each in _PLACES for name in (each.name, each.also_copied) if name}
"""What can be copied."""


PLACED_BYTES = 16_000_000
"""Bytes of texts and their conversions in memory, so that an unchanged text is not converted again."""


class Workbench:
    """Places texts, without storing them."""

    def __init__(self, converter: Converter, pages: PageMaker, front_matter: FrontMatterDefaults) -> None:
        self._converter = converter
        self._pages = pages
        self._front_matter = front_matter
        # What was placed last: a copy takes what the preview has.
        self._placed: dict[Hashable, Placed] = {}
        self._sizes: dict[Hashable, int] = {}
        self._bytes = 0

    async def place(
        self,
        draft: Struct,
        output: Output | None,
        *,
        client_id: str,
        plan: Plan | None = None,
        default_language: str | None = None,
        compared: Compared | None = None,
    ) -> Placed:
        """Return the draft, which has `content`, as an output, or as it is; `plan` is None for a demo.

        What the version that it is `compared` with has not is marked.

        Raises `ConversionError` and `ServiceUnavailable`.
        """
        key = (msgpack.encode(draft), output and output.name, plan and plan.name, default_language, compared)
        known = self._placed.get(key)
        if known is None:
            known = await self._convert(draft, output, client_id, plan, default_language, compared=compared)
            self._keep(key, known)
        return known

    def _keep(self, key: Hashable, placed: Placed) -> None:
        size = len(msgpack.encode((key, placed)))
        if size > PLACED_BYTES // 4:
            return
        self._bytes += size - self._sizes.pop(key, 0)
        self._placed[key], self._sizes[key] = placed, size
        while self._bytes > PLACED_BYTES:
            oldest = next(iter(self._placed))
            del self._placed[oldest]
            self._bytes -= self._sizes.pop(oldest)

    async def _convert(
        self,
        draft: Struct,
        output: Output | None,
        client_id: str,
        plan: Plan | None,
        default_language: str | None,
        *,
        compared: Compared | None,
    ) -> Placed:
        share = Share.DEMO if plan is None else Share.ACCOUNTS
        complete = await self._front_matter.complete(draft, plan, client_id=client_id)
        fields = complete.fields
        if output is None:
            title = fields["title"] or await self._converter.read_title(
                fields["content"], share=share, client_id=client_id
            )
            return Placed(title=title, html=None, plain_text=fields["content"], notices=complete.notices)
        job = RenderJob(
            markdown=fields["content"],
            output=output.name,
            template_id=fields["template_id"],
            theme_mode=validate_theme_mode(fields["theme_mode"]),
            options=self._pages.draft_options(fields, default_language=default_language),
            offers_pdf=output.is_page and bool(fields.get("offer_pdf")),
            compared=compared,
        )
        placed = await self._converter.place(job, share=share, client_id=client_id)
        return replace(placed, notices=joined_notices(complete.notices, placed.notices))
