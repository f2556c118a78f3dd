"""Linter of HTML emails: only what all relevant clients support, and what emails require.

Uses `caniemail` and `partial_support`; here are exceptions with reasons, further restrictions, and rules without data.
Conditional comments are applied as in Outlook for Windows, but the email must be well-formed without them too. The
`style` in head is optional, so only harmful rules are faults.

Not covered: formats of remote images, contrast, appearance.
"""

import re
from collections.abc import Iterator

from tests.linters import caniemail, css
from tests.linters.conditional_comments import (
    condition_problems,
    conditional_styles,
    is_opening_a_table,
    open_conditions,
)
from tests.linters.partial_support import PARTIAL_SUPPORT_RULES, is_exact
from tests.linters.tree import COMMENT, Node, parse_document

MAX_BYTES = 98_999
"""Gmail clips longer emails, near 100,000 bytes."""
MAX_STYLE_BYTES = 16_384
"""Gmail ignores longer ones."""

_OLD = "no data; in HTML since 2 to 4, and not among what Microsoft lists as unknown to Word"
_TABLE_PART = "no data of its own; a part of tables, which every client supports"
_FONT_PART = "no data as a longhand; the shorthand font is supported by every client"
_ENHANCEMENT = "an enhancement: the mail is right without it"

_WORDS = ("a", "b", "br", "cite", "em", "i", "kbd", "samp", "sub", "sup", "u", "var")
_TABLE_PARTS = ("caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr")

EXCEPTIONS = {
    **{f"<{tag}>": _OLD for tag in _WORDS},
    **{f"<{tag}>": _TABLE_PART for tag in _TABLE_PARTS},
    **dict.fromkeys(["<head>", "<html>", "<meta>", "<title>"], "a document has it"),
    "html-body": "a document has it; where it becomes a div or goes, the outer table carries the same look",
    "html-doctype": "a document has it; without it, the clients that look would read the mail in quirks mode",
    "html-anchor-links": f"{_ENHANCEMENT}: where a link does not jump, the note is still at the end",
    "html-meta-color-scheme": f"{_ENHANCEMENT}: it tells Apple Mail that the mail has a dark mode",
    **dict.fromkeys(["[alt]", "[href]", "[src]", "[title]"], "no data; Word alone drops the title"),
    **dict.fromkeys(["[bgcolor]", "[border]", "[colspan]", "[rowspan]", "[scope]"], _TABLE_PART),
    **dict.fromkeys(["[charset]", "[content]", "[http-equiv]"], "a document's meta elements have it"),
    "[class]": "for the style in head, which is an enhancement",
    "[name]": "of a meta element, or where a link within the mail leads: ids do not work in Gmail, Outlook and Yahoo",
    "[start]": "no data; the note of html-lists says that Outlook for Windows itself writes it",
    "[style]": "what every mail is styled by",
    "[type]": "no data; of ol and style, in HTML since 2",
    "[xmlns]": "what Word's own elements in head are named by",
    **dict.fromkeys(["{color}", "{font-family}", "{font-style}", "{font-variant}"], _FONT_PART),
    "{border-radius}": f"{_ENHANCEMENT}: Outlook for Windows draws square corners",
    "{mso-*}": "Outlook for Windows alone reads it",
    "{text-size-adjust}": "telephones alone read it, and make the letters of small screens no larger than written",
    "img{display:block}": "takes the gap under a picture away; Outlook for Windows has none and ignores it",
    "a{display:block}": f"{_ENHANCEMENT}: a wider place to press, beside the cell's own padding",
    "img{max-width}": f"{_ENHANCEMENT}: Outlook for Windows goes by the width attribute, or shows the natural size",
    "img{width}": "beside the attribute, which Apple Mail ignores on pictures that the mail brings along",
    "img{height:auto}": "keeps a narrowed picture's shape; Yahoo makes it a least height, which does nothing",
}
"""By feature, <element>, [attribute], {property}."""

REFUSED = {
    "<address>": "no client needs it: a paragraph",
    "<blockquote>": "quotes are table cells: clients fold or strip what looks like an earlier mail",
    "<pre>": "code is a table cell with no-break spaces and <br>: a pre is never broken and widens the mail",
    "[id]": "Gmail, Outlook and Yahoo rename or drop ids: an empty <a name>",
}
"""Forbidden despite full support."""

