"""A caller's own stylesheet applied to elements, with the template's, by premailer: for destinations without stylesheets.

A first rendering records which elements there are, without a word of the document, and premailer says what the rules come
to for each, from that empty tree and without a way to the network or to files; a second rendering is given it. So premailer
never sees a text that an author wrote, only addresses of links, which rules may ask for; and no finished HTML is touched.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from mdpublish_core.templates.cascade import parse_declarations
from mdpublish_core.templates.css_normalize import normalize_declarations
from mdpublish_core.templates.matcher import CompiledStylesheet, StyleFactory
from mdpublish_core.templates.stylesheet import Rule, scoped_css
from mdpublish_core.templates.user_css import exclusive_cssutils

if TYPE_CHECKING:
    from lxml.etree import _Element

T = TypeVar("T", bound=Hashable)

_SCOPE = "mdpublish"

# premailer gives these two no weight, though they have that of a class; so they are classes to it.
_FIRST_CHILD, _LAST_CHILD = "first-child", "last-child"

_ANCESTORS = ("html", "body")
"""Elements around all others, named in a selector for the weight of types."""

_SHORTHANDS = frozenset({"margin", "padding", "border"})

_MAX_SHORTHAND_VALUES = 4
"""Of a shorthand for four sides; `border` has three."""


class Collector(Generic[T]):
    """A cursor that notes each element that is entered, for a second rendering in which the caller's own rules hold."""

    def __init__(self, sheet: CompiledStylesheet[T]) -> None:
        from lxml import etree

        self._new = etree.Element
        self._cursor = sheet.cursor()
        self._open: list[_Element] = []
        self.elements: list[tuple[str, _Element]] = []

    def enter(self, element: str, *, last: bool = False, attributes: Mapping[str, str] | None = None) -> T:
        """Note an element, and return what the template alone gives it."""
        type_, *classes = element.split(".")
        if self._open:
            classes += [_FIRST_CHILD] * (len(self._open[-1]) == 0) + [_LAST_CHILD] * last
        node = self._new("div" if type_ == "&" else type_, {**(attributes or {}), "class": " ".join(classes)})
        if self._open:
            self._open[-1].append(node)
        self._open.append(node)
        self.elements.append((element, node))
        return self._cursor.enter(element, last=last)

    def leave(self) -> None:
        """Close the innermost open element."""
        self._open.pop()
        self._cursor.leave()

    @property
    def current(self) -> T:
        """What the innermost open element got."""
        return self._cursor.current


class Inliner(Generic[T]):
    """A cursor that gives the elements which a `Recorder` noted what the template's and the caller's rules come to."""

    def __init__(
        self, collector: Collector[T], template: Iterable[Rule], user_rules: Iterable[Rule], make_style: StyleFactory[T]
    ) -> None:
        self._elements = iter(_inlined_declarations(collector.elements, template, user_rules))
        self._make_style = make_style
        self._results: list[T] = []

    def enter(self, element: str, *, last: bool = False, attributes: Mapping[str, str] | None = None) -> T:
        """Return what the next element gets, which must be the one that was noted."""
        del last, attributes
        collected, declared = next(self._elements)
        assert collected == element, f"{element} where {collected} was noted"
        parent = self._results[-1] if self._results else None
        result = self._make_style(element, declared, parent)
        self._results.append(result)
        return result

    def leave(self) -> None:
        """Close the innermost open element."""
        self._results.pop()

    @property
    def current(self) -> T:
        """What the innermost open element got."""
        return self._results[-1]


def _inlined_declarations(
    elements: "Sequence[tuple[str, _Element]]", template: Iterable[Rule], user_rules: Iterable[Rule]
) -> list[tuple[str, dict[str, str]]]:
    """Return what rules come to for noted elements, which premailer writes into their `style` attributes."""
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
    """Return a rule of a template as premailer weighs it rightly: places are classes."""
    selectors = (
        selector.replace(f":{_FIRST_CHILD}", f".{_FIRST_CHILD}").replace(f":{_LAST_CHILD}", f".{_LAST_CHILD}")
        for selector in rule.selectors
    )
    return Rule(tuple(selectors), rule.declarations)


def _with_marker_classes(rule: Rule, number: int, root: "_Element") -> Rule:
    """Return a rule of a caller's as premailer can weigh it: by a class of our own, where there are places or attributes.

    premailer knows no place but the first and the last, and gives attributes no weight. So the elements are found here;
    what only a browser knows, such as `:hover` and `::before`, meets none.
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
    """Give the elements that a selector meets a class; return how many classes and types it weighs, 0 where it meets none."""
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
    # The class of the scope is written beside the name; an id, which no element has, weighs more than any classes.
    return (max(1, 10 * ids + classes - 1), types) if matches else (0, 0)


def _with_sides(rule: Rule) -> Rule:
    """Return a rule whose shorthands are their sides.

    premailer keeps a property where it first stood, so that `margin` would lose to a weaker `margin-top` behind it.
    """
    return Rule(rule.selectors, ";".join(_sides(rule.declarations)))


def _sides(declarations: str) -> Iterator[str]:
    for declaration in declarations.split(";"):
        source, important, _ = declaration.partition("!important")
        name, _, value = (part.strip() for part in source.partition(":"))
        # What is calculated has spaces of its own; it means nothing in a document anyway.
        if name in _SHORTHANDS and "(" not in value and 1 <= len(value.split()) <= _MAX_SHORTHAND_VALUES:
            yield from (f"{side}:{each} {important}" for side, each in parse_declarations(f"{name}:{value}").items())
        else:
            yield declaration
