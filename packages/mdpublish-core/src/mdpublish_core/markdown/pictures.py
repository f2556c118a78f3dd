"""Pictures that a program draws as Markdown."""

from io import BytesIO
from typing import Any

from mdpublish_core import nodes
from mdpublish_core.arguments import require_type, type_name
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.markdown.text import Markdown, block, one_line
from mdpublish_core.resources.media import image_data_url


def figure(picture: Any, *, alt: str) -> Markdown:
    """Return a picture, embedded: a figure of Matplotlib, Plotly or Altair, an image of Pillow, or a file's bytes.

    `alt` says what it shows, to those who do not see it. Raises `InvalidArgument` for what is no picture.
    """
    require_type("alt", alt, str)
    if (url := image_data_url(_file_of(picture))) is None:
        raise InvalidArgument("picture", "must be a PNG, JPEG, GIF or WebP")
    return block(nodes.Paragraph([nodes.Image(url, [nodes.RawText(one_line(alt))])]))


def _file_of(picture: Any) -> bytes:
    if isinstance(picture, bytes):
        return picture
    buffer = BytesIO()
    if hasattr(picture, "savefig"):
        picture.savefig(buffer, format="png", bbox_inches="tight")
    elif hasattr(picture, "to_image"):
        return bytes(picture.to_image(format="png"))
    elif hasattr(picture, "save"):
        picture.save(buffer, format="png")
    else:
        raise InvalidArgument("picture", f"must be a figure, an image or bytes (got {type_name(picture)})")
    return buffer.getvalue()
