"""Signs for what text without formatting cannot show otherwise."""

import re
from functools import cache

STRUCK = "~~"
HIGHLIGHTED = "=="

_OPENING = {
    STRUCK: re.compile("(?<!~)~~(?!~)"),
    # Like Markdown, it leaves operators alone, as in x==1 and f(x)==y.
    HIGHLIGHTED: re.compile(r"(?<![A-Za-z0-9_=)\]])==(?=\w(?:[^=\n]*\w)?==(?![A-Za-z0-9_=]))"),
}


def mark_lines(content: str, mark: str) -> str:
    """Put marks around each line, so that none reads without them."""
    return "\n".join([_enclose(line, mark, mark) for line in content.split("\n")])


def escape_mark(content: str, mark: str) -> str:
    """Put a backslash before signs that would read as the mark, as in Markdown."""
    return _OPENING[mark].sub(rf"\\{mark}", content) if mark in content else content


def escape_marks(content: str) -> str:
    return escape_mark(escape_mark(content, STRUCK), HIGHLIGHTED)


def write_script(content: str, sign: str) -> str:
    """Return a superscript (`^`) or subscript (`_`) in small characters if Unicode has all of them, else `^(…)`."""
    small = to_small_characters(content, sign)
    return _enclose(content, *script_brackets(content, sign)) if small is None else small


def to_small_characters(content: str, sign: str) -> str | None:
    twins = _small_characters(sign)
    return "".join([twins[each] for each in content]) if all(each in twins for each in content) else None


def script_brackets(content: str, sign: str) -> tuple[str, str]:
    """Return what surrounds a script: braces around an unpaired parenthesis, which would end it."""
    return (f"{sign}(", ")") if content.count("(") == content.count(")") else (f"{sign}{{", "}")


@cache
def _small_characters(sign: str) -> dict[str, str]:
    from mdpublish_core.strings.small_characters import SUBSCRIPTS, SUPERSCRIPTS

    twins = SUPERSCRIPTS if sign == "^" else SUBSCRIPTS
    return {plain: small for plain, small in twins.items() if plain != small or plain == "°"}


def _enclose(content: str, before: str, after: str) -> str:
    if not (words := content.strip()):
        return content
    start = content.index(words)
    return f"{content[:start]}{before}{words}{after}{content[start + len(words) :]}"
