"""Outputs: what a document is written as. One table of the files made for a destination, and of the destinations' own texts.

The module of a file has `write(document, options, *, name, **style)`, as `Output.write`. The command, the service and the
reference read the table: what differs between outputs is a column of it, and nothing compares with a name.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack, cast

from mdpublish_core.writers import DESTINATIONS, Destination, get_destination, load_writer

if TYPE_CHECKING:
    from mdpublish_core.nodes import Document
    from mdpublish_core.writers.results import StyleArguments, Written


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What a document is written as. A destination's own output has no module."""

    name: str
    summary: str
    suffix: str
    media_type: str
    destination: str
    """Name of the destination that it is for, whose theme modes and images it has."""

    module: str = ""
    """Module of this package that writes it."""

    options: tuple[str, ...] = ()
    """Options of the command that only such outputs have."""

    example: str = ""
    """A file's name that asks for it; without one, an option of its name does."""

    flag_help: str = ""
    """Help of the command's option that asks for it."""

    label: str = ""
    """Its name in a sentence, such as "Google Docs"; the service offers outputs that have one."""

    pasted_into: str = ""
    """What it is pasted into, if its label does not say so."""

    pastes_source: bool = False
    """Whether it is pasted as source, into fields that accept only text, such as code editors."""

    composer: str = ""
    """`module:function` that writes the HTML to paste where the output is text."""

    anchor: str = ""
    """`module:function` that names the heading to which a link from another such file leads, by its fragment."""

    is_file: bool = True
    """Whether people save it as a file of its suffix."""

    is_page: bool = False
    """Whether it is a page of a folder of pages, with an index, breadcrumbs and a URL."""

    is_text: bool = False
    """Whether it is text, without images."""

    is_binary: bool = False
    """Whether it fits no JSON."""

    @property
    def title(self) -> str:
        """Its label, as the name of a button."""
        return self.label[:1].upper() + self.label[1:]

    @property
    def is_pasted(self) -> bool:
        """Whether there is more to paste than its text."""
        return not self.module and bool(self.composer or not self.is_text)

    @property
    def embeds_images(self) -> bool:
        """Whether the command embeds image files by default."""
        return not self.is_text and get_destination(self.destination).embeds_images

    @property
    def is_linked(self) -> bool:
        """Whether links between documents lead from one file to another."""
        return bool(self.anchor) or not (self.is_text or self.embeds_images)

    @property
    def remedy(self) -> str:
        """How to ask the command for it, in a message."""
        return f"{self.summary}: -o {self.example}" if self.example else f"--{self.name}"

    def anchor_of(self, fragment: str) -> str:
        return cast("str", load_writer(self.anchor)(fragment)) if self.anchor else fragment

    def write(
        self,
        document: "Document",
        options: Mapping[str, Any],
        *,
        name: str = "Untitled",
        **style: "Unpack[StyleArguments]",
    ) -> "Written":
        """Write a parsed document; `name` is what it is called without a title.

        Takes those of `options` that it knows: fields of `PageOptions` or `DocxOptions`, the addresses of an email. Raises the
        errors of `render`, `render_page` and `to_docx`.
        """
        if not self.module:
            return _write_for_destination(document, self, **style)
        write: Callable[..., Written] = load_writer(f"{self.module}:write")
        return write(document, options, name=name, **style)


def _write_for_destination(document: "Document", output: Output, **style: "Unpack[StyleArguments]") -> "Written":
    from mdpublish_core.resources.media_urls import data_url
    from mdpublish_core.writers.rendering import render
    from mdpublish_core.writers.results import Written

    conversion = render(document, destination=output.destination, media_url=data_url, **style)
    is_html = not get_destination(output.destination).is_text
    content = conversion.plain_text if output.is_text and is_html else conversion.html
    return Written(content.encode(), conversion.notices)


_PAGE_OPTIONS = ("page_width", "reading_time", "copy_code", "description", "canonical_url")

_FILES = (
    Output(
        name="page",
        summary="a web page",
        suffix=".html",
        media_type="text/html",
        destination="generic",
        module="page",
        options=(*_PAGE_OPTIONS, "contents", "lang", "title"),
        label="web page",
        anchor="structure.anchors:page_anchor",
        is_page=True,
    ),
    Output(
        name="docx",
        summary="a Word file",
        suffix=".docx",
        media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        destination="word",
        module="docx",
        options=("contents", "lang", "title", "paper"),
        example="report.docx",
        flag_help="Write Word files (.docx) with images (word only).",
        anchor="docx:anchor_of",
        is_binary=True,
    ),
    Output(
        name="eml",
        summary="an email file",
        suffix=".eml",
        media_type="message/rfc822",
        destination="email",
        module="email.eml",
        options=("subject", "sender", "recipients"),
        example="mail.eml",
        flag_help="Write complete emails (.eml) with images (email only). The subject is that of the front matter, or the title.",
    ),
    Output(
        name="blocks",
        summary="messages of Block Kit, one JSON object a line",
        suffix=".txt",
        media_type="application/json",
        destination="slack",
        module="slack.forms",
        flag_help="Write messages of Block Kit, one JSON object a line (slack only).",
        is_file=False,
        is_text=True,
    ),
)


def _output(destination: Destination, *, is_text: bool = False, is_file: bool = False, **facts: Any) -> Output:
    is_text = is_text or destination.is_text
    return Output(
        name=destination.name,
        summary=destination.summary,
        suffix=".txt" if is_text else ".html",
        media_type="text/plain" if is_text else "text/html",
        destination=destination.name,
        is_file=is_file,
        is_text=is_text,
        **facts,
    )


_DESTINATION_FACTS: Mapping[str, Mapping[str, Any]] = {
    "google-docs": {"label": "Google Docs"},
    "word": {"label": "Word"},
    "slack": {"label": "Slack", "composer": "slack.forms:slack_composer_html"},
    "onenote": {"label": "OneNote"},
    "email": {"label": "email", "pasted_into": "an email"},
    "plain-text": {"label": "plain text", "pasted_into": "any field", "is_file": True},
    "generic": {"pasted_into": "an editor for HTML", "pastes_source": True},
    "html": {"pasted_into": "an editor for HTML", "pastes_source": True},
}

FILES = {each.name: each for each in _FILES}
"""Outputs that are more than a destination's text."""

OUTPUTS = FILES | {name: _output(each, **_DESTINATION_FACTS.get(name, {})) for name, each in DESTINATIONS.items()}

SAVED = {each.suffix: each for each in OUTPUTS.values() if each.is_file}
"""Outputs by the suffix of their files."""


def output_of(destination: str, *, is_text: bool = False) -> Output:
    """Return a destination's own output, or the text of it. Raises `UnknownDestination`, `PluginError`."""
    target = get_destination(destination)
    known = None if is_text else OUTPUTS.get(target.name)
    return known or _output(target, is_text=is_text)


def page_of(destination: str) -> Output | None:
    """Return the page that is made of a destination's text, if there is one."""
    return next((each for each in _FILES if each.is_page and each.destination == destination), None)


def complete_file_of(output: Output) -> Output | None:
    """Return the file with the images that a destination's own output attaches, so that it does not show them alone."""
    if output.module or output.is_text or not get_destination(output.destination).attaches_media:
        return None
    return next((each for each in _FILES if each.destination == output.destination), None)
