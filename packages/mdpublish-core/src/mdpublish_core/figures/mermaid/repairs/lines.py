"""Slips within a line that need no context: the table `slips.tsv`, and one walk over the lines.

Syntax: https://mermaid.js.org/intro/syntax-reference.html
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from mdpublish_core.data_files import read_table
from mdpublish_core.figures.mermaid.repairs.labels import is_quoted, quote
from mdpublish_core.figures.repairs import Draft

_Match = re.Match[str]
_Repair = str | Callable[[_Match], str]

_THOUSANDS = re.compile(
    r"\d{1,3}(?P<separator>[,. \u00a0\u202f'\u2019])\d{3}(?:(?P=separator)\d{3}|(?!))*+(?:[.,]\d++)?"
)
_BETWEEN_MEMBERS = re.compile(r"[;,](?![^(]*\))(?!\s*(?:PK|FK|UK)\b)|\s(?=[+#~-]\w)")
_GENERIC = re.compile(r"(?<=\w)<([\w ,.~]+)>")
_MAX_SCORE = 5
_PLAIN_ITEM = re.compile(r"[\w.-]++|\"[^\"]*+\"")


def _quoted(match: _Match) -> str:
    """Put the group `text` in quotes."""
    start, end = (match.span("text")[side] - match.start() for side in (0, 1))
    return match[0] if is_quoted(match["text"]) else match[0][:start] + quote(match["text"]) + match[0][end:]


def _quoted_items(axis: _Match) -> str:
    items = map(str.strip, axis[2].split(","))
    return f"{axis[1]}{', '.join(item if _PLAIN_ITEM.fullmatch(item) else quote(item) for item in items)}]"


def _of_five(score: _Match) -> str:
    maximum = max(int(score[2][:4]), 1)
    return f": {score[1] if maximum == 5 else round(min(int(score[1][:4]), maximum) * 5 / maximum)}"


def _plain_number(value: _Match) -> str:
    """Return a number with a decimal point at most: `10,5` is 10.5, as in most of Europe, but `1,200` is 1200."""
    number = value[2].strip()
    grouped = _THOUSANDS.fullmatch(number)
    # Mermaid reads 1.200 as it is.
    if grouped and (grouped["separator"] != "." or number.count(".") > 1 or "," in number):
        number = number.replace(grouped["separator"], "")
    return value[1] + (number.replace(",", ".") if number.count(",") == 1 and "." not in number else number)


def _a_line_each(block: _Match) -> str:
    members = filter(None, map(str.strip, _BETWEEN_MEMBERS.split(block["body"])))
    return "\n    ".join((block[1], *members)) + "\n}"


def _with_tildes(line: _Match) -> str:
    written, inner = line[0], ""
    while written != inner:
        written, inner = _GENERIC.sub(r"~\1~", written), written
    return written


def _from_the_right(task: _Match) -> str:
    """Escape the colons of a task's name, behind which are the score and who takes part."""
    *name, score, people = (part.strip() for part in task[1].split(":"))
    end = [score, people]
    if people.isdecimal() and not (len(name) == len(score) == 1 and score.isdecimal() and int(score) <= _MAX_SCORE):
        name, end = [*name, score], [people]
    return ": ".join(["#58;".join(task[1].split(":")[: len(name)]).strip(), *end])


_FUNCTIONS: Mapping[str, Callable[[_Match], str]] = {
    "=quoted": _quoted,
    "=generic": _with_tildes,
    "=from the right": _from_the_right,
    "=as code": lambda sign: sign["code"] or f"#{ord(sign[0])};",
    "=each class": lambda relation: "\n".join(relation[1] + name.strip() for name in relation[2].split(",")),
    "=state": lambda state: f'state "{state[1]}" as {state[1].replace(" ", "_")}',
    "=quoted items": _quoted_items,
    "=of five": _of_five,
    "=plain number": _plain_number,
    "=without commas": lambda values: re.sub(r",(?=\d)", "", values[1]),
    # Categories may have signs.
    "=of a value": lambda sign: sign[0] if sign.string.startswith("x-axis") else "",
    "=a line each": _a_line_each,
}


@cache
def _slips(kind: str) -> Sequence[tuple[re.Pattern[str], _Repair, str]]:
    """Return what is wrong in a type of diagrams, what to write in its place, and why, from `slips.tsv`."""
    rows = read_table(__file__, "slips.tsv")
    return [
        (re.compile(pattern), _FUNCTIONS.get(repaired, repaired), why)
        for of, pattern, repaired, why in rows
        if of == kind
    ]


# Assistants and editors escape arrows.
_ESCAPED_ARROW = re.compile(r"(?<=[-=.])(?:&gt;)+")

_COMMENT = re.compile(r"\s(?:#|//)\s")
_NOT_IN_COMMENTS = frozenset('"])}|>:')
_COMMENTED = {
    "erDiagram": re.compile(""),
    "gantt": re.compile(r".*:.*\d"),
    "pie": re.compile(r".*:\s*[\d.]"),
    "quadrantChart": re.compile(r".*\]"),
    "sequenceDiagram": re.compile(r"(?:participant|actor)\b[^:]*"),
    "stateDiagram": re.compile(r"[^:]*-->"),
}
"""How lines begin behind which a comment cannot be text."""


def repair_lines(draft: Draft, first: int, kind: str) -> None:
    _repair_comments(draft, first, kind)
    for index, statement in draft.statements(first):
        draft.correct_text(
            index, _ESCAPED_ARROW.sub(lambda arrow: ">" * arrow[0].count("&"), statement), "an arrow is written with >"
        )
    for slip, repaired, problem in _slips(kind):
        for index, statement in draft.statements(first):
            draft.correct_text(index, slip.sub(repaired, statement), problem)


def _repair_comments(draft: Draft, first: int, kind: str) -> None:
    """Move comments of other languages below their lines: not every type of diagram may have one behind a statement."""
    commented = _COMMENTED.get(kind)
    for index, statement in draft.statements(first):
        mark = _COMMENT.search(f" {statement}")
        before, comment = (statement[: mark.start()].rstrip(), statement[mark.end() - 1 :]) if mark else ("", "")
        if (
            mark
            and (not before or (commented and commented.match(before)))
            and not _NOT_IN_COMMENTS & set(comment)
            and before.count('"') % 2 == 0
        ):
            repaired = f"{before}\n%% {comment.strip()}" if before else f"%% {comment.strip()}"
            draft.correct_text(index, repaired, "a comment begins with %%")
