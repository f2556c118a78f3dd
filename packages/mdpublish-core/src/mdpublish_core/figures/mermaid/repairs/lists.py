"""Repairs of mindmaps, pies, Git graphs and XY charts.

Syntax: https://mermaid.js.org/intro/syntax-reference.html
"""

import re

from mdpublish_core.figures.mermaid.repairs.labels import STRUCTURAL, is_quoted, problem_of, quote
from mdpublish_core.figures.repairs import Draft

_MINDMAP_SHAPES = (*(("((", "))"), ("{{", "}}"), ("))", "(("), (")", "("), ("[", "]"), ("(", ")")),)
_WORDS_BEFORE_SHAPE = re.compile(r"(?!root\s)[^\s%:\"()\[\]{}][^\"()\[\]{}]*+(?<=\s)[(\[{].*[)\]}]")
_SLICE = re.compile(r"(?P<label>[^:\"]++)(?P<value>:\s*+[\d.]++\s*+%?)")
_VALUE = re.compile(r"(?P<before>[^:]*+:\s*+)(?P<number>\d[\d,. \u00a0\u202f'\u2019]*+)(?P<unit>\s*+%?)")
_THOUSANDS = re.compile(
    r"\d{1,3}(?:(?P<separator>[,. \u00a0\u202f'\u2019])\d{3})(?:(?P=separator)\d{3})*+(?:[.,]\d++)?"
)
_COMMIT_OPTION = re.compile(r"\b(?P<option>(?:id|tag|msg):\s*+)(?P<value>[^\s\"]++)(?!\")")
_BRANCH = re.compile(r"(?P<before>(?:branch|checkout|switch|merge)\s++)(?P<name>[^\":]++)")
_SIGN = re.compile(r"(?P<entity>#\w{1,10};)|[#;]")
_GANTT_KEYWORDS = (
    "title",
    "section",
    "dateFormat",
    "axisFormat",
    "tickInterval",
    "excludes",
    "includes",
    "click",
    "acc",
)
_SEMICOLON = re.compile(r"(?P<entity>#\w{1,10};)|;")
_TIME = re.compile(r"(?P<entity>#\w{1,10};)|(?<=\d):(?=\d)")
_TITLE = re.compile(r"(?P<before>title\s++)(?P<title>\S.*)")
_AXIS = re.compile(r"(?P<before>[xy]-axis\b[^\[]*+\[)(?P<items>.*)\]")
_PLAIN_ITEM = re.compile(r"\s*+(?:[\w.-]++|\"[^\"]*+\")\s*+")


def repair_words_before_shapes(draft: Draft, first: int) -> None:
    """Quote texts such as `Surveys (n=40)`: Mermaid takes the words for an id, which it does not show."""
    for index, statement in draft.statements(first):
        if _WORDS_BEFORE_SHAPE.fullmatch(statement):
            draft.correct_text(
                index, f"[{quote(statement)}]", "a text with brackets must be in brackets and double quotes"
            )


def repair_mindmap(draft: Draft, first: int) -> None:
    repair_words_before_shapes(draft, first)
    for index, statement in draft.statements(first):
        if statement.startswith("::") or not STRUCTURAL.search(statement):
            continue
        opening = min((statement.find(sign) for sign in "([{)" if sign in statement), default=len(statement))
        node, label = statement[:opening], statement[opening:]
        shape = next((each for each in _MINDMAP_SHAPES if label.startswith(each[0]) and label.endswith(each[1])), None)
        if shape is None or len(label) <= len(shape[0] + shape[1]):
            problem = "a quoted text must be in brackets" if is_quoted(statement) else problem_of(statement)
            draft.correct_text(index, f"[{quote(statement)}]", problem)
            continue
        inner = label[len(shape[0]) : len(label) - len(shape[1])]
        if not is_quoted(inner) and STRUCTURAL.search(inner):
            draft.correct_text(index, f"{node}{shape[0]}{quote(inner)}{shape[1]}", problem_of(inner))


def repair_pie(draft: Draft, first: int) -> None:
    for index, statement in draft.statements(first):
        if statement.startswith(("title", "acc", "showData")):
            continue
        plain = _SLICE.fullmatch(statement)
        if plain:
            repaired = f"{quote(plain['label'])} {plain['value']}"
            draft.correct_text(index, repaired, "the label of a slice must be in double quotes")
        value = _VALUE.fullmatch(draft.stripped(index))
        if value:
            repaired = value["before"] + _plain_number(value["number"])
            draft.correct_text(index, repaired, "a value is a number with a decimal point, without other signs")


def _plain_number(written: str) -> str:
    """Return a number with a decimal point at most: `10,5` is 10.5, as in most of Europe, but `1,200` is 1200."""
    number = written.strip()
    grouped = _THOUSANDS.fullmatch(number)
    # Mermaid reads 1.200 as it is.
    if grouped and (grouped["separator"] != "." or number.count(".") > 1 or "," in number):
        number = number.replace(grouped["separator"], "")
    return number.replace(",", ".") if number.count(",") == 1 and "." not in number else number


def repair_git_graph(draft: Draft, first: int) -> None:
    for index, statement in draft.statements(first):
        repaired = _COMMIT_OPTION.sub(lambda each: each["option"] + quote(each["value"]), statement)
        draft.correct_text(index, repaired, "ids, tags and messages must be in double quotes")
        branch = _BRANCH.fullmatch(statement)
        if branch and not re.fullmatch(r"[\w./-]+", branch["name"]):
            repaired = branch["before"] + quote(branch["name"])
            draft.correct_text(index, repaired, "a branch name with other signs than letters must be in double quotes")


def repair_journey(draft: Draft, first: int) -> None:
    _write_signs_as_codes(draft, first, _SIGN, "a semicolon is written #59;, and a hash #35;")


def repair_quadrants(draft: Draft, first: int) -> None:
    _write_signs_as_codes(draft, first, _SEMICOLON, "a semicolon in a text is written #59;")


def repair_timeline(draft: Draft, first: int) -> None:
    _write_signs_as_codes(draft, first, _TIME, "a colon in a time is written #58;")


def _write_signs_as_codes(draft: Draft, first: int, signs: re.Pattern[str], problem: str) -> None:
    for index, statement in draft.statements(first):
        repaired = signs.sub(lambda sign: sign["entity"] or f"#{ord(sign[0])};", statement)
        draft.correct_text(index, repaired, problem)


def repair_gantt(draft: Draft, first: int) -> None:
    for index, statement in draft.statements(first):
        # That of a time has no space before it.
        name, colon, values = statement.rpartition(" :")
        if ":" in name and not name.startswith(_GANTT_KEYWORDS):
            repaired = name.replace(":", "#58;") + colon + values
            draft.correct_text(index, repaired, "a colon in the name of a task is written #58;")


def repair_xy_chart(draft: Draft, first: int) -> None:
    for index, statement in draft.statements(first):
        title = _TITLE.fullmatch(statement)
        if title and not is_quoted(title["title"]):
            repaired = title["before"] + quote(title["title"])
            draft.correct_text(index, repaired, "a title of several words or with signs must be in double quotes")
        axis = _AXIS.fullmatch(statement)
        if axis:
            items = [item.strip() if _PLAIN_ITEM.fullmatch(item) else quote(item) for item in axis["items"].split(",")]
            if not all(map(_PLAIN_ITEM.fullmatch, axis["items"].split(","))):
                repaired = f"{axis['before']}{', '.join(items)}]"
                problem = "a category of several words or with signs must be in double quotes"
                draft.correct_text(index, repaired, problem)
