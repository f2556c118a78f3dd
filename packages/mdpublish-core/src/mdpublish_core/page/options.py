"""What a page says and shows around its document."""

from collections.abc import Sequence
from dataclasses import dataclass

from mdpublish_core.templates import PageWidth


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link above or below a page's text."""

    label: str
    """What it says."""

    url: str
    """Where it leads."""

    rel: str | None = None
    """How the target relates to the page, such as `nofollow`."""


@dataclass(frozen=True, slots=True)
class Alternate:
    """The same content in another form, which programs find by the page's head."""

    url: str
    """Where it is."""

    media_type: str
    """What it is, such as `text/markdown` or `application/atom+xml`."""

    title: str | None = None
    """Its name, for readers who choose among several."""


@dataclass(frozen=True, slots=True)
class SocialImage:
    """The image that messengers and social networks show beside a link to the page."""

    url: str
    """Its absolute URL."""

    alt: str
    """Its text alternative."""

    # The size that Facebook, LinkedIn, Slack and X all show whole: https://developers.facebook.com/docs/sharing/webmasters/images/
    width: int = 1200
    """Its width in pixels."""

    height: int = 630
    """Its height in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """The metadata and the parts of a page besides its document."""

    title: str
    """The page's title, as plain text."""

    description: str | None = None
    """What search engines show, as plain text."""

    page_width: PageWidth = "standard"
    """The width of the text column: `standard`, `wide` or `full`."""

    canonical_url: str | None = None
    """The page's absolute URL."""

    breadcrumbs: Sequence[PageLink] = ()
    """The pages above this one, the highest first; shown above the text."""

    badge: PageLink | None = None
    """Who served the page; the first link in the footer."""

    robots: str | None = None
    """The content of the `robots` element, such as `noindex`."""

    lang: str = "en"
    """The page's language, a BCP 47 tag."""

    site_name: str | None = None
    """The site's name, for Open Graph. With it or `social_image`, the head has Open Graph metadata."""

    social_image: SocialImage | None = None
    """The image beside links to the page, for Open Graph."""

    alternates: Sequence[Alternate] = ()
    """Other forms of the page."""

    links: Sequence[PageLink] = ()
    """Links in the footer, after the badge."""

    reading_time: bool = False
    """Whether the reading time stands below the title."""

    toc: bool = False
    """Whether a table of contents stands below the title. It takes 800 words and four headings of levels 2 and 3."""

    copy_code: bool = False
    """Whether code blocks get copy buttons. They add the page's only script: name it in a policy by `page_script_hash`."""

    font_url: str | None = None
    """Where the template's web fonts are: an absolute URL, or a path from the root, that ends in `/`. Without it, none load."""
