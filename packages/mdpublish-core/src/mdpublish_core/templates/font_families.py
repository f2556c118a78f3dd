"""Font families by class (for line-length estimates), and those available in Google Docs and Office."""

from collections.abc import Mapping
from typing import Literal, get_args

FontClass = Literal[
    "grotesk",
    "humanist",
    "geometric",
    "condensed",
    "rounded",
    "flared",
    "poster",
    "old-style",
    "transitional",
    "modern",
    "slab",
    "monospace",
    "typewriter",
]

FONT_CLASSES: tuple[FontClass, ...] = get_args(FontClass)

# https://learn.microsoft.com/en-us/typography/fonts/font-list says what Office has on Windows and macOS.
_FAMILIES: Mapping[FontClass, Mapping[str, str]] = {
    "grotesk": {
        "docs word": "Arial",
        "docs": "Inter, Roboto, Archivo, Public Sans, Libre Franklin, Work Sans, Space Grotesk, Overpass, Arimo, "
        "Barlow, IBM Plex Sans",
        "word": "Segoe UI, Franklin Gothic Book, Franklin Gothic Medium, Aptos",
        "": "Helvetica, Helvetica Neue, SF Pro Text, Liberation Sans, system-ui, -apple-system, sans-serif",
    },
    "humanist": {
        "docs word": "Verdana, Tahoma, Trebuchet MS, Calibri",
        "docs": "Open Sans, Noto Sans, Lato, Ubuntu, Cantarell, Source Sans 3, Fira Sans, PT Sans, Atkinson "
        "Hyperlegible, Lexend",
        "word": "Lucida Sans, Gill Sans MT, Corbel, Calibri Light",
        "": "Lucida Grande, Lucida Sans Unicode, Gill Sans, Carlito, Frutiger, Myriad Pro, "
        "Atkinson Hyperlegible Next, Seravek, DejaVu Sans",
    },
    "geometric": {
        "docs word": "Century Gothic",
        "docs": "Montserrat, Jost, Josefin Sans, Raleway, Poppins, DM Sans, Outfit",
        "word": "Tw Cen MT",
        "": "Futura, Avenir, Avenir Next, URW Gothic, ITC Avant Garde Gothic",
    },
    "condensed": {
        "docs": "Oswald, League Gothic, Barlow Condensed, Roboto Condensed",
        "word": "Arial Narrow, Tw Cen MT Condensed, Rockwell Condensed, Bahnschrift",
        "": "Avenir Next Condensed, Helvetica Neue Condensed, DIN Condensed, Liberation Sans Narrow",
    },
    "rounded": {
        "docs word": "Comic Sans MS",
        "docs": "Nunito, Nunito Sans, Quicksand, Comfortaa",
        "word": "Arial Rounded MT Bold",
        "": "Hiragino Maru Gothic ProN, SF Pro Rounded, Varela Round",
    },
    "flared": {
        "docs": "Marcellus, Cinzel",
        "word": "Candara, Copperplate Gothic Light, Felix Titling, Perpetua Titling MT",
        "": "Optima, Copperplate, Albertus, Trajan Pro, URW Classico",
    },
    "poster": {
        "docs word": "Impact",
        "docs": "Archivo Black, Anton, Abril Fatface",
        "word": "Arial Black, Haettenschweiler, Bernard MT Condensed, Cooper Black",
    },
    "old-style": {
        "docs word": "Garamond",
        "docs": "EB Garamond, Libre Caslon Text, Cormorant Garamond, Crimson Pro, IM Fell English, Newsreader, "
        "Spectral, Lora, Alegreya",
        "word": "Palatino Linotype, Book Antiqua, Goudy Old Style, Perpetua, Californian FB, Constantia, High Tower Text",
        "": "Palatino, Iowan Old Style, Hoefler Text, Big Caslon, Linux Libertine, Libertinus Serif, Sitka Text, "
        "Bembo, Apple Garamond, TeX Gyre Pagella",
    },
    "transitional": {
        "docs word": "Times New Roman, Georgia, Cambria",
        "docs": "Libre Baskerville, Source Serif 4, Noto Serif, PT Serif, Gelasio, Tinos, Merriweather, IBM Plex Serif",
        "word": "Baskerville Old Face, Bell MT",
        "": "Times, Baskerville, Charter, Bitstream Charter, XCharter, New York, Liberation Serif, serif",
    },
    "modern": {
        "docs": "Bodoni Moda, Playfair Display, Old Standard TT, DM Serif Display, Libre Bodoni",
        "word": "Bodoni MT, Century, Century Schoolbook",
        "": "Didot, Bodoni 72, Latin Modern Roman, CMU Serif, New Century Schoolbook, TeX Gyre Schola, "
        "Noto Serif Display, Computer Modern Serif",
    },
    "slab": {
        "docs": "Zilla Slab, Bitter, Roboto Slab, Rokkitt, Arvo, Josefin Slab, Aleo",
        "word": "Rockwell, Bookman Old Style, Lucida Bright",
        "": "American Typewriter, Clarendon, Sentinel, TeX Gyre Bonum",
    },
    "monospace": {
        "docs": "Fira Code, JetBrains Mono, Roboto Mono, Source Code Pro, Inconsolata, Ubuntu Mono, IBM Plex Mono, "
        "Space Mono, Anonymous Pro, Cousine, DM Mono, VT323",
        "word": "Consolas, Lucida Console",
        "": "Menlo, SFMono-Regular, SF Mono, Monaco, Cascadia Code, Cascadia Mono, DejaVu Sans Mono, Liberation Mono,"
        " Andale Mono, Hack, ui-monospace, monospace",
    },
    "typewriter": {
        "docs word": "Courier New",
        "docs": "Courier Prime, Special Elite, Cutive Mono",
        "word": "Lucida Sans Typewriter, OCR A Extended",
        "": "Courier, Nimbus Mono PS, TeX Gyre Cursor, Latin Modern Mono",
    },
}
"""Names by class, and by which of Google Docs, with Google Fonts, and Word come with them."""

_FONT_CLASSES_BY_NAME: Mapping[str, FontClass] = {
    name: font_class
    for font_class, groups in _FAMILIES.items()
    for names in groups.values()
    for name in names.split(", ")
}


def _families_of(program: str) -> frozenset[str]:
    groups = (group for groups in _FAMILIES.values() for group in groups.items())
    return frozenset(name for programs, names in groups if program in programs for name in names.split(", "))


DOCS_FAMILIES = _families_of("docs")

WORD_FAMILIES = _families_of("word")

# Mean character width of English text, in em, over common families of the class.
MEAN_CHARACTER_WIDTHS: Mapping[FontClass, float] = {
    "grotesk": 0.47,
    "humanist": 0.48,
    "geometric": 0.48,
    "condensed": 0.38,
    "rounded": 0.48,
    "flared": 0.46,
    "poster": 0.5,
    "old-style": 0.42,
    "transitional": 0.43,
    "modern": 0.44,
    "slab": 0.47,
    "monospace": 0.6,
    "typewriter": 0.6,
}


def font_class(family: str) -> FontClass | None:
    return _FONT_CLASSES_BY_NAME.get(family)
