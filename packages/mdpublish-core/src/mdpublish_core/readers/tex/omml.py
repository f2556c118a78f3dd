"""Office Math, as in Word's files and on its clipboard, to TeX: each element becomes its MathML.

Elements follow ISO/IEC 29500-1, 22.1 (Math). Their names are read in any case, since HTML's parser lowers them.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from mdpublish_core.figures.math.mathml_builder import FUNCTION_APPLICATION
from mdpublish_core.figures.math.omml import LITERAL
from mdpublish_core.figures.math.operators import BARS, INTEGRALS
from mdpublish_core.readers.tex.mathml import Element, local_name
from mdpublish_core.readers.tex.nodes import Node
from mdpublish_core.readers.tex.vocabulary import arrow_command, function_command
from mdpublish_core.readers.tex.writer import write_tex

_TOKEN = re.compile(
    r"(?P<mn>[0-9]+(?:[.,][0-9]+)*)|(?P<mi>[^\W\d_]+(?:[ \u2009][^\W\d_]+)*)"
    r"|(?P<mo>\S[\u0300-\u036f\u20d0-\u20ff]*)|(?P<mtext>\s)"
)
_VARIANTS = {"b": "bold", "bi": "bold-italic", "p": "normal"}
_PARTS = {
    "ssub": "msub e sub", "ssup": "msup e sup", "ssubsup": "msubsup e sub sup", "spre": "mmultiscripts e - sub sup",
    "limlow": "munder e lim", "limupp": "mover e lim", "f": "mfrac num den", "func": "mrow fname - e",
    "rad": "mroot e deg", "borderbox": "menclose e", "phant": "mpadded e",
}  # fmt: skip
"""MathML's element, and which parts are in it; `-` is `mprescripts`, or the application of a function."""

_STRIKES = {"strikeh": "horizontalstrike", "strikebltr": "updiagonalstrike", "striketlbr": "downdiagonalstrike"}
_SIDES = {"hidetop": "top", "hidebot": "bottom", "hideleft": "left", "hideright": "right"}
_UNREAD = ("pr", "del", "movefrom")


def tex_of_omml(element: Element) -> str:
    """Return the TeX of an `m:oMath` or `m:oMathPara`. Raises `ValueError` for what TeX cannot say, or too large."""
    is_block = local_name(element) == "omathpara"
    formulas = [_read(each) for each in (element if is_block else [element]) if local_name(each) == "omath"]
    rows = [Node("mtr", [Node("mtd", nodes)]) for nodes in formulas]
    lines = [Node("mtable", rows, attributes={"displaystyle": "true"})]
    return write_tex(Node("math", formulas[0] if len(formulas) == 1 else lines, is_display=is_block))


_Work = list[tuple[Element, list[Node]]]


def _read(formula: Element) -> list[Node]:
    nodes: list[Node] = []
    work: _Work = [(child, nodes) for child in reversed(formula)]
    arrays: list[Node] = []
    functions: list[Node] = []
    while work:
        element, siblings = work.pop()
        name = local_name(element)
        if name in _PARTS or name in _READERS:
            source = _Source(element, work)
            siblings += [_simple(source)] if name in _PARTS else _READERS[name](source)
            arrays += siblings[-1:] if name == "eqarr" else []
            functions += siblings[-1:] if name == "func" else []
        elif not name.endswith(_UNREAD):
            work += [(child, siblings) for child in reversed(element)]
    for array in arrays:
        _align(array)
    for function in functions:
        _attach(function)
    return nodes


class _Source:
    """An element, its properties, and what is still to be read."""

    def __init__(self, element: Element, work: _Work) -> None:
        self.element = element
        self.name = local_name(element)
        self._work = work
        properties = (each for child in element if local_name(child) == f"{self.name}pr" for each in child)
        self.values = {local_name(each): str((*each.values(), "1")[0]) for each in properties}

    def get(self, name: str, default: str) -> str:
        return self.values.get(name, default)

    def is_on(self, name: str, default: str = "0") -> bool:
        return self.get(name, default) not in {"0", "off", "false"}

    def all(self, name: str) -> list[Element]:
        return [child for child in self.element if local_name(child) == name]

    def string(self, name: str) -> str:
        """Return the beginning of a part's text."""
        return "".join(str(each) for part in self.all(name) for each in islice(part.itertext(), 8)).strip()

    def part(self, name: str) -> Node:
        return self.later("mrow", *self.all(name)[:1])

    def later(self, tag: str, *elements: Element) -> Node:
        """Return a node whose children are read later."""
        node = Node(tag)
        self._work += [(child, node.children) for each in elements for child in reversed(each)]
        return node


def _simple(source: _Source) -> Node:
    tag, *names = _PARTS[source.name].split()
    apart = Node("mprescripts") if tag == "mmultiscripts" else Node("mo", content=FUNCTION_APPLICATION)
    node = Node(tag, [apart if name == "-" else source.part(name) for name in names])
    if source.name == "f":
        kind = source.get("type", "bar").lower()
        node.attributes = {"nobar": {"linethickness": "0"}, "bar": {}}.get(kind, {"bevelled": "true"})
    elif source.name == "rad" and (source.is_on("deghide") or not source.string("deg")):
        node = Node("msqrt", node.children[:1])
    elif source.name == "borderbox":
        strikes = [strike for name, strike in _STRIKES.items() if source.is_on(name)]
        sides = [side for name, side in _SIDES.items() if not source.is_on(name)]
        node.attributes["notation"] = " ".join(strikes) or (sides[0] if sides in (["top"], ["bottom"]) else "box")
    elif source.name == "phant" and not source.is_on("show", "1"):
        flat = (("width", "zerowid"), ("height", "zeroasc"), ("depth", "zerodesc"))
        node.attributes = {length: "0" for length, name in flat if source.is_on(name)}
        node.children = [Node("mphantom", node.children)]
    return node


