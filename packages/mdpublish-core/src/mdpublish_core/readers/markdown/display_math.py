r"""Display math that fills its lines: `\[…\]`, and environments such as `\begin{align}…\end{align}`."""

from collections.abc import Iterable
from typing import NamedTuple

from mdpublish_core.readers.markdown.tex import is_display_tex
from mdpublish_core.strings.lazy_patterns import compile_lazily

_UNSTARRED = (
    "aligned alignedat array cases CD darray dcases drcases gathered multlined rcases smallmatrix split subarray"
)
_STARRED = "align alignat Bmatrix bmatrix eqnarray equation flalign gather matrix multline pmatrix Vmatrix vmatrix"

ENVIRONMENTS = frozenset(_UNSTARRED.split()) | {f"{name}{star}" for name in _STARRED.split() for star in ("", "*")}
"""Environments of the math engine."""

_BEGIN = compile_lazily(r"\\begin\{([A-Za-z]+\*?)\}")
_BEGIN_OR_END = compile_lazily(r"\\(?:(begin|end)\{([A-Za-z]+\*?)\}|.)")
_BRACKET = compile_lazily(r"(?:[^\\]|\\[^\[\]])*+\\([\[\]])")

_MAX_NESTED = 5
"""Environments in one another. With this limit, searches from each line take linear time."""


class DisplayMath(NamedTuple):
    """A formula and its place in the lines."""

    content: str
    """TeX, without white space around it."""

    delimiters: tuple[str, str]
    """What surrounds it, white space included; both empty for an environment."""

    line_count: int

    @property
    def first_line(self) -> int:
        """The content's first line, from 0."""
        return self.delimiters[0].count("\n")


def read_display_math(lines: Iterable[str]) -> DisplayMath | None:
    """Read math from the start of the first line to the end of a later one; the caller ends `lines` at an empty one."""
    is_environment = False
    names: list[str] = []
    read: list[str] = []
    for line in lines:
        if not read:
            begin = _BEGIN.match(line)
            is_environment = begin is not None and begin[1] in ENVIRONMENTS
            if not is_environment and not line.startswith("\\["):
                return None
        end = _end_of_environment(line, names) if is_environment else _end_of_brackets(line, 0 if read else 2)
        if end is None:
            return None
        read.append(line)
        if end:
            return None if line[end:].strip(" \t") else _display_math(read, is_environment=is_environment)
    return None


def _end_of_brackets(line: str, start: int) -> int | None:
    r"""Return where `\]` ends, or 0; None if another `\[` comes before it."""
    if (bracket := _BRACKET.match(line, start)) is None:
        return 0
    return bracket.end() if bracket[1] == "]" else None


def _end_of_environment(line: str, names: list[str]) -> int | None:
    """Return where the outermost open environment ends, or 0; None if they nest wrongly. Updates their `names`."""
    for mark in _BEGIN_OR_END.finditer(line):
        if mark[1] == "begin":
            names.append(mark[2])
            if len(names) > _MAX_NESTED:
                return None
        elif mark[1] == "end":
            if names.pop() != mark[2]:
                return None
            if not names:
                return mark.end()
    return 0


def _display_math(lines: list[str], *, is_environment: bool) -> DisplayMath | None:
    source = "\n".join(lines).rstrip(" \t")
    inner = source if is_environment else source[2:-2]
    if not is_display_tex(inner):
        return None
    if is_environment:
        return DisplayMath(source, ("", ""), len(lines))
    content = inner.strip()
    before, _, after = inner.partition(content)
    return DisplayMath(content, (f"\\[{before}", f"{after}\\]"), len(lines))
