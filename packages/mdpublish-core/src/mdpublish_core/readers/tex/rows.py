"""Rows of MathML as TeX: delimiters around what is between them, braces, and the spaces that TeX adds by itself."""

from mdpublish_core.figures.math.delimiters import SIZES
from mdpublish_core.figures.math.mathml_builder import FUNCTION_APPLICATION, THIN
from mdpublish_core.figures.math.operators import CLOSING_FENCES, OPENING_FENCES
from mdpublish_core.figures.math.symbols import character_kind
from mdpublish_core.figures.math.tokens import format_ems
from mdpublish_core.readers.tex.nodes import Node
from mdpublish_core.readers.tex.tables import environment
from mdpublish_core.readers.tex.vocabulary import delimiter_command, function_command, join

_UPRIGHT = "\\mathrm{"
_ABBREVIATIONS = {
    "\\;\\Longleftrightarrow\\;": "\\iff ",
    "\\;\\Longrightarrow\\;": "\\implies ",
    "\\;\\Longleftarrow\\;": "\\impliedby ",
    "\\:\\mathrm{mod}\\:": "\\bmod ",
}


def write_row(node: Node) -> str:
    """Return the TeX of an element's children; note whether it is one atom."""
    row = _Row()
    is_applied = False  # the space after a function's name is still to come
    for index, child in enumerate(node.children):
        is_thin = child.tag == "mspace" and child.get("width") == THIN
        if is_thin and is_applied:
            is_applied = False
            continue
        is_applied = child.content == FUNCTION_APPLICATION or (is_applied and not child.tex.strip("\\ ,:;!"))
        sign = child.core().shown
        form, grows = _fence(child, index, len(node.children))
        if form == "prefix":
            row.open(delimiter_command(sign) or ".", child, grows=grows)
        elif form == "postfix" and (grows or (row.opened and not row.opened[-1][2])):
            row.close(delimiter_command(sign) or ".", child, grows=grows)
        elif form == "infix" and row.opened and row.opened[-1][2]:
            row.parts.append((f"\\middle{delimiter_command(sign)}", child))
        elif not (is_thin and _is_name(node.child(index + 1))):
            row.add(_item(node, index), child)
    while row.opened:
        start, left, grows = row.opened.pop()
        if grows:
            row.wrap(start, start + 1, left, ".")
    tex = join(part for part, _ in row.parts)
    for written, command in _ABBREVIATIONS.items():
        tex = tex.replace(written, command)
    node.is_single = len(row.parts) < 2 and all(each is None or each.is_single for _, each in row.parts)
    return tex


class _Row:
    """The parts of a row; two delimiters that grow make one of what is between."""

    __slots__ = ("growing", "opened", "parts", "tall")

    def __init__(self) -> None:
        self.growing = 0  # the number of opened delimiters that grow
        self.parts: list[tuple[str, Node | None]] = []
        self.opened: list[tuple[int, str, bool]] = []  # the opening part, its delimiter, and whether it grows
        self.tall = -1  # the last part that is tall

    def add(self, tex: str, node: Node) -> None:
        before, last = self.parts[-1] if self.parts else ("", None)
        if tex.startswith(_UPRIGHT) and node.tag == "mi" and last and last.tag == "mi" and before.startswith(_UPRIGHT):
            # KaTeX writes each letter of a word alone.
            self.parts[-1] = (before[:-1] + tex.removeprefix(_UPRIGHT), last)
        elif tex:
            self.tall = len(self.parts) if node.is_tall else self.tall
            is_number_apart = node.tag == "mn" and last is not None and last.tag == "mn"
            self.parts.append((f"{{{tex}}}" if is_number_apart else tex, node))

    def open(self, left: str, child: Node, *, grows: bool) -> None:
        self.growing += grows
        self.opened.append((len(self.parts), left, grows))
        self.parts.append((child.tex, child))

    def close(self, right: str, child: Node, *, grows: bool) -> None:
        while grows and self.growing and not self.opened[-1][2]:
            self.opened.pop()
        if not self.opened:
            self.wrap(0, 0, ".", right)
            return
        start, left, is_growing = self.opened.pop()
        self.growing -= is_growing
        if grows or is_growing or self.tall > start:
            self.wrap(start, start + 1, left, right)
        else:
            self.parts.append((child.tex, child))

    def wrap(self, start: int, first: int, left: str, right: str) -> None:
        """Put delimiters around the parts from `first` on, which replace those from `start` on."""
        inside = self.parts[first:]
        core = inside[0][1].core() if len(inside) == 1 and inside[0][1] else Node("mrow")
        tex = environment(core, left, right) if core.tag == "mtable" else ""
        if core.tag == "mfrac" and core.is_zero("linethickness"):
            tex = fraction_command(core, left, right)
        tex = tex or join((f"\\left{left}", *(part for part, _ in inside), f"\\right{right}"))
        self.tall = start
        self.parts[start:] = [(tex, None)]


