"""What elements of MathML are, to those who make something else of them.

The trees are those of `formulas`, and of anybody else: attributes that MathML Core no longer has (`columnalign`) are read
beside the classes that our own trees have instead.
"""

from functools import lru_cache
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.operators import INVISIBLE, unwritable_characters

ROWS = frozenset({"math", "mrow", "mstyle", "mpadded", "merror", "semantics", "mtd"})
"""Elements whose children stand in a row."""

HIDDEN = frozenset({"annotation", "annotation-xml", "none", "mprescripts", "malignmark", "maligngroup"})
"""Elements that show nothing of what is in them."""

SCRIPTED = {"msub": 2, "msup": 2, "msubsup": 3, "munder": 2, "mover": 2, "munderover": 3}
"""Elements of a base and what stands at it, and how many children they have."""

TOKENS = frozenset({"mi", "mn", "mo", "mtext", "ms"})
"""Elements that hold characters."""

_EMS = {"em": 1.0, "ex": 0.43, "px": 1 / 16, "pt": 0.1, "mu": 1 / 18, "in": 6.0, "cm": 2.36, "mm": 0.236}

_MAX_EMS = 100.0
"""A length is at most so many em: more pushes all else out of sight."""

_ALIGNED = ("right", "left")
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")


def has_stray_text(element: Element) -> bool:
    """Tell whether an element has characters of its own although it may hold elements alone."""
    content = element.text or ""
    return bool(content) and element.tag not in TOKENS and not content.isspace()


def unwrap(element: Element, rows: frozenset[str] = ROWS) -> Element:
    """Return the only thing in rows."""
    while element.tag in rows and len(element) == 1:
        element = element[0]
    return element


def clean_string(string: str) -> str:
    """Return text without controls and without what turns its direction; each space is an ordinary one."""
    return string if string.isascii() and string.isprintable() else string.translate(unwritable_characters())


def token_string(element: Element) -> str:
    """Return the characters of a token that somebody sees."""
    content = "".join(element.itertext()) if len(element) else element.text or ""
    if content.isascii() and content.isprintable():
        return content.strip()
    return clean_string("".join([each for each in content if each not in INVISIBLE])).strip()


def operator_of(element: Element) -> str:
    """Return the sign that is all of an element, which may stand in rows of its own; empty where it is none."""
    inner = unwrap(element)
    return token_string(inner) if inner.tag in {"mo", "mi", "mtext"} and not len(inner) else ""


def scripts_of(element: Element) -> tuple[Element | None, Element | None]:
    """Return what stands below and above the base of an element, if it has as many children as it must."""
    if len(element) != SCRIPTED.get(element.tag):
        return None, None
    if len(element) == 3:
        return element[1], element[2]
    return (element[1], None) if element.tag in {"msub", "munder"} else (None, element[1])


def is_arrow(sign: str) -> bool:
    """Tell whether a sign is an arrow, or another one that grows with its label."""
    if len(sign) != 1:
        return False
    return "\u2190" <= sign <= "\u21ff" or "\u27f0" <= sign <= "\u27ff" or "\u2900" <= sign <= "\u297f" or sign == "="


def is_color(value: str) -> bool:
    """Tell whether a text is a colour such as `#ff0000`."""
    return len(value) == 7 and value[0] == "#" and _HEXADECIMAL.issuperset(value[1:])


@lru_cache(maxsize=256)
def parse_length(value: str) -> float:
    """Return a length in em, at most 100 of them; 0 where the text is none."""
    value = value.strip()
    number, unit = (value[:-2], value[-2:]) if value[-2:] in _EMS else (value, "em")
    try:
        ems = float(number) * _EMS[unit]
    except ValueError:
        return 0.0
    # Of what is no number, `max` takes the other.
    return max(-_MAX_EMS, min(_MAX_EMS, ems))


def has_no_line(element: Element) -> bool:
    """Tell whether a fraction has no line: it is a binomial, or one thing on another."""
    thickness = element.get("linethickness", "1px")
    return thickness not in {"thin", "medium", "thick"} and parse_length(thickness) == 0


# --- Tables ---


def class_names(element: Element) -> list[str]:
    """Return the classes of an element."""
    return element.get("class", "").split()


def is_table(table: Element) -> bool:
    """Tell whether an element holds rows of cells alone, at least one of each."""
    rows = list(table)
    if not rows or has_stray_text(table):
        return False
    return all(row.tag in {"mtr", "mlabeledtr"} and not has_stray_text(row) for row in rows) and any(map(len, rows))


def is_label(cell: Element) -> bool:
    """Tell whether a cell is the number of an equation."""
    return "tag" in class_names(cell)


def row_labels(row: Element) -> list[Element]:
    """Return the numbers that a row has."""
    return [row[0]] if row.tag == "mlabeledtr" and len(row) else [cell for cell in row if is_label(cell)]


def row_cells(row: Element) -> list[Element]:
    """Return the cells of a row without its number."""
    return list(row)[1:] if row.tag == "mlabeledtr" else [cell for cell in row if not is_label(cell)]


def is_aligned(table: Element) -> bool:
    """Tell whether the cells of each row are parts of one formula, parted only to stand below one another."""
    if "aligned" in class_names(table):
        return True
    first = next((row for row in table if len(row)), None)
    if first is None:
        return False
    columns = table.get("columnalign", "").split() or [cell.get("columnalign", "") for cell in first]
    return len(columns) > 1 and all(each == _ALIGNED[column % 2] for column, each in enumerate(columns))


def cell_alignment(table: Element, cell: Element, column: int) -> str:
    """Return how a cell is aligned: `left`, `center` or `right`."""
    columns = table.get("columnalign", "").split()
    of_column = columns[min(column, len(columns) - 1)] if columns else "center"
    for given in (*class_names(cell), cell.get("columnalign", ""), of_column):
        if given in {"left", "right"}:
            return given
    return "center"
