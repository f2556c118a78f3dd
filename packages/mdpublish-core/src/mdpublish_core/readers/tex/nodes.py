"""Elements of presentation MathML, and the style that each inherits."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from mdpublish_core.figures.math.mathml_builder import FUNCTION_APPLICATION
from mdpublish_core.figures.math.operators import INVISIBLE
from mdpublish_core.figures.math.tokens import MAX_CHARACTERS, parse_ems

MAX_NODES = 20_000
MAX_DEPTH = 250

SCRIPTED = frozenset({"msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts"})

_UNSEEN = INVISIBLE | {"\ufe0e", "\ufe0f"}
_NAMED_SPACES = ("veryverythin", "verythin", "thin", "medium", "thick", "verythick", "veryverythick")


@dataclass(slots=True, eq=False)
class Node:
    """An element, and what is known of it."""

    tag: str
    children: "list[Node]" = field(default_factory=list)
    content: str = ""  # of a token
    attributes: dict[str, str] = field(default_factory=dict)
    is_display: bool = False
    is_script: bool = False
    is_name: bool = False  # of a function, which is applied

    tex: str = ""
    is_single: bool = True  # whether the TeX is one atom, to which scripts can be added
    is_tall: bool = False

    def get(self, name: str) -> str:
        return self.attributes.get(name, "")

    def child(self, index: int) -> "Node":
        """Return a child; an empty row if it is missing."""
        return self.children[index] if index < len(self.children) else Node("mrow")

    @property
    def shown(self) -> str:
        return "".join(each for each in self.content if each not in _UNSEEN).strip()

    @property
    def words(self) -> list[str]:
        return self.get("class").split()

    def ems(self, name: str) -> float:
        """Return a length in em; 0 if it is none, or relative."""
        value = self.get(name).lstrip("+").removesuffix("mathspace")
        space = value.removeprefix("negative")
        if space in _NAMED_SPACES:
            return (_NAMED_SPACES.index(space) + 1) / (18 if space == value else -18)
        return parse_ems(value) or 0.0

    def is_zero(self, name: str) -> bool:
        return name in self.attributes and not self.ems(name)

    def core(self, *, into_scripts: bool = False) -> "Node":
        """Return the only content of rows, and the base of scripts."""
        node = self
        while True:
            shown = [each for each in node.children if each.tag != "mspace" and (each.tag != "mo" or each.shown)]
            if into_scripts and node.tag in SCRIPTED:
                node = node.child(0)
            elif node.tag in {"mrow", "mstyle", "mpadded"} and len(shown) == 1:
                node = shown[0]
            else:
                return node


def check_length(string: str) -> None:
    if len(string) > MAX_CHARACTERS:
        raise ValueError(f"the formula must be at most {MAX_CHARACTERS:,} characters of TeX; split it")


def inherit(root: Node) -> Iterator[Node]:
    """Yield parents before their children, which inherit their style. Raises `ValueError` for a formula too large."""
    stack = [(root, 0)]
    count = 0
    while stack:
        node, depth = stack.pop()
        count += 1
        if count > MAX_NODES or depth > MAX_DEPTH:
            raise ValueError(f"the formula must have at most {MAX_NODES:,} elements, {MAX_DEPTH} deep; split it")
        check_length(node.content)
        _pass_style(node)
        yield node
        stack += [(child, depth + 1) for child in node.children]


def _pass_style(node: Node) -> None:
    # Environments set the style of their cells, and a box that of its content.
    if node.tag == "mtable" and True in [_unstyle(cell) for row in node.children for cell in row.children]:
        node.attributes.setdefault("displaystyle", "true")
    elif node.tag == "menclose":
        _unstyle(node)
    is_display, is_script = node.is_display, node.is_script
    if node.tag == "mfrac":
        is_display, is_script = False, is_script or not is_display
    elif node.tag == "mtable" or "displaystyle" in node.attributes:
        is_display = node.get("displaystyle") == "true"
    if node.tag == "mstyle" and "scriptlevel" in node.attributes:
        is_script = node.get("scriptlevel") not in {"0", "+0"}
    for index, child in enumerate(node.children):
        is_raised = index > 0 and (node.tag in SCRIPTED or node.tag == "mroot")
        child.is_display, child.is_script = is_display and not is_raised, is_script or is_raised
        if "mathvariant" in node.attributes:
            child.attributes.setdefault("mathvariant", node.get("mathvariant"))
        if index and child.content.strip() == FUNCTION_APPLICATION:
            node.children[index - 1].core(into_scripts=True).is_name = True


def _unstyle(node: Node) -> bool:
    """Make rows of the styles around all of a content; return whether one is displayed."""
    is_display = False
    while len(node.children) == 1 and node.children[0].tag in {"mstyle", "mrow"}:
        node = node.children[0]
        if node.tag == "mstyle" and node.attributes.keys() <= {"displaystyle", "scriptlevel"}:
            is_display = node.attributes.pop("displaystyle", "") == "true"
            node.tag = "mrow"
    return is_display