def fraction_command(node: Node, left: str = ".", right: str = ".") -> str:
    """Return a fraction whose line has a width of its own, or none."""
    parts = f"{{{node.child(0).tex}}}{{{node.child(1).tex}}}"
    width = node.ems("linethickness")
    if not width and (left, right) == ("(", ")"):
        return f"\\binom{parts}"
    sides = "".join(f"{{{side.strip('.')}}}" for side in (left, right))
    return f"\\genfrac{sides}{{{format_ems(width) if width else '0pt'}}}{{}}{parts}"


def _fence(child: Node, index: int, count: int) -> tuple[str, bool]:
    """Return the form of a delimiter, empty if it is none, and whether it is said to grow."""
    node = child.core() if child.tag == "mrow" and len(child.children) == 1 else child
    sign = node.shown
    if node.tag != "mo" or node.get("stretchy") == "false" or node.get("minsize") in SIZES.values():
        return "", False
    grows = "true" in {node.get("stretchy"), node.get("fence")}
    grows = grows or not {"OPEN", "CLOSE"}.isdisjoint(each.get("data-mjx-texclass") for each in (node, child))
    natural = "prefix" if sign in OPENING_FENCES else "postfix" if sign in CLOSING_FENCES else ""
    if not grows or (sign and not delimiter_command(sign)):
        return natural if sign and sign in "()[]{}⟨⟩⌊⌋⌈⌉" else "", False
    is_last = index == count - 1 and index > 0
    return node.get("form") or natural or ("postfix" if is_last else "infix" if index else "prefix"), True


def _item(row: Node, index: int) -> str:
    child = row.children[index]
    before, after = row.child(index - 1) if index else Node("mrow"), row.child(index + 1)
    if child.tag == "mspace" and before.tex == "\\colon" and child.ems("width") < 0.35:
        return ""
    if child.tag == "mo":
        is_bare = child.is_zero("lspace") and child.is_zero("rspace") and not child.is_script
        is_between = before.tex and after.tex and "mo" not in {before.tag, after.tag}
        if is_bare and is_between and character_kind(child.shown or "x") in {"rel", "bin"}:
            return f"{{{child.tex}}}"
        return _bar(before, after) if child.tex == "\\mid" and child.get("stretchy") == "false" else child.tex
    if child.tag not in {"mrow", "mpadded", "mi"} or (child.is_single and child.tex):
        return child.tex
    if not child.tex:
        return "{}" if "bin" in {character_kind(each.shown or "x") for each in (before, after)} else ""
    edges = zip(child.children[:1] + child.children[-1:], (OPENING_FENCES, CLOSING_FENCES), strict=False)
    is_open = any(edge.tag == "mo" and edge.shown not in fences for edge, fences in edges)
    return f"{{{child.tex}}}" if is_open and len(row.children) > 1 else child.tex


def _bar(before: Node, after: Node) -> str:
    """KaTeX writes `lvert` and `rvert` as others write `mid`."""
    if not before.tex or (before.tag == "mo" and before.shown not in CLOSING_FENCES):
        return "\\lvert"
    is_end = not after.tex or (after.tag == "mo" and after.shown not in OPENING_FENCES)
    return "\\rvert" if is_end else "\\mid"


def _is_name(node: Node) -> bool:
    core = node.core(into_scripts=True)
    return core.is_name or (core.tag == "mi" and bool(function_command(core.shown)))
