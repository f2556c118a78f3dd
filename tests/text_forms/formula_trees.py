"""The tree of a formula from its MathML, to be compared with what `formula_reader` reads in its text form."""

from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math import elements
from mdpublish_core.figures.math.operators import ACCENTS_OVER, ACCENTS_UNDER, BRACES_OVER, BRACES_UNDER, INVISIBLE
from tests.text_forms.formula_structure import (
    BARS,
    EMPTY,
    GAP,
    LARGE,
    ROW,
    SPACE,
    Part,
    Script,
    characters,
    fraction,
    mark,
    row,
    split,
    table_rows,
)

_CONTINUED = {"msup": ("msub",), "msub": ("msup", "msubsup")}
_RELATIONS = frozenset("=<>≤≥≈≡∼→⟹⟺∈⊂⊆")


def formula_tree(root: Element) -> Part:
    inner = elements.unwrap(root)
    if inner.tag != "mtable":
        return row(_trimmed(_parts(root)))
    parts: list[Part] = []
    for line in split(list(_table_parts(inner)), ROW):
        is_continued = line[:1] == [EMPTY]
        shown = _trimmed([part for part in line if part not in (EMPTY, SPACE)])
        is_sign = (
            bool(shown)
            and isinstance(shown[0], str)
            and (shown[0] in _RELATIONS or (is_continued and shown[0] in "+−"))
        )
        if parts and shown and not is_sign and parts[-1] not in (",", ";"):
            parts.append(";")
        parts += shown
    return row(parts)


def _trimmed(parts: list[Part]) -> list[Part]:
    while parts and parts[-1] == GAP:
        parts.pop()
    return parts[next((place for place, part in enumerate(parts) if part != GAP), 0) :]


def _parts(element: Element, *, tight: bool = False) -> list[Part]:
    if element.tag in elements.TOKENS:
        return _token(element)
    if element.tag in elements.SCRIPTED:
        return _scripted(element, tight=tight)
    return _KINDS.get(element.tag, _others)(element, tight)


def _token(element: Element) -> list[Part]:
    content = "".join(each for each in elements.token_string(element) if each not in INVISIBLE)
    if elements.is_chemical(element, "reaction"):
        content = {"⟶": "→", "⟵": "←"}.get(content, content)
    is_apart = element.tag == "mtext" and (element.text or "").endswith((" ", "\xa0"))
    return [*characters(content), *([SPACE] if is_apart else [])]


def _unseen(element: Element, tight: bool) -> list[Part]:
    del element, tight
    return []


def _space(element: Element, tight: bool) -> list[Part]:
    width = elements.parse_length(element.get("width", "0"))
    return [] if tight or width <= 0.14 else [GAP] if width > 0.9 else [SPACE]


def _multiscripts(element: Element, tight: bool) -> list[Part]:
    after, before = elements.multiscripts_of(element)
    shown = list(_scripts_of(before))[::-1]
    return [*([EMPTY] if shown else []), *shown, *_parts(element[0], tight=tight), *_scripts_of(after)]


def _table(element: Element, tight: bool) -> list[Part]:
    if len(element) == len(element[0]) == 1:
        return _parts(element[0][0], tight=tight)
    return [("table", "", "", *table_rows(list(_table_parts(element))))]


def _scripts_of(pairs: list[list[Element]]) -> Iterator[Part]:
    for pair in pairs:
        for sign, each in zip("_^", pair, strict=False):
            if content := _parts(each, tight=True):
                yield Script(sign, content)


def _others(element: Element, tight: bool) -> list[Part]:
    inside = [part for child in element for part in _parts(child, tight=tight)]
    match element.tag:
        case "mfrac" if elements.has_no_line(element):
            above, below = (_parts(each, tight=tight) for each in element)
            return [("over", row(above), row(below))]
        case "mfrac":
            return [fraction(*(row(_parts(each, tight=tight)) for each in element))]
        case "msqrt":
            return [("root", None, _grouped(inside))]
        case "mroot":
            degree = row(_parts(element[1], tight=True))
            return [("root", None if degree == "2" else degree, _grouped(_parts(element[0], tight=tight)))]
        case "menclose":
            sign = "▭" if element.get("notation") == "box" else "\u0336"
            struck = mark(sign, inside)
            return (
                [mark(sign, [_grouped(inside)])]
                if sign == "▭"
                else list(struck[1:])
                if struck[0] == "row"
                else [struck]
            )
    return inside


def _grouped(parts: list[Part]) -> Part:
    tree = row(parts)
    return tree[2] if isinstance(tree, tuple) and tree[0] == "group" and tree[1] == "(" else tree


_BRACES = {"⏞": "overbrace", "⏟": "underbrace"}
_BRACED = {("mark", name) for name in _BRACES.values()}


