"""What stands around the blocks of a page, as values; nothing here is written yet."""

from collections.abc import Sequence
from dataclasses import dataclass

from mdpublish_core.templates import PageWidth, Template, ThemeMode, page_css
from mdpublish_core.templates.hosting import first_font, font_faces


@dataclass(frozen=True, slots=True)
class Badge:
    """The line below a page that says who served it."""

    text: str
    """What it says."""

    url: str
    """Where it leads."""


@dataclass(frozen=True, slots=True)
class Breadcrumb:
    """A page above the one that is made."""

    text: str
    """Its name."""

    url: str
    """Where it is."""


@dataclass(frozen=True, slots=True)
class FooterLink:
    """A link below a page, beside the badge."""

    text: str
    """What it says."""

    url: str
    """Where it leads."""

    rel: str | None = None
    """How what is there stands to the page, such as `nofollow`."""


@dataclass(frozen=True, slots=True)
class Alternate:
    """The same content in another form, which programs find by the page's head."""

    url: str
    """Where it is."""

    media_type: str
    """What it is, such as `text/markdown` or `application/atom+xml`."""

    title: str | None = None
    """Its name, for whoever chooses among several."""


@dataclass(frozen=True, slots=True)
class Unfurl:
    """The picture that messengers and social networks show beside a link to the page."""

    url: str
    """Where it is: an absolute address, since no reader of it knows the page's."""

    alt: str
    """What stands for it where it cannot be seen."""

    # The size that Facebook, LinkedIn, Slack and X all show whole: https://developers.facebook.com/docs/sharing/webmasters/images/
    width: int = 1200
    """Its width in pixels."""

    height: int = 630
    """Its height in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What stands around the blocks of a page; the fields are `render_page`'s."""

    title: str
    description: str | None = None
    page_width: PageWidth = "standard"
    canonical_url: str | None = None
    breadcrumbs: Sequence[Breadcrumb] = ()
    badge: Badge | None = None
    robots: str | None = None
    lang: str = "en"
    site_name: str | None = None
    unfurl: Unfurl | None = None
    alternates: Sequence[Alternate] = ()
    links: Sequence[FooterLink] = ()
    reading_time: bool = False
    contents: bool = False
    copy_buttons: bool = False
    font_url: str | None = None

    @property
    def has_fittings(self) -> bool:
        """Whether the page may have what the fittings' rules are for, whatever the document then has room for."""
        return bool(self.links) or self.reading_time or self.contents or self.copy_buttons

    def css(self, template: Template, theme_mode: ThemeMode) -> str:
        """Return the stylesheet of a page with this frame: it follows from what was asked for, not from the document.

        Raises `InvalidFontUrl`.
        """
        css = page_css(template, theme_mode, self.page_width, has_fittings=self.has_fittings)
        faces = "" if self.font_url is None else font_faces(template, self.font_url)
        return f"{faces}\n{css}" if faces else css

    def preloaded_font(self, template: Template, *, has_headings: bool) -> str | None:
        """Return the address of the font that a page is to ask for before its text is laid out; None without any."""
        name = None if self.font_url is None else first_font(template, has_headings=has_headings)
        return None if name is None else f"{self.font_url}{name}"
