"""UTF-8 that was read as another encoding, such as `â€™`; the only module that imports ftfy, of the extra `repair`."""

from collections.abc import Iterator
from importlib.util import find_spec

from mdpublish_core.repair.draft import Changes
from mdpublish_core.repair.source import Source
from mdpublish_core.strings.changes import Change
from mdpublish_core.strings.lazy_patterns import compile_lazily

# What bytes of UTF-8 beyond ASCII become in Windows-1252 and Latin-1. Letters of the Latin alphabet and punctuation are
# known by one character; of other scripts, one may be meant.
_TRAIL = "\u0080-\u00bfŒœŠšŸŽžƒˆ˜–—‘’‚“”„†‡•…‰‹›€™"
_SUSPICIOUS = compile_lazily(f"[\u00c2-\u00c5\u00e2\u00f0][{_TRAIL}]|(?:[\u00c6-\u00f4][{_TRAIL}]{{1,3}}){{2}}")
# The second byte of `à` is a no-break space, which became a space.
_WORD = compile_lazily(r"[^ \t\r\n\[\]()<>]{1,1000}(?:(?<=[ÂÃ]) {1,2}[^ \t\r\n\[\]()<>]{1,1000}){0,20}")


def is_missing(source: Source) -> bool:
    """Return whether ftfy is not installed, and a text may need it."""
    return find_spec("ftfy") is None and bool(_SUSPICIOUS.search(source.markdown))


def decode(source: Source) -> Iterator[Changes]:
    """Read words in their true encoding; each by itself, since others may be right."""
    if not _SUSPICIOUS.search(source.markdown) or is_missing(source):
        return
    # Loaded only for suspicious text: it takes 50 ms.
    from ftfy import fix_encoding

    for match in source.matches(_WORD):
        if _SUSPICIOUS.search(match[0]):
            fixed = fix_encoding(match[0])
            if fixed != match[0] and "\ufffd" not in fixed:
                yield (Change(*match.span(), fixed),)
