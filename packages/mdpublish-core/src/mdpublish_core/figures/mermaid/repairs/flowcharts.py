"""Repairs of flowcharts.

Each line is read once, from left to right: a node, its label, a link, a node. Where a line goes on in another way,
the rest stays as it is. Syntax: https://mermaid.js.org/syntax/flowchart.html
"""

import re
from collections.abc import Set as AbstractSet
from itertools import pairwise

from mdpublish_core.data_files import read_patterns
from mdpublish_core.figures.mermaid.repairs import labels
from mdpublish_core.figures.repairs import Draft, excerpt_of
from mdpublish_core.notices import shorten

_SYNTAX = read_patterns(__file__, "flowcharts.tsv")

_RESERVED_IDS = frozenset(
    {"class", "classDef", "click", "direction", "end", "flowchart", "graph", "linkStyle", "style", "subgraph"}
)


_SHAPES = (
    *(("(((", ")))"), ("((", "))"), ("([", "])"), ("[[", "]]"), ("[(", ")]"), ("{{", "}}")),
    *(("[/", "/]"), ("[/", "\\]"), ("[\\", "\\]"), ("[\\", "/]"), ("[", "]"), ("(", ")"), ("{", "}"), (">", "]")),
)
_LAST = {"[": "]", "(": ")", "{": "}", ">": "]"}
_BRACKET = {opener: re.compile(f"[{re.escape(opener + closer)}]") for opener, closer in _LAST.items()}


# Brackets looked at after the first possible end of a label.
_MAX_BRACKETS = 50

_RESERVED_NODE = "the node id {} is a keyword; use another id"
_FALSE_ARROW = "{} is no link; use -->"
_FALSE_COMMENT = "a comment begins with %%"
_NO_BRACKET = "a label ends in the bracket with which it begins"


def repair(draft: Draft, first: int) -> None:
    """Repair the lines from the header on."""
    _add_title(draft, first)
    before_brackets = (_SYNTAX["before name"].split(part)[-1] for part in _SYNTAX["brackets"].split(draft.content)[:-1])
    labelled = frozenset(_identifier(name.strip()) for name in before_brackets)
    named = _name_subgraphs(draft, first)
    index = first
    header = _SYNTAX["header"].match(draft.lines[first])
    start = header.end() if header else len(draft.lines[first])
    while index < len(draft.lines):
        reversed_link = _SYNTAX["to the left"].fullmatch(draft.lines[index])
        if reversed_link:
            repaired = f"{reversed_link['other']} --> {reversed_link['one']}"
            draft.correct_text(index, repaired, "an arrow to the left is written the other way round")
        line = _Line(draft.lines[index], start, labelled, named)
        line.repair()
        draft.correct(index, line.repaired, *line.problems)
        if line.unclosed is not None:
            last = _end_of_quoted(draft.lines, index) if line.unclosed.lstrip().startswith('"') else index
            if last == index:
                draft.suspect(index, f"the label `{excerpt_of(line.unclosed)}` has no closing bracket")
            index = last
        start, index = 0, index + 1


def _name_subgraphs(draft: Draft, first: int) -> set[str]:
    """Give subgraphs an id if their title is a name in a link; return the ids."""
    linked = {
        name[1] or name[2]
        for _, line in draft.statements(first)
        if _SYNTAX["any link"].search(line)
        for name in _SYNTAX["name"].finditer(line)
    }
    named = set()
    for index, line in draft.statements(first):
        title = _SYNTAX["titled subgraph"].fullmatch(line)
        if title and title["title"] in linked:
            identifier = _identifier(title["title"])
            problem = f"the subgraph {shorten(title['title'])} needs an id without spaces"
            draft.correct_text(index, f"subgraph {identifier}[{labels.quote(title['title'])}]", problem)
            named.add(identifier)
    return named


def leave_out_dangling_links(draft: Draft, first: int) -> None:
    """Leave out links without a head, for which engines take the node that begins the next line."""
    lines = list(draft.statements(first))
    for (index, line), (_, below) in pairwise(lines):
        dangling = _SYNTAX["dangling"].fullmatch(line)
        if dangling and below.split()[0] == dangling[1]:
            draft.leave_out(index, "a link leads to a node")


