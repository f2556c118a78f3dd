"""Repairs of class, state and entity relationship diagrams.

Syntax: https://mermaid.js.org/intro/syntax-reference.html
"""

import re

from mdpublish_core.figures.mermaid.repairs.labels import INNER_QUOTES, is_quoted, problem_of, quote
from mdpublish_core.figures.repairs import Draft, excerpt_of
from mdpublish_core.notices import shorten

_INNER_QUOTES = (
    # state "a "b" c" as X
    re.compile(r'(?P<before>state\s++)(?P<label>".*")(?P<after>\s+as\b.*)'),
    # class A["a "b" c"]
    re.compile(r'(?P<before>class\s++[^\s\["]++\s*+\[)(?P<label>".*")(?P<after>\].*)'),
)
_CLASS_TITLE = re.compile(r"(?P<before>class\s++)(?P<name>\w++)(?P<rest>\s*+\([^()\"]*+\))(?P<after>\s*+\{?)")
_GENERIC = re.compile(r"(?<=\w)<([\w ,.]+)>(?!>)")

_CARDINALITY = re.compile(r"(?<=[\s\"])[|}][|o](?:--|\.\.)[|o][|{](?=[\s\"])")
_ENTITY = re.compile(r'[\w-]+(?:\[[^\]]*\])?|"[^"]*"')
_WORD = re.compile(r"[\w*-]+")
_ATTRIBUTE = re.compile(r"(?P<start>\S++\s++[^\s\"]++)(?P<keys>(?:\s++(?:PK|FK|UK)\b,?)*+)(?P<rest>.*)")
_CONSTRAINT = re.compile(r"[A-Z_]{2,}[^\"]*")

_GENERICS = "a generic type is written with tildes: List~T~"


def repair_classes(draft: Draft, first: int) -> None:
    for index in range(first + 1, len(draft.lines)):
        _repair_inner_quotes(draft, index)
        statement = draft.stripped(index)
        title = _CLASS_TITLE.fullmatch(statement)
        if title:
            label = title["name"] + title["rest"]
            repaired = f"{title['before']}{title['name']}[{quote(label)}]{title['after']}"
            draft.correct_text(index, repaired, problem_of(label))
            continue
        start, colon, label = statement.partition(" : ")
        draft.correct_text(index, _GENERIC.sub(r"~\1~", start) + colon + label, _GENERICS)


def repair_states(draft: Draft, first: int) -> None:
    for index in range(first + 1, len(draft.lines)):
        _repair_inner_quotes(draft, index)


def _repair_inner_quotes(draft: Draft, index: int) -> None:
    for pattern in _INNER_QUOTES:
        match = pattern.fullmatch(draft.stripped(index))
        if match and not is_quoted(match["label"]):
            draft.correct_text(index, f"{match['before']}{quote(match['label'])}{match['after']}", INNER_QUOTES)


def repair_entities(draft: Draft, first: int) -> None:
    is_inside = False
    for index in range(first + 1, len(draft.lines)):
        statement = draft.stripped(index)
        cardinality = _CARDINALITY.search(statement)
        if is_inside:
            is_inside = statement != "}"
            if is_inside and statement and not statement.startswith("%%"):
                _repair_attribute(draft, index)
        elif cardinality:
            _repair_relation(draft, index, cardinality)
        elif statement.endswith("{"):
            is_inside = True
            entity = statement[:-1].rstrip()
            draft.correct_text(index, f"{_entity(entity)} {{", _entity_problem(entity))


def _entity(name: str) -> str:
    return name if not name or _ENTITY.fullmatch(name) else quote(name)


def _entity_problem(entity: str) -> str:
    return f"the entity {shorten(excerpt_of(entity))} must be in double quotes"


def _repair_relation(draft: Draft, index: int, cardinality: re.Match[str]) -> None:
    statement = draft.stripped(index)
    problems = []
    one = statement[: cardinality.start()].rstrip()
    other, _, label = (part.strip() for part in statement[cardinality.end() :].partition(":"))
    problems += [_entity_problem(entity) for entity in (one, other) if _entity(entity) != entity]
    if not label:
        problems.append('a relationship needs a label, which may be empty: ""')
        label = '""'
    elif not _WORD.fullmatch(label) and not is_quoted(label):
        problems.append("a label of several words or with signs must be in double quotes")
        label = quote(label)
    if other and problems:
        draft.correct_text(index, f"{_entity(one)} {cardinality[0]} {_entity(other)} : {label}", *problems)


def _repair_attribute(draft: Draft, index: int) -> None:
    attribute = _ATTRIBUTE.fullmatch(draft.stripped(index))
    if attribute is None:
        draft.suspect(index, "an attribute has a type and a name")
        return
    keys, rest = re.findall(r"\w+", attribute["keys"]), attribute["rest"].strip()
    problems = []
    if len(keys) > 1 and attribute["keys"].count(",") < len(keys) - 1:
        problems.append("keys are separated by commas")
    if rest and not is_quoted(rest):
        if not _CONSTRAINT.fullmatch(rest):
            draft.suspect(index, "an attribute has a type, a name of one word, keys, and a comment in double quotes")
            return
        problems.append("what follows the name of an attribute must be in double quotes")
        rest = quote(rest)
    if problems:
        parts = [attribute["start"], ", ".join(keys), rest]
        draft.correct_text(index, " ".join(part for part in parts if part), *problems)
