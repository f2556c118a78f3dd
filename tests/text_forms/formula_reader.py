"""Reads a formula's text form: what a mathematician takes it for, without knowing the TeX."""

import re

from mdpublish_core.strings.small_characters import SUBSCRIPTS, SUPERSCRIPTS
from tests.text_forms.formula_structure import CLOSING, GAP, OPENING, ROW, SPACE, Part, Script, characters, row

_SIGNS = {"°", "′", "″", "‴", "•"}
RAISED = {small: plain for plain, small in reversed(SUPERSCRIPTS.items()) if small not in _SIGNS}
LOWERED = {small: plain for plain, small in reversed(SUBSCRIPTS.items())}

NAMES = {
    "hat": "\u0302", "tilde": "\u0303", "overline": "\u0305", "breve": "\u0306", "overdot": "\u0307", "ddot": "\u0308",
    "ring": "\u030a", "acute": "\u0301", "check": "\u030c", "grave": "\u0300", "arrow": "\u20d7",
    "overrightharpoon": "\u20d1", "overleftarrow": "\u20d6", "overleftharpoon": "\u20d0", "overleftrightarrow": "\u20e1",
    "dddot": "\u20db", "ddddot": "\u20dc", "underline": "\u0332", "undertilde": "\u0330", "underrightarrow": "\u20ef",
    "underleftarrow": "\u20ee", "cancel": "\u0336",
    **{name: name for name in ("overset", "underset", "rows", "▭", "overbrace", "underbrace")},
}  # fmt: skip

_LEXEMES = re.compile(
    rf"""
    (?P<row>;[ ]{{2}}) | (?P<gap>[ ]{{2,}}) | (?P<space>[ ])
    | (?P<blank>_(?=[ ]))
    | (?P<script>[_^])
    | (?P<name>(?<![^\W\d_])(?:{"|".join(NAMES)})(?=\())
    | (?P<raised>[{"".join(RAISED)}]+) | (?P<lowered>[{"".join(LOWERED)}]+)
    | (?P<other>[^ _^;{"".join({*RAISED, *LOWERED})}▭]+?(?=\b(?:{"|".join(NAMES)})\(|[ _^;▭{"".join({*RAISED, *LOWERED})}]|$)|;)
    """,
    re.VERBOSE,
)
_ARGUMENT = re.compile(r"[A-Za-z0-9]+|.[\u0300-\u036f\u20d0-\u20ff]*")


def read_formula(line: str) -> Part:
    """Return the tree of a formula in one line."""
    return row(_parts(line))


def _parts(line: str) -> list[Part]:
    parts: list[Part] = []
    position = 0
    while position < len(line):
        match = _LEXEMES.match(line, position)
        assert match, (line, position)
        kind, content = str(match.lastgroup), match[0]
        is_detached = position == 0 or line[position - 1] in f" {OPENING}"
        position = match.end()
        if kind in {"row", "gap"}:
            parts.append(ROW if kind == "row" else GAP)
        elif kind == "space":
            parts.append(SPACE)
        elif kind in {"raised", "lowered"}:
            twins = RAISED if kind == "raised" else LOWERED
            inside = _parts("".join(twins[each] for each in content))
            is_degree = line[position : position + 1] == "√"
            parts.append(Script("^" if kind == "raised" else "_", inside, is_detached or is_degree))
        elif kind == "script":
            argument, position = _argument(line, position)
            parts.append(Script(content, _parts(argument), is_detached or line[position : position + 1] == "√"))
        elif kind == "name":
            parts.append(("name", NAMES[content]))
        elif kind == "blank":
            parts.append("_")
        else:
            parts += characters(content)
    return parts


def _argument(line: str, position: int) -> tuple[str, int]:
    """Return a script, which is in parentheses unless it is a word, a number or a character; and where it ends."""
    if line[position] != "(":
        match = _ARGUMENT.match(line, position)
        assert match
        return match[0], match.end()
    level = 0
    for end in range(position, len(line)):
        level += (line[end] in OPENING) - (line[end] in CLOSING)
        if level == 0:
            return line[position + 1 : end], end + 1
    raise AssertionError(f"parenthesis without an end: {line}")
