"""Names of elements: a tag with another name is text.

Sources: HTML Living Standard, "Elements" and "Non-conforming features"; SVG 1.1 and 2; MathML 3, presentation elements.
"""

_HTML_NAMES = """
a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button
canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset
figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins isindex
kbd keygen label legend li link listing main map mark marquee menu menuitem meta meter multicol nav nextid nobr noembed
noframes noscript object ol optgroup option output p param picture plaintext pre progress q rb rp rt rtc ruby s samp script
search section select slot small source spacer span strike strong style sub summary sup table tbody td template textarea
tfoot th thead time title tr track tt u ul var video wbr xmp
"""

_SVG_NAMES = """
a altglyph altglyphdef altglyphitem animate animatecolor animatemotion animatetransform circle clippath color-profile cursor
defs desc ellipse feblend fecolormatrix fecomponenttransfer fecomposite feconvolvematrix fediffuselighting
fedisplacementmap fedistantlight fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur feimage femerge
femergenode femorphology feoffset fepointlight fespecularlighting fespotlight fetile feturbulence filter font font-face
font-face-format font-face-name font-face-src font-face-uri foreignobject g glyph glyphref hkern image line lineargradient
marker mask metadata missing-glyph mpath path pattern polygon polyline radialgradient rect script set stop style svg switch
symbol text textpath title tref tspan use view vkern
"""

_MATHML_NAMES = """
annotation annotation-xml maction maligngroup malignmark math menclose merror mfenced mfrac mglyph mi mlabeledtr mlongdiv
mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mscarries mscarry msgroup msline mspace msqrt msrow
mstack mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics
"""

_HTML, _SVG, _MATHML = (frozenset(names.split()) for names in (_HTML_NAMES, _SVG_NAMES, _MATHML_NAMES))

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

_VALUELESS_NAMES = """
allowfullscreen alt async autofocus autoplay checked class compact contenteditable controls crossorigin default defer
disabled download draggable formnovalidate hidden href id inert ismap itemscope loop multiple muted name nohref nomodule
noresize noshade novalidate nowrap open playsinline popover readonly required reversed selected sortable spellcheck src
style title translate value
"""

VALUELESS_ATTRIBUTES = frozenset(_VALUELESS_NAMES.split())
"""Attributes that may stand without a value, or often do by mistake."""
