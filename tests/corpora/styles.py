"""Documents in several styles at once: what a formatter is for."""

import re
from random import Random

_FENCE = re.compile(r"([ \t]*)(`{3,})([^`]*)$")
_HEADING = re.compile(r"(##?) (\S.*)$")
_STRONG = re.compile(r"(?<![\w*_\\`])\*\*([\w ]+)\*\*(?![\w*_])")
_EMPHASIS = re.compile(r"(?<![\w*_\\`])\*([\w ]+)\*(?![\w*_])")
_NAME = re.compile(r"(?<=[a-z])_(?=[a-z])")
_LIST = re.compile(r"^(?:[ \t]*[-*+] .*\n)+", re.MULTILINE)
_BULLET = re.compile(r"^([ \t]*)[-*+](?=\s)", re.MULTILINE)


def mixed(markdown: str, chooser: Random) -> str:
    """Return a document whose headings, lists, fences, emphasis and blanks are of random kinds."""
    lines: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        written = line
        opening = _FENCE.match(line)
        if opening and (not fence or not opening[3].strip()):
            mark = fence or chooser.choice("`~")
            fence = "" if fence else mark
            written = f"{opening[1]}{mark * len(opening[2])}{opening[3]}"
        elif not fence:
            written = _mixed_line(line, chooser)
            heading = _HEADING.match(line)
            if heading and chooser.random() < 0.5 and lines and not lines[-1].strip():
                lines.append(heading[2])
                written = "=-"[len(heading[1]) - 1] * 5
        lines.append(written)
    return _LIST.sub(
        lambda each: _BULLET.sub(rf"\g<1>{chooser.choice('-*+')}", each[0]), "\n".join(lines).rstrip("\n") + "\n\n"
    )


def _mixed_line(line: str, chooser: Random) -> str:
    for pattern, written in ((_STRONG, r"__\1__"), (_EMPHASIS, r"_\1_"), (_NAME, r"\\_")):
        if chooser.random() < 0.3:
            line = pattern.sub(written, line)
    if not line.strip():
        return chooser.choice(("", "", "\n", "\n\n"))
    return f"{line} " if chooser.random() < 0.1 and line[-1] not in " \\" else line
