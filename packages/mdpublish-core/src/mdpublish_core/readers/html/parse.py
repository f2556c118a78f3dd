"""HTML source to lxml's tree, within limits."""

from collections import defaultdict
from collections.abc import Iterable

from lxml import etree

from mdpublish_core.arguments import require_input_size
from mdpublish_core.errors import InvalidHtml
from mdpublish_core.options.limits import Limits
from mdpublish_core.readers.markdown.document import normalize
from mdpublish_core.resources.allowed_elements import ROW_PARENTS
from mdpublish_core.resources.characters import replace_invalid
from mdpublish_core.strings.lazy_patterns import compile_lazily

Element = etree._Element  # noqa: SLF001  (lxml exports no other name for it)

MAX_ELEMENT_DEPTH = 255
"""Nesting of elements in libxml2 without `huge_tree`; it drops the rest of the document, silently."""

MAX_VALUE_BYTES = 10_000_000
"""Size of one text or attribute in libxml2 without `huge_tree`; past it, the document is empty, silently."""

MAX_ATTRIBUTES = 1_000
"""Attributes of an element: libxml2 takes quadratic time for them."""

_ATTRIBUTE = r"""[^\s/>=][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+|(?!))?+|(?!))?+"""
_ATTRIBUTES = compile_lazily(_ATTRIBUTE)
_TAG = compile_lazily(rf"<[A-Za-z][^\s/>]*+((?:[\s/=]++|{_ATTRIBUTE}|(?!))*+)")

_ROW_GROUPS = ("thead", "tbody", "tfoot")
_AROUND_TEXT = ("table", *_ROW_GROUPS, "tr")

LISTS = frozenset({"ul", "ol", "menu", "dir"})

_XML_DECLARATION = compile_lazily(r"^\s*<\?xml[^>]*>")
_CONTROL_REFERENCE = compile_lazily(
    r"&#(?:0*(?:[1-8]|1[1245-9]|2[0-9]|3[01]|6553[45])(?![0-9])|[xX]0*(?:[1-8bBcCeEfF]|1[0-9a-fA-F]|[fF]{3}[eEfF])(?![0-9a-fA-F]));?"
)
"""References to characters that libxml2 reads, but lxml does not write."""


def source_text(html: str, limits: Limits) -> tuple[str, int]:
    """Return normalized HTML, and its size in bytes. Raises `LimitExceeded`."""
    normalized = replace_invalid(normalize(html))
    size = len(normalized.encode())
    require_input_size(size, limits)
    return normalized, size


def parse_html(normalized: str) -> Element | None:
    """Return the root element, or None if there is nothing in it. Raises `InvalidHtml` and `MemoryError`."""
    content = _CONTROL_REFERENCE.sub("\ufffd", _XML_DECLARATION.sub("", normalized))
    if not content.strip():
        return None
    for written in _TAG.finditer(content):
        if len(written[1]) > 2 * MAX_ATTRIBUTES and sum(1 for _ in _ATTRIBUTES.finditer(written[1])) > MAX_ATTRIBUTES:
            raise InvalidHtml(f"an element must have at most {MAX_ATTRIBUTES:,} attributes (got more); leave it out")
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(content.encode(), parser)
    except etree.XMLSyntaxError:
        root = None
    for error in parser.error_log:
        if error.type_name == "ERR_RESOURCE_LIMIT":
            raise InvalidHtml(_exceeded(error.message))
        if error.type_name == "ERR_NO_MEMORY":
            raise MemoryError
    if root is not None:
        for tag in _ROW_GROUPS:
            _wrap_bare(root, tag, frozenset({"table"}), "table")
        _wrap_bare(root, "tr", ROW_PARENTS, "table")
        _wrap_bare(root, "li", LISTS, "ul")
        _move_bare_text(root)
    return root


def _exceeded(message: str) -> str:
    if "depth" in message:
        return f"elements must nest at most {MAX_ELEMENT_DEPTH} deep (got more); select a smaller part of the page"
    return f"a text or attribute must have at most {MAX_VALUE_BYTES:,} bytes (got more); leave out embedded files"


def _wrap_bare(root: Element, tag: str, parents: frozenset[str], wrapper: str) -> None:
    """Put rows and items of a selection, which lost their parent, into one; adjacent ones into the same."""
    for run in adjacent(each for each in root.iter(tag) if parent_tag(each) not in {"", *parents}):
        around = etree.Element(wrapper)
        run[0].addprevious(around)
        for element in run:
            move(element, around, around)


def _move_bare_text(root: Element) -> None:
    """Move the text between the cells and rows of tables before these, as browsers do."""
    strings: dict[Element, list[str]] = defaultdict(list)
    for event, element in list(etree.iterwalk(root, events=("start", "end"), tag=(*_AROUND_TEXT, "td", "th"))):
        part, name = (element, "text") if event == "start" else (element.getparent(), "tail")
        string = (getattr(element, name) or "").strip()
        if string and part is not None and part.tag in _AROUND_TEXT:
            strings[part if part.tag == "table" else next(part.iterancestors("table"))].append(string)
            setattr(element, name, None)
    for table, bare in strings.items():
        table.addprevious(line := etree.Element("p"))
        line.text = " ".join(bare)


def adjacent(elements: Iterable[Element]) -> list[list[Element]]:
    """Return runs of elements that follow each other without a text between."""
    runs: dict[Element, list[Element]] = {}
    for element in elements:
        previous = element.getprevious()
        run = [] if previous is None or (previous.tail or "").strip() else runs.pop(previous, [])
        run.append(element)
        runs[element] = run
    return list(runs.values())


def move(element: Element, into: Element, outer: Element) -> None:
    """Append an element to another, and the text behind it to `outer`, around that."""
    tail, element.tail = element.tail, None
    into.append(element)
    outer.tail = tail


def text_of(element: Element) -> str:
    """Return the text of an element in one line."""
    return " ".join("".join(map(str, element.itertext())).split())


def parent_tag(element: Element) -> str:
    parent = element.getparent()
    return "" if parent is None else str(parent.tag)
