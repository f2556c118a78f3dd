"""Office Math, as in Word's files and on its clipboard, to TeX: each element becomes its MathML.

Elements follow ISO/IEC 29500-1, 22.1 (Math). Their names are read in any case, since HTML's parser lowers them.
"""

# ruff: noqa: RUF001  (signs that look like letters are what formulas are made of)

import re
from collections.abc import Callable, Iterable

from lxml import etree

from mdpublish_core.figures.math.mathml_builder import FUNCTION_APPLICATION
from mdpublish_core.figures.math.operators import INTEGRALS
from mdpublish_core.readers.tex.mathml import local_name
from mdpublish_core.readers.tex.nodes import MAX_NODES, Node
from mdpublish_core.readers.tex.vocabulary import arrow_command
from mdpublish_core.readers.tex.writer import write_tex

_WORD = r"[^\W\d_]+(?:[ \u2009][^\W\d_]+)*"
_TOKEN = re.compile(rf"(?P<mn>[0-9]+(?:[.,][0-9]+)*)|(?P<mi>{_WORD})|(?P<mo>\S[\u0300-\u036f\u20d0-\u20ff]*)|(?P<mtext>\s)")
_VARIANTS = {"b": "bold", "bi": "bold-italic", "p": "normal"}
_STRIKES = {"strikeh": "horizontalstrike", "strikebltr": "updiagonalstrike", "striketlbr": "downdiagonalstrike"}
_SIDES = {"hidetop": "top", "hidebot": "bottom", "hideleft": "left", "hideright": "right"}
_DELETED = frozenset({"del", "movefrom"})
_ALIGNMENT_MARK = "&"


def tex_of_omml(element: etree._Element) -> str:
    """Return the TeX of an element `m:oMath` or `m:oMathPara`.

    Raises `ValueError` for what TeX cannot say, and for a formula too large.
    """
    is_block = local_name(element) == "omathpara"
    formulas = [each for each in element if local_name(each) == "omath"] if is_block else [element]
    reader = _Reader()
    roots = [Node("math", reader.read(each)) for each in formulas]
    if len(roots) == 1:
        root = roots[0]
    else:
        rows = [Node("mtr", [Node("mtd", each.children)]) for each in roots]
        root = Node("math", [Node("mtable", rows, attributes={"displaystyle": "true"})])
    root.is_display = is_block
    return write_tex(root)


_Properties = dict[str, str]


def _properties(source: etree._Element) -> _Properties:
    """Return the values of an element's properties; a value that is absent is on."""
    own = f"{local_name(source)}pr"
    return {
        local_name(each): next((str(value) for key, value in each.items() if str(key).lower().endswith("val")), "1")
        for child in source
        if local_name(child) == own
        for each in child
    }


def _is_on(properties: _Properties, name: str) -> bool:
    return properties.get(name, "0").lower() not in {"0", "off", "false"}


def _string(source: etree._Element | None) -> str:
    return "" if source is None else "".join(map(str, source.itertext())).strip()


