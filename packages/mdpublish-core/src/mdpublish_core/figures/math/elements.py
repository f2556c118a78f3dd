"""Queries on MathML elements, including those from other sources.

Obsolete attributes (`columnalign`) are read besides our classes.
"""

from functools import lru_cache
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.operators import INVISIBLE, unwritable_characters

ROWS = frozenset({"math", "mrow", "mstyle", "mpadded", "merror", "semantics", "mtd"})

HIDDEN = frozenset({"annotation", "annotation-xml", "none", "mprescripts", "malignmark", "maligngroup"})

SCRIPTED = {"msub": 2, "msup": 2, "msubsup": 3, "munder": 2, "mover": 2, "munderover": 3}  # number of children

TOKENS = frozenset({"mi", "mn", "mo", "mtext", "ms"})

_EMS = {"em": 1.0, "ex": 0.43, "px": 1 / 16, "pt": 0.1, "mu": 1 / 18, "in": 6.0, "cm": 2.36, "mm": 0.236}

_MAX_EMS = 100.0

_ALIGNED = ("right", "left")
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")


def has_stray_text(element: Element) -> bool:
    content = element.text or ""
    return bool(content) and element.tag not in TOKENS and not content.isspace()


def unwrap(element: Element, rows: frozenset[str] = ROWS) -> Element:
    while element.tag in rows and len(element) == 1:
        element = element[0]
    return element


def clean_string(string: str) -> str:
    """Remove control and bidi characters; normalize spaces."""
    return string if string.isascii() and string.isprintable() else string.translate(unwritable_characters())


def token_string(element: Element) -> str:
    content = "".join(element.itertext()) if len(element) else element.text or ""
    if content.isascii() and content.isprintable():
        return content.strip()
    return clean_string("".join([each for each in content if each not in INVISIBLE])).strip()


def operator_of(element: Element) -> str:
    """Return the operator that is the element's only content, or an empty string."""
    inner = unwrap(element)
    return token_string(inner) if inner.tag in {"mo", "mi", "mtext"} and not len(inner) else ""


def scripts_of(element: Element) -> tuple[Element | None, Element | None]:
    """Return the scripts below and above; `(None, None)` if malformed."""
    if len(element) != SCRIPTED.get(element.tag):
        return None, None
    if len(element) == 3:
        return element[1], element[2]
    return (element[1], None) if element.tag in {"msub", "munder"} else (None, element[1])


def is_arrow(sign: str) -> bool:
    """Whether a sign is an arrow or an equals sign, which stretch with their labels."""
    if len(sign) != 1:
        return False
    return "\u2190" <= sign <= "\u21ff" or "\u27f0" <= sign <= "\u27ff" or "\u2900" <= sign <= "\u297f" or sign == "="


def is_bond(element: Element) -> bool:
    """Whether an operator is a chemical bond, without space around it."""
    return element.tag == "mo" and element.get("class") == "bond"


def is_reaction(element: Element) -> bool:
    """Whether an operator is the arrow of a chemical reaction."""
    return element.tag == "mo" and element.get("class") == "reaction"


def is_phase(element: Element) -> bool:
    """Whether an operator marks what is before it as a gas or precipitate."""
    return element.tag == "mo" and element.get("class") == "phase"


def is_color(value: str) -> bool:
    return len(value) == 7 and value[0] == "#" and _HEXADECIMAL.issuperset(value[1:])


@lru_cache(maxsize=256)
def parse_length(value: str) -> float:
    """Return a length in em, clamped to ±100; 0 if invalid."""
    value = value.strip()
    number, unit = (value[:-2], value[-2:]) if value[-2:] in _EMS else (value, "em")
    try:
        ems = float(number) * _EMS[unit]
    except ValueError:
        return 0.0
    # With NaN, `max` and `min` return the other operand.
    return max(-_MAX_EMS, min(_MAX_EMS, ems))


def has_no_line(element: Element) -> bool:
    thickness = element.get("linethickness", "1px")
    return thickness not in {"thin", "medium", "thick"} and parse_length(thickness) == 0


def class_names(element: Element) -> list[str]:
    return element.get("class", "").split()


def is_table(table: Element) -> bool:
    rows = list(table)
    if not rows or has_stray_text(table):
        return False
    return all(row.tag in {"mtr", "mlabeledtr"} and not has_stray_text(row) for row in rows) and any(map(len, rows))


def is_label(cell: Element) -> bool:
    """Whether the cell is an equation number."""
    return "tag" in class_names(cell)


def row_labels(row: Element) -> list[Element]:
    return [row[0]] if row.tag == "mlabeledtr" and len(row) else [cell for cell in row if is_label(cell)]


def row_cells(row: Element) -> list[Element]:
    return list(row)[1:] if row.tag == "mlabeledtr" else [cell for cell in row if not is_label(cell)]


def is_aligned(table: Element) -> bool:
    """Whether each row is one formula, split into cells only for alignment."""
    if "aligned" in class_names(table):
        return True
    first = next((row for row in table if len(row)), None)
    if first is None:
        return False
    columns = table.get("columnalign", "").split() or [cell.get("columnalign", "") for cell in first]
    return len(columns) > 1 and all(each == _ALIGNED[column % 2] for column, each in enumerate(columns))


def cell_alignment(table: Element, cell: Element, column: int) -> str:
    columns = table.get("columnalign", "").split()
    of_column = columns[min(column, len(columns) - 1)] if columns else "center"
    for given in (*class_names(cell), cell.get("columnalign", ""), of_column):
        if given in {"left", "right"}:
            return given
    return "center"
