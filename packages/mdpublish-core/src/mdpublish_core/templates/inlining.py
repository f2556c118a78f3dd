"""User stylesheets applied by premailer, for destinations without stylesheets.

A first rendering collects the elements without text, premailer computes their declarations on that tree, and a second
rendering uses them. premailer has no network access, and sees only link URLs of the author's.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from mdpublish_core.resources.characters import replace_invalid
from mdpublish_core.templates.cascade import parse_declarations
from mdpublish_core.templates.css_normalize import normalize_declarations
from mdpublish_core.templates.matcher import CompiledStylesheet, StyleFactory
from mdpublish_core.templates.stylesheet import Rule, scoped_css
from mdpublish_core.templates.user_css import exclusive_cssutils

if TYPE_CHECKING:
    from lxml.etree import _Element

T = TypeVar("T", bound=Hashable)

_SCOPE = "mdpublish"

# Classes, since premailer gives the pseudo-classes no weight.
_FIRST_CHILD, _LAST_CHILD = "first-child", "last-child"

_ANCESTORS = ("html", "body")
"""For selectors with the weight of types."""

_SHORTHANDS = frozenset({"margin", "padding", "border"})

_MAX_SHORTHAND_VALUES = 4


class Collector(Generic[T]):
    """A cursor that records elements for a second rendering."""

    def __init__(self, sheet: CompiledStylesheet[T]) -> None:
        from lxml import etree

        self._new = etree.Element
        self._cursor = sheet.cursor()
        self._open: list[_Element] = []
        self.elements: list[tuple[str, _Element]] = []

    def enter(self, element: str, *, last: bool = False, attributes: Mapping[str, str] | None = None) -> T:
        """Record an element and return its style from the template alone."""
        type_, *classes = element.split(".")
        if self._open:
            classes += [_FIRST_CHILD] * (len(self._open[-1]) == 0) + [_LAST_CHILD] * last
        valid = {name: replace_invalid(value) for name, value in (attributes or {}).items()}
        node = self._new("div" if type_ == "&" else type_, {**valid, "class": " ".join(classes)})
        if self._open:
            self._open[-1].append(node)
        self._open.append(node)
        self.elements.append((element, node))
        return self._cursor.enter(element, last=last)

    def leave(self) -> None:
        self._open.pop()
        self._cursor.leave()

    @property
    def current(self) -> T:
        return self._cursor.current


class Inliner(Generic[T]):
    """A cursor that returns the recorded elements' styles."""

    def __init__(
        self, collector: Collector[T], template: Iterable[Rule], user_rules: Iterable[Rule], make_style: StyleFactory[T]
    ) -> None:
        self._elements = iter(_inlined_declarations(collector.elements, template, user_rules))
        self._make_style = make_style
        self._results: list[T] = []

    def enter(self, element: str, *, last: bool = False, attributes: Mapping[str, str] | None = None) -> T:
        del last, attributes
        collected, declared = next(self._elements)
        assert collected == element, f"{element} where {collected} was noted"
        parent = self._results[-1] if self._results else None
        result = self._make_style(element, declared, parent)
        self._results.append(result)
        return result

    def leave(self) -> None:
        self._results.pop()

    @property
    def current(self) -> T:
        return self._results[-1]


def _inlined_declarations(
    elements: "Sequence[tuple[str, _Element]]", template: Iterable[Rule], user_rules: Iterable[Rule]
) -> list[tuple[str, dict[str, str]]]:
    from lxml import etree
    from premailer import Premailer

    _, root = elements[0]
    root.set("class", _SCOPE)
    page = etree.Element("html")
    etree.SubElement(page, "body").append(root)
    marked = [_with_marker_classes(rule, number, root) for number, rule in enumerate(user_rules) if rule.media is None]
    rules = (_with_sides(rule) for rule in (*map(_with_class_weights, template), *marked) if rule.selectors)
    with exclusive_cssutils():
        Premailer(
            page,
            css_text=[scoped_css(rules, _SCOPE)],
            allow_network=False,
            allow_loading_external_files=False,
            disable_leftover_css=True,
            disable_validation=True,
            disable_basic_attributes=["width", "height", "align", "valign", "bgcolor"],
            align_floating_images=False,
            include_star_selectors=True,
            strip_important=True,
        ).transform()
        return [(element, dict(normalize_declarations(node.get("style") or ""))) for element, node in elements]


def _with_class_weights(rule: Rule) -> Rule:
    selectors = (
        selector.replace(f":{_FIRST_CHILD}", f".{_FIRST_CHILD}").replace(f":{_LAST_CHILD}", f".{_LAST_CHILD}")
        for selector in rule.selectors
    )
    return Rule(tuple(selectors), rule.declarations)


def _with_marker_classes(rule: Rule, number: int, root: "_Element") -> Rule:
    """Replace selectors that premailer cannot weigh by a marker class.

    It supports only `:first-child` and `:last-child`, and ignores attributes' weight.
    """
    selectors = []
    for index, selector in enumerate(rule.selectors):
        if ":" not in selector and "[" not in selector:
            selectors.append(selector)
            continue
        name = f"own-{number}-{index}"
        classes, types = _mark(root, selector, name)
        if classes:
            selectors.append(" ".join([*_ANCESTORS[: min(types, len(_ANCESTORS))], "&", f".{name}" * classes]))
    return Rule(tuple(selectors), rule.declarations)


def _mark(root: "_Element", selector: str, name: str) -> tuple[int, int]:
    """Return the weight in classes and types."""
    from cssselect import HTMLTranslator, SelectorError, parse

    scoped = selector.replace("&", f".{_SCOPE}") if "&" in selector else f".{_SCOPE} {selector}"
    try:
        (parsed,) = parse(scoped)
        path = HTMLTranslator().selector_to_xpath(parsed, prefix="descendant-or-self::")
    except SelectorError:
        return 0, 0
    matches = [] if parsed.pseudo_element else cast("list[_Element]", root.xpath(path))
    for element in matches:
        element.set("class", f"{element.get('class', '')} {name}")
    ids, classes, types = parsed.specificity()
    # An id, which no element has, outweighs classes.
    return (max(1, 10 * ids + classes - 1), types) if matches else (0, 0)


def _with_sides(rule: Rule) -> Rule:
    """Expand shorthands to sides.

    premailer keeps a property's first position: `margin` would lose to an earlier, weaker `margin-top`.
    """
    return Rule(rule.selectors, ";".join(_sides(rule.declarations)))


def _sides(declarations: str) -> Iterator[str]:
    for declaration in declarations.split(";"):
        source, important, _ = declaration.partition("!important")
        name, _, value = (part.strip() for part in source.partition(":"))
        # Skip `calc()`, which contains spaces.
        if name in _SHORTHANDS and "(" not in value and 1 <= len(value.split()) <= _MAX_SHORTHAND_VALUES:
            yield from (f"{side}:{each} {important}" for side, each in parse_declarations(f"{name}:{value}").items())
        else:
            yield declaration
