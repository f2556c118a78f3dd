r"""Numbers of equations, and the labels by which `\ref` and `\eqref` refer to them.

They count as in LaTeX: through the whole document, a line at a time, without those with `\tag`, `\notag` or a star.
"""

from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.mathml_builder import build_leaf

_MAX_NAME = 40


@dataclass(slots=True)
class EquationLine:
    """What the commands in a formula, or in a row of an environment, say of its number."""

    tag: Element | None = None
    name: str = ""
    """The tag as text, without parentheses."""

    is_unnumbered: bool = False
    labels: list[str] = field(default_factory=list)

    def set_tag(self, tag: Element, name: str) -> None:
        self.tag = tag
        self.name = name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 1]}…"


@dataclass(frozen=True, slots=True)
class Reference:
    r"""`\ref` or `\eqref`."""

    label: str
    element: Element
    """Shows the label until its number is known."""

    has_parentheses: bool

    def shown(self, name: str) -> str:
        return f"({name})" if self.has_parentheses else name


@dataclass(slots=True)
class Numbering:
    """The equations of a formula, or of the document up to here."""

    number: int = 0
    names: dict[str, str] = field(default_factory=dict)
    """By label."""

    has_references: bool = False
    unnumbered: set[str] = field(default_factory=set)
    """Labels of formulas without a number."""

    references: list[Reference] = field(default_factory=list)

    def finish(self, line: EquationLine, *, is_numbered: bool) -> None:
        """Set the number of a line if it has no tag, and give its number to its labels."""
        if is_numbered and line.tag is None and not line.is_unnumbered:
            self.number += 1
            line.set_tag(build_leaf("mtext", f"({self.number})"), str(self.number))
        if line.tag is not None:
            for label in line.labels:
                self.names.setdefault(label, line.name)
            line.labels = []

    def refer(self, label: str, *, has_parentheses: bool) -> Element:
        # With an attribute of its own, it is not joined with text beside it.
        element = build_leaf("mtext", "", reference=str(len(self.references)))
        reference = Reference(label, element, has_parentheses)
        element.text = reference.shown(label)
        self.references.append(reference)
        return element

    def add(self, formula: "Numbering") -> None:
        """Add the next formula of the document, which began at this one's number."""
        self.number = formula.number
        for label, name in formula.names.items():
            self.names.setdefault(label, name)
        self.unnumbered |= formula.unnumbered
        self.has_references = self.has_references or bool(formula.references)

    def resolve(self, reference: Reference) -> str:
        """Return what is wrong with a reference, or nothing: then it shows its number."""
        name = self.names.get(reference.label)
        if name is not None:
            reference.element.text = reference.shown(name)
            return ""
        if reference.label in self.unnumbered:
            return "is on a formula without a number; number it by \\begin{equation} or \\tag"
        return "is not defined; add \\label to the formula that it means"
