"""Elements' computed declarations under a user's stylesheet: variables, borders, colors that depend on the element.

Values that differ by element are kept as written until the cascade is known: those with `var()`, after a mark and with
the property they were written for, and the parts of borders.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from mdpublish_core.css.cascade import SIDES
from mdpublish_core.css.colors import blend
from mdpublish_core.css.matcher import StyleFactory
from mdpublish_core.css.normalize import BORDER_PARTS, INITIAL_BORDER, WIDE_KEYWORDS, Units, longhands, normalize
from mdpublish_core.css.tokens import Token, css_text, inner_tokens, is_deep, tokens_of, tokens_within

T = TypeVar("T", bound=Hashable)

MAX_VALUE_CHARACTERS = 4_000
"""Length of a value with its variables in place: each may use another twice, and so double it."""

_MAX_VARIABLE_DEPTH = 32

_PENDING = "\0"

RULE = "hr"
"""The only element whose height counts."""

_RULE_HEIGHT = "1px"

_OPAQUE, _TRANSLUCENT = len("#rrggbb"), len("#rrggbbaa")

_WHITE = "#ffffff"


def declared_longhands(name: str, value: str, units: Units) -> dict[str, str] | None:
    """Return what a declaration sets, None if no destination without stylesheets can use it."""
    if name.startswith("--"):
        return {name: value}
    if "var(" in value.lower():
        return dict.fromkeys(longhands(name), f"{_PENDING}{name}{_PENDING}{value}") or None
    return dict(normalize(name, value, units)) or None


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """What an element passes on; compared by identity."""

    color: str
    background: str
    variables: Mapping[str, str]
    parent: "Surroundings | None" = None
    known: dict[str, str | None] = field(default_factory=dict)

    def variable(self, name: str, depth: int = 0) -> str | None:
        """Return a variable's value, None if it has none or one that refers to itself."""
        if name in self.known:
            return self.known[name]
        self.known[name] = None
        around: Surroundings | None = self
        while around is not None and name not in around.variables:
            around = around.parent
        if around is None:
            return None
        value = around.variables[name]
        if around is self:
            value_or_none = substituted(value, self, depth + 1) if "var(" in value.lower() else value
        else:
            value_or_none = around.variable(name, depth)
        if value_or_none is not None and value_or_none.strip().lower() in WIDE_KEYWORDS:
            value_or_none = self.parent.variable(name, depth) if self.parent else None
        self.known[name] = value_or_none
        return value_or_none


def substituted(value: str, surroundings: Surroundings, depth: int = 0) -> str | None:
    """Return a value with its variables in place, None if one has no value or it becomes too long."""
    if depth > _MAX_VARIABLE_DEPTH or len(value) > MAX_VALUE_CHARACTERS:
        return None
    tokens = tokens_of(value)
    if is_deep(tokens):
        return None
    result = _joined(tokens, surroundings, depth)
    return result if result is not None and len(result) <= MAX_VALUE_CHARACTERS else None


def _joined(tokens: Iterable[Token], surroundings: Surroundings, depth: int) -> str | None:
    parts = [_part(token, surroundings, depth) for token in tokens]
    return None if None in parts else "".join(part or "" for part in parts)


def _part(token: Token, surroundings: Surroundings, depth: int) -> str | None:
    if token.type == "function" and token.lower_name == "var":
        name, comma, fallback = css_text(token.arguments).partition(",")
        if (value := surroundings.variable(name.strip(), depth)) is not None:
            return value
        return substituted(fallback, surroundings, depth + 1) if comma else None
    inner = inner_tokens(token) if token.type in {"function", "() block"} else ()
    if token.type == "() block" or any(
        each.type == "function" and each.lower_name == "var" for each in tokens_within(inner)
    ):
        content = _joined(inner, surroundings, depth)
        return None if content is None else f"{token.name if token.type == 'function' else ''}({content})"
    return " " if token.type == "whitespace" else css_text([token])


@dataclass(frozen=True, slots=True)
class UserStyle(Generic[T]):
    """A destination's style, and what its element passes on."""

    style: T
    surroundings: Surroundings


