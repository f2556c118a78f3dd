"""How to comply with notes on partial support: per feature the notes' numbers, the rule, and its check.

A partly supported feature is forbidden if neither this table nor `email`'s exceptions have it, or its data a note.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.linters.css import lengths, words
from tests.linters.tree import Node

Check = Callable[[Node, str], bool]
"""Called with an element, and a property's or attribute's value."""


@dataclass(frozen=True, slots=True)
class PartialSupportRule:
    notes: frozenset[int]
    rule: str
    is_met: Check


CELLS = frozenset({"td", "th"})
_MAX_BORDER = {"": 8.0, "px": 8.0, "pt": 6.0}
"""The widest in Outlook for Windows, by unit."""
_LIST_MARKS = frozenset(
    {"none", "disc", "circle", "square", "decimal", "lower-alpha", "lower-roman", "upper-alpha", "upper-roman"}
)


def _never(_node: Node, _value: str) -> bool:
    return False


def _one_color(_node: Node, value: str) -> bool:
    return value == "transparent" or re.fullmatch(r"#(?:[0-9a-fA-F]{3}){1,2}", value) is not None


def _row_border(node: Node) -> bool:
    """Whether a row's lines are drawn: by Outlook for Windows if its cells have them, too."""
    tables = [holder for holder in node.ancestors() if holder.tag == "table"]
    return node.tag == "tr" and "class" in tables[0].attributes and tables[0].style.get("border-collapse") == "collapse"


def _always(_node: Node, _value: str) -> bool:
    return True


def _is_none(value: str) -> bool:
    return value == "none" or (not words(value) and {length.number for length in lengths(value)} == {0})


def _border(node: Node, value: str) -> bool:
    if node.tag == "img":
        return _is_none(value)
    return (node.tag in CELLS | {"table"} or _row_border(node)) and all(
        length.number <= _MAX_BORDER.get(length.unit, 0) for length in lengths(value)
    )


def _font_size(_node: Node, value: str) -> bool:
    return len(sizes := lengths(value)) == 1 and sizes[0].unit in {"px", "pt", "em"}


def _font_weight(_node: Node, value: str) -> bool:
    return value in {"normal", "bold"} or re.fullmatch(r"[1-9]00", value) is not None


def _letter_spacing(_node: Node, value: str) -> bool:
    sizes = lengths(value)
    return value == "normal" or all(length.unit in {"", "px", "pt"} and length.number >= -2 for length in sizes)


def is_exact(node: Node) -> bool:
    """Return whether Word treats the inherited line height as exact."""
    for holder in (node, *node.ancestors()):
        if rule := holder.style.get("mso-line-height-rule"):
            return rule == "exactly"
    return False


def _line_height(node: Node, value: str) -> bool:
    return all(length.unit in {"", "%"} for length in lengths(value)) or is_exact(node)


def _margin(node: Node, value: str) -> bool:
    negative = any(length.number < 0 for length in lengths(value))
    # Outlook for Windows paints the background under the margin.
    painted = not _is_none(value) and "background-color" in node.style and node.tag not in CELLS | {"table", "body"}
    return node.tag != "span" and not negative and "auto" not in words(value) and not painted


def _margin_of_body(node: Node, value: str) -> bool:
    # Outlook for Windows ignores it; others have a default to reset.
    return _is_none(value) if node.tag == "body" else _margin(node, value)


def _rgb(_node: Node, value: str) -> bool:
    # Gmail drops style attributes with space-separated numbers.
    return all(
        re.fullmatch(r"\s*\d+\s*,\s*\d+\s*,\s*\d+\s*", inside) for inside in re.findall(r"rgb\(([^()]*)\)", value)
    )


def _display(node: Node, value: str) -> bool:
    return value == "none" and node.tag != "img" and not node.find("table", "img")


def _text_decoration(node: Node, value: str) -> bool:
    struck = any(holder.tag == "del" for holder in (node, *node.ancestors()))
    return value in {"none", "underline"} or (value == "line-through" and struck)


def _text_indent(_node: Node, value: str) -> bool:
    return all(length.number >= 0 for length in lengths(value))


def _in_full_pixels(node: Node, value: str) -> bool:
    return value.isdecimal() if node.tag == "img" else True


def _lists(node: Node, _value: str) -> bool:
    return "reversed" not in node.attributes and not (node.tag == "li" and "value" in node.attributes)


def _in_head(node: Node, _value: str) -> bool:
    return any(holder.tag == "head" for holder in node.ancestors())


def _rules_by_note(notes: str, rule: str, keeps: Check) -> PartialSupportRule:
    return PartialSupportRule(frozenset(map(int, notes.split())), rule, keeps)


def _one_of(*values: str) -> Check:
    return lambda _node, value: value in values


def _on(*tags: str) -> Check:
    return lambda node, _value: node.tag in tags