_VENDOR = re.compile(r"-(?:webkit|ms|moz)-")
_STYLE_HARM = (
    (re.compile(r"@import|@font-face|url\(", re.IGNORECASE), "it loads something"),
    (re.compile(r"rgba?\(\s*[\d.]+%?\s+[\d.]", re.IGNORECASE), "Gmail drops a whole style for colours without commas"),
    (re.compile(r"\.[\w-]+\.[\w-]+[^{};]*\{"), "Outlook for Windows applies chained classes to the first alone"),
    (re.compile(r"\S!important"), "Outlook for Windows wants a space before !important"),
    (re.compile(r"!(?!important)"), "Gmail knows !important in small letters alone"),
)
"""Harmful in head's style where unsupported."""


def problems(html: str) -> list[str]:
    plain, errors = parse_document(html)
    findings = [*errors, *condition_problems(html)]
    outlook, errors = parse_document(open_conditions(html))
    findings += [f"as Outlook reads it: {error}" for error in errors]
    findings += _document_problems(html, plain)
    findings += _preheader_problems(plain)
    findings += _conditional_problems(plain)
    for node in outlook.walk():
        if node.tag != COMMENT:
            findings += [f"{node} {problem}" for problem in _node_problems(node)]
    findings += _anchor_problems(outlook)
    findings += _word_style_problems(html, outlook)
    return list(dict.fromkeys(findings))


def size_problems(html: str) -> list[str]:
    size = len(html.encode())
    return [f"{size:,} bytes, and Gmail shows {MAX_BYTES:,}"] if size > MAX_BYTES else []


def _node_problems(node: Node) -> Iterator[str]:
    yield from _element_problems(node)
    for name, value in node.attributes.items():
        yield from _attribute_problems(node, name, value)
    for declaration in node.declarations:
        yield from _declaration_problems(node, declaration)
    if node.tag == "table":
        yield from _table_problems(node)
    elif node.tag == "img":
        yield from _image_problems(node)


def _support_problems(slug: str, node: Node, value: str, *, name: str) -> Iterator[str]:
    feature = caniemail.features()[slug]
    if slug in EXCEPTIONS or feature.full:
        return
    if feature.missing:
        yield f"{name}: {slug} is missing in {', '.join(feature.missing)}"
        return
    heeded = PARTIAL_SUPPORT_RULES.get(slug)
    if heeded is None or not feature.notes <= heeded.notes:
        yield f"{name}: {slug} is supported partly, and nothing says how its notes are heeded"
    elif not heeded.is_met(node, value):
        yield f"{name}: {heeded.rule}"


def _element_problems(node: Node) -> Iterator[str]:
    key = f"<{node.tag}>"
    if key in REFUSED:
        yield f"is refused: {REFUSED[key]}"
    elif slug := caniemail.ELEMENTS.get(node.tag):
        yield from _support_problems(slug, node, "", name="the element")
    elif key not in EXCEPTIONS:
        yield "is in no data and no exception"
    if node.tag == "a" and not node.attributes.keys() & {"href", "name"}:
        yield "has neither href nor name"


def _attribute_problems(node: Node, name: str, value: str) -> Iterator[str]:
    key = f"[{name.partition(':')[0]}]"
    if key in REFUSED:
        yield f"{name} is refused: {REFUSED[key]}"
    elif slug := caniemail.ATTRIBUTES.get(name):
        yield from _support_problems(slug, node, value, name=name)
    elif key not in EXCEPTIONS:
        yield f"{name} is in no data and no exception"
    if name == "target":
        yield from _support_problems("html-target", node, value, name=name)
    if name == "src" and value.lower().startswith("data:"):
        yield from _support_problems("image-base64", node, value, name="src of data")
    if name == "href" and value.lower().startswith("mailto:"):
        yield from _support_problems("html-mailto-links", node, value, name=name)
    if name == "name" and node.tag not in {"a", "meta"}:
        yield "has a name, which only a and meta have"


