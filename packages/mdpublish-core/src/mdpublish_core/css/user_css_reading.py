"""Reading of user stylesheets: nested rules flattened, mistakes and what could load or run anything left out."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

from mdpublish_core.css.selectors import InvalidSelector, Selector
from mdpublish_core.css.tokens import (
    MAX_DEPTH,
    SPACE,
    Token,
    blocks_contents,
    css_text,
    is_deep,
    rule_list,
    split_at,
    stylesheet,
    tokens_within,
    trimmed,
)
from mdpublish_core.css.user_selectors import RefusedSelector, read_selectors
from mdpublish_core.errors import InvalidStylesheet

MAX_SELECTORS = 10_000
"""Selectors of a stylesheet, with nested rules flattened; popular stylesheets have up to 1,500."""

_MAX_SUGGESTIONS = 20
"""Unknown properties for which a similar one is looked up; each takes a few milliseconds."""

_MAX_WHAT = 100
"""Characters of what is left out; more is never shown."""

_LOADING = frozenset(
    {
        *("url", "src", "image", "image-set", "-webkit-image-set", "cross-fade", "-webkit-cross-fade", "element"),
        *("-moz-element", "paint", "expression"),
    }
)
"""Functions that load or run something."""

_RUNNING = frozenset({"behavior", "behaviour", "-moz-binding", "-ms-behavior"})

_REM = re.compile(r"(?<![\w.#-])(\d+\.?\d*|\.\d+)rem\b")

_SCRIPT = re.compile(r"javascript\s*:|</|<!--", re.IGNORECASE)

_PROPERTY = re.compile(r"--(?:[\w-]|[^\x00-\x7f])+|-[a-z]+-[a-z-]+")
"""Custom and vendor-prefixed properties, which are not listed."""

_RESET = frozenset({"initial", "unset", "revert", "revert-layer"})

_KEYWORDS = {"all": _RESET, "position": _RESET | {"static", "relative", "absolute", "sticky", "-webkit-sticky"}}
"""The allowed values of properties that could cover the page around the document, as `fixed` does; none inherits."""

_IGNORED_AT_RULES = frozenset({"charset", "layer"})
"""Rules ignored without a notice: without a block, `@layer` only sets an order."""

LeftOutKind = Literal["at-rules", "selectors", "properties", "values", "not CSS", "not allowed", "rules"]

Complex = list[Token]


class LeftOut(NamedTuple):
    """A part of a stylesheet that a destination does not get; `hint` is about a mistake."""

    kind: LeftOutKind
    what: str
    hint: str = ""


class Declaration(NamedTuple):
    """A declaration as written; its value is on one line."""

    name: str
    value: str
    is_important: bool


@dataclass(frozen=True, slots=True, eq=False)
class UserRule:
    """A style rule, compared by identity."""

    selectors: tuple[Selector, ...]
    declarations: tuple[Declaration, ...]
    media: str | None
    """A list of media queries."""


@dataclass(frozen=True, slots=True, eq=False)
class UserStylesheet:
    """A stylesheet as read, compared by identity; `left_out` is what no destination gets."""

    rules: tuple[UserRule, ...]
    left_out: tuple[LeftOut, ...]


class _Parents(NamedTuple):
    """The selectors of a rule, as tokens for nested rules."""

    complexes: list[Complex]
    selectors: list[Selector]


@cache
def _properties() -> frozenset[str]:
    """Return the names of properties, from npm's mdn-data 2.37.2 (CC0)."""
    return frozenset((files("mdpublish_core.css") / "properties.txt").read_text("utf-8").split())


def read_stylesheet(css: str) -> UserStylesheet:
    """Raise `InvalidStylesheet` for text without any rule."""
    if (nodes := stylesheet(css)) and all(node.type == "error" for node in nodes):
        raise InvalidStylesheet("has no rules, such as h1 { color: #005f73 }", nodes[0].source_line)
    reading = _Reading()
    reading.read_rules(nodes, None, None, 0)
    return UserStylesheet(tuple(with_root_size(reading.rules)), tuple(reading.left_out))


