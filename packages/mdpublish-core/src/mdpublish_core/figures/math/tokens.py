"""TeX in tokens: a command with its backslash, a space, or one character with the marks that stand on it."""

import re
from typing import NamedTuple

MAX_CHARACTERS = 10_000
"""Characters of one formula: a page of display math has 2,000."""


class Token(NamedTuple):
    """One token, and where it began in the source; what a macro expands to stands where the macro was called."""

    value: str
    position: int
    is_fixed: bool = False
    """Whether it stands for what it meant when it was read, even where a macro of its name is defined later."""

    @property
    def is_command(self) -> bool:
        """Whether it begins with a backslash, and is more than that."""
        return len(self.value) > 1 and self.value[0] == "\\"


END = "\0"
"""The text of the token behind the last one; the scanner never makes it of a source."""

# Spaces behind a command written in letters belong to it. A comment ends its line, and takes the next one's indent along.
_TOKEN = re.compile(
    r"(?P<comment>%[^\n]*(?:\n[ \t]*)?)"
    r"|(?P<space>[ \t\r\n\f\v\u00a0]+)"
    r"|(?P<verb>\\verb\*?(?P<bar>[^A-Za-z*\s]).*?(?P=bar))"
    r"|(?P<word>\\[A-Za-z@]+)[ \t\r\n]*"
    r"|(?P<sign>\\[\s\S]|[\s\S](?:[\u0300-\u036f\ufe0e\ufe0f\u200d\u20d0-\u20ff]|(?<=\u200d).)*)"
)


# What XML has no place for; it is shown as U+FFFD.
_UNWRITABLE = re.compile("[\\x00-\\x08\\x0e-\\x1f\\x7f-\\x9f\\ud800-\\udfff\\ufdd0-\\ufdef\\ufffe\\uffff]")


def tokenize(tex: str) -> list[Token]:
    """Return the tokens of a source, the last one first, so that the next one can be popped."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(_UNWRITABLE.sub("\ufffd", tex)):
        kind = match.lastgroup
        if kind == "sign":
            value = match[0]
            if value in {"\\\n", "\\\t"}:
                value = "\\ "
        elif kind == "word":
            value = match["word"]
        elif kind == "space":
            value = " "
        elif kind == "comment":
            continue
        else:
            value = match["verb"]
        tokens.append(Token(value, match.start()))
    tokens.reverse()
    return tokens
