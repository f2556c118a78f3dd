"""Images: of figures, and those that the author embedded."""

from mdpublish_core import nodes
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.resources.media import Media
from mdpublish_core.resources.urls import has_scheme, is_data_url, url_as_text
from mdpublish_core.writers.docx.layout import DocxLayout
from mdpublish_core.writers.docx.package import MEDIA_TYPES
from mdpublish_core.writers.docx.xml import add_with
from mdpublish_core.writers.figures.placement import MAX_PAGE_HEIGHT
from mdpublish_core.writers.styled.image_sizes import parse_length

_EMU_PER_PIXEL = 9_525
"""English Metric Units, 914,400 per inch."""

_URI = "http://schemas.openxmlformats.org/drawingml/2006/picture"

# MS-ODRAWXML, `svgBlip`.
_SVG_URI = "{96DAC541-7B7A-43D3-8B79-37D633B846F1}"

_MAX_ALT = 2_000
"""Word cuts off longer descriptions."""


def write_image(layout: DocxLayout, token: nodes.Image) -> str | None:
    """Write an image or its alternative text; return a link's text for one elsewhere, since nothing is fetched."""
    alt = nodes.text_content(token)
    generated = layout.context.generated_images.get(id(token))
    media = generated.media if generated else _embedded(layout, token, alt)
    if media is not None:
        svg = generated.svg.document().encode() if generated and generated.svg else None
        write_inline_image(layout, media, _size(layout, token, media), alt, token.title, svg=svg)
    elif token.src and has_scheme(token.src) and not is_data_url(token.src):
        if not layout.has_remote_image and token.src not in layout.context.embedding.problems:
            layout.has_remote_image = True
            site = f"images of other sites, such as {shorten(token.src)!r}"
            _report(layout, token, f"{site}, are links: a conversion fetches nothing")
        return alt or url_as_text(layout.in_link or token.src)
    else:
        layout.write_text(alt or url_as_text(layout.in_link))
    return None


def _embedded(layout: DocxLayout, token: nodes.Image, alt: str) -> Media | None:
    embedding = layout.context.embedding
    media = embedding.media_of(token, alt)
    if media and media.media_type in MEDIA_TYPES and media.width and media.height:
        return media
    if media or is_data_url(token.src):
        problem = embedding.problems.get(token.src, "it is not a valid image")
        if media and media.media_type not in MEDIA_TYPES:
            problem = f"{media.media_type} is not shown by every Word, and {problem}; use PNG, JPEG or GIF"
        _report(layout, token, f"the image {shorten(alt or token.src)!r} was not embedded: {problem}")
    return None


def _report(layout: DocxLayout, token: nodes.Image, message: str) -> None:
    position = layout.context.positions.of_span(token.span, None)
    layout.notices.append(Notice("image-not-embedded", message, *position))


def _size(layout: DocxLayout, token: nodes.Image, media: Media) -> tuple[float, float]:
    """Return a size in px that fits the column and the page."""
    natural_width, natural_height = float(media.width or 1), float(media.height or 1)
    width = parse_length(token.width, layout.around.available_width)
    height = parse_length(token.height)
    if width is None:
        width = natural_width * height / natural_height if height else natural_width
    if height is None:
        height = natural_height * width / natural_width
    scale = min(1.0, layout.around.available_width / width, MAX_PAGE_HEIGHT / height)
    return max(width * scale, 1.0), max(height * scale, 1.0)


def write_inline_image(
    layout: DocxLayout, media: Media, size: tuple[float, float], alt: str, title: str, *, svg: bytes | None = None
) -> None:
    """Write an image in the line; `size` is in px. Programs that know no SVG show `media`."""
    number, relation = layout.package.add_image(media, layout.flow.relationships)
    width, height = (max(1, round(length * _EMU_PER_PIXEL)) for length in size)
    named: dict[str, str | int] = {"id": number, "name": f"Picture {number}", "descr": alt[:_MAX_ALT]}
    inline = add_with(
        add_with(layout.runs.add_run(), "w:drawing", {}), "wp:inline", {"distT": 0, "distB": 0, "distL": 0, "distR": 0}
    )
    add_with(inline, "wp:extent", {"cx": width, "cy": height})
    add_with(inline, "wp:docPr", {**named, "title": title[:_MAX_ALT]} if title else named)
    frame = add_with(inline, "wp:cNvGraphicFramePr", {})
    add_with(frame, "a:graphicFrameLocks", {"noChangeAspect": 1})
    element = add_with(add_with(add_with(inline, "a:graphic", {}), "a:graphicData", {"uri": _URI}), "pic:pic", {})
    properties = add_with(element, "pic:nvPicPr", {})
    add_with(properties, "pic:cNvPr", {"id": number, "name": f"Picture {number}"})
    add_with(properties, "pic:cNvPicPr", {})
    fill = add_with(element, "pic:blipFill", {})
    blip = add_with(fill, "a:blip", {"r:embed": relation})
    if svg:
        extension = add_with(add_with(blip, "a:extLst", {}), "a:ext", {"uri": _SVG_URI})
        vector = layout.package.add_svg(svg, layout.flow.relationships)
        add_with(extension, "asvg:svgBlip", {"r:embed": vector})
    add_with(add_with(fill, "a:stretch", {}), "a:fillRect", {})
    shape = add_with(element, "pic:spPr", {})
    transform = add_with(shape, "a:xfrm", {})
    add_with(transform, "a:off", {"x": 0, "y": 0})
    add_with(transform, "a:ext", {"cx": width, "cy": height})
    add_with(add_with(shape, "a:prstGeom", {"prst": "rect"}), "a:avLst", {})