class _Reading:
    def __init__(self) -> None:
        self.rules: list[UserRule] = []
        self.left_out: list[LeftOut] = []
        self._selectors = 0
        self._suggestions = 0

    def read_rules(self, nodes: Iterable[Token], parents: _Parents | None, media: str | None, depth: int) -> None:
        """Read rules, and the declarations among them, which are those of `parents`."""
        declarations: list[Declaration] = []
        inner: list[Token] = []
        for node in nodes:
            if node.type == "declaration" and parents:
                self._read_declaration(node, declarations)
            elif node.type in {"qualified-rule", "at-rule"}:
                inner.append(node)
            else:
                self._leave_out("not CSS", node.message if node.type == "error" else node.name, node)
        if declarations and parents:
            self.rules.append(UserRule(tuple(parents.selectors), tuple(declarations), media))
        for node in inner:
            if depth >= MAX_DEPTH:
                self._leave_out("rules", "rules nested too deep", node)
            elif node.type == "at-rule":
                self._read_at_rule(node, parents, media, depth)
            else:
                self._read_style_rule(node, parents, media, depth)

    def _read_at_rule(self, node: Token, parents: _Parents | None, media: str | None, depth: int) -> None:
        keyword = node.lower_at_keyword
        if keyword in _IGNORED_AT_RULES and node.content is None:
            return
        if keyword not in {"media", "supports", "layer"} or node.content is None or is_deep(node.prelude):
            self._leave_out("at-rules", f"@{keyword}", None)
            return
        condition = css_text(node.prelude)
        if keyword == "media":
            if media is not None and "," in media + condition:
                self._leave_out("at-rules", "@media in @media", node)
                return
            if _SCRIPT.search(condition) or not condition or not _is_writable(node.prelude):
                self._leave_out("not CSS", f"@media {condition}", node)
                return
            media = condition if media is None else f"{media} and {condition}"
        elif keyword == "supports" and condition.lower().startswith("not"):
            self._leave_out("at-rules", f"@supports {condition}", None)
            return
        contents = rule_list(node.content) if parents is None else blocks_contents(node.content)
        self.read_rules(contents, parents, media, depth + 1)

    def _read_style_rule(self, node: Token, parents: _Parents | None, media: str | None, depth: int) -> None:
        if is_deep(node.prelude):
            self._leave_out("not CSS", "a selector nested too deep", node)
            return
        complexes: list[Complex] = [list(trimmed(part)) for part in split_at(node.prelude, ",")]
        count = len(complexes) * (len(parents.complexes) if parents else 1)
        if self._selectors + count > MAX_SELECTORS:
            self._leave_out("rules", f"rules past {MAX_SELECTORS:,} selectors", None)
            return
        self._selectors += count
        if parents is not None:
            complexes = [_nested(parent, each) for parent in parents.complexes for each in complexes]
        try:
            parents = self._read_selectors(complexes, node)
        except InvalidSelector:
            self._leave_out("not CSS", css_text(node.prelude), node)
            return
        if parents.selectors:
            self.read_rules(blocks_contents(node.content or ()), parents, media, depth + 1)

    def _read_selectors(self, complexes: Iterable[Complex], node: Token) -> _Parents:
        read = _Parents([], [])
        for each in complexes:
            try:
                selectors = read_selectors(each)
            except RefusedSelector as refused:
                self._leave_out("selectors", str(refused), node)
                continue
            if _SCRIPT.search(selectors[0].css):
                self._leave_out("not allowed", "</ in a selector", node)
                continue
            read.complexes.append(each)
            read.selectors.extend(selectors)
        return read

    def _read_declaration(self, node: Token, declarations: list[Declaration]) -> None:
        name = node.name if node.name.startswith("--") else node.lower_name
        values = _values(node)
        if name in _RUNNING:
            self._leave_out("not allowed", name, node)
        elif name not in _properties() and not _PROPERTY.fullmatch(name):
            self._leave_out("not CSS", name, node, self._suggestion(name))
        elif is_deep(values):
            self._leave_out("values", f"{name}, nested too deep", node)
        elif (forbidden := _forbidden(name, values)) is not None:
            self._leave_out("not allowed", forbidden, node)
        else:
            value = css_text(values)
            if not _is_writable(values):
                self._leave_out("not CSS", f"{name}: {value}", node)
            elif value or name.startswith("--"):
                declarations.append(Declaration(name, value, node.important))

    def _suggestion(self, name: str) -> str:
        self._suggestions += 1
        if self._suggestions > _MAX_SUGGESTIONS or len(name) > max(map(len, _properties())):
            return ""
        similar = get_close_matches(name, sorted(_properties()), 1)
        return f"; did you mean `{similar[0]}`?" if similar else ""

    def _leave_out(self, kind: LeftOutKind, what: str, node: Token | None, hint: str = "") -> None:
        hint = f"line {node.source_line}{hint}" if node else ""
        self.left_out.append(LeftOut(kind, " ".join(what[:_MAX_WHAT].split()), hint))


