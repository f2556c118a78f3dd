"""Info strings of fences: the language, then words `key=value` or `key="some value"`."""

from collections.abc import Mapping

from mdpublish_core.nodes import NO_OPTIONS
from mdpublish_core.readers.markdown.characters import unescape
from mdpublish_core.strings.lazy_patterns import compile_lazily

_LANGUAGE = compile_lazily(r"[^ \t\n\v\f\r]*")
_BRACED = compile_lazily(r"\{[ \t]*(?:#[^\s}]+[ \t]+)?([.=]?)([A-Za-z][\w+#-]*+(?:\.\w[\w+#-]*+)*+)(?!=)[^}]*\}(.*)")
"""Attributes of Pandoc and Python-Markdown that begin with a language, cells as in `{python}`, raw code as in `{=html}`."""

_LINES = compile_lazily(
    r"(?i)\b(?:linenums|linenos|linenostart|hl_lines|startfrom|showlinenumbers|code-line-numbers)\b"
    r"|[.:](?:number-?lines|line-numbers|annotate)\b|\{[ \t]*\d[\d, \t-]*\}"
)

_OPTION = compile_lazily(r"""([A-Za-z][\w-]*)=(?:"([^"]*)"|'([^']*)'|([^\s"']+))""")


def language_of(info_string: str) -> str:
    if info_string.startswith("{") and (braced := _BRACED.match(info_string)) and not (braced[1] == "=" or braced[3]):
        return braced[2]
    word = _LANGUAGE.match(info_string)
    assert word, "a word may be empty"
    return word[0]


def is_cell(info_string: str) -> bool:
    """Return whether a program runs the code, or inserts it as it is; what follows the braces is a directive's argument."""
    return info_string.startswith("{") and (braced := _BRACED.match(info_string)) is not None and braced[1] != "."


def marks_lines(info_string: str) -> bool:
    """Return whether lines of the code are numbered, marked or explained, as in `{1,3-4}` and `hl_lines="2"`."""
    return _LINES.search(info_string) is not None


def options_of(info_string: str) -> Mapping[str, str]:
    """Return the options after the language; the last of duplicates wins."""
    if "=" not in info_string:
        return NO_OPTIONS
    _, _, words = info_string.partition(" ")
    if info_string.startswith("{"):
        words = words.removesuffix("}")
    return {match[1].lower(): match[2] or match[3] or match[4] or "" for match in _OPTION.finditer(words)}


def read_info_string(source: str) -> str:
    return unescape(source.strip(" \t"))