def _declaration_problems(node: Node, declaration: css.Declaration) -> Iterator[str]:
    name, value = declaration.name, declaration.value
    shown = f"{name}:{value}"
    if not value:
        yield f"{shown} declares nothing"
    if "/*" in css.without_strings(shown):
        yield from _support_problems("css-comments", node, value, name=shown)
    if declaration.important:
        yield from _support_problems("css-important", node, value, name=shown)
    base = "mso-*" if name.startswith("mso-") else _VENDOR.sub("", name)
    if base == "mso-*":
        return
    if EXCEPTIONS.keys().isdisjoint({f"{{{base}}}", f"{node.tag}{{{name}}}", f"{node.tag}{{{shown}}}"}):
        yield from _property_problems(node, name, value)
    yield from _value_problems(node, value, shown)


def _property_problems(node: Node, name: str, value: str) -> Iterator[str]:
    shown = f"{name}:{value}"
    slug = caniemail.PROPERTIES.get(name)
    if name.startswith("--"):
        slug = "css-variables"
    if name == "display":
        slug = caniemail.DISPLAYS.get(value, slug)
    if slug is None:
        yield f"{shown} is in no data and no exception"
    else:
        yield from _support_problems(slug, node, value.lower(), name=shown)


def _value_problems(node: Node, value: str, shown: str) -> Iterator[str]:
    bare = css.without_strings(value)
    for color in css.colors(bare):
        if not re.fullmatch(r"#(?:[0-9a-fA-F]{3}){1,2}", color):
            yield f"{shown}: {color} is no colour of three or six digits (Outlook for Windows)"
    uses = [(name, caniemail.FUNCTIONS) for name in css.functions(bare)]
    uses += [(length.unit, caniemail.UNITS) for length in css.lengths(bare) if length.unit]
    for use, table in uses:
        if slug := table.get(use):
            yield from _support_problems(slug, node, bare, name=shown)
        else:
            yield f"{shown}: {use} is in no data"
    for word in css.words(bare):
        if slug := caniemail.KEYWORDS.get(word):
            yield from _support_problems(slug, node, bare, name=shown)
        elif word == "inherit":
            yield f"{shown}: inherit is in no data; say the value"


def _table_problems(node: Node) -> Iterator[str]:
    for name in ("cellpadding", "cellspacing"):
        if name not in node.attributes:
            yield f"has no {name}: the clients' own would show"
    has_headers = any(
        next(holder for holder in th.ancestors() if holder.tag == "table") is node for th in node.find("th")
    )
    is_layout = node.attributes.get("role") == "presentation"
    if has_headers and "role" in node.attributes:
        yield "has headers and yet a role"
    if not has_headers and not is_layout:
        yield 'is there for the layout and has no role="presentation"'


def _image_problems(node: Node) -> Iterator[str]:
    if "alt" not in node.attributes:
        yield "has no alt"
    is_ours = node.attributes.get("src", "").startswith("cid:")
    if "width" not in node.attributes and (is_ours or node.style.get("max-width") != "100%"):
        yield "has no width, nor is it a remote picture of unknown size with max-width:100%"
    if "width" in node.attributes and "width" not in node.style:
        yield "has no width in its style: Apple Mail ignores the attribute on pictures that the mail brings along"
    if node.style.get("display") != "block" and not _is_in_line(node):
        yield "stands alone and is not display:block"
    if is_exact(node):
        yield "stands in a line of exact height, to which Word cuts it: mso-line-height-rule:at-least around it"


def _is_in_line(image: Node) -> bool:
    """Return whether display:block would break the line around an image."""
    inline = {*_WORDS, "code", "del", "small", "span", "strong"} - {"br"}
    top = image
    while top.parent is not None and top.parent.tag in inline:
        top = top.parent
    if top.parent is None:
        return False
    lines: list[list[Node | str]] = [[]]
    for child in top.parent.children:
        if isinstance(child, str) or child.tag in inline | {"img"}:
            lines[-1].append(child)
        elif child.tag != COMMENT:
            lines.append([])
    (line,) = (line for line in lines if any(child is top for child in line))
    return any(
        child.strip() if isinstance(child, str) else child.text_content().strip() or _holds_another(child, image)
        for child in line
    )


def _holds_another(node: Node, image: Node) -> bool:
    return any(content.tag == "img" and content is not image for content in node.walk())


