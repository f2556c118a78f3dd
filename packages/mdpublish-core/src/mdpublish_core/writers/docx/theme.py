"""The template's colors and fonts as Word's theme, for its menus, and the substitutes of fonts."""

from collections.abc import Iterable

from mdpublish_core.data_files import read_pairs, read_table
from mdpublish_core.resources.open_xml import Element
from mdpublish_core.templates import Style
from mdpublish_core.templates.font_families import font_class
from mdpublish_core.writers.docx.element_styles import hex_color
from mdpublish_core.writers.docx.xml import add, add_with, root, story_root

_ACCENTS = 6


def theme(style: Style) -> Element:
    """Return `theme1.xml`. Its effects, which Word requires, are none."""
    element = root("a:theme")
    element.set("name", style.template.name)
    parts = add_with(element, "a:themeElements", {})
    _write_colors(parts, style)
    fonts = style.template.fonts.word
    scheme = add_with(parts, "a:fontScheme", {"name": style.template.name})
    for name, family in (("a:majorFont", fonts.heading), ("a:minorFont", fonts.body)):
        font = add_with(scheme, name, {})
        for script, typeface in (("a:latin", family), ("a:ea", ""), ("a:cs", "")):
            add_with(font, script, {"typeface": typeface})
    _write_formats(parts, style)
    return element


def _write_colors(parts: Element, style: Style) -> None:
    colors = style.template.light
    series = [color for color in colors.chart if color != colors.accent]
    accents = [colors.accent, *series, *[colors.accent] * _ACCENTS][:_ACCENTS]
    roles = {
        "dk1": colors.text,
        "lt1": "#ffffff",
        "dk2": colors.heading,
        "lt2": colors.surface,
        **{f"accent{number}": color for number, color in enumerate(accents, start=1)},
        "hlink": colors.link,
        "folHlink": colors.muted,
    }
    scheme = add_with(parts, "a:clrScheme", {"name": style.template.name})
    for role, color in roles.items():
        add_with(add_with(scheme, f"a:{role}", {}), "a:srgbClr", {"val": hex_color(color) or "000000"})


def _write_formats(parts: Element, style: Style) -> None:
    scheme = add_with(parts, "a:fmtScheme", {"name": style.template.name})
    for name in ("a:fillStyleLst", "a:lnStyleLst", "a:effectStyleLst", "a:bgFillStyleLst"):
        styles = add_with(scheme, name, {})
        for width in (6_350, 12_700, 19_050):
            if name == "a:effectStyleLst":
                add_with(add_with(styles, "a:effectStyle", {}), "a:effectLst", {})
                continue
            fill = add_with(styles, "a:ln", {"w": width}) if name == "a:lnStyleLst" else styles
            add_with(add_with(fill, "a:solidFill", {}), "a:schemeClr", {"val": "phClr"})


_SERIF_CLASSES = frozenset({"old-style", "transitional", "modern", "slab", "flared"})
_MONO_CLASSES = frozenset({"monospace", "typewriter"})

_EAST_ASIAN = {lang: (sans, serif) for lang, sans, serif in read_table(__file__, "east_asian_fonts.tsv")}

_STAND_INS = read_pairs(__file__, "stand_ins.tsv")

_TRADITIONAL = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")


def east_asian_font(font: str, lang: str | None) -> str:
    """Return the font of Chinese, Japanese or Korean beside `font`; Japanese in other languages."""
    lang = (lang or "").lower()
    key = "zh-hant" if lang.startswith(_TRADITIONAL) else lang.partition("-")[0]
    sans, serif = _EAST_ASIAN.get(key, _EAST_ASIAN["ja"])
    return serif if font_class(font) in _SERIF_CLASSES else sans


def font_table(fonts: Iterable[str]) -> Element:
    """Return `fontTable.xml`: the fonts that stand in for each, and its class, by which programs choose yet another."""
    element = story_root("w:fonts")
    for name in sorted(fonts):
        kind = font_class(name)
        font = add(element, "w:font", name=name)
        is_mono = kind in _MONO_CLASSES
        common = "Courier New" if is_mono else "Times New Roman" if kind in _SERIF_CLASSES else "Arial"
        if stand_ins := _STAND_INS.get(name) or (common if name != common else None):
            add(font, "w:altName", val=stand_ins.replace(", ", ","))
        add(font, "w:charset", val="00")
        add(font, "w:family", val="modern" if is_mono else "roman" if kind in _SERIF_CLASSES else "swiss")
        add(font, "w:pitch", val="fixed" if is_mono else "variable")
    return element
