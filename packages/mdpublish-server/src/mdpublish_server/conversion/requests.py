"""What is asked of a converter, as values; each field has been checked."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from mdpublish_core import Alternate, FooterLink
from mdpublish_core.templates import PageWidth, ThemeMode


class Share(StrEnum):
    """Whose workers do it: a flood of demos never takes an account's."""

    ACCOUNTS = "accounts"
    DEMO = "demo"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversionRequest:
    """A text, where it goes, and how it is to look.

    `images` says how pictures travel: `cid` beside the output, which names them by their content ids, `data` in it; None
    is as the destination likes best. `gzipped` says whether the client takes the answer gzipped.
    """

    markdown: str
    destination: str
    template_id: str
    theme_mode: ThemeMode
    images: Literal["cid", "data"] | None = None
    gzipped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfurlRequest:
    """What the picture of a page shows, and how it is to look."""

    title: str
    template_id: str
    theme_mode: ThemeMode
    site_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """A text and how its page is to look; a title of None is the text's first heading.

    `indexed` says whether search engines may list the page, `badge` whether the service's line stands below it, and
    `scanned` whether the text is looked through for abuse. `unfurl_url` is where the page's picture is; the other fields
    are the core's.
    """

    markdown: str
    title: str | None
    template_id: str
    theme_mode: ThemeMode
    page_width: PageWidth = "standard"
    description: str | None = None
    canonical_url: str | None = None
    site_name: str | None = None
    unfurl_url: str | None = None
    alternates: tuple[Alternate, ...] = ()
    links: tuple[FooterLink, ...] = ()
    reading_time: bool = False
    contents: bool = False
    copy_buttons: bool = False
    font_url: str | None = None
    indexed: bool = False
    badge: bool = True
    scanned: bool = False