def _run(source: _Source) -> Iterator[Node]:
    content = re.sub(r"[ \t]*[\r\n]\s*", " ", "".join(map(str, source.element.itertext())))
    script, style = source.get("scr", "roman"), source.get("sty", "i")
    variant = _VARIANTS.get(style, "") if script == "roman" else "bold-" * (style in {"b", "bi"}) + script
    is_text = source.is_on("nor")
    variant = "normal" if is_text else variant
    if is_text and not LITERAL.fullmatch(content):
        yield Node("mtext", content=content)
        return
    if not variant and function_command(content.strip()):
        variant = "normal"  # LibreOffice writes names of functions as variables, each in a run of its own
    for match in _TOKEN.finditer(content):
        tag = match.lastgroup or ""
        # Variables are letters.
        for each in match[0] if tag == "mi" and variant != "normal" else (match[0],):
            attributes = {"stretchy": "false"} if tag == "mo" and each not in BARS else {"mathvariant": variant}
            yield Node("mtext" if each.isspace() else tag, content=each, attributes=attributes)


def _large_operator(source: _Source) -> list[Node]:
    sign = source.get("chr", "∫")
    is_stacked = source.get("limloc", "subSup" if sign in INTEGRALS else "undOvr").lower() == "undovr"
    places = {"sub": "under" if is_stacked else "sub", "sup": "over" if is_stacked else "sup"}
    shown = {name: place for name, place in places.items() if not source.is_on(f"{name}hide")}
    operator = Node("mo", content=sign)
    if shown:
        operator = Node(f"m{''.join(shown.values())}", [operator, *map(source.part, shown)])
    return [operator, source.part("e")]


def _delimiters(source: _Source) -> list[Node]:
    signs = [source.get("begchr", "("), source.get("sepchr", "|"), source.get("endchr", ")")]
    inside = source.all("e")
    attributes = {"fence": "true"} if len(inside) > 1 or "" in signs else {}
    attributes = attributes if source.is_on("grow", "1") else {"stretchy": "false"}
    opening, separator, closing = (
        Node("mo", content=sign, attributes={**attributes, "form": form})
        for sign, form in zip(signs, ("prefix", "infix", "postfix"), strict=True)
    )
    row = [node for each in inside for node in (separator, source.later("mrow", each))]
    return [Node("mrow", [opening, *row[1:], closing])]


def _mark(source: _Source) -> list[Node]:
    """Read an accent, a line, or a character that groups."""
    content, string = source.part("e"), source.string("e")
    position = source.get("pos", "top" if source.name == "acc" else "bot")
    line = "_" if position == "bot" else "¯" if len(string) == 1 else "‾"
    sign = line if source.name == "bar" else source.get("chr", "\u0302" if source.name == "acc" else "⏟")
    inside = {local_name(each) for part in source.all("e") for each in part}
    is_wide = source.name == "groupchr" or (source.name == "acc" and len(string) > 1 and inside <= {"r", "ctrlpr"})
    mark = Node("mo", content=sign, attributes={"stretchy": str(is_wide).lower()})
    if source.name == "groupchr" and arrow_command(sign) and source.get("vertjc", "top") == position:
        # The arrow is on the line, and the content is its label.
        return [Node("munder" if position == "top" else "mover", [mark, content])]
    return [Node("mover" if position == "top" else "munder", [content, mark])]


def _matrix(source: _Source) -> list[Node]:
    columns: list[str] = []
    for each in (each for properties in source.all("mpr") for each in properties.iter()):
        if local_name(each) == "mcpr":
            values = {local_name(value): str((*value.values(), "")[0]) for value in each}
            columns += [values.get("mcjc", "center")] * int(re.sub(r"\D", "", values.get("count", ""))[:2] or 1)
    rows = [[source.later("mtd", cell) for cell in row if local_name(cell) == "e"] for row in source.all("mr")]
    return [Node("mtable", [Node("mtr", cells) for cells in rows], attributes={"columnalign": " ".join(columns)})]


def _equations(source: _Source) -> list[Node]:
    rows = [Node("mtr", [source.later("mtd", each)]) for each in source.all("e")]
    return [Node("mtable", rows, attributes={"displaystyle": "true", "class": "numbered" * source.is_on("maxdist")})]


def _align(array: Node) -> None:
    """Split equations into cells at `&`, and from their numbers at `#`."""
    is_numbered = "numbered" in array.words
    for row in array.children:
        nodes, row.children = row.children[0].children, [Node("mtd")]
        marks = [place for place, node in enumerate(nodes) if is_numbered and node.content == "#"]
        end = marks[-1] if marks else len(nodes)
        number = Node("mtd", [Node("mrow", nodes[end + 1 :])], attributes={"class": "tag"})
        for node in nodes[:end]:
            if node.tag == "mo" and node.content == "&":
                row.children.append(Node("mtd"))
                array.attributes |= {"class": "aligned apart", "columnalign": "right left " * 32}
            else:
                row.children[-1].children.append(node)
        row.children += [number] if marks else []


def _attach(function: Node) -> None:
    """Give a function its limit: LibreOffice saves it as the script of an empty argument."""
    name, _, argument = function.children
    limits, script = name.core(), argument.core()
    if limits.tag == "munder" and script.tag == "msub" and not (limits.child(1).children or script.child(0).children):
        name.children, argument.children = [Node("msub", [limits.child(0), script.child(1)])], []


_READERS: dict[str, Callable[[_Source], Iterable[Node]]] = {
    "r": _run, "nary": _large_operator, "d": _delimiters, "m": _matrix, "eqarr": _equations,
    "acc": _mark, "bar": _mark, "groupchr": _mark,
}  # fmt: skip
