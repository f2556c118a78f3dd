"""The parts beside the text: settings, footer, and the properties of the document."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from mdpublish_core.resources.open_xml import Element, qualified
from mdpublish_core.writers.docx.inlines import SEPARATORS
from mdpublish_core.writers.docx.properties import RunMarks, RunProperties, write_run_properties
from mdpublish_core.writers.docx.reference import Reference
from mdpublish_core.writers.docx.xml import add, add_text, add_with, plain_root, root, story_root
from mdpublish_core.writers.language import proofing_attributes

# Word 2013 and later, without its compatibility mode.
_WORD_2013 = 15
_WORD_URI = "http://schemas.microsoft.com/office/word"

_WHITE = "FFFFFF"

# Settings of a reference document on which its headers and looks depend, in the schema's order.
_EDGES = (
    *("mirrorMargins", "alignBordersAndEdges", "bordersDoNotSurroundHeader", "bordersDoNotSurroundFooter"),
    "gutterAtTop",
)
_HYPHENS = (
    *("defaultTabStop", "autoHyphenation", "consecutiveHyphenLimit", "hyphenationZone", "doNotHyphenateCaps"),
    "evenAndOddHeaders",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentProperties:
    """What Word shows of a file beside its text."""

    title: str | None = None
    author: str | None = None
    description: str | None = None
    keywords: str | None = None
    date: str | None = None
    lang: str | None = None


def settings(
    lang: str | None, *, has_background: bool, has_footnotes: bool, has_fonts: bool, reference: Reference | None
) -> Element:
    element = story_root("w:settings")
    add(element, "w:zoom", percent=100)
    if has_background:
        add(element, "w:displayBackgroundShape")
    if has_fonts:
        add(element, "w:embedTrueTypeFonts")
        add(element, "w:saveSubsetFonts")
    foreign = reference.settings if reference else {}
    _copy(element, foreign, _EDGES)
    if "defaultTabStop" not in foreign:
        add(element, "w:defaultTabStop", val=720)
    _copy(element, foreign, _HYPHENS)
    add(element, "w:characterSpacingControl", val="doNotCompress")
    if has_footnotes:
        notes = add(element, "w:footnotePr")
        for number, _ in SEPARATORS:
            add(notes, "w:footnote", id=number)
    compatibility = add(element, "w:compat")
    for name, value in (
        ("compatibilityMode", _WORD_2013),
        ("overrideTableStyleFontSizeAndJustification", 1),
        ("enableOpenTypeFeatures", 1),
        ("doNotFlipMirrorIndents", 1),
        ("differentiateMultirowTableHeaders", 1),
    ):
        add(compatibility, "w:compatSetting", name=name, uri=_WORD_URI, val=value)
    math = add_with(element, "m:mathPr", {})
    add_with(math, "m:mathFont", {"m:val": "Cambria Math"})
    if lang:
        add(element, "w:themeFontLang", **proofing_attributes(lang))
    _copy(element, foreign, ("clrSchemeMapping",))
    add(element, "w:decimalSymbol", val=".")
    add(element, "w:listSeparator", val=",")
    return element


def _copy(element: Element, foreign: Mapping[str, Element], names: Sequence[str]) -> None:
    element.extend([foreign[name] for name in names if name in foreign])


def footer(run: RunProperties, base: RunProperties) -> Element:
    """Return the page's number, in the middle."""
    element = story_root("w:ftr")
    paragraph = add(element, "w:p")
    add(add(paragraph, "w:pPr"), "w:pStyle", val="Footer")
    for kind, instruction in (("begin", ""), ("", " PAGE "), ("separate", ""), ("result", ""), ("end", "")):
        part = add(paragraph, "w:r")
        write_run_properties(part, run, base, RunMarks())
        if instruction:
            add_text(part, "w:instrText", instruction)
        elif kind == "result":
            add_text(part, "w:t", "1")
        else:
            add(part, "w:fldChar", fldCharType=kind)
    return element


def background(document: Element, color: str) -> bool:
    """Paint the page on screens, unless it is white."""
    if color == _WHITE:
        return False
    document.insert(0, add(document, "w:background", color=color))
    return True


def core_properties(properties: DocumentProperties) -> Element:
    element = root("cp:coreProperties", "dc", "dcterms", "xsi")
    for name, value in (
        ("dc:title", properties.title),
        ("dc:creator", properties.author),
        ("cp:keywords", properties.keywords),
        ("dc:description", properties.description),
        ("dc:language", properties.lang),
    ):
        if value:
            add_text(element, name, value)
    if date := _w3c_date(properties.date):
        for name in ("dcterms:created", "dcterms:modified"):
            add_text(element, name, date).set(qualified("xsi:type"), "dcterms:W3CDTF")
    return element


def _w3c_date(date: str | None) -> str | None:
    """Return a date and time in UTC, as Word requires it; None if it is no date."""
    try:
        moment = datetime.fromisoformat((date or "").strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError):
        return None


def app_properties() -> Element:
    element = plain_root("ep:Properties")
    add_text(element, "ep:Application", "mdpublish")
    return element
