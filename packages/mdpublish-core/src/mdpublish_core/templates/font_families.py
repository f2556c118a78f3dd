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

_NAMES: Mapping[FontClass, str] = {
    "grotesk": "Arial, Helvetica, Helvetica Neue, Inter, Roboto, Archivo, Public Sans, Libre Franklin, Work Sans, Segoe UI, "
    "SF Pro Text, Franklin Gothic Book, Franklin Gothic Medium, Space Grotesk, Overpass, Aptos, Liberation Sans, Arimo, Barlow, "
    "IBM Plex Sans, "
    "system-ui, -apple-system, sans-serif",
    "humanist": "Verdana, Tahoma, Trebuchet MS, Lucida Grande, Lucida Sans, Lucida Sans Unicode, Gill Sans, Gill Sans MT, Calibri, "
    "Corbel, Open Sans, Noto Sans, Lato, Ubuntu, Cantarell, Source Sans 3, Fira Sans, PT Sans, Carlito, Frutiger, Myriad Pro, "
    "Atkinson Hyperlegible, Atkinson Hyperlegible Next, Calibri Light, Lexend, Seravek, DejaVu Sans",
    "geometric": "Futura, Avenir, Avenir Next, Century Gothic, Montserrat, Jost, Josefin Sans, Raleway, Tw Cen MT, Poppins, "
    "DM Sans, URW Gothic, ITC Avant Garde Gothic, Outfit",
    "condensed": "Arial Narrow, Avenir Next Condensed, Oswald, League Gothic, Barlow Condensed, Roboto Condensed, "
    "Helvetica Neue Condensed, Tw Cen MT Condensed, Rockwell Condensed, Bahnschrift, DIN Condensed, Liberation Sans Narrow",
    "rounded": "Nunito, Nunito Sans, Quicksand, Arial Rounded MT Bold, Hiragino Maru Gothic ProN, SF Pro Rounded, Comfortaa, "
    "Varela Round, Comic Sans MS",
    "flared": "Optima, Candara, Copperplate, Copperplate Gothic Light, Marcellus, Cinzel, Albertus, Trajan Pro, "
    "Felix Titling, Perpetua Titling MT, URW Classico",
    "poster": "Impact, Arial Black, Archivo Black, Anton, Haettenschweiler, Bernard MT Condensed, Cooper Black, Abril Fatface",
    "old-style": "Garamond, EB Garamond, Palatino, Palatino Linotype, Book Antiqua, Iowan Old Style, Hoefler Text, "
    "Big Caslon, Libre Caslon Text, Goudy Old Style, Linux Libertine, Libertinus Serif, Cormorant Garamond, Crimson Pro, "
    "Sitka Text, Bembo, Perpetua, Californian FB, IM Fell English, Constantia, Newsreader, Spectral, Lora, High Tower Text, "
    "Apple Garamond, TeX Gyre Pagella, Alegreya",
    "transitional": "Times, Times New Roman, Georgia, Baskerville, Baskerville Old Face, Libre Baskerville, Charter, "
    "Bitstream Charter, XCharter, Cambria, New York, Source Serif 4, Noto Serif, PT Serif, Gelasio, Liberation Serif, Tinos, "
    "Merriweather, Bell MT, IBM Plex Serif, serif",
    "modern": "Didot, Bodoni MT, Bodoni 72, Bodoni Moda, Playfair Display, Latin Modern Roman, CMU Serif, Old Standard TT, "
    "DM Serif Display, Century, Century Schoolbook, New Century Schoolbook, TeX Gyre Schola, Libre Bodoni, Noto Serif Display, Computer Modern Serif",
    "slab": "Rockwell, Zilla Slab, Bitter, American Typewriter, Roboto Slab, Rokkitt, Arvo, Bookman Old Style, Clarendon, "
    "Lucida Bright, Sentinel, Josefin Slab, TeX Gyre Bonum, Aleo",
    "monospace": "Menlo, Consolas, SFMono-Regular, SF Mono, Monaco, Cascadia Code, Cascadia Mono, Fira Code, JetBrains Mono, "
    "Roboto Mono, Source Code Pro, Inconsolata, DejaVu Sans Mono, Liberation Mono, Ubuntu Mono, IBM Plex Mono, Space Mono, "
    "Anonymous Pro, Cousine, DM Mono, VT323, Lucida Console, Andale Mono, Hack, ui-monospace, monospace",
    "typewriter": "Courier, Courier New, Courier Prime, Nimbus Mono PS, Lucida Sans Typewriter, Special Elite, Cutive Mono, "
    "OCR A Extended, TeX Gyre Cursor, Latin Modern Mono",
}

