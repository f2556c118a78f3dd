"""A template's rules applied by premailer, to compare with `matcher`.

premailer gets a tree of elements without text and the rules of a template; it has no network access. It gives
`:first-child` and `:last-child` no weight, so they are classes here.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mdpublish_core.css.cascade import parse_declarations
from mdpublish_core.css.matcher import CompiledStylesheet
from mdpublish_core.css.normalize import normalize
from mdpublish_core.css.rules import StyleRule, scoped_css
from mdpublish_core.templates.cssutils_log import exclusive_cssutils

if TYPE_CHECKING:
    from lxml.etree import _Element

_SCOPE = "mdpublish"

_FIRST, _LAST = ":first-child", ":last-child"

_Declared = tuple[str, tuple[tuple[str, str], ...]]


def differences(rules: Sequence[StyleRule]) -> list[str]:
    """Return the elements for which premailer finds other declarations."""
    from lxml import etree

    collected: list[tuple[_Declared, _Element]] = []
    sheet: CompiledStylesheet[_Declared] = CompiledStylesheet(
        rules, lambda element, declared, _parent: (element, tuple(sorted(declared.items())))
    )
    cursor = sheet.cursor()

    def visit(node: "_Element", *, is_last: bool) -> None:
        classes = (node.get("class") or "").split()
        is_root, is_first = node.getparent() is None, node.getprevious() is None
        names = [_SCOPE] if is_root else [*classes, *["first-child"] * is_first, *["last-child"] * is_last]
        node.set("class", " ".join(names))
        collected.append((cursor.enter("&" if is_root else ".".join([node.tag, *classes]), last=is_last), node))
        for child in node:
            visit(child, is_last=child.getnext() is None)
        cursor.leave()

    specimen = etree.parse(Path(__file__).with_suffix(".xml"), etree.XMLParser(remove_blank_text=True))
    visit(specimen.getroot(), is_last=False)
    _inline(collected[0][1], rules)
    return [
        element
        for (element, declared), node in collected
        if _comparable(dict(declared)) != _comparable(parse_declarations(node.get("style") or ""))
    ]


def _comparable(declared: Mapping[str, str]) -> dict[str, str]:
    """Return declarations in one form: cssutils writes colors, strings and numbers in its own."""
    return {longhand: each for name, value in declared.items() for longhand, each in normalize(name, value)}


def _inline(root: "_Element", rules: Iterable[StyleRule]) -> None:
    from lxml import etree

    page = etree.Element("html")
    etree.SubElement(page, "body").append(root)
    written = [
        StyleRule(
            tuple(each.replace(_FIRST, ".first-child").replace(_LAST, ".last-child") for each in rule.selectors),
            ";".join(f"{name}:{value}" for name, value in parse_declarations(rule.declarations).items()),
        )
        for rule in rules
        if rule.media is None
    ]
    with exclusive_cssutils():
        from premailer import Premailer

        Premailer(
            page,
            css_text=[scoped_css(written, _SCOPE)],
            allow_network=False,
            allow_loading_external_files=False,
            disable_leftover_css=True,
            disable_validation=True,
            disable_basic_attributes=["width", "height", "align", "valign", "bgcolor"],
            align_floating_images=False,
            include_star_selectors=True,
            strip_important=True,
        ).transform()
