"""Rows of MathML as TeX: delimiters around what is between them, spaces that TeX adds by itself, and braces."""

# ruff: noqa: RUF001  (signs that look like letters are what formulas are made of)

from typing import NamedTuple

from mdpublish_core.figures.math.delimiters import SIZES
from mdpublish_core.figures.math.lengths import format_ems
from mdpublish_core.figures.math.mathml_builder import FUNCTION_APPLICATION, THIN
from mdpublish_core.figures.math.operators import CLOSING_FENCES, OPENING_FENCES
from mdpublish_core.figures.math.symbols import character_kind
from mdpublish_core.readers.tex.nodes import Node
from mdpublish_core.readers.tex.tables import environment
from mdpublish_core.readers.tex.vocabulary import delimiter_command, function_command, join

_ABBREVIATIONS = (
    ("\\;\\Longleftrightarrow\\;", "\\iff "),
    ("\\;\\Longrightarrow\\;", "\\implies "),
    ("\\;\\Longleftarrow\\;", "\\impliedby "),
    ("\\:\\mathrm{mod}\\:", "\\bmod "),
)


def write_row(node: Node) -> str:
    """Return the TeX of an element's children; note whether it is one atom."""
    row = _Row()
    children = node.children
    is_applied = False  # the space after a function's name is still to come
    for index, child in enumerate(children):
        sign = child.core().shown
        if child.text == FUNCTION_APPLICATION:
            is_applied = True
        elif is_applied and child.get("width") == THIN and child.tag == "mspace":
            is_applied = False
            continue
        is_applied = is_applied and not child.tex.strip("\\ ,:;!")
        side, grows = _fence(child, index, len(children))
        if side == "prefix":
            row.open(sign, child, grows=grows)
        elif side == "postfix" and row.closes(grows=grows):
            row.close(sign, child, grows=grows)
        elif side == "infix" and row.opened and row.opened[-1].grows:
            row.add(f"\\middle{delimiter_command(sign)}", child)
        else:
            row.add(_item(node, index), child)
    tex, node.is_single = row.finish()
    return tex


class _Opening(NamedTuple):
    part: int
    delimiter: str
    grows: bool


class _Row:
    """The parts of a row; a pair of delimiters that grow makes one of what is between."""

    __slots__ = ("nodes", "opened", "tall", "texts")

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.nodes: list[Node | None] = []
        self.opened: list[_Opening] = []
        self.tall = -1  # the last part that is tall

    def add(self, tex: str, node: Node | None) -> None:
        upright = "\\mathrm{"
        if tex.startswith(upright) and node is not None and node.tag == "mi" and self.nodes and self.nodes[-1] is not None and self.nodes[-1].tag == "mi" and self.texts[-1].startswith(upright):
            # KaTeX writes each letter of a word alone.
            self.texts[-1] = self.texts[-1][:-1] + tex.removeprefix(upright)
        elif tex:
            self.tall = len(self.texts) if node is not None and node.is_tall else self.tall
            self.texts.append(tex)
            self.nodes.append(node)

    def open(self, sign: str, child: Node, *, grows: bool) -> None:
        self.opened.append(_Opening(len(self.texts), delimiter_command(sign) or ".", grows))
        self.texts.append(child.tex)
        self.nodes.append(child)

    def closes(self, *, grows: bool) -> bool:
        return grows or (bool(self.opened) and not self.opened[-1].grows)

    def close(self, sign: str, child: Node, *, grows: bool) -> None:
        right = delimiter_command(sign) or "."
        if grows and any(each.grows for each in self.opened):
            while not self.opened[-1].grows:
                self.opened.pop()
        if not self.opened:
            self._wrap(0, 0, ".", right)
            return
        opening = self.opened.pop()
        if grows or opening.grows or self.tall > opening.part:
            self._wrap(opening.part, opening.part + 1, opening.delimiter, right)
        else:
            self.add(child.tex, child)

    def finish(self) -> tuple[str, bool]:
        """Return the row, and whether it is one atom."""
        while self.opened:
            opening = self.opened.pop()
            if opening.grows:
                self._wrap(opening.part, opening.part + 1, opening.delimiter, ".")
        tex = join(self.texts)
        for written, command in _ABBREVIATIONS:
            tex = tex.replace(written, command)
        return tex, not self.texts or (len(self.texts) == 1 and (self.nodes[0] is None or self.nodes[0].is_single))

    def _wrap(self, start: int, first: int, left: str, right: str) -> None:
        """Put delimiters around the parts from `first` on, which replace those from `start` on."""
        only = self.nodes[first] if len(self.nodes) == first + 1 else None
        tex = "" if only is None else _fenced(only.core(), left, right)
        tex = tex or join((f"\\left{left}", *self.texts[first:], f"\\right{right}"))
        del self.texts[start:], self.nodes[start:]
        self.tall = start
        self.texts.append(tex)
        self.nodes.append(None)


