"""Metadata and options of a page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from mdpublish_core.options.styles import PageWidth
from mdpublish_core.writers.options.declared import (
    OutputOptions,
    default_lang_option,
    lang_option,
    option,
    title_option,
    toc_option,
)


class PageLink(NamedTuple):
    """A link above or below the text of a page."""

    label: str
    """The link text."""

    url: str
    """The link target."""

    rel: str | None = None
    """The link relation, such as `nofollow`."""


class Alternate(NamedTuple):
    """The same content in another format, linked from the head."""

    url: str
    """Its URL."""

    media_type: str
    """Its media type, such as `text/markdown` or `application/atom+xml`."""

    title: str | None = None
    """Its name, for readers that offer several."""


class SocialImage(NamedTuple):
    """The Open Graph image, shown by messengers and social networks beside a link to the page."""

    url: str
    """The absolute URL."""

    alt: str
    """The text alternative."""

    # Shown uncropped by Facebook, LinkedIn, Slack and X:
    # https://developers.facebook.com/docs/sharing/webmasters/images/
    width: int = 1200
    """Width in pixels."""

    height: int = 630
    """Height in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions(OutputOptions):
    """Metadata and options of a page. Where one is None, the document's front matter may set it."""

    title: str | None = title_option()
    """The title, as plain text. If None, the front matter's, else the first heading, else `default_title`."""

    default_title: str | None = None
    """The title of a document without one. If None, `Untitled` in its language."""

    description: str | None = option(
        "Description of a page, for search engines.", is_written=True, is_per_document=True
    )
    """The meta description, as plain text. If None, the front matter's, else there is none."""

    page_width: PageWidth | None = option("Page width.", otherwise="standard", is_written=True)
    """The width of the text column: `standard`, `wide` or `full`. If None, the front matter's, else `standard`."""

    canonical_url: str | None = option("URL of a page where it is published.", metavar="URL", is_per_document=True)
    """The absolute URL of the page."""

    breadcrumbs: Sequence[PageLink] = ()
    """The parent pages, topmost first, shown above the text."""

    badge: PageLink | None = None
    """The first link in the footer, such as "Published with …"."""

    robots: str | None = None
    """The content of the `robots` meta element, such as `noindex`."""

    lang: str | None = lang_option()
    """The page's language, a BCP 47 tag. If None, the front matter's, else the script tells it, else `default_lang`."""

    default_lang: str | None = default_lang_option()
    """The language of a page that names none, and whose script several languages share, as Latin is. If None, the page
    declares none, unless its words are English."""

    site_name: str | None = None
    """The name of the site. Open Graph metadata is written if this or `social_image` is set."""

    social_image: SocialImage | None = None
    """The Open Graph image."""

    alternates: Sequence[Alternate] = ()
    """The same page in other formats."""

    links: Sequence[PageLink] = ()
    """Footer links after the badge."""

    reading_time: bool = option("Show the reading time of pages.", value=False)
    """Show the reading time below the title, if the document has at least 200 words."""

    toc: bool | None = toc_option()
    """Show a table of contents below the title, if the document has at least 800 words and four headings of levels 2
    and 3. If None, the front matter chooses."""

    copy_code: bool = option("Add copy buttons to the code of pages, with their only script.", value=False)
    """Add copy buttons to code blocks. This adds the page's only script; allow it with `page_script_hash`."""

    reader_controls: bool = False
    """Add links beside headings, and a check box that switches between light and dark; neither has a script. A page with
    a stylesheet of the user's, whose colors are not known, and the pages of a site have none of these."""

    fonts: Literal["none", "inline"] | None = option(
        "Fonts of the template: in the page, or none.", otherwise="inline", is_requested=False
    )
    """`inline`: the template's fonts that the text needs are in the page, with 40 to 80 KB; `none`, or None: readers see
    installed ones. The command embeds them by default."""

    font_url: str | None = None
    """URL of the template's web fonts, absolute or relative, such as `../fonts/`, ending in `/`. If None, none load."""
