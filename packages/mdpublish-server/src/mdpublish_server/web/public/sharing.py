"""What is shown of a page that was published, for sharing it."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from mdpublish_server.web.public.social_images import SUFFIX
from mdpublish_server.web.qr_codes import qr_code


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """A page's link, and how links to it look elsewhere; `qr` is an SVG element."""

    url: str
    title: str | None
    host: str
    image_url: str
    qr: str


def sharing_of(url: str, *, title: str | None) -> Sharing:
    """`title` is None where only the page's URL is known."""
    return Sharing(url=url, title=title, host=urlsplit(url).netloc, image_url=f"{url}{SUFFIX}", qr=qr_code(url))