def _fenced(core: Node, left: str, right: str) -> str:
    """Return what has delimiters of its own, or an empty string."""
    if core.tag == "mtable":
        return environment(core, left, right)
    if core.tag == "mfrac" and "linethickness" in core.attributes and not core.ems("linethickness"):
        return fenced_fraction(core, left, right)
    return ""


def fenced_fraction(node: Node, left: str, right: str) -> str:
    """Return a fraction whose line has a width of its own, or none."""
    above, below = (*node.children, Node("mrow"), Node("mrow"))[:2]
    width = node.ems("linethickness")
    if not width and (left, right) == ("(", ")"):
        return f"\\binom{{{above.tex}}}{{{below.tex}}}"
    sides = "".join(f"{{{'' if side == '.' else side}}}" for side in (left, right))
    return f"\\genfrac{sides}{{{format_ems(width) if width else '0pt'}}}{{}}{{{above.tex}}}{{{below.tex}}}"


def _fence(child: Node, index: int, count: int) -> tuple[str, bool]:
    """Return the form of a delimiter, empty if it is none, and whether it is said to grow."""
    node = child.core() if child.tag == "mrow" and len(child.children) == 1 else child
    if node.tag != "mo" or node.get("stretchy") == "false" or node.get("minsize") in SIZES.values():
        return "", False
    content = node.shown
    grows = "true" in {node.get("stretchy"), node.get("fence")} or bool(
        {"OPEN", "CLOSE"} & {node.get("data-mjx-texclass"), child.get("data-mjx-texclass")}
    )
    natural = "prefix" if content in OPENING_FENCES else "postfix" if content in CLOSING_FENCES else ""
    if (content or not grows) and not delimiter_command(content):
        return "", False
    if not grows:
        return (natural if content in "()[]{}⟨⟩⌊⌋⌈⌉" else ""), False
    is_last = index == count - 1 and index > 0
    return node.get("form") or natural or ("prefix" if not index else "postfix" if is_last else "infix"), True


def _item(row: Node, index: int) -> str:
    """Return a child's TeX in its row."""
    child = row.children[index]
    before = row.children[index - 1] if index else None
    after = row.children[index + 1] if index + 1 < len(row.children) else None
    if child.tag == "mspace":
        is_implied = child.get("width") == THIN and after is not None and _is_name(after)
        is_of_colon = before is not None and before.tex == "\\colon" and child.ems("width") < 0.35
        return "" if is_implied or is_of_colon else child.tex
    beside = [each for each in (before, after) if each is not None]
    if child.tag == "mo":
        is_bare = all(name in child.attributes and not child.ems(name) for name in ("lspace", "rspace"))
        is_bare = is_bare and not child.is_script and character_kind(child.shown or "x") in {"rel", "bin"}
        if is_bare and len(beside) == 2 and not any(each.tag == "mo" for each in beside):
            return f"{{{child.tex}}}"
        if child.tex == "\\mid" and child.get("stretchy") == "false":
            return _lone_bar(before, after)
        return child.tex
    if not child.tex:
        is_operand = child.tag in {"mrow", "mi"} and any(character_kind(each.shown or "x") == "bin" for each in beside)
        return "{}" if is_operand else ""
    if child.tag in {"mrow", "mpadded"} and not child.is_single and beside:
        first, last = child.children[0], child.children[-1]
        if (first.tag == "mo" and first.shown not in OPENING_FENCES) or (last.tag == "mo" and last.shown not in CLOSING_FENCES):
            return f"{{{child.tex}}}"
    return child.tex


def _lone_bar(before: Node | None, after: Node | None) -> str:
    """KaTeX writes `lvert` and `rvert` as others write `mid`."""
    if before is None or (before.tag == "mo" and before.shown not in CLOSING_FENCES):
        return "\\lvert"
    is_end = after is None or (after.tag == "mo" and after.shown not in OPENING_FENCES)
    return "\\rvert" if is_end else "\\mid"


def _is_name(node: Node) -> bool:
    core = node.core(into_scripts=True)
    return core.is_name or (core.tag == "mi" and bool(function_command(core.shown)))
