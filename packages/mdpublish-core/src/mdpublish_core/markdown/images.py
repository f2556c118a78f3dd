"""Images that a program draws as Markdown."""

from io import BytesIO
from typing import Any

from mdpublish_core import nodes
from mdpublish_core.arguments import require_type, type_name
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.markdown.escaping import Markdown, block, one_line
from mdpublish_core.resources.media import image_data_url


def figure(image: Any, *, alt: str, caption: str = "") -> Markdown:
    """Return an embedded image: a figure of Matplotlib, Plotly or Altair, an image of Pillow, or a file's bytes.

    `alt` says what it shows, to those who do not see it; `caption` is text below it. Raises `InvalidArgument` for what
    is no image.
    """
    require_type("alt", alt, str)
    require_type("caption", caption, str)
    if (url := image_data_url(_file_of(image))) is None:
        raise InvalidArgument("image", "must be a PNG, JPEG, GIF or WebP")
    return block(nodes.Paragraph([nodes.Image(url, [nodes.RawText(one_line(alt))], title=one_line(caption))]))


def _file_of(image: Any) -> bytes:
    if isinstance(image, bytes):
        return image
    buffer = BytesIO()
    if hasattr(image, "savefig"):
        image.savefig(buffer, format="png", bbox_inches="tight")
    elif hasattr(image, "to_image"):
        return bytes(image.to_image(format="png"))
    elif hasattr(image, "save"):
        image.save(buffer, format="png")
    else:
        raise InvalidArgument("image", f"must be a figure, an image or bytes (got {type_name(image)})")
    return buffer.getvalue()
