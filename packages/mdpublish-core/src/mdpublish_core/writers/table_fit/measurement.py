"""How much width the columns of a table need, estimated from their content.

One pass over the cells. A table in a cell counts as a few words: it is measured when it is written.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple, cast

from mdpublish_core import nodes
from mdpublish_core.resources.media import image_from_data_url
from mdpublish_core.resources.urls import is_safe_url, url_beside
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.table_model import Alignment, Grid
from mdpublish_core.writers.structure.block_runs import is_block
from mdpublish_core.writers.structure.line_breaks import MAX_WORD, breakable_parts, is_unbroken
from mdpublish_core.writers.table_fit.cell_faces import CellFace, RunFace, TableFaces

# Longer words, such as URLs, are split like those beyond the line.
_MAX_WHOLE_WORD = 30

# In px. Images keep their proportions when they are narrower; one has up to the last width where text leaves room.
_MAX_IMAGE_WIDTH, _DEFAULT_IMAGE_WIDTH, _GENEROUS_IMAGE_WIDTH = 120.0, 60.0, 360.0

# In text sizes.
_MAX_FORMULA_WIDTH, _TABLE_WIDTH, _LIST_INDENT = 12.0, 9.0, 2.5

# In type sizes.
_WIDEST_CHARACTER = 1.31

# Ideographs of a line that is not split further.
_MIN_IDEOGRAPHS = 4

_SCRIPT_FACTOR, _FORMULA_CHARACTER_WIDTH = 0.8, 0.7

# Roughly what one drawn character of a formula takes in its source.
_TEX = compile_lazily(r"\\[A-Za-z]+|[{}^_$&\\]")

_IDEOGRAPHS = compile_lazily(
    "[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\U0001f000-\U0003ffff]+"
)

_AFTER_HYPHEN = compile_lazily(r"(?<=[-\u2010\u2013])")

_LIST_TAGS = frozenset({"ul", "ol", "dd", "blockquote"})

_TEXT_TYPES = (nodes.RawText, nodes.AutoLink, nodes.HtmlSpan)


class Widths(NamedTuple):
    """In px: what each line must hold, what it should hold, the longest word, its longest part, and all in one line.

    Words of up to `MAX_WORD` characters are never split, other than URLs and the like should not be. Parts are those of
    `breakable_parts`, which only pages divide.
    """

    word: float
    whole_word: float
    longest_word: float
    part: float
    line: float


_NOTHING = Widths(0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ColumnNeeds:
    """By column, in px; `smallest` is the least type size, `em` the largest; of code if it `has_small_code`."""

    contents: Sequence[Widths]
    padding: Sequence[float]
    border: Sequence[float]
    smallest: float
    em: float
    has_small_code: bool


_CellKind = tuple[bool, Alignment | None, int]
"""Whether a cell is a header, its alignment, and its column: cells of a kind have the same face."""


class _Measured(NamedTuple):
    """Widths by column, by kind of cell whether any has code, and by `id()` of cells without code."""

    contents: Sequence[Widths]
    kinds: Mapping[_CellKind, bool]
    without_code: dict[int, Widths]


def measure_columns(
    grid: Grid, columns: int, faces: TableFaces, with_other_code: TableFaces | None = None
) -> ColumnNeeds:
    """Measure `columns` columns of a grid; cells beyond them are left out. Other faces may differ in those of code."""
    # Destinations with the same fonts differ in paddings and borders only.
    key = columns, faces.type_faces
    measured = cast("_Measured | None", grid.measured.get(key))
    if measured is None:
        other = with_other_code and cast("_Measured | None", grid.measured.get((columns, with_other_code.type_faces)))
        measured = grid.measured[key] = _measure(grid, columns, faces, other.without_code if other else {})
    padding, border = [0.0] * columns, [0.0] * columns
    smallest, em, has_small_code = inf, 0.0, False
    for kind, has_code in measured.kinds.items():
        column, face = kind[2], _face(faces, kind, columns)
        smallest = min(smallest, face.regular.size, face.code.size if has_code else inf)
        has_small_code |= has_code and face.code.size < face.regular.size
        em = max(em, face.regular.size)
        padding[column] = max(padding[column], face.padding)
        border[column] = max(border[column], face.border)
    return ColumnNeeds(measured.contents, padding, border, smallest, em, has_small_code)


def _face(faces: TableFaces, kind: _CellKind, columns: int) -> CellFace:
    is_header, align, column = kind
    element = "th" if is_header else "td"
    return faces.face(f"{element}.{align}" if align else element, column, columns)


def _measure(grid: Grid, columns: int, faces: TableFaces, without_code: dict[int, Widths]) -> _Measured:
    contents = [[_NOTHING] for _ in range(columns)]
    spanning: list[tuple[range, Widths]] = []
    meters: dict[_CellKind, _Meter] = {}
    with_code: set[_CellKind] = set()
    for row in grid.rows:
        for cell in row.cells:
            column = cell.first_column
            if column >= columns:
                continue
            kind = (cell.is_header, cell.align, column)
            meter = meters.get(kind)
            if meter is None:
                meter = meters[kind] = _Meter(_face(faces, kind, columns))
            widths = without_code.get(id(cell)) or meter.measure(cell.token)
            if meter.has_code:
                with_code.add(kind)
                meter.has_code = False
            else:
                without_code[id(cell)] = widths
            if cell.column_span == 1:
                contents[column].append(widths)
            else:
                spanning.append((range(column, min(columns, column + cell.column_span)), widths))
    widest = [Widths(*map(max, zip(*cells, strict=True))) for cells in contents]
    for span, widths in spanning:
        _widen(widest, span, widths)
    return _Measured(widest, {kind: kind in with_code for kind in meters}, without_code)


def _widen(contents: list[Widths], span: range, widths: Widths) -> None:
    """Divide what a cell needs beyond the columns that it spans."""
    missing = [
        max(0.0, needed - sum(contents[column][kind] for column in span)) / len(span)
        for kind, needed in enumerate(widths)
    ]
    if any(missing):
        for column in span:
            contents[column] = Widths(*(width + more for width, more in zip(contents[column], missing, strict=True)))


class _Meter:
    """Adds up the words of cells, which may change their face in the middle; `has_code` if one since then has."""

    def __init__(self, face: CellFace) -> None:
        self.face = face
        self.has_code = False
        self._begin()

    def _begin(self) -> None:
        self._word = self._whole_word = self._longest_word = self._part = self._line = 0.0
        self._open_word = self._open_whole_word = self._open_longest_word = self._open_part = self._open_line = 0.0
        self._indent = 0.0

    def measure(self, cell: nodes.Token) -> Widths:
        children = cell.children
        if len(children) == 1 and type(children[0]) is nodes.RawText:
            content = children[0].content
            words = content.split()
            if content.isascii() and max(map(len, words), default=0) <= MAX_WORD:
                return _text_widths(content, words, self.face.regular)
        self._begin()
        self._measure(cell)
        self._end_line()
        widths = Widths(self._word, self._whole_word, self._longest_word, self._part, self._line)
        return Widths(*(width + self._indent for width in widths)) if self._indent else widths

    def _measure(self, cell: nodes.Token) -> None:
        pending: list[tuple[nodes.Token, RunFace]] = [(child, self.face.regular) for child in reversed(cell.children)]
        while pending:
            token, face = pending.pop()
            if (inner := self._measure_token(token, face)) is not None:
                if is_block(token):
                    self._end_line()
                pending += [(child, inner) for child in reversed(nodes.children_of(token))]

    def _measure_token(self, token: nodes.Token, face: RunFace) -> RunFace | None:
        """Measure a leaf, or return the face of what is inside."""
        if isinstance(token, _TEXT_TYPES):
            self._add(token.content, face)
        elif isinstance(token, nodes.InlineCode):
            self._add_code(token.content)
        elif isinstance(token, nodes.LineBreak):
            if token.soft:
                self._add(" ", face)
            else:
                self._end_line()
        elif isinstance(token, nodes.CodeFence | nodes.BlockCode | nodes.Figure):
            for line in token.content.split("\n"):
                self._add_code(line)
                self._end_line()
        elif isinstance(token, nodes.Image | nodes.MathSpan | nodes.MathBlock | nodes.FootnoteReference):
            self._measure_box(token, face)
        else:
            return self._container_face(token, face)
        return None

    def _measure_box(
        self, token: nodes.Image | nodes.MathSpan | nodes.MathBlock | nodes.FootnoteReference, face: RunFace
    ) -> None:
        if isinstance(token, nodes.FootnoteReference):
            self._add_box(face.em * _SCRIPT_FACTOR * len(str(token.number)))
        elif not isinstance(token, nodes.Image):
            drawn = len(_TEX.sub("", token.content)) + 1
            self._add_box(min(_MAX_FORMULA_WIDTH, drawn * _FORMULA_CHARACTER_WIDTH) * face.em)
        elif token.width or "//" in token.src or token.src.startswith("data:"):
            width = _image_width(token)
            self._add_box(min(width, _MAX_IMAGE_WIDTH))
            self._open_line += max(0.0, min(width, _GENEROUS_IMAGE_WIDTH) - _MAX_IMAGE_WIDTH)
        else:
            # Shown as its alternative text, in most destinations.
            self._add(nodes.text_content(token), face)

    def _container_face(self, token: nodes.Token, face: RunFace) -> RunFace | None:
        tag = token.tag if isinstance(token, nodes.HtmlElement) else ""
        if isinstance(token, nodes.Table) or tag == "table":
            self._add_box(_TABLE_WIDTH * face.em)
            return None
        if tag == "br":
            self._end_line()
        if isinstance(token, nodes.Link) and not (
            is_safe_url(token.target) and any(map(nodes.has_content, token.children))
        ):
            self._add(url_beside(nodes.text_content(token), token.target), face)
        if isinstance(token, nodes.List) or tag in _LIST_TAGS:
            self._indent = max(self._indent, _LIST_INDENT * face.em)
        if tag in {"code", "kbd", "samp", "pre"}:
            self.has_code = True
            return self.face.code
        return self.face.strong if isinstance(token, nodes.Strong) or tag in {"b", "strong", "th"} else face

    def _add_code(self, content: str) -> None:
        self.has_code = True
        face = self.face.code
        self._add_box(self.face.code_padding)
        self._add(content, face)
        if is_unbroken(content):
            self._part = max(self._part, self.face.code_padding + face.width(content))

    def _add(self, content: str, face: RunFace) -> None:
        if not content:
            return
        if "\xa0" in content:
            content = content.replace("\xa0", "n")
        words = content.split()
        width = face.width(content)
        self._open_line += width
        if not words:
            self._end_word()
            return
        if words[0] == content:
            self._add_word(content, face, width)
            return
        if content[0].isspace():
            self._end_word()
        final = len(words) - 1
        # A word with as many of the widest letters is no wider than the longest one: nothing to measure.
        per_character = _WIDEST_CHARACTER * face.em + face.spacing
        for number, word in enumerate(words):
            if number:
                self._end_word()
                if number < final and len(word) * per_character <= min(self._word, self._part):
                    continue
            self._add_word(word, face, face.width(word))
        if content[-1].isspace():
            self._end_word()

    def _add_word(self, word: str, face: RunFace, width: float) -> None:
        if not word.isascii() and _IDEOGRAPHS.search(word):
            self._add_ideographs(word, face)
            return
        self._open_longest_word += width
        has_parts = face is self.face.code or len(word) > MAX_WORD
        self._open_part += max(map(face.width, breakable_parts(word))) if has_parts else width
        if len(word) <= MAX_WORD:
            self._open_word += width
            self._open_whole_word += width
            return
        split = max(face.width(part[:MAX_WORD]) for part in _AFTER_HYPHEN.split(word))
        self._open_word += split
        self._open_whole_word += width if len(word) <= _MAX_WHOLE_WORD else split

    def _add_ideographs(self, word: str, face: RunFace) -> None:
        """Let lines end after any ideograph; one holds at least a few."""
        end = 0
        for run in _IDEOGRAPHS.finditer(word):
            if before := word[end : run.start()]:
                self._add_word(before, face, face.width(before))
            self._end_word()
            self._open_word = self._open_whole_word = self._open_part = face.width(run[0][:_MIN_IDEOGRAPHS])
            self._end_word()
            end = run.end()
        if rest := word[end:]:
            self._add_word(rest, face, face.width(rest))

    def _add_box(self, width: float) -> None:
        self._open_word += width
        self._open_whole_word += width
        self._open_longest_word += width
        self._open_part += width
        self._open_line += width

    def _end_word(self) -> None:
        # Between spaces there is none.
        if self._open_longest_word or self._open_word:
            self._word = max(self._word, self._open_word)
            self._whole_word = max(self._whole_word, self._open_whole_word)
            self._longest_word = max(self._longest_word, self._open_longest_word)
            self._part = max(self._part, self._open_part)
            self._open_word = self._open_whole_word = self._open_longest_word = self._open_part = 0.0

    def _end_line(self) -> None:
        self._end_word()
        self._line = max(self._line, self._open_line)
        self._open_line = 0.0


def _text_widths(content: str, words: Sequence[str], face: RunFace) -> Widths:
    """Measure text of short words, as most cells are."""
    line = face.width(content)
    word = 0.0
    per_character = _WIDEST_CHARACTER * face.em + face.spacing
    for each in words:
        if len(each) * per_character > word:
            word = max(word, line if each == content else face.width(each))
    return Widths(word, word, word, word, line)


def _image_width(image: nodes.Image) -> float:
    written = image.width or ""
    if written.isdecimal():
        return float(written)
    media = image_from_data_url(image.src, "") if image.src.startswith("data:") else None
    return float((media and media.width) or _DEFAULT_IMAGE_WIDTH)
