"""The head of a mail: its title, what it tells clients beforehand, and its style.

The mail has the colours of the theme mode that was chosen, in light and in dark surroundings alike: figures and pictures
are drawn for them, and a mail that turned dark by itself would leave these behind. `color-scheme` says so to clients that
ask. The style holds enhancements, and one help: cells of data do not inherit their font in Outlook for Windows, and this
spares saying it in each. What Word must not read there stands in `@media`, which it leaves out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from mdpublish_core.destinations.email.look import Look
from mdpublish_core.destinations.styled import sheet
from mdpublish_core.html import HtmlWriter
from mdpublish_core.templates import Style, cascade
from mdpublish_core.templates.matcher import Project
from mdpublish_core.templates.style import values_of

WIDE = "wide"
"""The class of the region that a table may scroll in."""

MANY = "many"
"""The class, beside that, of the region of a table with many columns."""

FRAME = "frame"
"""The class of the cell around the text."""

# Below this width, in px, a screen is narrow, and the padding around the text, in px, is this.
_NARROW, _NARROW_PADDING = 480, "20px 16px"

# On a narrow screen, a table of many columns takes up to as much of its region as this, and is scrolled: were it as narrow
# as its longest words let it be, each line would hold one.
_WIDEST_TABLE = "200%"

_METADATA = {
    "viewport": "width=device-width, initial-scale=1",
    # iOS enlarges mails and links what looks like a date or a number, unless it is told not to.
    "x-apple-disable-message-reformatting": "",
    "format-detection": "telephone=no, date=no, address=no, email=no, url=no",
}

# Where the looks are taken from that the style speaks of.
_PATHS = ("h1", "p code", "p kbd", "ul", "div.table table thead tr th", "div.table table tbody tr.odd td")


@dataclass(frozen=True, slots=True)
class Head:
    """The style in head, and the looks of the cells of data whose fonts it gives Outlook: those of `td` and `th`."""

    css: str
    cells: Mapping[str, Look]


@lru_cache(maxsize=256)
def head_of(style: Style, project: Project[Look]) -> Head:
    """Return the style in head for a template in a theme mode."""
    looks = _looks(style, project)
    cells = {tag: looks[tag] for tag in ("td", "th")}
    lines = [
        f":root{{color-scheme:{style.theme_mode} only}}",
        *(f"{tag}{{{look.font}}}" for tag, look in cells.items()),
        "a{text-decoration:underline}",
        f"@media screen{{{''.join(_on_screens(looks))}}}",
        f"@media screen and (max-width:{_NARROW}px){{{''.join(_on_narrow_screens(style, looks))}}}",
    ]
    return Head("\n".join(lines), cells)


def write_head(writer: HtmlWriter, title: str, style: Style, head: Head) -> None:
    """Write the head."""
    writer.start("head")
    writer.line()
    writer.empty("meta", (("charset", "utf-8"),))
    writer.line()
    schemes = dict.fromkeys(("color-scheme", "supported-color-schemes"), f"{style.theme_mode} only")
    for name, content in {**_METADATA, **schemes}.items():
        writer.empty("meta", (("name", name), ("content", content)))
        writer.line()
    writer.start("title")
    writer.text(title)
    writer.end()
    writer.line()
    _office_settings(writer)
    writer.style(head.css)
    writer.line()
    writer.end()
    writer.line()


def _office_settings(writer: HtmlWriter) -> None:
    """Tell Outlook for Windows that a pixel is one, whatever the screen's scale is."""
    writer.start_conditional("mso")
    writer.start("xml")
    writer.start("o:OfficeDocumentSettings")
    for name, text in (("o:AllowPNG", ""), ("o:PixelsPerInch", "96")):
        writer.start(name)
        writer.text(text)
        writer.end()
    writer.end()
    writer.end()
    writer.end_conditional()
    writer.line()


def _looks(style: Style, project: Project[Look]) -> dict[str, Look]:
    """Return the looks of elements where they usually stand."""
    cursor = sheet(style, "email", project).cursor()
    looks = {"&": cursor.enter("&")}
    for path in _PATHS:
        elements = path.split()
        for element in elements:
            looks[element.partition(".")[0]] = cursor.enter(element)
        for _ in elements:
            cursor.leave()
    return looks


def _on_screens(looks: Mapping[str, Look]) -> Iterator[str]:
    """Yield what clients do that know more: break long words, scroll wide tables, draw the boxes of code in lines."""
    indent = max(looks["ul"].computed.px(f"padding-{side}") for side in ("left", "right"))
    yield "table{table-layout:fixed}"
    yield "td,th{overflow-wrap:break-word;word-wrap:break-word}"
    yield f".{WIDE}{{overflow-x:auto}}"
    yield f".{WIDE} table{{table-layout:auto}}"
    yield f"ul,ol{{padding-inline-start:{cascade.px(indent)}}}"
    for element in ("code", "kbd"):
        values = looks[element].computed.values
        names = [name for name in values if name.startswith(("padding-", "border-")) and name != "border-collapse"]
        box = cascade.style([(name, values[name]) for name in names if values[name] != "0"])
        if box:
            yield f"{element}{{{box}}}"


def _on_narrow_screens(style: Style, looks: Mapping[str, Look]) -> Iterator[str]:
    yield f".{FRAME}{{padding:{_NARROW_PADDING} !important}}"
    yield f".{MANY} table{{width:max-content;max-width:{_WIDEST_TABLE}}}"
    largest = float(values_of(style.template, style.theme_mode)["h1_small"].removesuffix("em"))
    size = round(largest * looks["&"].computed.font_size)
    if looks["h1"].computed.font_size > size:
        yield f"h1{{font-size:{size}px !important}}"