class _Reader:
    """Reads elements in order, with a stack of its own for what is inside."""

    def __init__(self) -> None:
        self._inside: list[tuple[etree._Element, list[Node]]] = []
        self._arrays: list[Node] = []
        self._count = 0

    def read(self, formula: etree._Element) -> list[Node]:
        nodes: list[Node] = []
        self._inside.append((formula, nodes))
        while self._inside:
            source, siblings = self._inside.pop()
            self._count += 1
            if self._count > MAX_NODES:
                raise ValueError(f"the formula must have at most {MAX_NODES:,} elements; split it")
            name = local_name(source)
            if name in _READERS:
                siblings += _READERS[name](self, source, _properties(source))
            elif not name.endswith("pr") and name not in _DELETED:
                self._inside += [(child, siblings) for child in reversed(source)]
        for table in self._arrays:
            _align(table)
        return nodes

    def _part(self, source: etree._Element, name: str, tag: str = "mrow") -> Node:
        return self._holder(_child(source, name), tag)

    def _holder(self, source: etree._Element | None, tag: str = "mrow") -> Node:
        """Return the node of what is read later."""
        node = Node(tag)
        if source is not None:
            self._inside += [(child, node.children) for child in reversed(source)]
        return node

    def run(self, source: etree._Element, properties: _Properties) -> Iterable[Node]:
        content = re.sub(r"[ \t]*[\r\n]\s*", " ", "".join(map(str, source.itertext())))
        if _is_on(properties, "nor"):
            return [Node("mtext", text=content)]
        script, style = properties.get("scr", "roman"), properties.get("sty", "i")
        variant = _VARIANTS.get(style, "")
        if script != "roman":
            variant = f"bold-{script}" if style in {"b", "bi"} else script
        return [node for match in _TOKEN.finditer(content) for node in _tokens(match, variant)]

    def fraction(self, source: etree._Element, properties: _Properties) -> Iterable[Node]:
        kind = properties.get("type", "bar").lower()
        attributes = {"linethickness": "0"} if kind == "nobar" else {"bevelled": "true"} if kind in {"lin", "skw"} else {}
        return [Node("mfrac", [self._part(source, "num"), self._part(source, "den")], attributes=attributes)]

    def root(self, source: etree._Element, properties: _Properties) -> Iterable[Node]:
        base = self._part(source, "e")
        if _is_on(properties, "deghide") or not _string(_child(source, "deg")):
            return [Node("msqrt", [base])]
        return [Node("mroot", [base, self._part(source, "deg")])]

    def scripts(self, source: etree._Element, _: _Properties) -> Iterable[Node]:
        tag = {"ssub": "msub", "ssup": "msup", "ssubsup": "msubsup", "limlow": "munder", "limupp": "mover"}[local_name(source)]
        parts = ("e", "lim") if tag in {"munder", "mover"} else ("e", "sub", "sup") if len(tag) > 4 else ("e", tag[1:])
        return [Node(tag, [self._part(source, part) for part in parts])]

    def prescripts(self, source: etree._Element, _: _Properties) -> Iterable[Node]:
        base, sub, sup = (self._part(source, part) for part in ("e", "sub", "sup"))
        return [Node("mmultiscripts", [base, Node("mprescripts"), sub, sup])]

    def large_operator(self, source: etree._Element, properties: _Properties) -> Iterable[Node]:
        sign = properties.get("chr", "∫")
        is_stacked = properties.get("limloc", "subSup" if sign in INTEGRALS else "undOvr").lower() == "undovr"
        names = [name for name in ("sub", "sup") if not _is_on(properties, f"{name}hide")]
        places = {"sub": "under", "sup": "over"}
        tag = "m" + "".join(places[name] if is_stacked else name for name in names)
        operator = Node("mo", text=sign)
        shown = Node(tag, [operator, *(self._part(source, name) for name in names)]) if names else operator
        return [shown, self._part(source, "e")]

    def function(self, source: etree._Element, _: _Properties) -> Iterable[Node]:
        return [self._part(source, "fname"), Node("mo", text=FUNCTION_APPLICATION), self._part(source, "e")]

    def delimiters(self, source: etree._Element, properties: _Properties) -> Iterable[Node]:
        opening, closing = properties.get("begchr", "("), properties.get("endchr", ")")
        inside = [child for child in source if local_name(child) == "e"]
        grows = properties.get("grow") not in {"0", "off"}
        must_grow = grows and (len(inside) > 1 or not opening or not closing)
        attributes = {} if grows and not must_grow else {"fence": "true"} if grows else {"stretchy": "false"}
        row = [Node("mo", text=opening, attributes={**attributes, "form": "prefix"})]
        for index, each in enumerate(inside):
            if index:
                row.append(Node("mo", text=properties.get("sepchr", "|"), attributes={**attributes, "form": "infix"}))
            row.append(self._holder(each))
        return [Node("mrow", [*row, Node("mo", text=closing, attributes={**attributes, "form": "postfix"})])]

    def accent(self, source: etree._Element, properties: _Properties) -> Iterable[Node]:
        base = _child(source, "e")
        is_wide = len(_string(base)) > 1 and base is not None and {local_name(each) for each in base} <= {"r", "ctrlpr"}
        mark = Node("mo", text=properties.get("chr", "\u0302"), attributes={"stretchy": "true" if is_wide else "false"})
        return [Node("mover", [self._holder(base), mark])]

    def bar(self, source: etree._Element, properties: _Properties) -> Iterable[Node]:
        is_over = properties.get("pos", "bot") == "top"
        sign = "_" if not is_over else "¯" if len(_string(_child(source, "e"))) == 1 else "‾"
        mark = Node("mo", text=sign, attributes={"stretchy": "false"})
        return [Node("mover" if is_over else "munder", [self._part(source, "e"), mark])]

    def group_character(self, source: etree._Element, properties: _Properties) -> Iterable[Node]:
        sign, position = properties.get("chr", "⏟"), properties.get("pos", "bot")
        mark = Node("mo", text=sign, attributes={"stretchy": "true"})
        content = self._part(source, "e")
        if arrow_command(sign) and properties.get("vertjc", "top") == position:
            # The arrow is on the line, and the content is its label.
            return [Node("munder" if position == "top" else "mover", [mark, content])]
        return [Node("mover" if position == "top" else "munder", [content, mark])]

    def border(self, source: etree._Element, properties: _Properties) -> Iterable[Node]:
        strikes = [strike for name, strike in _STRIKES.items() if _is_on(properties, name)]
        sides = [side for name, side in _SIDES.items() if not _is_on(properties, name)]
        notation = " ".join(strikes) or (sides[0] if sides in (["top"], ["bottom"]) else "box")
        return [Node("menclose", [self._part(source, "e")], attributes={"notation": notation})]

    def phantom(self, source: etree._Element, properties: _Properties) -> Iterable[Node]:
        content = self._part(source, "e")
        if _is_on({"show": "1", **properties}, "show"):
            return [content]
        lengths = (("width", "zerowid"), ("height", "zeroasc"), ("depth", "zerodesc"))
        flat = {length: "0" for length, name in lengths if _is_on(properties, name)}
        return [Node("mpadded", [Node("mphantom", [content])], attributes=flat)]

    def matrix(self, source: etree._Element, _: _Properties) -> Iterable[Node]:
        columns: list[str] = []
        for each in source.iter():
            if local_name(each) == "mcpr":
                values = {local_name(value): str(next(iter(value.values()), "")) for value in each}
                count = values.get("count", "1")
                columns += [values.get("mcjc", "center")] * min(int(count) if count.isdecimal() else 1, 64)
        rows = [
            Node("mtr", [self._holder(cell, "mtd") for cell in row if local_name(cell) == "e"])
            for row in source
            if local_name(row) == "mr"
        ]
        return [Node("mtable", rows, attributes={"columnalign": " ".join(columns)})]

    def equations(self, source: etree._Element, _: _Properties) -> Iterable[Node]:
        rows = [Node("mtr", [self._holder(each, "mtd")]) for each in source if local_name(each) == "e"]
        self._arrays.append(Node("mtable", rows, attributes={"displaystyle": "true"}))
        return self._arrays[-1:]


