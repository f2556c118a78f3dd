"""How a template sets the text of table cells: what decides on the width of a word."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from mdpublish_core.css.cascade import ComputedValues, computed_values
from mdpublish_core.css.matcher import CompiledStylesheet, Styles
from mdpublish_core.data_files import read_names
from mdpublish_core.templates.font_families import font_class
from mdpublish_core.templates.style import Reader, Style, rules_for

if TYPE_CHECKING:
    from mdpublish_core.css.user_css_reading import UserStylesheet

_TABLES = read_names(__file__, "cell_faces.tsv")

MONOSPACE_WIDTH: Final = 0.61
"""Slightly more than DejaVu Sans Mono, the widest common one."""

_IDEOGRAPH_WIDTH, _EMOJI_WIDTH = 1.0, 1.3
_COMBINING = frozenset({"Mn", "Me", "Cf"})
# Of letters and of symbols without a Latin base: most of Greek, Cyrillic, Hebrew and Arabic, and of mathematics.
_ALPHABETIC_WIDTH, _SYMBOL_WIDTH = 0.76, 0.88


class CharacterWidths(dict[str, float]):
    """Widths by character; others than ASCII are estimated."""

    def __init__(self, ascii_widths: Mapping[str, float], *, monospaced: bool = False) -> None:
        super().__init__(ascii_widths)
        self._monospaced = monospaced

    def __missing__(self, character: str) -> float:
        return _width_beyond_ascii(self, character, self._monospaced)

    def width(self, string: str) -> float:
        """Return the width of a string in one line, in em."""
        return sum(map(self.__getitem__, string))

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


def _ascii_widths(fonts: str) -> dict[str, float]:
    return {chr(code): int(width) / 100 for code, width in enumerate(_TABLES["widths"][fonts].split(), 32)}


@lru_cache(maxsize=4096)
def _width_beyond_ascii(widths: CharacterWidths, character: str, monospaced: bool) -> float:
    category = unicodedata.category(character)
    if category in _COMBINING:
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return _EMOJI_WIDTH if category == "So" else _IDEOGRAPH_WIDTH
    if monospaced:
        return MONOSPACE_WIDTH
    base = unicodedata.normalize("NFD", character)[0]
    if base.isascii():
        return widths.get(base, 0.0)
    return _ALPHABETIC_WIDTH if category[0] in "LN" else _SYMBOL_WIDTH


WIDE: Final = CharacterWidths(_ascii_widths("DejaVu"))
SANS: Final = CharacterWidths(_ascii_widths("Arial"))
SERIF: Final = CharacterWidths(_ascii_widths("Times New Roman"))
MONOSPACE: Final = CharacterWidths({chr(code): MONOSPACE_WIDTH for code in range(32, 127)}, monospaced=True)


_SANS_FAMILIES = frozenset({"Arial", "Helvetica", "Arimo", "Liberation Sans"})
_SERIF_FAMILIES = frozenset({"Times", "Times New Roman", "Tinos", "Liberation Serif"})


def _factors(kind: str) -> dict[str, float]:
    return {family: float(factor) for factor, families in _TABLES[kind].items() for family in families.split(", ")}


_LIKE_ARIAL, _LIKE_TIMES, _BROAD_FAMILIES = map(_factors, ("like Arial", "like Times", "broad"))

# Of the bold faces, relative to regular ones.
_BOLD_FACTORS: Mapping[CharacterWidths, float] = {WIDE: 1.16, SANS: 1.1, SERIF: 1.1, MONOSPACE: 1.0}

_SMALL_CAPITALS = 0.8
"""Size of small capitals; fonts draw them at 0.7 to 0.8."""

# In px: documents have borders that are not seen, since readers drop the padding otherwise.
_HAIRLINES = 1.4

# Of the text, in px: for media queries.
_WIDTH = 600.0

_OpenCursor = Callable[[], Styles[ComputedValues]]

_ALIGNMENTS = ("", ".left", ".center", ".right")


@dataclass(frozen=True)
class RunFace:
    """Type of a run; `size` in px, `spacing` in px per character."""

    widths: CharacterWidths
    size: float
    factor: float
    spacing: float
    case: str

    def width(self, string: str) -> float:
        """Return an upper bound of the width in px."""
        if self.case:
            string = string.upper() if self.case == "upper" else string.lower()
        return self.widths.width(string) * self.size * self.factor + self.spacing * len(string)

    @cached_property
    def em(self) -> float:
        return self.size * self.factor


@dataclass(frozen=True, slots=True)
class CellFace:
    """Type of a cell; `padding` and `border` are of both sides, in px, `smallest` is the least type size."""

    regular: RunFace
    strong: RunFace
    code: RunFace
    code_padding: float
    padding: float
    border: float


@dataclass(frozen=True, slots=True)
class TableFaces:
    """By cell (`th`, `td.right`): those of a first, a middle and a last one."""

    cells: Mapping[str, tuple[CellFace, CellFace, CellFace]]
    edges: float
    """Outer borders, half of which are outside of the columns, in px."""
    type_faces: object = field(default_factory=object)
    """The same object for equal type of text."""
    with_large_code: "TableFaces | None" = None
    """Those of small tables, whose code is as large as the text."""

    def face(self, element: str, column: int, columns: int) -> CellFace:
        first, middle, last = self.cells[element]
        return first if column == 0 else last if column == columns - 1 else middle


@lru_cache(maxsize=512)
def table_faces(style: Style, reader: Reader, user_css: "UserStylesheet | None" = None) -> TableFaces:
    """Return the faces of cells in a table of the page's text."""
    open_cursor = _cursors(style, reader, user_css)
    cells = {}
    for element in ("th", "td"):
        for alignment in _ALIGNMENTS:
            cells[element + alignment] = _row_faces(open_cursor, reader, element, alignment)
    large = {
        element: (_with_large_code(first), _with_large_code(middle), _with_large_code(last))
        for element, (first, middle, last) in cells.items()
    }
    edges = (
        max(_HAIRLINES, _table_borders(open_cursor), *(face.border for faces in cells.values() for face in faces)) / 2
    )
    return TableFaces(cells, edges, _type_faces(cells), TableFaces(large, edges, _type_faces(large)))


