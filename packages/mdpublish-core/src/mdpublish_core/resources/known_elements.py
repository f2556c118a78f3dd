"""Names of elements: a tag with another name is text."""

from mdpublish_core.data_files import read_words

_HTML, _SVG, _MATHML, VALUELESS_ATTRIBUTES = (
    frozenset(read_words(__file__, "known_elements.tsv")[kind]) for kind in ("html", "svg", "mathml", "valueless")
)

KNOWN_TAGS = _HTML | _SVG | _MATHML

_EMPTY_HTML = {"area", "base", "embed", "input", "link", "meta", "param", "source", "track"}
VOID_TAGS = frozenset(_EMPTY_HTML | {"br", "col", "hr", "img", "wbr"})
"""https://html.spec.whatwg.org/multipage/syntax.html#void-elements, and `param`, which was one."""

_FORM_HTML = {"button", "datalist", "label", "meter", "output", "progress", "select"}
_MEDIA_HTML = {"audio", "canvas", "data", "map", "object", "slot", "template", "video"}

PLACEHOLDER_TAGS = ((_SVG | _MATHML) - _HTML) | _EMPTY_HTML | _FORM_HTML | _MEDIA_HTML
"""Without attributes and an end tag, they say nothing."""

DROPPED_TAGS = frozenset({"script", "style"})
"""Removed with their content."""

RAW_TEXT_TAGS = DROPPED_TAGS | {"iframe", "noembed", "noframes", "plaintext", "textarea", "title", "xmp"}
"""Up to their end tag, browsers read no tags."""

_TABLE_PARTS = {"caption", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"}
_RUBY_PARTS = {"rb", "rp", "rt", "rtc"}

OPTIONAL_END_TAGS = frozenset(
    {"body", "dd", "dt", "head", "html", "li", "optgroup", "option", "p"} | _TABLE_PARTS | _RUBY_PARTS
)
"""Elements that the standard lets end without a tag."""
