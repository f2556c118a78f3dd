"""Elements of presentation MathML, and the style that each inherits."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from mdpublish_core.figures.math.lengths import parse_ems
from mdpublish_core.figures.math.mathml_builder import FUNCTION_APPLICATION
from mdpublish_core.figures.math.operators import INVISIBLE

MAX_NODES = 20_000
MAX_DEPTH = 250

SCRIPTED = frozenset({"msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts"})

_UNSEEN = INVISIBLE | {"\ufe0e", "\ufe0f"}

_NAMED_SPACES = ("", "veryverythin", "verythin", "thin", "medium", "thick", "verythick", "veryverythick")
"""By width in 1/18 em."""


@dataclass(slots=True, eq=False)
class Node:
    """An element, and what is known of it."""

    tag: str
    children: "list[Node]" = field(default_factory=list)
    text: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    is_display: bool = False
    is_script: bool = False
    is_name: bool = False
    """Whether it is applied, as a function is."""

    tex: str = ""
    is_single: bool = True
    """Whether its TeX is one atom, to which scripts can be added."""

    is_tall: bool = False

    def get(self, name: str) -> str:
        return self.attributes.get(name, "")

    @property
    def shown(self) -> str:
        """The text of a token."""
        return "".join(each for each in self.text if each not in _UNSEEN).strip()

    @property
    def words(self) -> list[str]:
        return self.get("class").split()

    def ems(self, name: str) -> float:
        """Return a length in em; 0 if it is none, or relative."""
        value = self.get(name).lstrip("+")
        space = value.removesuffix("mathspace").removeprefix("negative")
        if value.endswith("mathspace") and space in _NAMED_SPACES:
            return _NAMED_SPACES.index(space) / (-18 if value.startswith("negative") else 18)
        return parse_ems(value) or 0.0

    def core(self, *, into_scripts: bool = False) -> "Node":
        """Return the only content of rows, and the base of scripts."""
        node = self
        while node.children:
            if into_scripts and node.tag in SCRIPTED:
                node = node.children[0]
                continue
            seen = [each for each in node.children if each.tag != "mspace" and (each.tag != "mo" or each.shown)]
            if node.tag not in {"mrow", "mstyle", "mpadded"} or len(seen) != 1:
                break
            node = seen[0]
        return node


def inherit(root: Node) -> Iterator[Node]:
    """Yield parents before their children, which inherit their style. Raises `ValueError` for a formula too large."""
    stack = [(root, 0)]
    count = 0
    while stack:
        node, depth = stack.pop()
        count += 1
        if count > MAX_NODES or depth > MAX_DEPTH:
            raise ValueError(f"the formula must have at most {MAX_NODES:,} elements, {MAX_DEPTH} deep; split it")
        _pass_style(node)
        yield node
        stack += [(child, depth + 1) for child in node.children]


def _pass_style(node: Node) -> None:
    if node.tag == "mtable" and any([_unstyle(cell) for row in node.children for cell in row.children]):
        node.attributes.setdefault("displaystyle", "true")
    elif node.tag == "menclose":
        _unstyle(node)
    is_display, is_script = _inner_style(node)
    has_scripts = node.tag in SCRIPTED or node.tag == "mroot"
    for index, child in enumerate(node.children):
        is_raised = has_scripts and index > 0
        child.is_display, child.is_script = is_display and not is_raised, is_script or is_raised
        if "mathvariant" in node.attributes:
            child.attributes.setdefault("mathvariant", node.get("mathvariant"))
        if index and child.text.strip() == FUNCTION_APPLICATION:
            node.children[index - 1].core(into_scripts=True).is_name = True


def _inner_style(node: Node) -> tuple[bool, bool]:
    if node.tag == "mtable":
        return node.get("displaystyle") == "true", node.is_script
    if node.tag == "mfrac":
        return False, node.is_script or not node.is_display
    if node.tag in {"math", "mstyle"}:
        is_display = node.get("displaystyle") == "true" if "displaystyle" in node.attributes else node.is_display
        is_script = node.get("scriptlevel") not in {"0", "+0"} if "scriptlevel" in node.attributes else node.is_script
        return is_display, is_script
    return node.is_display, node.is_script


def _unstyle(outer: Node) -> bool:
    """Make rows of the styles around a whole content, which its environment has; return whether one is displayed."""
    is_display = False
    node = outer
    while len(node.children) == 1 and node.children[0].tag in {"mstyle", "mrow"}:
        node = node.children[0]
        if node.tag == "mstyle" and node.attributes.keys() <= {"displaystyle", "scriptlevel"}:
            is_display = node.attributes.pop("displaystyle", "") == "true"
            node.tag = "mrow"
    return is_display
