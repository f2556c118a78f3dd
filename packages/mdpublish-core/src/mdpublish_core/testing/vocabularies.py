"""Allow-lists for each destination's HTML. Anything else was injected by an author."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

import html5lib

from mdpublish_core.resources.known_elements import VOID_TAGS
from mdpublish_core.resources.urls import is_image_data_url, is_safe_url


def _split_words(names: str) -> frozenset[str]:
    return frozenset(names.split())


_URL_ATTRIBUTES = _split_words("cite href src")

_GENERAL = _split_words("dir lang title")

_TABLE_PARTS = _split_words("caption table tbody td tfoot th thead tr")

_HEADINGS_AND_LISTS = _split_words("h1 h2 h3 h4 h5 h6 li ol ul")


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """An allow-list for a destination's HTML.

    `prefixes` and `property_prefixes` allow classes and properties by prefix. `cid` allows `cid:` URLs of images,
    used in email and on the clipboard.
    """

    elements: frozenset[str]
    attributes: frozenset[str]
    properties: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    property_prefixes: tuple[str, ...] = ()
    cid: bool = False

    def violations(self, html: str) -> Iterator[str]:
        """Yield everything in `html`, as parsed by a browser, that is not allowed."""
        for element in html5lib.parse(html, namespaceHTMLElements=False).iter():
            if isinstance(element.tag, str):
                yield from self._element_violations(element)

    @property
    def _all_elements(self) -> frozenset[str]:
        return self.elements | {"html", "head", "body"}

    def _element_violations(self, element: Element) -> Iterator[str]:
        # html5lib adds a namespace to SVG and MathML only.
        namespace, _, tag = str(element.tag).rpartition("}")
        if tag not in (_FOREIGN.get(namespace, frozenset()) & self.elements if namespace else self._all_elements):
            yield f"<{element.tag}>"
        if element.tag in VOID_TAGS and len(element):
            yield f"<{element.tag}> with content"
        for name, value in element.attrib.items():
            yield from self._attribute_violations(element.tag, str(name), value)

    def _attribute_violations(self, tag: str, name: str, value: str) -> Iterator[str]:
        if name not in self.attributes:
            yield f"<{tag} {name}>"
        elif name in _URL_ATTRIBUTES:
            is_image = name == "src" and (is_image_data_url(value) or (self.cid and value.startswith("cid:")))
            if not (is_safe_url(value) or is_image):
                yield f"<{tag} {name}={value!r}>"
        elif name == "class":
            unknown = [
                word
                for word in re.split(r"[ \t\n\f\r]+", value)
                if word and word not in self.classes and not word.startswith(self.prefixes)
            ]
            yield from (f"<{tag} class={word!r}>" for word in unknown)
        elif name == "style":
            yield from (f"<{tag} style={problem!r}>" for problem in self._style_violations(value))

    def _style_violations(self, style: str) -> Iterator[str]:
        for declaration in style.split(";"):
            name, colon, value = (part.strip().lower() for part in declaration.partition(":"))
            if colon and name not in self.properties and not name.startswith(self.property_prefixes):
                yield name
            if any(word in value for word in ("url(", "expression(", "javascript:", "<", "\\")):
                yield declaration


_AUTHOR_ELEMENTS = (
    _HEADINGS_AND_LISTS
    | _TABLE_PARTS
    | _split_words(
        "a abbr b bdo blockquote br cite code dd del details dfn div dl dt em figcaption figure hr i img ins kbd mark "
        "p pre q rp rt ruby s samp small span strong sub summary sup time tt u var wbr"
    )
)

_AUTHOR_ATTRIBUTES = _GENERAL | _split_words(
    "abbr align alt border cellpadding cellspacing cite colspan datetime headers height href id name open reversed "
    "rowspan rules scope src start summary type valign value width"
)

_STYLES = _split_words(
    "background-color color font-family font-size font-style font-variant font-weight letter-spacing line-height "
    "list-style-type text-align text-decoration text-indent text-transform vertical-align "
    "border border-bottom border-collapse border-left border-right border-top "
    "margin margin-bottom margin-left margin-right margin-top "
    "padding padding-bottom padding-left padding-right padding-top"
)

_TABLE_ATTRIBUTES = _split_words("align border cellpadding cellspacing colspan rowspan scope valign")

_IMAGE_ATTRIBUTES = _split_words("alt height src width")

_DOCUMENT = _split_words("html head meta title body")

_DOCUMENT_ATTRIBUTES = _split_words("charset content http-equiv lang name")

_SVG_ELEMENTS = _split_words(
    "a circle clipPath defs desc ellipse g line linearGradient marker mask path pattern polygon polyline "
    "radialGradient rect stop svg symbol text textPath title tspan use"
)

_SVG_ATTRIBUTES = _split_words(
    "alignment-baseline baseline-shift clip-path clip-rule clipPathUnits cx cy d direction dominant-baseline dx dy fill "
    "fill-opacity fill-rule font-family font-size font-stretch font-style font-variant font-weight fr fx fy gradientTransform "
    "gradientUnits height id lengthAdjust letter-spacing marker-end marker-mid marker-start markerHeight markerUnits markerWidth "
    "mask maskContentUnits maskUnits offset opacity orient overflow paint-order pathLength patternContentUnits patternTransform "
    "patternUnits points preserveAspectRatio r refX refY role rotate rx ry shape-rendering spreadMethod startOffset stop-color "
    "stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity "
    "stroke-width text-anchor text-decoration text-rendering textLength transform unicode-bidi vector-effect viewBox visibility "
    "width word-spacing writing-mode x x1 x2 xmlns y y1 y2"
)

_MATH_ELEMENTS = _split_words(
    "math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace msqrt "
    "mstyle msub msubsup msup mtable mtd mtext mtr munder munderover"
)

_MATH_ATTRIBUTES = _split_words(
    "accent accentunder depth display displaystyle fence form height linethickness lspace mathbackground mathcolor mathsize "
    "mathvariant maxsize minsize movablelimits notation rspace scriptlevel separator stretchy symmetric voffset width"
)

_MATH_CLASSES = _split_words(
    "aligned angl apart arrow back bcancel bold box cancel cases clap dashes-above dashes-before dashes-behind "
    "dashes-below frame ground italic llap mono multline over phase rlap rule-above rule-before rule-behind rule-below "
    "sans small sout tag tagged under xcancel"
)

_FOREIGN = {"{http://www.w3.org/2000/svg": _SVG_ELEMENTS, "{http://www.w3.org/1998/Math/MathML": _MATH_ELEMENTS}

VOCABULARIES: dict[str, Vocabulary] = {
    "google-docs": Vocabulary(
        elements=_HEADINGS_AND_LISTS
        | (_TABLE_PARTS - {"caption", "tfoot"})
        | _split_words("a b br col colgroup div hr img meta p span"),
        attributes=_TABLE_ATTRIBUTES
        | _IMAGE_ATTRIBUTES
        | _split_words("aria-checked aria-level aria-roledescription charset dir href id role start style"),
        properties=_STYLES
        | _split_words(
            "-aw-style-name display height overflow overflow-wrap padding-inline-start table-layout white-space width"
        ),
        cid=True,
    ),
    "word": Vocabulary(
        elements=_DOCUMENT
        | _HEADINGS_AND_LISTS
        | (_TABLE_PARTS - {"caption", "tfoot"})
        | _split_words("a b br col colgroup div hr i img o:p p s span style sub sup u"),
        attributes=_DOCUMENT_ATTRIBUTES
        | _TABLE_ATTRIBUTES
        | _IMAGE_ATTRIBUTES
        | _split_words(
            "bgcolor class clear dir href id size start style title type value xmlns xmlns:m xmlns:o xmlns:v xmlns:w"
        ),
        properties=_STYLES
        | _split_words(
            "background direction height page-break-after page-break-inside table-layout unicode-bidi width word-wrap"
        ),
        property_prefixes=("mso-",),
        classes=_split_words(
            "Code CodeChar MsoCaption MsoFootnoteReference MsoFootnoteText MsoListParagraph MsoNormal MsoNormalTable "
            "MsoQuote Spacer"
        ),
        cid=True,
    ),
    "onenote": Vocabulary(
        elements=_DOCUMENT
        | _HEADINGS_AND_LISTS
        | _split_words("a br cite del em img p span strong sub sup table tbody td tr u"),
        attributes=_IMAGE_ATTRIBUTES | _split_words("border charset content data-id data-tag href lang name style"),
        properties=_split_words(
            "background-color border color font-family font-size font-style font-weight list-style-type text-align "
            "text-decoration width"
        ),
        cid=True,
    ),
    "email": Vocabulary(
        elements=_DOCUMENT
        | _HEADINGS_AND_LISTS
        | _TABLE_PARTS
        | _split_words(
            "a b br cite code col colgroup dd del div dl dt em img kbd p samp small span strong style sub sup u var"
        ),
        attributes=_DOCUMENT_ATTRIBUTES
        | _TABLE_ATTRIBUTES
        | _IMAGE_ATTRIBUTES
        | _split_words("bgcolor class dir href reversed role start style title type value xmlns:o"),
        properties=_STYLES | _split_words("background border-radius direction display font height max-width width"),
        property_prefixes=("mso-",),
        classes=_split_words("code frame long many rows scroll tail wide"),
        prefixes=("m",),
        cid=True,
    ),
    "html": Vocabulary(
        elements=_AUTHOR_ELEMENTS | _split_words("input section"),
        attributes=_AUTHOR_ATTRIBUTES
        | _split_words(
            "aria-label checked class disabled data-footnote-backref data-footnote-backref-idx data-footnote-ref "
            "data-footnotes"
        ),
        classes=_split_words("footnote-backref footnote-ref footnotes"),
        prefixes=("language-",),
    ),
    "generic": Vocabulary(
        elements=_AUTHOR_ELEMENTS | _SVG_ELEMENTS | _MATH_ELEMENTS | _split_words("input section style"),
        attributes=_AUTHOR_ATTRIBUTES
        | _SVG_ATTRIBUTES
        | _MATH_ATTRIBUTES
        | _split_words("aria-hidden aria-label checked class disabled role sizes srcset tabindex"),
        classes=_MATH_CLASSES
        | _split_words(
            "callout note tip important warning caution title footnote-back footnote-ref footnotes heading-mark math "
            "part rule table task left center right odd even total data deck drawing lead comment keyword string "
            "number constant function type attribute inserted deleted"
        ),
        prefixes=("language-", "mdpublish-", "wide-"),
    ),
}
"""Allow-lists of the destinations whose output is HTML."""
