"""Normalization: characters made one where readers cannot tell them apart, so that one spelling of a word finds all.

Each character is folded by itself. Normalising a whole text would take time with the square of a run of combining marks.
"""

import re
import unicodedata

MARK = "\ue000"
"""Begins a word that no author can write: `reading` puts what it found out about a link into the text with it."""

# What looks like a Latin letter and has no compatibility mapping to it: first what looks so, then the letters.
_HOMOGLYPHS = (
    # Cyrillic, then Cyrillic capitals that look like another letter than their small ones.
    ("авсԁеһніјкӏморѕтухԛԝѵьпгґє", "abcdehhijklmopstyxqwvbnrre"),
    ("ԌЗ", "g3"),  # noqa: RUF001
    # Greek; its capitals are named apart, since capital nu is an N and a small one a v.
    ("αβγδεηικνοπρστυχωϲϳ", "abydenikvonpotuxwcj"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "abezhikmnoptyx"),  # noqa: RUF001
    # Armenian, Cherokee, Lisu.
    ("ոսօհցզյԁ", "nuohgqjd"),
    ("ᎪᏴᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ", "abcdeghijklmprstvwz"),  # noqa: RUF001
    ("ꓐꓒꓓꓔꓖꓗꓙꓚꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "bpdtgkjcfmnlsrvhwxyaeiou"),  # noqa: RUF001
    # Latin: small capitals, letters with a stroke, and without a dot.
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"),
    ("ıɩɑɡøđłħŧŋɾƽƅɛƖɓɗɨʋ", "iiagodlhtnrsbelbdiv"),
)

_REGIONAL_A, _SQUARED_A, _CIRCLED_A = 0x1F1E6, 0x1F170, 0x1F150

_SPECIAL: dict[int, str] = {
    # Signs that are shown as nothing or as a space, and are not of a category that says so.
    **dict.fromkeys((0x115F, 0x1160, 0x3164, 0xFFA0, 0xFFFD), ""),
    0x2800: " ",
    **{
        ord(homoglyph): latin
        for homoglyphs, latin_characters in _HOMOGLYPHS
        for homoglyph, latin in zip(homoglyphs, latin_characters, strict=True)
    },
    # White letters on black, and flags.
    **{first + number: chr(97 + number) for first in (_REGIONAL_A, _SQUARED_A, _CIRCLED_A) for number in range(26)},
}

# Me, Mn: marks upon letters. Cf: zero-width and direction marks, soft hyphens. Cc, Co, Cs, Cn: nothing that is seen.
_INVISIBLE = frozenset({"Me", "Mn", "Cf", "Cc", "Co", "Cs", "Cn"})

# A text that is shown from its end to its beginning.
_REVERSED = re.compile("\u202e([^\u202c\n]*)\u202c?")


class _Table(dict[int, str]):
    """What each character is folded to, found out when it is first met."""

    def __missing__(self, code: int) -> str:
        normalized = self[code] = _normalized(chr(code))
        return normalized


def normalize(content: str) -> str:
    """Return `content` in small letters without marks, what is unseen gone, and look-alikes of Latin letters as these."""
    if content.isascii():
        return content.lower()
    if "\u202e" in content:
        content = _REVERSED.sub(lambda match: match[1][::-1], content)
    return content.translate(_Table())


def _normalized(character: str) -> str:
    special = _SPECIAL.get(ord(character))
    if special is not None:
        return special
    if character in "\n\t\r" or character == MARK:
        return character
    return "".join(map(_without_marks, unicodedata.normalize("NFKD", character).casefold()))


def _without_marks(character: str) -> str:
    special = _SPECIAL.get(ord(character))
    if special is not None:
        return special
    return "" if unicodedata.category(character) in _INVISIBLE else character
