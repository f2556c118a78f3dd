"""Repairs of class, state and entity relationship diagrams.

Syntax: https://mermaid.js.org/intro/syntax-reference.html
"""

import re

from mdpublish_core.data_files import read_patterns
from mdpublish_core.figures.mermaid.repairs.labels import is_quoted, quote
from mdpublish_core.figures.repairs import Draft, excerpt_of
from mdpublish_core.notices import shorten

_SYNTAX = read_patterns(__file__, "relations.tsv")

_MAX_NAMES = 20


_RESERVED = frozenset({"one", "many", "to", "zero", "only", "optionally", "u"})
"""Words with which a cardinality may be written."""


def repair_classes(draft: Draft, first: int) -> None:
    """Give classes whose names have several words an id."""
    words = [match[1] for _, line in draft.statements(first) if (match := _SYNTAX["class words"].fullmatch(line))]
    for name in dict.fromkeys(words[:_MAX_NAMES]):
        identifier = name.replace(" ", "_")
        for index, line in draft.statements(first):
            repaired = f"{identifier}[{quote(name)}]" if _SYNTAX["class words"].fullmatch(line) else identifier
            draft.correct_text(index, line.replace(name, repaired), f"the class {shorten(name)} needs an id")


def repair_states(draft: Draft, first: int) -> None:
    """Give states whose names are no ids an id: words, quotes and hyphens."""
    ids = {
        match["label"].strip('"'): match["id"]
        for _, line in draft.statements(first)
        if (match := _SYNTAX["state"].fullmatch(line))
    }
    for index, statement in draft.statements(first):
        transition = _SYNTAX["transition"].fullmatch(statement)
        if transition is None:
            continue
        declared, ends, problems = [], [], []
        for name in (transition["tail"], transition["head"].strip()):
            if _SYNTAX["state id"].fullmatch(name):
                ends.append(name)
                continue
            label = name.strip('"')
            if label not in ids:
                ids[label] = _SYNTAX["not word"].sub("_", label).strip("_") or "state"
                declared.append(f"state {quote(label)} as {ids[label]}\n")
            ends.append(ids[label])
            problems.append(f"the name {shorten(excerpt_of(label))} needs an id")
        if transition["arrow"] != "-->" or transition["inner"]:
            problems.append("a transition is written A --> B : label")
        label = next(filter(None, (transition["inner"], transition["bars"], transition["label"])), "").strip()
        if problems or transition["bars"]:
            repaired = f"{''.join(declared)}{ends[0]} --> {ends[1]}{f' : {label}' if label else ''}"
            draft.correct_text(index, repaired, *(problems or ["the label of a transition is behind a colon"]))


def repair_entities(draft: Draft, first: int) -> None:
    is_inside = False
    for index in range(first + 1, len(draft.lines)):
        statement = draft.stripped(index)
        cardinality = _SYNTAX["cardinality"].search(statement)
        if is_inside and not cardinality and not statement.endswith("{"):
            is_inside = statement != "}"
            if is_inside and statement and not statement.startswith("%%"):
                _repair_attribute(draft, index)
        elif cardinality:
            is_inside = False
            _repair_relation(draft, index, cardinality)
        elif statement.endswith("{"):
            is_inside = True
            entity = statement[:-1].rstrip()
            draft.correct_text(index, f"{_entity(entity)} {{", _entity_problem(entity))


def _entity(name: str) -> str:
    return name if not name or (_SYNTAX["entity"].fullmatch(name) and name.lower() not in _RESERVED) else quote(name)


def _entity_problem(entity: str) -> str:
    return f"the entity {shorten(excerpt_of(entity))} must be in double quotes"


def _repair_relation(draft: Draft, index: int, cardinality: re.Match[str]) -> None:
    statement = draft.stripped(index)
    problems = []
    one = statement[: cardinality.start()].rstrip()
    other, _, label = (part.strip() for part in statement[cardinality.end() :].partition(":"))
    words = other.split()
    if not label and len(words) > 1 and " ".join(words[1:]).islower():
        # The next words are no part of a name in capitals or the like.
        other, label = words[0], " ".join(words[1:])
        problems.append("a relationship and its label have a colon between them")
    problems += [_entity_problem(entity) for entity in (one, other) if _entity(entity) != entity]
    if not label:
        problems.append('a relationship needs a label, which may be empty: ""')
        label = '""'
    elif (not _SYNTAX["word"].fullmatch(label) and not is_quoted(label)) or label.lower() in _RESERVED:
        problems.append("a label of several words, with signs or of a cardinality must be in double quotes")
        label = quote(label)
    if other and problems:
        draft.correct_text(index, f"{_entity(one)} {cardinality[0]} {_entity(other)} : {label}", *problems)


def _repair_attribute(draft: Draft, index: int) -> None:
    attribute = _SYNTAX["attribute"].fullmatch(draft.stripped(index))
    if attribute is None:
        draft.suspect(index, "an attribute has a type and a name")
        return
    keys, rest = re.findall(r"\w+", attribute["keys"]), attribute["rest"].strip()
    problems = []
    if len(keys) > 1 and attribute["keys"].count(",") < len(keys) - 1:
        problems.append("keys are separated by commas")
    if rest and not is_quoted(rest):
        if not keys and (name := _SYNTAX["name words"].fullmatch(rest)):
            repaired = f"{attribute['start']}_{'_'.join(name['words'].split())}{name['key']}"
            draft.correct_text(index, repaired, "the name of an attribute is one word")
            return
        if not _SYNTAX["constraint"].fullmatch(rest):
            draft.suspect(index, "an attribute has a type, a name of one word, keys, and a comment in double quotes")
            return
        problems.append("what follows the name of an attribute must be in double quotes")
        rest = quote(rest)
    if problems:
        parts = [attribute["start"], ", ".join(keys), rest]
        draft.correct_text(index, " ".join(part for part in parts if part), *problems)
