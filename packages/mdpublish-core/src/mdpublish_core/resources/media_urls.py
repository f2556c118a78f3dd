"""URLs of images that are embedded in the output or attached to it."""

from binascii import b2a_base64
from typing import TYPE_CHECKING

from mdpublish_core.resources.urls import TrustedUrl

if TYPE_CHECKING:
    from mdpublish_core.resources.media import Media


def data_url(media: "Media") -> TrustedUrl:
    return TrustedUrl(f"data:{media.media_type};base64,{b2a_base64(media.data, newline=False).decode()}")


def cid_url(media: "Media") -> TrustedUrl:
    """Return the URL of a media part in the same email (RFC 2392)."""
    return TrustedUrl(f"cid:{media.content_id}")
