"""Queries on the elements of a formula, for its writers.

Tokens have text and no elements, the others elements and no text; what a fraction, root or script needs is there.
"""

from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.operators import INVISIBLE, unwritable_characters

ROWS = frozenset({"math", "mrow", "mstyle", "mpadded", "mtd"})

SCRIPTED = frozenset({"msub", "msup", "msubsup", "munder", "mover", "munderover"})

TOKENS = frozenset({"mi", "mn", "mo", "mtext"})

_MAX_EMS = 100.0


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
    return token_string(inner) if inner.tag in {"mo", "mi", "mtext"} else ""


def scripts_of(element: Element) -> tuple[Element | None, Element | None]:
    """Return the scripts below and above."""
    if element.tag not in SCRIPTED:
        return None, None
    if len(element) == 3:
        return element[1], element[2]
    return (element[1], None) if element.tag in {"msub", "munder"} else (None, element[1])


def multiscripts_of(element: Element) -> tuple[list[list[Element]], list[list[Element]]]:
    """Return the pairs of scripts, below and above, after and before the base; the last pair may lack one."""
    scripts = list(element[1:])
    number = next((index for index, child in enumerate(scripts) if child.tag == "mprescripts"), len(scripts))
    after, before = (
        [side[index : index + 2] for index in range(0, len(side), 2)]
        for side in (scripts[:number], scripts[number + 1 :])
    )
    return after, before


def is_arrow(sign: str) -> bool:
    """Whether a sign is an arrow or an equals sign, which stretch with their labels."""
    if len(sign) != 1:
        return False
    return "\u2190" <= sign <= "\u21ff" or "\u27f0" <= sign <= "\u27ff" or "\u2900" <= sign <= "\u297f" or sign == "="


def is_chemical(element: Element, name: str) -> bool:
    """Whether an operator is a `bond`, the arrow of a `reaction`, or the `phase` of what is before it."""
    return element.tag == "mo" and element.get("class") == name


def parse_length(value: str) -> float:
    """Return a length in em, at most 100."""
    return min(float(value.removesuffix("em") or 0), _MAX_EMS)


def has_no_line(element: Element) -> bool:
    return element.get("linethickness") == "0"


def class_names(element: Element) -> list[str]:
    return element.get("class", "").split()


def is_label(cell: Element) -> bool:
    """Whether the cell is an equation number."""
    return "tag" in class_names(cell)


def row_labels(row: Element) -> list[Element]:
    return [cell for cell in row if is_label(cell)]


def row_cells(row: Element) -> list[Element]:
    return [cell for cell in row if not is_label(cell)]


def is_aligned(table: Element) -> bool:
    """Whether each row is one formula, split into cells only for alignment."""
    return "aligned" in class_names(table)


def cell_alignment(cell: Element) -> str:
    return next((name for name in class_names(cell) if name in {"left", "right"}), "center")
