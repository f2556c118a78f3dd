"""Pages of a PDF: the room for text, running heads and page numbers, and the rules for what only paper has."""

from typing import NamedTuple

from mdpublish_core.options.styles import Paper, Sides
from mdpublish_core.templates.style import COLOR, Style, css_variables
from mdpublish_core.templates.stylesheet import compile_css
from mdpublish_core.templates.table_sizes import SIZES

# In px: https://www.iso.org/standard/36631.html, ANSI Y14.1.
_SIZES = {"a4": (793.7, 1122.5), "letter": (816.0, 1056.0)}
_PX_PER_MM = 96 / 25.4

_BINDING = 5
"""In mm, more at the inner margin of pages that are printed on both sides."""

COLUMN_GAP = 28
"""In px, between two columns."""


class PrintedPage(NamedTuple):
    """What pages of a PDF have in common."""

    paper: Paper
    margin: int
    """In mm."""
    sides: Sides

    @property
    def room(self) -> tuple[float, float]:
        """Width and height of the text, in px."""
        width, height = (side - 2 * self.margin * _PX_PER_MM for side in _SIZES[self.paper])
        return width - (_BINDING * _PX_PER_MM if self.sides == "two" else 0), height

    def css(self, furniture: str, *, is_rtl: bool) -> str:
        """Return the rules of pages; `furniture` styles page numbers and, from page 2 on, title and section, if any."""
        margin, inner = f"margin:{self.margin}mm", f"{self.margin + _BINDING}mm"
        rules = [f"@page{{size:{self.paper};{margin}}}", f"@page landscape{{size:{self.paper} landscape}}"]
        start, end = ("right", "left") if is_rtl else ("left", "right")
        places = [("", start, end, "center")]
        if self.sides == "two":
            # The first page is a right one, or in a text from right to left a left one, with the binding on its other side.
            places = [(":right", "left", "right", "right"), (":left", "right", "left", "left")]
            rules += [f"@page{side}{{margin-{inside}:{inner}}}" for side, inside, *_ in places]
            # Wide tables are read with the right side below: binding is above them on right pages.
            turned = ((":right", "top"), (":left", "bottom"))
            rules += [f"@page landscape{side}{{{margin};margin-{edge}:{inner}}}" for side, edge in turned]
        heading = f"{furniture};direction:{'rtl' if is_rtl else 'ltr'}"
        for pages, inside, outside, number in places if furniture else ():
            # The page on which a chapter begins has its heading already.
            rules.append(
                f"@page{pages}{{@top-{inside}{{content:string(title);{heading}}}"
                f"@top-{outside}{{content:string(section) string(chapter,first-except);{heading}}}"
                f'@bottom-{number}{{content:counter(page) " / " counter(pages);{furniture}}}}}'
            )
        return "\n".join((*rules, "@page:first{@top-left{content:none}@top-right{content:none}}"))


def pdf_css(style: Style, page: PrintedPage, *, has_furniture: bool, is_rtl: bool) -> str:
    """Return a PDF's rules: of its pages, with or without titles and numbers in the margins, and of its text."""
    mode = style.theme_mode
    values = css_variables(style.template, mode)
    furniture = f"color:{values['muted']};font-family:{values['body_font']};font-size:8.5pt;line-clamp:1"
    rules = page.css(furniture if has_furniture else "", is_rtl=is_rtl)
    columns = ("pdf-columns",) if style.template.layout == "columns" else ()
    rules += "\n" + compile_css(("pdf", *columns), values | {"column_gap": f"{COLUMN_GAP}px"}, style.scope)
    for number, size in enumerate(SIZES):
        # Those of pages have a minimum, which the engine does not know in font sizes.
        rules += f"\n.{style.scope} .fit-{number}>table>:is(thead,tbody,tfoot){{font-size:{size.type:g}em}}"
    if style.template.variants.callout == "inverse":
        # Formulas have the color of the page's text.
        rules += f"\n.{style.scope} .callout .formula{{background-color:{values['background']}}}"
    if mode == "dark":
        colors = ";".join(f"--{name}:{value}" for name, value in values.items() if COLOR.fullmatch(value))
        rules += f"\n@page{{background:{values['background']}}}"
        rules += f"\n.{style.scope}{{{colors}}}\nbody.{style.scope}{{background:none}}"
    return rules
