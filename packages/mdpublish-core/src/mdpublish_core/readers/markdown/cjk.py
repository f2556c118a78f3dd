"""Emphasis beside Chinese, Japanese and Korean, whose words have no spaces between them.

CommonMark needs a space between emphasis that ends with punctuation and the next word. A mark between punctuation and a
letter opens and closes emphasis if either of them is CJK. Source: CommonMark CJK-friendly Amendments,
https://github.com/tats-u/markdown-cjk-friendly/blob/main/specification.md
"""

from mdpublish_core.strings.lazy_patterns import compile_lazily

# East Asian Width W, F or H in Unicode 17 without emoji, and Hangul; gaps of unassigned characters are closed.
_CJK = compile_lazily(
    "[\u1100-\u11ff\u20a9\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4cf\ua960-\ua97f"
    "\uac00-\ud7ff\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uffee\U00016fe0-\U00018dff\U00018e00-\U000191df"
    "\U0001aff0-\U0001b2ff\U0001d300-\U0001d376\U0001f200\U0001f202\U0001f210-\U0001f219\U0001f21b-\U0001f22e"
    "\U0001f230\U0001f231\U0001f237\U0001f23b-\U0001f248\U0001f260-\U0001f265\U00020000-\U0003fffd]"
)

_IDEOGRAPHIC_SELECTOR = compile_lazily("[\U000e0100-\U000e01ef]")

# It makes the quotation mark before it full-width.
_FULLWIDTH_SELECTOR = "\ufe01"
_QUOTATION_MARKS = "\u2018\u2019\u201c\u201d"


def is_cjk(character: str) -> bool:
    return _CJK.match(character) is not None


def is_variation_selector(character: str) -> bool:
    """Whether it varies the character before it; the one for emoji does not count."""
    return "\ufe00" <= character <= "\ufe0e"


def ends_with_cjk(source: str, end: int) -> bool:
    """Whether the text up to `end` ends with a CJK character, or one with a variation selector."""
    last = source[end - 1]
    if is_variation_selector(last) and end > 1:
        varied = source[end - 2]
        return is_cjk(varied) or (last == _FULLWIDTH_SELECTOR and varied in _QUOTATION_MARKS)
    return is_cjk(last) or _IDEOGRAPHIC_SELECTOR.match(last) is not None
