"""The head of an email.

`color-scheme` keeps clients from changing the theme mode, because figures match its colors. Rules in `@media` are
hidden from Word; those for Word alone are in a conditional comment. On Android, Samsung and Yahoo ignore the doctype:
tables inherit no fonts.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from mdpublish_core.css import cascade
from mdpublish_core.css.matcher import StyleFactory
from mdpublish_core.html import HtmlWriter
from mdpublish_core.templates import Style, ThemeMode
from mdpublish_core.templates.style import colors_of, h1_size_on_phones
from mdpublish_core.writers.email.styles import EmailStyle, word_font
from mdpublish_core.writers.styled.stylesheets import compile_stylesheet

WIDE_CLASS = "wide"
"""A table's scrollable container."""

MANY_COLUMNS_CLASS = "many"

ROWS_CLASS = "rows"
"""A table whose rows become labelled pairs on narrow screens."""

LABEL_TAG = "b"
"""The label of a cell, hidden but on narrow screens. Bold text of the document is `strong`."""

LONG_CLASS, NARROW_LONG_CLASS = "long", "tail"
"""Cells with long words that may be split: everywhere, or on narrow screens only."""

FRAME_CLASS = "frame"
"""The cell around the text."""

CODE_CLASS, SCROLL_CLASS = "code", "scroll"
"""Code in smaller type, but for narrow screens; and code that is still too wide."""

# Breakpoint in px, and the padding below it.
_NARROW_SCREEN, _NARROW_PADDING = 480, "20px 16px"

# Tablets are narrower, in px.
_DESKTOP_SCREEN = 1_000

NARROW_WIDTH = 320 - 2 * 16
"""Width of the text on the narrowest phones, in px."""

# At minimum width, each line would hold one word.
_MAX_TABLE_WIDTH = "200%"

_LONG_WORDS = f".{LONG_CLASS}{{overflow-wrap:anywhere;word-break:break-word}}"

_METADATA = {
    "viewport": "width=device-width, initial-scale=1",
    # Otherwise iOS enlarges emails and links dates and numbers.
    "x-apple-disable-message-reformatting": "",
    "format-detection": "telephone=no, date=no, address=no, email=no, url=no",
}

_SAMPLE_PATHS = ("h1", "p code", "p kbd", "ul", "div.table table thead tr th", "div.table table tbody tr.odd td")


class SharedRules:
    """Rules that the elements of one mail have in common: for all clients, and for Word alone."""

    def __init__(self) -> None:
        self._classes: dict[tuple[str, ...], str] = {}
        self._headings: dict[str, str] = {}
        self._rules: dict[str, None] = {}
        self.word_rules: list[str] = []

    def word_class(self, *rules: str, common: tuple[str, ...] = ()) -> str | None:
        """Return the class for Word's `rules`: declarations, or each with a selector for descendants, such as ` td{…}`.

        All clients follow the `common` ones.
        """
        known = (*rules, *common)
        name = self._classes.get(known)
        if name is None and any(rules):
            name = self._classes[known] = f"m{len(self._classes) + 1}"
            self.word_rules += [f".{name}{rule if '{' in rule else f'{{{rule}}}'}" for rule in rules if rule]
            self._rules.update(dict.fromkeys(f".{name}{rule}" for rule in common))
        return name

    def heading_class(self, tag: str, declarations: str) -> str | None:
        """Return None for the first of this level, whose declarations are those of the others."""
        if self._headings.setdefault(tag, declarations) == declarations:
            return None
        return self.word_class(declarations)

    def restore_code(self, size: int) -> None:
        """Give code on narrow screens, where it is broken anyway, its own size in px."""
        rule = f".{CODE_CLASS}{{font-size:{size}px !important}}"
        self._rules[f"@media screen and (max-width:{_NARROW_SCREEN}px){{{rule}}}"] = None

    def scroll_code(self) -> None:
        """Let code scroll, but not in apps for Android, where what doesn't fit would be lost."""
        rule = f".{SCROLL_CLASS}{{overflow-x:auto;white-space:nowrap}}"
        # Gmail and Yahoo know no `hover`.
        for condition in ("(hover:hover)", f"screen and (min-width:{_DESKTOP_SCREEN}px)"):
            self._rules[f"@media {condition}{{{rule}}}"] = None

    def css(self, stylesheet: str) -> str:
        return "\n".join([stylesheet, *self._rules]) if self._rules else stylesheet

    def word_css(self, style: EmailStyle, *, has_labels: bool) -> str:
        headings = [f"{tag}{{{declarations}}}" for tag, declarations in self._headings.items()]
        labels = [f"{LABEL_TAG}{{mso-hide:all}}"] if has_labels else []
        # No comment may contain two hyphens.
        return "".join([f"td,th{{{word_font(style.computed)}}}", *headings, *labels, *self.word_rules]).replace(
            "--", "-"
        )


class Head(NamedTuple):
    """The stylesheet, the vertical alignment of `td` and `th`, and the font families of `code`."""

    css: str
    valigns: Mapping[str, str]
    code_face: str


