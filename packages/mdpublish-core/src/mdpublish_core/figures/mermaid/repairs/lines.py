"""Slips within a line that need no context: a table, and one walk over the lines.

Syntax: https://mermaid.js.org/intro/syntax-reference.html
"""

import re
from collections.abc import Callable, Mapping

from mdpublish_core.figures.mermaid.repairs.labels import INNER_QUOTES, is_quoted, quote
from mdpublish_core.figures.repairs import Draft

_Match = re.Match[str]
_Repair = str | Callable[[_Match], str]

_THOUSANDS = re.compile(r"\d{1,3}(?P<separator>[,. \u00a0\u202f'\u2019])\d{3}(?:(?P=separator)\d{3})*+(?:[.,]\d++)?")
_PLAIN_ITEM = re.compile(r"[\w.-]++|\"[^\"]*+\"")


def _quoted(match: _Match) -> str:
    """Put the group `text` in quotes."""
    start, end = (match.span("text")[side] - match.start() for side in (0, 1))
    return match[0] if is_quoted(match["text"]) else match[0][:start] + quote(match["text"]) + match[0][end:]


def _as_code(sign: _Match) -> str:
    return sign["code"] or f"#{ord(sign[0])};"


def _each_class(relation: _Match) -> str:
    return "\n".join(relation[1] + name.strip() for name in relation[2].split(","))


def _state(state: _Match) -> str:
    return f'state "{state[1]}" as {state[1].replace(" ", "_")}'


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


_CODE = r"(?P<code>#\w{1,10};)"
_RELATION = r"(?:[*o|<]*(?:--|\.\.)[*o|>]*)"
_NOTE = r"(?i:note\s+(?:over|left\s+of|right\s+of))"
_END = (
    r"^(?i:end[ _-]?(?:if|while|for|subgraph|loop|alt|opt|par|critical|break|rect|box))$",
    "end",
    "a block ends in end",
)
_TITLE = (r"^title[ \t]*:[ \t]*(?=\S)", "title ", "there is no colon after title")
_QUOTES = "must be in double quotes"
_STEREOTYPE = "the kind of a class is in double angle brackets"