def _child(source: etree._Element, name: str) -> etree._Element | None:
    return next((child for child in source if local_name(child) == name), None)


def _tokens(match: re.Match[str], variant: str) -> Iterable[Node]:
    tag, content = match.lastgroup or "", match[0]
    if tag == "mi" and variant != "normal":
        # Variables are letters.
        shown = [Node("mtext" if each.isspace() else tag, text=each) for each in content]
    else:
        shown = [Node(tag, text=content)]
    for node in shown:
        node.attributes = {"stretchy": "false"} if tag == "mo" else {"mathvariant": variant}
    return shown


def _align(table: Node) -> None:
    """Split the rows of an array of equations into cells."""
    for row in table.children:
        cells = [Node("mtd")]
        for node in row.children[0].children:
            if node.tag == "mo" and node.text == _ALIGNMENT_MARK:
                cells.append(Node("mtd"))
            else:
                cells[-1].children.append(node)
        row.children = cells
    if any(len(row.children) > 1 for row in table.children):
        table.attributes |= {"class": "aligned apart", "columnalign": "right left " * 32}


_READERS: dict[str, Callable[[_Reader, etree._Element, _Properties], Iterable[Node]]] = {
    "r": _Reader.run,
    "f": _Reader.fraction,
    "rad": _Reader.root,
    **dict.fromkeys(("ssub", "ssup", "ssubsup", "limlow", "limupp"), _Reader.scripts),
    "spre": _Reader.prescripts,
    "nary": _Reader.large_operator,
    "func": _Reader.function,
    "d": _Reader.delimiters,
    "acc": _Reader.accent,
    "bar": _Reader.bar,
    "groupchr": _Reader.group_character,
    "borderbox": _Reader.border,
    "phant": _Reader.phantom,
    "m": _Reader.matrix,
    "eqarr": _Reader.equations,
}