@lru_cache(maxsize=256)
def build_head(style: Style, project: StyleFactory[EmailStyle], *, has_tables: bool) -> Head:
    styles = _sample_styles(style, project, has_tables=has_tables)
    screen, narrow_screen = [*_screen_rules(styles)], [*_narrow_screen_rules(style, styles)]
    if has_tables:
        screen.append(_LONG_WORDS)
        narrow_screen += _narrow_table_rules(style, styles)
    lines = [
        f":root{{color-scheme:{style.theme_mode} only}}",
        "a{text-decoration:underline}",
        # Where a client drops the head, it has its own monospaced font for `code`.
        f"code{{font-family:{styles['code'].face}}}",
        f"@media screen{{{''.join(screen)}}}",
        f"@media screen and (max-width:{_NARROW_SCREEN}px){{{''.join(narrow_screen)}}}",
    ]
    return Head(
        "\n".join(lines), {tag: styles[tag].computed.get("vertical-align") for tag in ("td", "th")}, styles["code"].face
    )


def write_head(writer: HtmlWriter, title: str, style: Style, css: str, word_css: str) -> None:
    writer.start_line("head")
    writer.append(_metadata(style.theme_mode))
    writer.element_line("title", title)
    _write_word_head(writer, word_css)
    writer.style(css)
    writer.line()
    writer.end_line()


@lru_cache(maxsize=2)
def _metadata(theme_mode: ThemeMode) -> HtmlWriter:
    writer = HtmlWriter()
    writer.empty_line("meta", (("charset", "utf-8"),))
    schemes = dict.fromkeys(("color-scheme", "supported-color-schemes"), f"{theme_mode} only")
    for name, content in {**_METADATA, **schemes}.items():
        writer.empty_line("meta", (("name", name), ("content", content)))
    return writer


def _write_word_head(writer: HtmlWriter, css: str) -> None:
    """Make Outlook for Windows use 96 dpi at any display scale, and give it its rules."""
    writer.start_conditional("mso")
    writer.start("xml")
    writer.start("o:OfficeDocumentSettings")
    for name, value in (("o:AllowPNG", ""), ("o:PixelsPerInch", "96")):
        writer.element(name, value)
    writer.end()
    writer.end()
    writer.style(css)
    writer.end_conditional()
    writer.line()


def _sample_styles(style: Style, project: StyleFactory[EmailStyle], *, has_tables: bool) -> dict[str, EmailStyle]:
    cursor = compile_stylesheet(style, "email", project, has_tables=has_tables).cursor()
    styles = {"&": cursor.enter("&")}
    for path in _SAMPLE_PATHS:
        elements = path.split()
        for element in elements:
            if element in {"td", "th"}:
                # A first cell may be bold; what the head declares applies to all.
                cursor.enter(element)
                cursor.leave()
            styles[element.partition(".")[0]] = cursor.enter(element)
        for _ in elements:
            cursor.leave()
    return styles


def _screen_rules(styles: Mapping[str, EmailStyle]) -> Iterator[str]:
    indent = max(styles["ul"].computed.px(f"padding-{side}") for side in ("left", "right"))
    yield "table{table-layout:fixed;color:inherit;font:inherit}"
    yield "td,th{overflow-wrap:break-word;word-wrap:break-word}"
    yield f".{WIDE_CLASS}{{overflow-x:auto}}"
    yield f".{WIDE_CLASS} table{{table-layout:auto}}"
    yield f"ul,ol{{padding-inline-start:{cascade.px(indent)}}}"
    for element in ("code", "kbd"):
        values = styles[element].computed.values
        names = [name for name in values if name.startswith(("padding-", "border-")) and name != "border-collapse"]
        box = cascade.style_attribute([(name, values[name]) for name in names if values[name] != "0"])
        if box:
            yield f"{element}{{{box}}}"


def _narrow_screen_rules(style: Style, styles: Mapping[str, EmailStyle]) -> Iterator[str]:
    yield f".{FRAME_CLASS}{{padding:{_NARROW_PADDING} !important}}"
    yield f".{MANY_COLUMNS_CLASS} table{{width:max-content;max-width:{_MAX_TABLE_WIDTH}}}"
    largest = float(h1_size_on_phones(style.template).removesuffix("em"))
    size = round(largest * styles["&"].computed.font_size)
    if styles["h1"].computed.font_size > size:
        yield f"h1{{font-size:{size}px !important}}"


def _narrow_table_rules(style: Style, styles: Mapping[str, EmailStyle]) -> Iterator[str]:
    """Yield the rules that turn rows into labelled pairs."""
    rule = colors_of(style.template, style.theme_mode).rule
    yield f".{NARROW_LONG_CLASS}{{min-width:6em;overflow-wrap:anywhere;word-break:break-word}}"
    yield f".{WIDE_CLASS} col{{width:auto}}"
    yield f".{ROWS_CLASS} thead{{display:none}}"
    parts = ",".join(f".{ROWS_CLASS} {part}" for part in ("table", "caption", "tbody", "tr", "td", "th"))
    yield f"{parts}{{display:block;box-sizing:border-box;width:auto}}"
    size = round(styles["td"].computed.font_size)
    cell = f"border:0 !important;font-size:{size}px !important;padding:3px 6px !important;text-align:start !important"
    yield f".{ROWS_CLASS} td,.{ROWS_CLASS} th{{{cell}}}"
    line = f"border:solid {rule} !important;border-width:0 0 1px !important"
    yield f".{ROWS_CLASS} tr{{{line};padding:6px 0;background-clip:content-box}}"
    yield f".{ROWS_CLASS} {LABEL_TAG}{{display:inline !important;font-weight:700}}"
