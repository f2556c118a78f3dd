"""Characters of symbol fonts, such as Wingdings, as those of Unicode that look alike.

Source: https://github.com/mwilliamson/dingbat-to-unicode, which mammoth has.
"""

SYMBOL_FONTS = frozenset({"Symbol", "Webdings", "Wingdings", "Wingdings 2", "Wingdings 3"})


def symbol_of(font: str, code: int) -> str:
    """Return the character of a font's code, which Word may write in a private area; empty if none is known."""
    from mammoth.docx.dingbats import dingbats

    shown = dingbats.get((font, code - 0xF000 if 0xF000 <= code <= 0xF0FF else code), code)
    return chr(shown) if chr(shown).isprintable() else ""
