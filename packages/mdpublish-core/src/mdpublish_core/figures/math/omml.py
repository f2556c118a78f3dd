"""MathML to Office Math Markup (OMML), which Word can edit.

Elements and their order follow ISO/IEC 29500-1, 22.1 (Math). In Word's HTML, a run's text is directly in `m:r`,
inside HTML elements that set the font; in files it is in `m:t`. Spaces become space characters; rules between table
cells are dropped. The writer is long: OMML has an element for each construct.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math import elements, grouping
from mdpublish_core.figures.math.operators import ACCENTS_OVER, ACCENTS_UNDER, BRACES_OVER, BRACES_UNDER
from mdpublish_core.html import HtmlWriter, StartTag, styled_tag
from mdpublish_core.strings.lazy_patterns import compile_lazily

MAX_LEVELS = 64
"""Deeper content is flattened to text. Parsed formulas have at most 60."""

_FONT = "font-family:'Cambria Math',serif"

_ITALIC, _UPRIGHT, _PLAIN_TEXT, _LITERAL = range(4)

_RUN_PROPERTIES = {
    _ITALIC: "",
    _UPRIGHT: '<m:rPr><m:sty m:val="p" /></m:rPr>',
    _PLAIN_TEXT: "<m:rPr><m:nor /></m:rPr>",
    _LITERAL: "<m:rPr><m:nor /></m:rPr>",
}

LITERAL = compile_lazily(
    r"[|#&_^%\[\]]+|(?i:abs|and|bar|black|blue|circle|color|def|div|dot|exists|fact|fixed|font|from|green|in|int|left|line"
    r"|magenta|matrix|neg|none|or|over|parallel|partial|prod|red|right|sim|size|slash|stack|sub|sum|sup|times|to|union|white)"
)
"""Written as text in files, letters apart: LibreOffice would read marks and commands of its formula language."""

_INSIDE_WORDS = compile_lazily("(?<=[A-Za-z])(?=[A-Za-z])")

# Space characters by width in em.
_SPACES = (
    (0.0, ""),
    (0.083, "\u200a"),
    (0.167, "\u2009"),
    (0.222, "\u205f"),
    (0.278, "\u2004"),
    (0.5, "\u2000"),
    (1.0, "\u2003"),
)
_MAX_SPACE = 4.0  # em

# Neither fences nor operators: nothing to group when there is only one.
_ALONE = frozenset({"mi", "mn"})

_FULLWIDTH_AMPERSAND = "\uff06"


def render_omml(root: Element, *, namespace: str | None = None) -> str:
    """Return Office Math for Word's HTML, which must declare the prefix `m`.

    With `namespace`, return a standalone XML document as in Word's files.
    """
    writer = HtmlWriter()
    declared = (("xmlns:m", namespace),) if namespace else ()
    is_block = root.get("display") == "block"
    if is_block:
        writer.start("m:oMathPara", declared)
        declared = ()
    writer.start("m:oMath", declared)
    _OmmlWriter(writer, is_html=namespace is None).write(root)
    writer.end()
    if is_block:
        writer.end()
    return writer.finish()


@lru_cache(maxsize=64)
def _run_tag(style: int, color: str) -> StartTag:
    """Return the start of a run in HTML, whose elements set the font."""
    css = f"{_FONT};color:{color}" if color else _FONT
    span, run = styled_tag("span", (("style", css),)), _file_run_tag(style)
    outer = styled_tag("i", ()) if style == _ITALIC else StartTag("", "")
    return StartTag(outer.markup + span.markup + run.markup, run.end + span.end + outer.end)


@lru_cache(maxsize=8)
def _file_run_tag(style: int) -> StartTag:
    """Return the start of a run, with its properties."""
    run = styled_tag("m:r", ())
    return StartTag(run.markup + _RUN_PROPERTIES[style], run.end)


class _OmmlWriter:
    """Merges adjacent text of equal style into runs."""

    __slots__ = ("_color", "_in_array", "_is_html", "_level", "_run", "_run_style", "_writer")

    def __init__(self, writer: HtmlWriter, *, is_html: bool) -> None:
        self._writer = writer
        self._is_html = is_html
        self._color = ""
        self._run_style = (_ITALIC, "")
        self._run: list[str] = []
        self._level = 0
        self._in_array = False

    def write(self, root: Element) -> None:
        self._row(root)
        self._flush()

    def _start(self, tag: str, *properties: tuple[str, str]) -> None:
        """Open an element with its properties, which are in schema order."""
        self._flush()
        self._writer.start(tag)
        if properties:
            self._writer.start(f"{tag}Pr")
            for name, value in properties:
                self._writer.empty(name, (("m:val", value),))
            self._writer.end()

    def _end(self) -> None:
        self._flush()
        self._writer.end()

    def _write_run(self, content: str, style: int) -> None:
        if not content:
            return
        if self._in_array:
            # `&` is the alignment mark.
            content = content.replace("&", _FULLWIDTH_AMPERSAND)
        self._append_run(content, style)

    def _append_run(self, content: str, style: int) -> None:
        run_style = style, self._color
        if run_style != self._run_style:
            self._flush()
            self._run_style = run_style
        self._run.append(content)

    def _flush(self) -> None:
        if not self._run:
            return
        content, self._run = "".join(self._run), []
        writer, (style, color) = self._writer, self._run_style
        if self._is_html:
            writer.open(_run_tag(style, color))
            writer.write_text(content)
            writer.end()
            return
        for piece in _INSIDE_WORDS.split(content) if style == _ITALIC else (content,):
            writer.open(_file_run_tag(style))
            writer.element("m:t", piece, (("xml:space", "preserve"),) if piece != piece.strip() else ())
            writer.end()

    def _argument(self, tag: str, *children: Element) -> None:
        self._wrap(tag, lambda: self._row(*children))

    def _wrap(self, tag: str, inside: Callable[[], None]) -> None:
        self._start(tag)
        inside()
        self._end()

    def _row(self, *children: Element) -> None:
        if len(children) == 1 and children[0].tag in _ALONE:
            self._part(grouping.Part(children[0]))
        else:
            self._parts(grouping.group_parts(children, MAX_LEVELS))

    def _parts(self, row: grouping.Parts) -> None:
        """Write a row; large operators and function names include their operands."""
        index = 0
        while index < len(row):
            part = row[index]
            index += 1
            if isinstance(part, grouping.FencedGroup):
                self._deeper(part, grouping.group_characters(part), self._group)
            elif part.role == grouping.Role.BIG:
                end = grouping.end_of_operand(row, index)
                operand = row[index:end]
                self._deeper(part, part.element.itertext(), lambda part, operand=operand: self._big(part, operand))
                index = end
            elif part.role == grouping.Role.NAME:
                end = grouping.end_of_argument(row, index)
                self._function(part, row[index:end])
                index = end
            elif not (part.role == grouping.Role.GAP and index < len(row) and _is_name(row[index])):
                # Word adds its own space before function names.
                self._part(part)

    def _deeper(
        self, part: grouping.Part | grouping.FencedGroup, shown: Iterable[str], write: Callable[..., None]
    ) -> None:
        """Write nested content, or its text if too deep."""
        self._level += 1
        if self._level > MAX_LEVELS:
            self._write_run(elements.clean_string("".join(shown)), _PLAIN_TEXT)
        else:
            write(part)
        self._level -= 1

    def _part(self, part: grouping.Part) -> None:
        self._deeper(part, part.element.itertext(), self._element)

    def _element(self, part: grouping.Part) -> None:
        element = part.element
        outer, self._color = self._color, element.get("mathcolor", self._color)
        if element.tag in _KINDS:
            _KINDS[element.tag](self, element)
        else:
            self._row(*element)
        self._color = outer

    def _group(self, group: grouping.FencedGroup) -> None:
        if group.ends is None:
            self._fences(group)
        else:
            self._scripts_around(group.ends, lambda: self._fences(group))

    def _fences(self, group: grouping.FencedGroup) -> None:
        opening, closing = group.opening, group.closing
        runs, separator = grouping.split_at_bars(group.parts)
        values = [("m:begChr", opening.content if opening else "")]
        if separator:
            values.append(("m:sepChr", separator))
        values.append(("m:endChr", closing.content if closing else ""))
        if opening is not None and opening.element.get("stretchy") == "false":
            values.append(("m:grow", "0"))
        self._start("m:d", *values)
        for run in runs:
            self._wrap("m:e", partial(self._parts, run))
        self._end()

    def _big(self, part: grouping.Part, operand: grouping.Parts) -> None:
        element = part.element
        lower, upper = elements.scripts_of(element)
        is_stacked = element.tag in _STACKED
        scripts = (("m:sub", lower), ("m:sup", upper))
        hidden = [(f"{tag}Hide", "1") for tag, script in scripts if script is None]
        self._start("m:nary", ("m:chr", part.content), ("m:limLoc", "undOvr" if is_stacked else "subSup"), *hidden)
        for tag, script in scripts:
            self._argument(tag, *([] if script is None else [script]))
        self._wrap("m:e", lambda: self._parts(operand))
        self._end()

    def _function(self, part: grouping.Part, argument: grouping.Parts) -> None:
        shown = [each for each in argument if isinstance(each, grouping.FencedGroup) or each.role != grouping.Role.GAP]
        if not shown:
            self._part(part)
            return
        self._start("m:func")
        self._wrap("m:fName", lambda: self._part(part))
        self._wrap("m:e", lambda: self._parts(shown))
        self._end()

    def token(self, element: Element) -> None:
        content = elements.token_string(element)
        if elements.is_chemical(element, "bond"):
            # Word adds spaces around operators, but not in text.
            self._write_run(content, _PLAIN_TEXT)
            return
        is_upright = element.get("mathvariant") == "normal" or (element.tag == "mi" and len(content) > 1)
        style = _UPRIGHT if is_upright else _ITALIC
        if (is_upright or len(content) == 1) and not self._is_html and LITERAL.fullmatch(content):
            style = _LITERAL
        self._write_run(content, style)

    def words(self, element: Element) -> None:
        content = elements.clean_string(element.text or "")
        # XML whitespace may be dropped at the ends of elements.
        body = content.strip(" ")
        leading, trailing = len(content) - len(content.lstrip(" ")), len(content) - len(content.rstrip(" "))
        self._write_run("\u00a0" * leading + body + "\u00a0" * (trailing if body else 0), _PLAIN_TEXT)

    def space(self, element: Element) -> None:
        width = min(elements.parse_length(element.get("width", "0")), _MAX_SPACE)
        while width >= 1.0:
            self._write_run("\u2003", _ITALIC)
            width -= 1.0
        self._write_run(min(_SPACES, key=lambda space: abs(space[0] - width))[1], _ITALIC)

    def fraction(self, element: Element) -> None:
        self._start("m:f", *([("m:type", "noBar")] if elements.has_no_line(element) else []))
        self._argument("m:num", element[0])
        self._argument("m:den", element[1])
        self._end()

    def root(self, element: Element) -> None:
        has_degree = element.tag == "mroot"
        self._start("m:rad", *([] if has_degree else [("m:degHide", "1")]))
        self._argument("m:deg", *(element[1:] if has_degree else ()))
        self._argument("m:e", *(element[:1] if has_degree else element))
        self._end()

    def scripts(self, element: Element) -> None:
        self._scripts_around(element, lambda: self._row(element[0]))

    def _scripts_around(self, element: Element, base: Callable[[], None]) -> None:
        lower, upper = elements.scripts_of(element)
        self._start("m:sSubSup" if lower is not None and upper is not None else "m:sSup" if lower is None else "m:sSub")
        self._wrap("m:e", base)
        for tag, script in (("m:sub", lower), ("m:sup", upper)):
            if script is not None:
                self._argument(tag, script)
        self._end()

    def limits(self, element: Element) -> None:
        lower, upper = elements.scripts_of(element)
        base = element[0]
        if lower is None or upper is None:
            self._with_one(base, lower, upper)
        else:
            # The upper label belongs to the arrow, so it is inside.
            self._limit("m:limLow", lambda: self._with_one(base, None, upper), lower)

    def _with_one(self, base: Element, lower: Element | None, upper: Element | None) -> None:
        mark = upper if lower is None else lower
        assert mark is not None
        is_over = lower is None
        sign = elements.operator_of(mark)
        accents, braces = (ACCENTS_OVER, BRACES_OVER) if is_over else (ACCENTS_UNDER, BRACES_UNDER)
        accent = accents.get(sign, "")
        if accent in _LINES:
            self._marked("m:bar", [base], ("m:pos", "top" if is_over else "bot"))
        elif accent and is_over:
            self._marked("m:acc", [base], ("m:chr", accent))
        elif sign and (sign in braces or accent or elements.is_arrow(sign)):
            self._marked("m:groupChr", [base], *_grouping(sign, is_over=is_over, is_on_line=False))
        elif elements.is_arrow(elements.operator_of(base)) and not _is_plain_equals(base):
            # The arrow stretches to its label.
            self._marked(
                "m:groupChr", [mark], *_grouping(elements.operator_of(base), is_over=not is_over, is_on_line=True)
            )
        else:
            self._limit("m:limUpp" if is_over else "m:limLow", lambda: self._row(base), mark)

    def _marked(self, tag: str, content: Iterable[Element], *properties: tuple[str, str]) -> None:
        self._start(tag, *properties)
        self._argument("m:e", *content)
        self._end()

    def _limit(self, tag: str, base: Callable[[], None], limit: Element) -> None:
        self._start(tag)
        self._wrap("m:e", base)
        self._argument("m:lim", limit)
        self._end()

    def multiscripts(self, element: Element) -> None:
        after, before = elements.multiscripts_of(element)
        # Opened iteratively: there may be hundreds.
        for pair in before:
            self._start("m:sPre")
            self._pair(pair)
            self._start("m:e")
        for _ in after:
            self._start("m:sSubSup")
            self._start("m:e")
        self._row(element[0])
        for pair in after:
            self._end()
            self._pair(pair)
            self._end()
        for _ in before:
            self._end()
            self._end()

    def _pair(self, scripts: Sequence[Element]) -> None:
        self._argument("m:sub", *scripts[:1])
        self._argument("m:sup", *scripts[1:])

    def enclosed(self, element: Element) -> None:
        notation = element.get("notation", "")
        hidden = [(f"m:hide{side}", "1") for side in _SIDES["box"] if side not in _SIDES.get(notation, ())]
        struck = [(f"m:strike{name}", "1") for strike, name in _STRIKES if strike in notation.split()]
        self._marked("m:borderBox", element, *hidden, *struck)

    def phantom(self, element: Element) -> None:
        self._marked("m:phant", element, ("m:show", "0"))

    def table(self, element: Element) -> None:
        """Write aligned and, in files, numbered rows as an equation array, a single cell as a row, others as a matrix."""
        width = max((len(elements.row_cells(row)) for row in element), default=0)
        outer = self._in_array
        is_numbered = width == 1 and not self._is_html and any(map(elements.row_labels, element))
        if len(element) == 1 and width == 1 and not is_numbered:
            self._row(*elements.row_cells(element[0]))
            self._label(element[0])
        elif is_numbered or (width > 1 and elements.is_aligned(element)):
            self._in_array = True
            self._equations(element)
        elif width:
            self._in_array = False
            self._matrix(element, width)
        self._in_array = outer

    def _equations(self, table: Element) -> None:
        # Word has numbers at the margin if the array is as wide as the text.
        has_margin = not self._is_html and any(map(elements.row_labels, table))
        self._start("m:eqArr", *([("m:maxDist", "1")] if has_margin else []))
        for row in table:
            self._start("m:e")
            for number, cell in enumerate(elements.row_cells(row)):
                if number:
                    self._append_run("&", _ITALIC)
                self._row(cell)
            self._label(row, "#" if has_margin else "")
            self._end()
        self._end()

    def _matrix(self, table: Element, width: int) -> None:
        widest = next(cells for cells in map(elements.row_cells, table) if len(cells) == width)
        self._start("m:m")
        self._writer.start("m:mPr")
        self._writer.start("m:mcs")
        for cell in widest:
            self._start("m:mc", ("m:count", "1"), ("m:mcJc", elements.cell_alignment(cell)))
            self._end()
        self._writer.end()
        self._writer.end()
        for row in table:
            cells = elements.row_cells(row)
            self._start("m:mr")
            for column in range(width):
                self._start("m:e")
                self._row(*cells[column : column + 1])
                if column == len(cells) - 1:
                    self._label(row)
                self._end()
            self._end()
        self._end()

    def _label(self, row: Element, mark: str = "") -> None:
        for label in elements.row_labels(row):
            if len(label):
                self._flush()
                self._write_run(mark or "\u2003\u2003", _ITALIC)
                self._row(label)


def _is_name(part: grouping.Part | grouping.FencedGroup) -> bool:
    return isinstance(part, grouping.Part) and part.role == grouping.Role.NAME


def _is_plain_equals(element: Element) -> bool:
    """Whether an element is an equals sign that does not stretch, unlike that of `xlongequal`."""
    return elements.operator_of(element) == "=" and elements.unwrap(element).get("stretchy") != "true"


def _grouping(sign: str, *, is_over: bool, is_on_line: bool) -> list[tuple[str, str]]:
    """Return the properties of a brace or arrow; an arrow with a label is on the baseline."""
    return [
        ("m:chr", sign),
        ("m:pos", "top" if is_over else "bot"),
        ("m:vertJc", "bot" if is_over != is_on_line else "top"),
    ]


_STACKED = frozenset({"munder", "mover", "munderover"})
_LINES = frozenset({"\u0304", "\u0305", "\u0332"})
_SIDES = {"box": ("Top", "Bot", "Left", "Right"), "phasorangle": ("Bot",), "actuarial": ("Top", "Right")}
_STRIKES = (("horizontalstrike", "H"), ("updiagonalstrike", "BLTR"), ("downdiagonalstrike", "TLBR"))

_KINDS: dict[str, Callable[[_OmmlWriter, Element], None]] = {
    **dict.fromkeys(("mi", "mn", "mo"), _OmmlWriter.token),
    **dict.fromkeys(("msub", "msup", "msubsup"), _OmmlWriter.scripts),
    **dict.fromkeys(_STACKED, _OmmlWriter.limits),
    **dict.fromkeys(("msqrt", "mroot"), _OmmlWriter.root),
    "mtext": _OmmlWriter.words,
    "mspace": _OmmlWriter.space,
    "mfrac": _OmmlWriter.fraction,
    "mmultiscripts": _OmmlWriter.multiscripts,
    "menclose": _OmmlWriter.enclosed,
    "mphantom": _OmmlWriter.phantom,
    "mtable": _OmmlWriter.table,
}