def _type_faces(cells: Mapping[str, tuple[CellFace, CellFace, CellFace]]) -> object:
    return _shared(
        tuple((face.regular, face.strong, face.code, face.code_padding) for row in cells.values() for face in row)
    )


@lru_cache(maxsize=512)
def _shared(_: tuple[object, ...]) -> object:
    return object()


def _cursors(style: Style, reader: Reader, user_css: "UserStylesheet | None") -> _OpenCursor:
    rules = rules_for(style.template, style.theme_mode, reader)
    if user_css is None:
        return CompiledStylesheet(rules, computed_values).cursor
    # Late: few conversions have a stylesheet.
    from mdpublish_core.css.inlining import UserCursor, compile_user_css

    return partial(UserCursor, compile_user_css(rules, user_css, style.theme_mode, _WIDTH, computed_values))


def _table_borders(open_cursor: _OpenCursor) -> float:
    """Return the widest: tables on the ground of a callout may have a frame of their own."""
    widths = []
    for ancestors in (("&", "div.table"), ("&", "div.callout", "div.table")):
        cursor = open_cursor()
        for ancestor in ancestors:
            cursor.enter(ancestor)
        widths.append(_borders(cursor.enter("table", last=True)))
    return max(widths)


def _with_large_code(face: CellFace) -> CellFace:
    return replace(face, code=replace(face.code, size=max(face.code.size, face.regular.size)))


def _row_faces(
    open_cursor: _OpenCursor, reader: Reader, element: str, alignment: str
) -> tuple[CellFace, CellFace, CellFace]:
    cursor = open_cursor()
    section, row = ("thead", "tr") if element == "th" else ("tbody", "tr.odd")
    for ancestor in ("&", "div.table", "table", section, row):
        cursor.enter(ancestor)
    first, middle, last = (_cell_face(cursor, element + alignment, reader, is_last) for is_last in (False, False, True))
    return first, middle, last


def _cell_face(cursor: Styles[ComputedValues], element: str, reader: Reader, is_last: bool) -> CellFace:
    cell = cursor.enter(element, last=is_last)
    strong, code = (_inside(cursor, inline) for inline in ("strong", "code"))
    cursor.leave()
    return CellFace(
        regular=run_face(cell, reader),
        strong=run_face(strong, reader),
        code=run_face(code, reader),
        code_padding=_sides(code, "padding") + _borders(code),
        padding=_sides(cell, "padding"),
        border=_borders(cell),
    )


def _inside(cursor: Styles[ComputedValues], inline: str) -> ComputedValues:
    values = cursor.enter(inline)
    cursor.leave()
    return values


def run_face(values: ComputedValues, reader: Reader) -> RunFace:
    families = [family.strip().strip("\"'") for family in values.get("font-family").split(",")]
    widths, factor = _widths(families)
    if values.is_bold:
        factor *= _BOLD_FACTORS[widths]
    # Docs has neither.
    is_plain = reader == "docs"
    case = "" if is_plain else {"uppercase": "upper", "lowercase": "lower"}.get(values.get("text-transform"), "")
    if values.get("font-variant") == "small-caps":
        case, factor = "upper", factor * _SMALL_CAPITALS
    spacing = 0.0 if is_plain else max(0.0, values.px("letter-spacing"))
    return RunFace(widths, values.font_size, factor, spacing, case)


def _widths(families: Sequence[str]) -> tuple[CharacterWidths, float]:
    """Return the widths of the widest font that a reader may have of a stack, at least those of Arial or Times."""
    if font_class(families[0]) in {"monospace", "typewriter"}:
        return MONOSPACE, 1.0
    for widths, members, similar in ((SANS, _SANS_FAMILIES, _LIKE_ARIAL), (SERIF, _SERIF_FAMILIES, _LIKE_TIMES)):
        before = tuple(takewhile(lambda family: family not in members, families))  # noqa: B023  (called at once)
        if len(before) < len(families) and all(family in similar for family in before):
            return widths, max([1.0, *(similar[family] for family in before)])
    return WIDE, max(_BROAD_FAMILIES.get(family, 1.0) for family in families)


def _sides(values: ComputedValues, name: str) -> float:
    return values.px(f"{name}-left") + values.px(f"{name}-right")


def _borders(values: ComputedValues) -> float:
    return sum(border.width for side in ("left", "right") if (border := values.border(side)))