def _not_on(*tags: str) -> Check:
    return lambda node, _value: node.tag not in tags


PARTIAL_SUPPORT_RULES = {
    "css-background": _rules_by_note("1 2 3", "one colour: Outlook for Windows knows no others", _one_color),
    "css-border": _rules_by_note(
        "1 2",
        "at most 8px, on table, th and td alone, on tr where a class gives them to the cells, too, or none on img "
        "(Outlook for Windows)",
        _border,
    ),
    "css-comments": _rules_by_note("1 2", "no comments in a style attribute", _never),
    "css-display": _rules_by_note(
        "1 4 5 6", "only none, and not on what is or holds a picture or a table (Outlook for Windows)", _display
    ),
    "css-display-none": _rules_by_note(
        "1 2", "not on what is or holds a picture or a table (Outlook for Windows)", _display
    ),
    "css-font-size": _rules_by_note(
        "1 2", "one length in px, pt or em: no rem (Outlook, Yahoo), no % and no larger (Samsung)", _font_size
    ),
    "css-font-weight": _rules_by_note(
        "1 2", "normal, bold or a multiple of 100 (Yahoo); below 600 is normal in Outlook for Windows", _font_weight
    ),
    "css-important": _rules_by_note("1 2 4 5 7", "not in a style attribute (Outlook for Windows)", _never),
    "css-letter-spacing": _rules_by_note("1 2", "in px or pt, and not below -2 (Outlook for Windows)", _letter_spacing),
    "css-line-height": _rules_by_note(
        "1", "a bare number or %, or else with mso-line-height-rule:exactly (Outlook for Windows)", _line_height
    ),
    "css-list-style": _rules_by_note(
        "1 2 3", "only a type, better as list-style-type (Gmail, Outlook)", lambda _node, value: value in _LIST_MARKS
    ),
    "css-margin": _rules_by_note(
        "1 2 3 4",
        "neither negative (all) nor auto nor on span or, but none, on body, and not beside a background-color "
        "(Outlook for Windows)",
        _margin_of_body,
    ),
    "css-max-width": _rules_by_note("1", "only on table (Outlook for Windows)", _on("table")),
    "css-padding": _rules_by_note("1 2", "only on td and th (Outlook for Windows)", _on("td", "th")),
    "css-rgb": _rules_by_note("1 2 3", "three whole numbers with commas between (Gmail, Outlook, Yahoo)", _rgb),
    "css-text-align": _rules_by_note(
        "1 3 5", "left, right, center or justify (Outlook, Yahoo)", _one_of("left", "right", "center", "justify")
    ),
    "css-text-decoration": _rules_by_note(
        "1 2 3",
        "none, underline, or line-through in del, and one of them (Outlook for Windows): Gmail drops it in other "
        "providers' accounts, so that it may carry no meaning",
        _text_decoration,
    ),
    "css-text-indent": _rules_by_note("1", "not negative (Gmail, Yahoo)", _text_indent),
    "css-text-transform": _rules_by_note(
        "1", "none, uppercase or capitalize (Outlook for Windows)", _one_of("none", "uppercase", "capitalize")
    ),
    "css-width": _rules_by_note(
        "1", "not on body, span, div, p or img (Outlook for Windows)", _not_on("body", "span", "div", "p", "img")
    ),
    "html-align": _rules_by_note(
        "3",
        "a table only in the centre (Outlook for Mac)",
        lambda node, value: node.tag != "table" or value == "center",
    ),
    "html-background": _rules_by_note("1 2", "no background pictures (Outlook for Windows, Gmail)", _never),
    "html-base": _rules_by_note("1 3 4", "no base: addresses are whole", _never),
    "html-dfn": _rules_by_note(
        "1", "without a title (Outlook for Windows)", lambda node, _value: "title" not in node.attributes
    ),
    "html-dir": _rules_by_note("3", "not on a (Outlook for Windows)", _not_on("a")),
    "html-height": _rules_by_note("1 2", "on img a whole number of pixels (Outlook for Windows)", _in_full_pixels),
    "html-lang": _rules_by_note("1", "not on td and th (Yahoo)", _not_on("td", "th")),
    "html-lists": _rules_by_note(
        "1 2", "no reversed (none has it), no value on li (Outlook for Windows ends the list)", _lists
    ),
    "html-mailto-links": _rules_by_note("3", "as the author wrote it: bcc is lost in Yahoo on Android", _always),
    "html-role": _rules_by_note("2", "only on table (Yahoo)", _on("table")),
    "html-strike": _rules_by_note("1", "write del: Gmail drops strike in other providers' accounts", _never),
    "html-style": _rules_by_note("1 2 4 6", "only in head (Gmail)", _in_head),
    "html-width": _rules_by_note("1 2", "on img a whole number of pixels (Outlook for Windows)", _in_full_pixels),
}
"""Other partly supported features are selectors in head, and formats."""