_SLIPS: Mapping[str, tuple[tuple[str, _Repair, str], ...]] = {
    "classDiagram": (
        (r"^interface\s+(\w+)(\s*\{)?$", "<<interface>> \\1\nclass \\1\\2", _STEREOTYPE),
        (r"^abstract\s+(?:class\s+)?(\w+)(\s*\{)?$", "<<abstract>> \\1\nclass \\1\\2", _STEREOTYPE),
        (r"^enum\s+(\w+)\s*\{$", "<<enumeration>> \\1\nclass \\1 {", _STEREOTYPE),
        (r"^class\s+(\w+)\s+extends\s+(\w+)(.*)$", "\\2 <|-- \\1\nclass \\1\\3", "inheritance is written <|--"),
        (r"^class\s+(\w+)\s+implements\s+(\w+)(.*)$", "\\2 <|.. \\1\nclass \\1\\3", "realization is written <|.."),
        (rf"^\w+\s+(?P<text>[\d.*]+)(?=\s+{_RELATION}\s+)", _quoted, f"a multiplicity {_QUOTES}"),
        (rf"(?<=\s){_RELATION}\s+(?P<text>[\d.*]+)(?=\s+\w)", _quoted, f"a multiplicity {_QUOTES}"),
        (r"(?<=[\w\"])\s+(?:->|→)\s+(?=[\w\"])", " --> ", "a relation is written -->"),
        (rf"^(\w+\s+{_RELATION}\s+)(\w+(?:\s*,\s*\w+)+)$", _each_class, "a relation has two classes"),
        (r"^class\s++\w++\s*+\[(?P<text>\".*\")(?=\])", _quoted, INNER_QUOTES),
        (r"^class\s++((\w++)\s*+\([^()\"]*+\))(?=\s*+\{?$)", r'class \2["\1"]', f"a label with brackets {_QUOTES}"),
        (r"(?<=[|*o<])[\u2013\u2014]+(?=\s)|(?<=\s)[\u2013\u2014]+(?=[|*o>])", "--", "the line of a relation is --"),
        (
            r"^((?:\w+\s*:\s*)?[+#~-]?\w[\w ]*\([^()\"]*\)[$*]?)\s*:\s*(?=\w)",
            r"\1 ",
            "no colon is before the type of a result",
        ),
        (r"(?<=\w)<([\w ,.]+)>(?!>)(?!.* : )", r"~\1~", "a generic type is written with tildes: List~T~"),
    ),
    "erDiagram": (
        (
            r"^(\w+)\s*:\s*([\w()\[\]]+)(\s+(?:PK|FK|UK))?$",
            r"\2 \1\3",
            "an attribute begins with its type, without a colon",
        ),
    ),
    "flowchart": (_END,),
    "gantt": (_TITLE,),
    "gitGraph": (
        (r"^git\s+", "", "a statement does not begin with git"),
        (r"^(?:checkout|switch)\s+-[bc]\s+", "branch ", "a new branch is written branch"),
        (r"^(commit\s+)-a?m\s+[\"']?([^\"']+)[\"']?$", r'\1id: "\2"', "the text of a commit is its id"),
        (r"^commit\s+(?=\")", "commit id: ", "the text of a commit is its id"),
        (r"\b(?:id|tag|msg):\s*+(?P<text>[^\s\"]++)(?!\")", _quoted, f"ids, tags and messages {_QUOTES}"),
        (
            r"^(?:branch|checkout|switch|merge)\s++(?![\w./-]+$)(?P<text>[^\":]++)$",
            _quoted,
            f"a branch name with other signs than letters {_QUOTES}",
        ),
    ),
    "journey": (
        _TITLE,
        (r":\s*(\d+)\s*/\s*(\d+)(?=\s*(?::|$))", _of_five, "a score is one number, from 0 to 5"),
        (
            r"^(?!title|acc|section)([^:]+):\s*([^:]*[^:\s\d]):\s*(\d+)$",
            r"\1: \3: \2",
            "the score is before who takes part",
        ),
        (r"(:\s*\d+)\s*,\s*(?=\w)", r"\1: ", "a colon is between the score and who takes part"),
        (rf"{_CODE}|[#;]", _as_code, "a semicolon is written #59;, and a hash #35;"),
    ),
    "pie": (
        _TITLE,
        (r"^(\"[^\"]+\")\s*[-=\u2013\u2014]>?\s*(?=[$€£¥]?\d)", r"\1 : ", "a colon is before a value"),
        (
            r"^(?!title|acc|showData)(?P<text>[^:\"]*[^:\"\s])\s*(?=:\s*+[$€£¥\d])",
            _quoted,
            f"the label of a slice {_QUOTES}",
        ),
        (
            r"^([^:]*+:\s*+)[$€£¥]?\s*+(\d[\d,. \u00a0\u202f'\u2019]*+)\s*+%?$",
            _plain_number,
            "a value is a number with a decimal point, without other signs",
        ),
    ),
    "quadrantChart": (
        _TITLE,
        (rf"{_CODE}|;", _as_code, "a semicolon in a text is written #59;"),
        (r"^([xy]-axis\s.*\S)\s+->\s+", r"\1 --> ", "the ends of an axis have --> between them"),
        (r":\s*\(([^()]*)\)$", r": [\1]", "a point is in square brackets"),
        (r"(?<=[\d.])\s*%(?=\s*[,\]])", "", "coordinates are numbers without a sign"),
    ),
    "sankey": (
        (r"^([^,>]*[^,>\s-])\s*-+>\s*([^,:]*[^,:\s])\s*[:,]\s*(?=\d)", r"\1,\2,", "a flow is source,target,value"),
    ),
    "sequenceDiagram": (
        _END,
        (r"^(?i:(note\s+(?:left|right)))\s+(?!of\b)(?=\w)", r"\1 of ", "a note is left of or right of a participant"),
        (r"^(participant|actor)\s+\"([^\"]+)\"\s+as\s+(\w+)$", r"\1 \3 as \2", "the id of a participant comes first"),
        (rf"^({_NOTE}\s+[^\s,:]+)\s*,[^:]*,\s*([^,:]+:)", r"\1,\2", "a note is over the first and the last of its row"),
        (r"^(?i:note\s+(?:left|right)\s+of)(\s+[^,:]+,[^,:]+:)", r"Note over\1", "a note of several is over them"),
        (rf"^({_NOTE}\s+\w+)\s+([^:,]+)$", r"\1: \2", "there is a colon before the text of a note"),
        (r"^([^:>]*>{1,2}\s*)([^:+-]*\w)\s*([+-])\s*:", r"\1\3\2:", "a sign of activation comes before the name"),
        (
            r"^(\w+\s*-{1,2}>{1,2}[+-]?\s*\w+)\s+([a-z][^:]*)$",
            r"\1: \2",
            "there is a colon before the text of a message",
        ),
    ),
    "stateDiagram": (
        (r"^state\s++(?P<text>\".*\")(?=\s+as\b)", _quoted, INNER_QUOTES),
        (r"^state\s++(\w++(?: \w++)++)(?=\s*\{?$)", _state, "a state of several words needs an id"),
    ),
    "timeline": (_TITLE, (rf"{_CODE}|(?<=\d):(?=\d)", _as_code, "a colon in a time is written #58;")),
    "xychart": (
        (r"^title\s++(?P<text>[^\s\"].*|\".*\"[^\"]+)$", _quoted, f"a title of several words or with signs {_QUOTES}"),
        (r"^(x-axis)\s+([^\[\]\"]+,[^\[\]\"]+)$", r"\1 [\2]", "categories are in square brackets"),
        (
            r"(?<=\[)\s*(?=.*\d,\d{3}\b)(\d{1,3}(?:,\d{3})*+(?:,\s+\d{1,3}(?:,\d{3})*+)*+)(?=\s*\]$)",
            lambda values: re.sub(r",(?=\d)", "", values[1]),
            "a value is a number without commas",
        ),
        (r"^((?:bar|line)\b[^\[\d-]*)(-?\d[\d.,\s-]*)$", r"\1[\2]", "values are in square brackets"),
        (
            r"^[xy]-axis\s+(?P<text>[^\s\"\[\d-][^\"\[>]*?)(?=\s+-?[\d.]+\s+-->|\s*\[|$)",
            _quoted,
            f"a title of several words or with signs {_QUOTES}",
        ),
        (r"^([xy]-axis\b[^\[]*+\[)(.*)\]$", _quoted_items, f"a category of several words or with signs {_QUOTES}"),
    ),
}

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
    for pattern, repaired, problem in _SLIPS.get(kind, ()):
        slip = re.compile(pattern)
        for index, statement in draft.statements(first):
            draft.correct_text(index, slip.sub(repaired, statement), problem)


def _repair_comments(draft: Draft, first: int, kind: str) -> None:
    """Move comments of other languages below their lines: not every type of diagram may have one behind a statement."""
    commented = _COMMENTED.get(kind)
    for index, statement in draft.statements(first):
        before, mark, comment = _partition(statement)
        if (
            mark
            and (not before or (commented and commented.match(before)))
            and not _NOT_IN_COMMENTS & set(comment)
            and before.count('"') % 2 == 0
        ):
            repaired = f"{before}\n%% {comment.strip()}" if before else f"%% {comment.strip()}"
            draft.correct_text(index, repaired, "a comment begins with %%")


def _partition(statement: str) -> tuple[str, str, str]:
    mark = _COMMENT.search(f" {statement}")
    return (statement[: mark.start()].rstrip(), mark[0], statement[mark.end() - 1 :]) if mark else (statement, "", "")
