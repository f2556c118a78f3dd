"""Repairs of sequence diagrams.

Syntax: https://mermaid.js.org/syntax/sequenceDiagram.html
"""

import re
from collections import Counter
from itertools import pairwise

from mdpublish_core.data_files import read_patterns
from mdpublish_core.figures.repairs import Draft
from mdpublish_core.notices import shorten

# A name may contain `-x`.
_ARROWS = (re.compile(r"<{0,2}--?>>?"), re.compile(r"--?[x)]"))
_SYNTAX = read_patterns(__file__, "sequences.tsv")


_DECLARATIONS = frozenset({"participant", "actor"})
_ACTIVATIONS = frozenset({"activate", "deactivate", "destroy"})
_BLOCKS = frozenset({"loop", "alt", "else", "opt", "par", "and", "critical", "option", "break"})
_OTHERS = frozenset({"end", "box", "rect", "autonumber", "title", "link", "links", "properties", "details"})

_SEMICOLON = "a semicolon in a text is written #59;"
_NO_TEXT = "a message ends in a colon and its text"


def repair(draft: Draft, first: int) -> None:
    names = _Names(draft)
    for index in range(first + 1, len(draft.lines)):
        line = _Line(draft.lines[index], names)
        draft.correct(index, line.repaired(), *line.problems)
    _balance_activations(draft, first)


def _balance_activations(draft: Draft, first: int) -> None:
    """Leave out the end of what is not active."""
    active: Counter[str] = Counter()
    for index, line in draft.statements(first):
        match = _SYNTAX["activation"].fullmatch(line) or _SYNTAX["activating"].match(line)
        if match is None:
            continue
        name, arrow = match["name"].strip(), match.groupdict().get("arrow")
        if match["sign"] in {"activate", "+"}:
            active[(match["receiver"] if arrow else name).strip()] += 1
        elif active[name]:
            active[name] -= 1
        elif arrow:
            draft.correct_text(index, line.replace(f"{arrow}-", arrow, 1), f"{shorten(name)} is not active here")
        else:
            draft.leave_out(index, f"{shorten(name)} is not active here")


class _Names:
    """Ids of participants whose names are no ids."""

    def __init__(self, draft: Draft) -> None:
        self._words = set(_SYNTAX["word"].findall(draft.content))
        self._ids: dict[str, str] = {}
        self._numbers: Counter[str] = Counter()
        for line in draft.lines:
            keyword, _, rest = line.strip().partition(" ")
            identifier, _, name = rest.partition(" as ")
            if keyword in _DECLARATIONS and _is_special(name.strip()):
                self._ids.setdefault(name.strip(), identifier.strip())

    def is_declared(self, name: str) -> bool:
        return name in self._ids

    def declare(self, name: str) -> str:
        stem = _SYNTAX["not word"].sub("_", name).strip("_") or "participant"
        identifier = f"{stem}_" if stem == "end" else stem
        while identifier in self._words:
            self._numbers[stem] += 1
            identifier = f"{stem}_{self._numbers[stem]}"
        self._words.add(identifier)
        self._ids[name] = identifier
        return identifier

    def id_of(self, name: str) -> str:
        return self._ids[name]


def _is_special(name: str) -> bool:
    return name == "end" or _SYNTAX["special"].search(name) is not None


class _Line:
    def __init__(self, source: str, names: _Names) -> None:
        self._source = source
        self._names = names
        self._declarations: list[str] = []
        self.problems: list[str] = []

    def repaired(self) -> str:
        statement = self._source.strip()
        indentation = self._source[: len(self._source) - len(self._source.lstrip())]
        keyword, _, rest = statement.partition(" ")
        word = keyword.lower()
        if not statement or statement.startswith(("%%", "acc")) or word in _OTHERS:
            return self._source
        if word == "create":
            keyword, _, rest = rest.partition(" ")
            repaired = f"create {self._declaration(keyword, rest)}"
        elif word in _DECLARATIONS:
            repaired = self._declaration(keyword, rest)
        elif word in _ACTIVATIONS:
            repaired = f"{keyword} {self._id(rest)}"
        elif word in _BLOCKS:
            repaired = f"{keyword} {self._escaped(rest)}" if rest else statement
        elif note := _SYNTAX["note"].match(statement):
            actors, colon, message = statement[note.end() :].partition(":")
            repaired = note[0] + ",".join(map(self._id, actors.split(","))) + colon + self._escaped(message)
        else:
            repaired = self._message(statement)
        return indentation + "".join(self._declarations) + repaired if self.problems else self._source

    def _declaration(self, keyword: str, rest: str) -> str:
        name = rest.strip()
        # Such a name is allowed here, but not in messages.
        return f"{keyword} {rest if ' as ' in rest or not _is_special(name) else self._declared_id(name)}"

    def _declared_id(self, name: str) -> str:
        if self._names.is_declared(name):
            return name
        self._explain(name)
        return f"{self._names.declare(name)} as {name}"

    def _explain(self, name: str) -> None:
        special = _SYNTAX["special"].search(name)
        sign = special[0] if special else name
        self.problems.append(f"a name with {sign} needs an id; declare it with participant id as name")

    def _id(self, name: str) -> str:
        bare = name.strip()
        if not _is_special(bare):
            return name
        self._explain(bare)
        if not self._names.is_declared(bare):
            self._declarations.append(f"participant {self._names.declare(bare)} as {bare}; ")
        return name.replace(bare, self._names.id_of(bare))

    def _message(self, statement: str) -> str:
        arrow = next((match for pattern in _ARROWS if (match := pattern.search(statement))), None)
        sign = arrow[0] if arrow else ""
        if arrow is None and ":" in statement:
            arrow = _SYNTAX["false arrow"].search(statement)
            if arrow is not None:
                sign = "->>"
                self.problems.append(f"{arrow[0].strip()} is no arrow; use ->>")
        if arrow is None:
            return statement
        receiver, colon, message = statement[arrow.end() :].partition(":")
        if not receiver.strip():
            return statement
        if not colon:
            self.problems.append(_NO_TEXT)
        activation = re.match(r"\s*[+-]?\s*", receiver)
        start = activation[0] if activation else ""
        receiver = self._id(receiver[len(start) :])
        return f"{self._id(statement[: arrow.start()])}{sign}{start}{receiver}{colon or ': '}{self._escaped(message)}"

    def _escaped(self, content: str) -> str:
        """Escape semicolons, unless a statement follows."""
        parts = content.split(";")
        escaped = parts[0]
        for before, part in pairwise(parts):
            if _SYNTAX["entity"].search(before[-12:]) or _SYNTAX["statement"].match(part):
                escaped += f";{part}"
            else:
                escaped += f"#59;{part}"
                self.problems.append(_SEMICOLON)
        return escaped