def _document_problems(html: str, root: Node) -> Iterator[str]:
    if not html.lstrip().lower().startswith("<!doctype html>"):
        yield "does not begin with HTML's doctype"
    # A text whose language nothing tells has none; some clients drop `html`.
    frames = [table.attributes.get("lang") for table in root.find("table")[:1]]
    if frames != [root.attributes.get("lang")]:
        yield "lang is not that of the first table"
    if root.attributes.get("dir") not in {"ltr", "rtl"}:
        yield "<html> has no dir"
    titles = root.find("title")
    if len(titles) != 1 or not titles[0].text_content().strip():
        yield "has no <title>"
    metas = root.find("meta")
    if not metas or metas[0].attributes.get("charset", "").lower() != "utf-8":
        yield 'does not begin its head with <meta charset="utf-8">'
    if not any(meta.attributes.get("name") == "color-scheme" for meta in metas):
        yield 'has no <meta name="color-scheme">'
    styles = root.find("style")
    size = sum(len(style.text_content().encode()) for style in styles)
    if size > MAX_STYLE_BYTES:
        yield f"has {size:,} bytes of style, and Gmail keeps {MAX_STYLE_BYTES:,}"
    for style in styles:
        yield from (f"<style> {problem}" for problem in _style_problems(style.text_content()))


def _style_problems(stylesheet: str) -> Iterator[str]:
    stylesheet = re.sub(r"/\*[^*]*(?:\*(?!/)[^*]*)*\*/", "", stylesheet)
    for pattern, harm in _STYLE_HARM:
        if match := pattern.search(stylesheet):
            yield f"{match[0]!r}: {harm}"
    depth = 0
    in_rule = False
    for prelude, brace in re.findall(r"([^{}]*)([{}])", stylesheet):
        if brace == "{":
            if in_rule:
                yield f"{prelude.strip()!r}: Yahoo takes a nested rule's declarations for the outer's"
            in_rule = not prelude.strip().startswith("@")
            depth += 1
        else:
            in_rule = False
            depth -= 1
    if depth:
        yield "has braces without their other half"


def _word_style_problems(html: str, root: Node) -> Iterator[str]:
    """Outlook for Windows knows types, classes and descendants, and draws the lines of a row if its cells have them."""
    rules = "".join(conditional_styles(html))
    for problem in _style_problems(rules):
        yield f"Outlook's <style> {problem}"
    selectors = [selector for rule in rules.split("}")[:-1] for selector in rule.partition("{")[0].split(",")]
    for selector in selectors:
        if not re.fullmatch(r"(?:\.\w+ )?(?:\.\w+|[a-z]+[1-6]?)", selector):
            yield f"Outlook's <style> {selector!r} is no type, class or descendant"
    for row in root.find("tr"):
        cells = {cell.tag for cell in row.elements}
        for name in row.style.keys() & {"border-top", "border-bottom"}:
            table = next(holder for holder in row.ancestors() if holder.tag == "table")
            for tag in cells:
                rule = re.search(rf"\.{table.attributes.get('class')} {tag}{{([^}}]*)}}", rules)
                if rule is None or f"{name}:{row.style[name]}" not in rule[1].split(";"):
                    yield f"{row} has a {name} that its cells don't have in Outlook for Windows"


def _preheader_problems(root: Node) -> Iterator[str]:
    """Lists of emails show the first content of the body."""
    for body in root.find("body"):
        first = body.elements[0] if body.elements else body
        if body.text_content().strip() and not (first.style.get("display") == "none" and first.text_content().strip()):
            yield "has no preheader: a first element with display:none"


def _conditional_problems(root: Node) -> Iterator[str]:
    """Outlook for Windows ignores max-width."""
    for table in root.find("table"):
        if "max-width" in table.style and table.parent is not None:
            around = [child for child in table.parent.children if isinstance(child, Node)]
            before = around[around.index(table) - 1 : around.index(table)]
            if not (before and before[0].tag == COMMENT and is_opening_a_table(before[0].children)):
                yield "<table> has a max-width and no table for Outlook around it"


def _anchor_problems(root: Node) -> Iterator[str]:
    names = [node.attributes["name"] for node in root.find("a") if "name" in node.attributes]
    for node in root.find("a"):
        url = node.attributes.get("href", "")
        if len(url) > 1 and url.startswith("#") and url[1:] not in names:
            yield f"{url} leads to no <a name>"
        if "name" in node.attributes and (node.children or "href" in node.attributes):
            yield f"<a name={node.attributes['name']}> is not empty, so that Gmail and Outlook do not find it"
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"<a name={name}> is there {names.count(name)} times"
