"""Corrections of a figure's source that an engine refuses.

A repair replaces a line, which may become several; `Draft.line_of` tells which of the author's lines they are.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from mdpublish_core.resources.characters import replace_invisible

MAX_REPAIRS = 20
"""Repairs reported per figure."""

MAX_EXCERPT = 160
"""In characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A corrected line."""

    line: int
    """1-based, in the source of the figure."""

    column: int
    """1-based, of the first change."""

    problem: str
    """What was wrong, with the remedy."""

    line_text: str
    """The whole line as corrected; with those that are added below it."""

    @property
    def excerpt(self) -> str:
        return excerpt_of(self.line_text, self.column - 1)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A line that is wrong in a way that cannot be repaired."""

    line: int
    problem: str


@dataclass(slots=True)
class Draft:
    """Lines under repair."""

    lines: list[str]
    suspicion: Suspicion | None = None
    """The first one. Engines notice such a line late."""

    written: list[str] = field(init=False)
    """The author's lines."""

    _repairs: dict[int, tuple[int, dict[str, None]]] = field(default_factory=dict)
    """Position of the first change, and problems."""

    def __post_init__(self) -> None:
        self.written = [*self.lines]

    @property
    def content(self) -> str:
        return "\n".join(self.lines)

    @property
    def is_changed(self) -> bool:
        return bool(self._repairs)

    def line_of(self, index: int) -> int:
        """Return the index of the author's line that became a line of `content`."""
        ends = accumulate(line.count("\n") + 1 for line in self.lines)
        return next((number for number, end in enumerate(ends) if index < end), len(self.lines) - 1)

    def stripped(self, index: int) -> str:
        """Return a line without the space around it."""
        return self.lines[index].strip()

    def statements(self, header: int) -> Iterator[tuple[int, str]]:
        """Yield the indices and texts of the lines below Mermaid's header that are no comments."""
        for index in range(header + 1, len(self.lines)):
            if self.lines[index].strip() and not self.stripped(index).startswith("%%"):
                yield index, self.stripped(index)

    def leave_out(self, index: int, problem: str) -> None:
        """Make a line a comment of Mermaid."""
        self.correct_text(index, f"%% {self.stripped(index)}", problem)

    def correct_text(self, index: int, line_text: str, *problems: str) -> None:
        """Replace a line's text, but not the space around it."""
        line = self.lines[index]
        if line_text == line.strip():
            return
        start = len(line) - len(line.lstrip())
        line_text = line_text.replace("\n", f"\n{line[:start]}")
        self.correct(index, line[:start] + line_text + line[max(start, len(line.rstrip())) :], *problems)

    def correct(self, index: int, line: str, *problems: str) -> None:
        """Replace a line, unless it is the same."""
        before = self.lines[index]
        if line == before:
            return
        length = min(len(before), len(line))
        start = next((position for position in range(length) if before[position] != line[position]), length)
        first, named = self._repairs.get(index, (start, {}))
        self._repairs[index] = min(first, start), named | dict.fromkeys(problems)
        self.lines[index] = line

    def forget(self, index: int) -> None:
        """Name no repair of a line, which is as written again."""
        del self._repairs[index]

    def suspect(self, index: int, problem: str) -> None:
        if self.suspicion is None:
            self.suspicion = Suspicion(index + 1, problem)

    def repairs(self) -> tuple[Repair, ...]:
        """Return the first repairs in order of lines."""
        return tuple(
            Repair(line=index + 1, column=start + 1, problem="; ".join(problems), line_text=self.lines[index])
            for index, (start, problems) in sorted(self._repairs.items())[:MAX_REPAIRS]
        )


def excerpt_of(line: str, position: int = 0) -> str:
    """Return a line for a message: at most `MAX_EXCERPT` characters, with those at a position."""
    line = replace_invisible(line.replace("\t", " ").replace("\u00a0", " "))
    start = 0 if len(line.strip()) <= MAX_EXCERPT else max(0, position - MAX_EXCERPT // 4)
    shown = line[start : start + MAX_EXCERPT].strip()
    is_cut = line[start + MAX_EXCERPT :].strip() and len(line.strip()) > MAX_EXCERPT
    return f"{'…' if line[:start].strip() else ''}{shown}{'…' if is_cut else ''}"