def _values(node: Token) -> Sequence[Token]:
    value: object = node.value
    assert isinstance(value, list), "that of a declaration is a list of tokens"
    return trimmed(value)


def _is_writable(tokens: Sequence[Token]) -> bool:
    """Whether written tokens end where they did: blocks of declarations, errors and a lone backslash might not."""
    return not any(
        each.type in {"{} block", "error"} or (each.type == "literal" and each.value == "\\")
        for each in tokens_within(tokens)
    )


def _forbidden(name: str, values: Sequence[Token]) -> str | None:
    for token in tokens_within(values):
        if token.type in {"url", "bad-url"} or (token.type == "error" and "url" in token.message):
            return "url()"
        if token.type == "error":
            return f"{name} with an unfinished value"
        if token.type == "function" and token.lower_name in _LOADING:
            return f"{token.lower_name}()"
        if token.type in {"string", "ident"} and (match := _SCRIPT.search(token.value)):
            return match[0]
    value = css_text(values)
    # Also `var()`, whose value may be another on each element.
    if name in _KEYWORDS and value.lower() not in _KEYWORDS[name]:
        return f"{name}: {value}"
    match = _SCRIPT.search(value)
    return match[0] if match else None


def _nested(parent: Complex, selector: Complex) -> Complex:
    """Return a nested selector with its parent in place of `&`."""
    if any(token.type == "literal" and token.value == "&" for token in selector):
        return [
            each
            for token in selector
            for each in (parent if token.type == "literal" and token.value == "&" else [token])
        ]
    return [*parent, SPACE, *selector]


def with_root_size(rules: Sequence[UserRule]) -> Iterator[UserRule]:
    """Replace `rem` where `html` has a font size: what surrounds the document has another one."""
    size = 16.0
    for rule in rules:
        if rule.media is None and any(selector.is_html for selector in rule.selectors):
            for name, value, _ in rule.declarations:
                size = _font_size(value, size) if name == "font-size" else size
    for rule in rules:
        is_html = any(selector.is_html for selector in rule.selectors)
        declarations = tuple(_with_root_size(each, size, is_html=is_html) for each in rule.declarations)
        yield UserRule(rule.selectors, declarations, rule.media)


def _font_size(value: str, default: float) -> float:
    if not (match := re.fullmatch(r"([\d.]+)(px|%)", value)):
        return default
    size = float(match[1]) * (1 if match[2] == "px" else default / 100)
    return size if 1 <= size <= 100 else default


def _with_root_size(declaration: Declaration, size: float, *, is_html: bool) -> Declaration:
    name, value, is_important = declaration
    if is_html and name == "font-size" and _font_size(value, 16.0) == size:
        return Declaration(name, f"{size:g}px", is_important)
    if size == 16.0 or "rem" not in value or '"' in value:
        return declaration
    return Declaration(name, _REM.sub(lambda match: f"{float(match[1]) * size:.5g}px", value), is_important)
