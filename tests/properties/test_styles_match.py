"""Law: the streaming matcher finds the same styles for an element as an inliner in the finished document.

css-inline is the reference; premailer where its order is CSS's (it ignores the specificity of `:first-child` and
`:last-child`). Stylesheets have many rules for few names, so that several match an element.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

import css_inline
import pytest
from lxml import html as lxml_html
from premailer import Premailer

from mdpublish_core.css.cascade import parse_declarations
from mdpublish_core.css.matcher import CompiledStylesheet, Cursor
from mdpublish_core.css.rules import StyleRule, parse_rules, scoped_css

# Unknown to HTML parsers, which leave them in place.
TYPES = ("xa", "xb", "xc", "xd")
CLASSES = ("a", "b", "c")
PROPERTIES = ("font-size", "margin-top", "padding-left", "text-indent", "width")
MIN_ELEMENTS = 40_000

Declared = tuple[tuple[str, str], ...]


@dataclass
class Element:
    name: str
    children: list["Element"] = field(default_factory=list)


def declared(_element: str, declarations: Mapping[str, str], _parent: Declared | None) -> Declared:
    return tuple(sorted(declarations.items()))


def a_selector(random: Random, *, pseudo_classes: bool) -> str:
    compounds = []
    for _ in range(random.randint(1, 4)):
        compound = random.choice(("", "", "*", *TYPES)) + "".join(
            f".{name}" for name in random.sample(CLASSES, random.choice((0, 0, 1, 1, 2)))
        )
        pseudo_class = random.choice(("", "", "", ":first-child", ":last-child")) if pseudo_classes else ""
        compounds.append((compound or random.choice(TYPES)) + pseudo_class)
    return "".join(
        f"{random.choice((' ', '>', '+', '~')) if number else ''}{compound}"
        for number, compound in enumerate(compounds)
    )


def a_stylesheet(random: Random, *, pseudo_classes: bool) -> tuple[StyleRule, ...]:
    rules = []
    for number in range(1, random.randint(2, 30)):
        selectors = ",".join(a_selector(random, pseudo_classes=pseudo_classes) for _ in range(random.choice((1, 1, 2))))
        properties = random.sample(PROPERTIES, random.randint(1, 3))
        rules.append(f"{selectors} {{ {'; '.join(f'{name}: {number}px' for name in properties)} }}")
    return tuple(parse_rules("\n".join(rules)))


def a_tree(random: Random, depth: int = 0) -> Element:
    classes = random.sample(CLASSES, random.choice((0, 0, 1, 2)))
    element = Element(".".join((random.choice(TYPES), *classes)))
    if depth < 6:
        element.children = [a_tree(random, depth + 1) for _ in range(random.choice((0, 1, 2, 3, 4)))]
    return element


def actual_styles(cursor: Cursor[Declared], element: Element, *, last: bool = False) -> Iterator[Declared]:
    yield cursor.enter(element.name, last=last)
    for number, child in enumerate(element.children, start=1):
        yield from actual_styles(cursor, child, last=number == len(element.children))
    cursor.leave()


def written(element: Element) -> str:
    name, *classes = element.name.split(".")
    return f'<{name} class="{" ".join(classes)}">{"".join(map(written, element.children))}</{name}>'


def styles_in(document: str) -> list[Declared]:
    tree = lxml_html.document_fromstring(document)
    elements = [element for element in tree.iter() if element.tag in TYPES]
    return [tuple(sorted(parse_declarations(element.get("style", "")).items())) for element in elements]


def cases(seed: str, *, pseudo_classes: bool) -> Iterator[tuple[str, str, list[Declared]]]:
    random = Random(seed)
    elements = 0
    while elements < MIN_ELEMENTS:
        rules = a_stylesheet(random, pseudo_classes=pseudo_classes)
        root = Element("&", [a_tree(random) for _ in range(3)])
        _, *matched = actual_styles(CompiledStylesheet(rules, declared).cursor(), root)
        elements += len(matched)
        yield scoped_css(rules, "scope"), f'<div class="scope">{"".join(map(written, root.children))}</div>', matched


@pytest.mark.parametrize("seed", ["1", "2"])
def test_css_inline_finds_the_same(seed: str) -> None:
    inliner = css_inline.CSSInliner(load_remote_stylesheets=False)

    for css, body, matched in cases(seed, pseudo_classes=True):
        inlined = inliner.inline(f"<html><head><style>{css}</style></head><body>{body}</body></html>")

        assert styles_in(inlined) == matched, css


def test_premailer_finds_the_same() -> None:
    cases_of_few = cases("3", pseudo_classes=False)

    for _ in range(25):
        css, body, matched = next(cases_of_few)
        premailer = Premailer(
            f"<html><body>{body}</body></html>", css_text=[css], allow_network=False, include_star_selectors=True
        )

        assert styles_in(str(premailer.transform())) == matched, css