class UserStyleFactory(Generic[T]):
    """Makes a destination's styles of cascaded declarations; `bare` removes a condition's marks from an element."""

    def __init__(self, make_style: StyleFactory[T], bare: Callable[[str], str], units: Units) -> None:
        self._make_style = make_style
        self._bare = bare
        self._units = units
        # Equal surroundings must be identical, as styles are cached by them.
        self._known: dict[tuple[object, ...], Surroundings] = {}
        self._root = Surroundings("#000000", _WHITE, {})

    def __call__(self, element: str, declared: Mapping[str, str], parent: UserStyle[T] | None) -> UserStyle[T]:
        around = parent.surroundings if parent else self._root
        variables = {name: value for name, value in declared.items() if name.startswith("--")}
        inside = self._surroundings(around.color, around.background, variables, around) if variables else around
        values = _Values(inside, around, self._units)
        for name, value in declared.items():
            if not name.startswith("--"):
                values.declare(name, value)
        resolved = values.resolved()
        height = resolved.pop("height", None)
        if self._bare(element) == RULE:
            _draw_rule(resolved, height)
        inside = self._surroundings(values.color, values.background, variables, around)
        style = self._make_style(self._bare(element), resolved, parent.style if parent else None)
        return UserStyle(style, inside)

    def _surroundings(
        self, color: str, background: str, variables: Mapping[str, str], parent: Surroundings
    ) -> Surroundings:
        if not variables and (color, background) == (parent.color, parent.background):
            return parent
        key = (id(parent), color, background, tuple(variables.items()))
        return self._known.setdefault(key, Surroundings(color, background, variables, parent))


def _draw_rule(values: dict[str, str], height: str | None) -> None:
    """Draw a thematic break that is a bar of its background as a border, which destinations draw."""
    color = values.get("background-color", "transparent")
    if color != "transparent" and all(values.get(f"border-{side}", "0") == "0" for side in SIDES):
        values["background-color"] = "transparent"
        values["border-top"] = f"{_RULE_HEIGHT if height in {None, '0'} else height} solid {color}"


class _Values:
    """Values of one element, in the order of the cascade."""

    def __init__(self, inside: Surroundings, around: Surroundings, units: Units) -> None:
        self._inside = inside
        self._around = around
        self._units = units
        self._declared: dict[str, str] = {}
        self._borders: dict[str, dict[str, str]] = {}
        self.color = around.color
        self.background = around.background

    def declare(self, name: str, value: str) -> None:
        if value.startswith(_PENDING):
            _, written, source = value.split(_PENDING)
            complete = substituted(source, self._inside)
            value = dict(normalize(written, complete, self._units)).get(name, "unset") if complete else "unset"
        side, _, part = name.removeprefix("border-").partition("-")
        if side in SIDES and name.startswith("border-"):
            self._declare_border(side, part, value)
        elif value in WIDE_KEYWORDS or (name == "color" and value == "currentcolor"):
            self._declared.pop(name, None)
            if name == "background-color" and value == "inherit":
                self._declared[name] = self._around.background
        else:
            self._declared[name] = value

    def _declare_border(self, side: str, part: str, value: str) -> None:
        if part:
            parts = self._borders.setdefault(side, dict(INITIAL_BORDER))
            parts[part] = INITIAL_BORDER[part] if value in WIDE_KEYWORDS else value
            return
        # A template's, which is written as a whole.
        words = value.split(" ", 2)
        whole = words if len(words) == len(BORDER_PARTS) else ["0", "none", "currentcolor"]
        self._borders[side] = dict(zip(BORDER_PARTS, whole, strict=True))

    def resolved(self) -> dict[str, str]:
        values = self._declared
        if "color" in values:
            values["color"] = self.color = opaque(values["color"], self._around.background)
        if (background := values.get("background-color")) is not None:
            background = self.color if background == "currentcolor" else background
            values["background-color"] = opaque(background, self._around.background)
            if values["background-color"] != "transparent":
                self.background = values["background-color"]
        for side, parts in self._borders.items():
            values[f"border-{side}"] = self._border(parts)
        return values

    def _border(self, parts: Mapping[str, str]) -> str:
        color = self.color if parts["color"] == "currentcolor" else opaque(parts["color"], self.background)
        if parts["style"] == "none" or color == "transparent" or not parts["width"].strip("0.pxemt"):
            return "0"
        return f"{parts['width']} {parts['style']} {color}"


def opaque(color: str, ground: str) -> str:
    """Return a color as it looks on a ground."""
    if len(color) != _TRANSLUCENT or not color.startswith("#"):
        return color
    is_opaque = len(ground) == _OPAQUE and ground.startswith("#")
    return blend(color[:_OPAQUE], ground if is_opaque else _WHITE, int(color[_OPAQUE:], 16) / 255)