_FONT_CLASSES_BY_NAME: Mapping[str, FontClass] = {
    name: font_class for font_class, names in _NAMES.items() for name in names.split(", ")
}

# Google Docs' own families, and Google Fonts.
DOCS_FAMILIES = frozenset(
    [
        "Arial",
        "Comic Sans MS",
        "Courier New",
        "Georgia",
        "Impact",
        "Tahoma",
        "Times New Roman",
        "Trebuchet MS",
        "Verdana",
        "Garamond",
        "Calibri",
        "Cambria",
        "Century Gothic",
        "Abril Fatface",
        "Alegreya",
        "Aleo",
        "Anonymous Pro",
        "Anton",
        "Archivo",
        "Archivo Black",
        "Arimo",
        "Arvo",
        "Atkinson Hyperlegible",
        "Barlow",
        "Barlow Condensed",
        "Bitter",
        "Bodoni Moda",
        "Cantarell",
        "Cinzel",
        "Comfortaa",
        "Cormorant Garamond",
        "Courier Prime",
        "Cousine",
        "Crimson Pro",
        "Cutive Mono",
        "DM Mono",
        "DM Sans",
        "DM Serif Display",
        "EB Garamond",
        "Fira Code",
        "Fira Sans",
        "Gelasio",
        "IBM Plex Mono",
        "IBM Plex Sans",
        "IBM Plex Serif",
        "IM Fell English",
        "Inconsolata",
        "Inter",
        "JetBrains Mono",
        "Josefin Sans",
        "Josefin Slab",
        "Jost",
        "Lato",
        "League Gothic",
        "Lexend",
        "Libre Baskerville",
        "Libre Bodoni",
        "Libre Caslon Text",
        "Libre Franklin",
        "Lora",
        "Marcellus",
        "Merriweather",
        "Montserrat",
        "Newsreader",
        "Noto Sans",
        "Noto Serif",
        "Nunito",
        "Nunito Sans",
        "Old Standard TT",
        "Open Sans",
        "Oswald",
        "Outfit",
        "Overpass",
        "PT Sans",
        "PT Serif",
        "Playfair Display",
        "Poppins",
        "Public Sans",
        "Quicksand",
        "Raleway",
        "Roboto",
        "Roboto Condensed",
        "Roboto Mono",
        "Roboto Slab",
        "Rokkitt",
        "Source Code Pro",
        "Source Sans 3",
        "Source Serif 4",
        "Space Grotesk",
        "Space Mono",
        "Special Elite",
        "Spectral",
        "Tinos",
        "Ubuntu",
        "Ubuntu Mono",
        "VT323",
        "Work Sans",
        "Zilla Slab",
    ]
)

# Office on Windows and macOS: https://learn.microsoft.com/en-us/typography/fonts/font-list
WORD_FAMILIES = frozenset(
    [
        "Aptos",
        "Arial",
        "Arial Black",
        "Arial Narrow",
        "Arial Rounded MT Bold",
        "Bahnschrift",
        "Baskerville Old Face",
        "Bell MT",
        "Bernard MT Condensed",
        "Bodoni MT",
        "Book Antiqua",
        "Bookman Old Style",
        "Calibri",
        "Calibri Light",
        "Californian FB",
        "Cambria",
        "Candara",
        "Century",
        "Century Gothic",
        "Century Schoolbook",
        "Comic Sans MS",
        "Consolas",
        "Constantia",
        "Cooper Black",
        "Copperplate Gothic Light",
        "Corbel",
        "Courier New",
        "Felix Titling",
        "Franklin Gothic Book",
        "Franklin Gothic Medium",
        "Garamond",
        "Georgia",
        "Gill Sans MT",
        "Goudy Old Style",
        "Haettenschweiler",
        "High Tower Text",
        "Impact",
        "Lucida Bright",
        "Lucida Console",
        "Lucida Sans",
        "Lucida Sans Typewriter",
        "OCR A Extended",
        "Palatino Linotype",
        "Perpetua",
        "Perpetua Titling MT",
        "Rockwell",
        "Rockwell Condensed",
        "Segoe UI",
        "Tahoma",
        "Times New Roman",
        "Trebuchet MS",
        "Tw Cen MT",
        "Tw Cen MT Condensed",
        "Verdana",
    ]
)

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