def _add_title(draft: Draft, first: int) -> None:
    """Move a line `title` to front matter."""
    titles = [(index, title) for index, line in draft.statements(first) if (title := _SYNTAX["title"].fullmatch(line))]
    if len(titles) == 1 and not draft.content[: draft.content.index(draft.lines[first])].strip():
        index, title = titles[0]
        problem = "the title of a flowchart is in its front matter"
        draft.leave_out(index, problem)
        value = labels.quote(title["title"]).replace("#quot;", r"\"")
        draft.correct(first, f"---\ntitle: {value}\n---\n{draft.lines[first]}", problem)


def _identifier(name: str) -> str:
    identifier = _SYNTAX["not word"].sub("_", name).strip("_") or "node"
    return f"{identifier}_" if identifier in _RESERVED_IDS else identifier


def _end_of_quoted(lines: list[str], index: int) -> int:
    """Return the index of the line that ends a quoted label, at most 20 lines below, else the same index."""
    for below in range(index + 1, min(index + 20, len(lines))):
        if '"' in lines[below]:
            return below if re.search(r'"\s*[\])}|/\\]', lines[below]) else index
    return index


class _Line:
    def __init__(self, source: str, position: int, labelled: AbstractSet[str], named: set[str]) -> None:
        self._source = source
        self._position = position
        # Ids of nodes with a label somewhere, and of those whose name became one.
        self._labelled, self._named = labelled, named
        self._copied = 0
        self._parts: list[str] = []
        self._links = 0
        self.problems: list[str] = []
        self.unclosed: str | None = None
        """The text from a label without an end on."""

    @property
    def repaired(self) -> str:
        return "".join((*self._parts, self._source[self._copied :]))

    def repair(self) -> None:
        while self._statement():
            pass

    def _accept(self, name: str) -> re.Match[str] | None:
        match = _SYNTAX[name].match(self._source, self._position)
        if match is not None:
            self._position = match.end()
        return match

    def _replace(self, start: int, end: int, replacement: str, problem: str) -> None:
        self._parts += (self._source[self._copied : start], replacement)
        self._copied = end
        self.problems.append(problem)

    def _substitute(self, name: str, replacement: str, problem: str) -> bool:
        start = self._position
        if not self._accept(name):
            return False
        self._replace(start, self._position, replacement, problem)
        return True

    def _statement(self) -> bool:
        """Return whether another statement may follow."""
        self._accept("separators")
        if self._accept("closing end"):
            return True
        start = self._position
        keyword = self._accept("keyword")
        if keyword is not None:
            self._keyword(start, keyword[0])
            return True
        bare_link: int | None = None
        while self._node():
            if self._accept("ampersand") or self._substitute("comma", " & ", "several nodes have & between them"):
                continue
            before = self._position
            if not self._link():
                if bare_link is not None:
                    self._colon_label(bare_link)
                if self._substitute("next", "; ", "each statement is on a line of its own"):
                    bare_link = None
                    continue
                break
            bare_link = None if "|" in self._source[before : self._position] else self._position
        return _SYNTAX["semicolon"].match(self._source, self._position) is not None

    def _keyword(self, start: int, statement: str) -> None:
        renamed = _SYNTAX["end id"].sub(r"\1end_", statement)
        if renamed != statement:
            self._replace(start, self._position, renamed, _RESERVED_NODE.format("end"))
            return
        opening = _SYNTAX["subgraph"].match(statement)
        if opening is None:
            return
        title = statement[opening.end() :].rstrip()
        closer = "]" if opening[0].endswith("[") else ""
        label = title.removesuffix(closer)
        if not labels.is_quoted(label) and (labels.STRUCTURAL if closer else _SYNTAX["quote"]).search(label):
            self._replace(start, self._position, f"{opening[0]}{labels.quote(label)}{closer}", labels.problem_of(label))

    def _node(self) -> bool:
        start = self._position
        identifier = None if self._renamed() else self._accept("id")
        if identifier is None and start == self._position:
            return False
        opener = self._source[self._position : self._position + 1]
        if identifier is not None and identifier[0] in _RESERVED_IDS:
            self._rename(start, identifier[0], has_label=opener in _LAST, problem=_RESERVED_NODE.format(identifier[0]))
        self._accept("data")
        if opener in _LAST and not self._label(opener):
            return False
        self._accept("class")
        return True

    def _renamed(self) -> bool:
        """Make a name in quotes or of several words an id, if a link is beside it."""
        start = self._position
        name = _SYNTAX["name"].match(self._source, start)
        if name is None or _SYNTAX["word twice"].search(name[0]) or not self._labelled.isdisjoint(name[0].split()):
            return False
        opener = self._source[name.end() : name.end() + 1]
        if opener not in _LAST and not _SYNTAX["after node"].match(self._source, name.end()):
            return False
        if not self._links and not _SYNTAX["any link"].search(self._source, name.end()):
            return False
        self._position = name.end()
        words = name[1] or name[2]
        self._rename(
            start, words, has_label=opener in _LAST, problem=f"the name {shorten(words)} needs an id without spaces"
        )
        return True

    def _rename(self, start: int, name: str, *, has_label: bool, problem: str) -> None:
        """Replace a name by an id; the first one without a label gets the name as its label."""
        identifier = _identifier(name)
        is_labelled = has_label or identifier in self._labelled or identifier in self._named
        self._named.add(identifier)
        self._replace(
            start, self._position, identifier if is_labelled else f"{identifier}[{labels.quote(name)}]", problem
        )

    def _label(self, opener: str) -> bool:
        """Move behind a label; return whether it has an end."""
        start = self._position
        end = self._end_of_label(start, opener)
        if (
            end is not None
            and _SYNTAX["inner link"].search(self._source[start:end])
            and _missing_brackets(self._source[start:end]) != ""
        ):
            self.unclosed, end = self._source[start + 1 :], None
        if end is None:
            return self._close(start)
        self._position = end
        shape = self._source[start:end]
        if (
            _missing_brackets(shape) != ""
            and (completed := labels.complete(shape)) != shape
            and len(completed) - len(shape) < 3
        ):
            self._replace(start, end, completed, _NO_BRACKET)
            return True
        before, after = _brackets(shape, opener)
        label = shape[len(before) : len(shape) - len(after)]
        if (labels.STRUCTURAL.search(label) or label.strip()[:1] in {"/", "\\"}) and not labels.is_quoted(label):
            shown = label.rstrip() + (_missing_brackets(label) or "") * ('"' not in label)
            self._replace(start, end, f"{before}{labels.quote(shown)}{after}", labels.problem_of(label))
        return True

    def _close(self, start: int) -> bool:
        """Close a label before the next link, or at the end of its line."""
        rest = self._source[start:]
        link = _SYNTAX["inner link"].search(rest)
        end = link.start() if link else len(rest.rstrip("; \t"))
        shape = labels.complete(rest[:end])
        if (
            '"' in shape
            or (_SYNTAX["link in label"].search(shape) and not link)
            or not _SYNTAX["closed"].fullmatch(shape)
        ):
            return False
        self.unclosed = None
        self._position = start + end
        self._replace(start, self._position, shape, _NO_BRACKET)
        return True

    def _end_of_label(self, start: int, opener: str) -> int | None:
        """Return the first end that is followed by a link or the like, if possible one with balanced brackets."""
        quoted = _SYNTAX["quoted label"].match(self._source, start)
        if quoted is not None and _SYNTAX["after node"].match(self._source, quoted.end()):
            return quoted.end()
        depth, is_closed, first, seen = 0, False, None, 0
        for bracket in _BRACKET[opener].finditer(self._source, start):
            seen += first is not None
            if seen > _MAX_BRACKETS or (is_closed and bracket[0] == opener):
                # The second may be another label.
                break
            depth += 1 if bracket[0] == opener else -1
            is_closed |= depth <= 0
            if bracket[0] != opener and _SYNTAX["after node"].match(self._source, bracket.end()):
                if is_closed:
                    return bracket.end()
                first = first or bracket.end()
        if first is None and not is_closed:
            self.unclosed = self._source[start + 1 :]
        return first

    def _link(self) -> bool:
        start = self._position
        self._links += 1
        if self._accept("trailing comment"):
            self._replace(start, self._position, " %% ", _FALSE_COMMENT)
            self._position = len(self._source)
            return False
        double = self._accept("double head")
        if double is None and self._accept("link"):
            return self._link_label()
        if double is None and self._accept("text link"):
            return self._link_text()
        false = double or self._accept("false link")
        if false is None:
            return False
        link = "==>" if false[1] in {"=>", "⇒"} else "-->"
        self._replace(
            start, self._position, f" {'<' if false[1][0] == '<' else ''}{link} ", _FALSE_ARROW.format(false[1])
        )
        return self._link_label()

    def _link_label(self) -> bool:
        start = self._position + 1
        if self._source[self._position : start] != "|":
            return True
        end = _SYNTAX["label end"].search(self._source, start)
        if end is None:
            unclosed = _SYNTAX["unclosed bars"].match(self._source, start)
            if unclosed is None:
                return False
            self._position = unclosed.end()
            self._replace(start, self._position, f"{unclosed['label']}| ", "the label of a link ends in |")
            return True
        label = self._source[start : end.start()]
        if labels.STRUCTURAL.search(label) and not labels.is_quoted(label):
            self._replace(start, end.start(), labels.quote(label), labels.problem_of(label))
        if end[0] == "|>":
            self._replace(end.start(), end.end(), "|", "the label of a link ends in |")
        self._position = end.end()
        if not self._substitute("second link", " ", "there is one arrow, before the label"):
            self._accept("space")
        return True

    def _colon_label(self, link_end: int) -> None:
        """Move a label behind a colon to its link."""
        start = self._position
        match = self._accept("colon label")
        if match is None or self._copied > link_end:
            return
        label = match[1].strip()
        label = labels.quote(label) if labels.STRUCTURAL.search(label) and not labels.is_quoted(label) else label
        moved = f"|{label}| {self._source[link_end:start]}"
        self._replace(link_end, match.end(), moved, "the label of a link is written -->|label|")

    def _link_text(self) -> bool:
        start = self._position
        end = _SYNTAX["link end"].search(self._source, start)
        if end is None:
            end = _SYNTAX["short end"].search(self._source, start)
            if end is None:
                return False
            self._replace(end.start(), end.end(), " --> ", _FALSE_ARROW.format("->"))
            self._position = end.end()
            return True
        label = self._source[start : end.start()]
        if '"' in label and not labels.is_quoted(label.strip()):
            self._replace(start, end.start(), f" {labels.quote(label)} ", labels.INNER_QUOTES)
        self._position = end.end()
        self._accept("space")
        return True


def _brackets(shape: str, opener: str) -> tuple[str, str]:
    """Return the brackets of a label; `[(a) b]` is a rectangle."""
    for before, after in _SHAPES:
        inner = shape[len(before) : len(shape) - len(after)]
        if f"{before}{inner}{after}" == shape and (len(before) == 1 or _is_balanced(inner, before[-1])):
            return before, after
    return opener, _LAST[opener]


def _missing_brackets(label: str) -> str | None:
    """Return the brackets that would close those that are open; None if one is closed that is not open."""
    waiting: list[str] = []
    for sign in label:
        if sign in "[({":
            waiting.append(_LAST[sign])
        elif sign in "])}" and (not waiting or waiting.pop() != sign):
            return None
    return "".join(reversed(waiting))


def _is_balanced(label: str, opener: str) -> bool:
    closer = _LAST.get(opener)
    depth = 0
    for character in label:
        if character == opener and closer:
            depth += 1
        elif character == closer:
            depth -= 1
            if depth < 0:
                return False
    return depth == 0