def _scripted(element: Element, *, tight: bool) -> list[Part]:
    base, *scripts = element
    parts = _parts(base, tight=tight)
    below, above = elements.scripts_of(element)
    if element.tag[1] in "uo":
        if elements.is_chemical(base, "reaction"):
            labels = [
                *([above] if above is not None else [below]),
                *([below] if above is not None and below is not None else []),
            ]
            return [*parts, *(each for label in labels if label is not None for each in ("[", *_parts(label), "]"))]
        sign = elements.operator_of(scripts[0]) if len(scripts) == 1 else ""
        marks, braces = (ACCENTS_OVER, BRACES_OVER) if element.tag == "mover" else (ACCENTS_UNDER, BRACES_UNDER)
        if sign in braces or (sign in marks and not (base.tag == "mo" and len(parts) == 1)):
            return [mark(marks.get(sign) or _BRACES[sign], [_grouped(parts)])]
        label = above if parts[:1] and parts[0][:2] == ("mark", "overbrace") else below
        if label is not None and len(parts) == 1 and parts[0][:2] in _BRACED:
            return [("labeled", parts[0], row(_parts(label, tight=True)))]
        if not _takes_limits(base, parts):
            tree = _grouped(parts)
            for name, label in (("underset", below), ("overset", above)):
                if label is not None:
                    tree = ("stacked", name, row(_parts(label, tight=True)), tree)
            return [tree]
    events = [Script(sign, _parts(each, tight=True)) for sign, each in (("_", below), ("^", above)) if each is not None]
    primes = [event.content[0] for event in events if event.sign == "^" and event.content[:1] in (["′"], ["″"], ["‴"])]
    if primes:
        raised = events.pop()
        number = sum(part in {"′", "″", "‴"} for part in raised.content)
        primes, rest = list(raised.content[:number]), raised.content[number:]
        events += [Script("^", rest)] if rest else []
    is_fence = bool(parts) and isinstance(parts[-1], str) and parts[-1] in BARS and parts.count(parts[-1]) % 2 == 1
    is_fence = is_fence or _is_applied(elements.unwrap(base))
    is_open = elements.unwrap(base).tag in {*elements.TOKENS, *_CONTINUED.get(element.tag, ())}
    whole = parts if len(parts) < 2 or is_fence or is_open else [row(parts)]
    shown = [event for event in events if event.content]
    return [*(whole or ([EMPTY] if shown else [])), *primes, *shown]


def _is_applied(inner: Element) -> bool:
    """Whether a row is a name and its argument: `f(x)^2` looks the same whether TeX has braces around `f(x)` or not."""
    content = [each for each in inner if len(each) or elements.token_string(each)]
    if len(content) < 3 or content[0].tag != "mi" or elements.operator_of(content[-1]) not in {")", "]", "|"}:
        return False
    brackets = [place for place, each in enumerate(content) if elements.operator_of(each) in set("()[]|")]
    is_name = len(content[0].text or "") > 1
    return brackets == [1, len(content) - 1] and (is_name or len(content) == 4)


def _takes_limits(base: Element, parts: list[Part]) -> bool:
    inner = elements.unwrap(base)
    is_name = inner.tag == "mi" and len(inner.text or "") > 1
    return is_name or inner.tag == "mo" or (len(parts) == 1 and parts[0] in LARGE)


def _table_parts(table: Element) -> Iterator[Part]:
    is_aligned = elements.is_aligned(table)
    for number, line in enumerate(table):
        if number:
            yield ROW
            if "-above" in line[0].get("class", ""):
                yield from ("−", "−", "−", ROW)
        cells = elements.row_cells(line)
        yield from _aligned_parts(table, cells) if is_aligned else _cell_parts(cells)
        for content in map(_parts, elements.row_labels(line)):
            yield from (GAP, *content) if content else ()


def _aligned_parts(table: Element, cells: list[Element]) -> Iterator[Part]:
    """Yield the cells of a line, and gaps between its formulas; first `EMPTY` if it continues the line before."""
    has_gaps = "apart" in elements.class_names(table)
    contents = [_parts(cell) for cell in cells]
    if not contents[0]:
        yield EMPTY
    for column, content in enumerate(contents):
        if has_gaps and column % 2 == 0 and any(contents[:column]) and content:
            yield from (",", GAP)
        yield from content


def _cell_parts(cells: list[Element]) -> Iterator[Part]:
    for column, cell in enumerate(cells):
        if column:
            yield from (GAP, "|", GAP) if "-before" in cell.get("class", "") else (GAP,)
        yield from _parts(cell)


_KINDS: dict[str, Callable[[Element, bool], list[Part]]] = {
    "mphantom": _unseen,
    "mspace": _space,
    "mmultiscripts": _multiscripts,
    "mtable": _table,
}
