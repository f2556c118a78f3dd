"""A search for the text that costs most per byte: random words of a grammar of Markdown, then variations of the worst.

`python -m tests.security.cost_search` prints a table; docs/explanation/performance-of-the-service.md has its times. CPU
time is that of the process that converts: workers that render figures and images of formulas have limits of their own.
"""

import gc
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from time import process_time

from mdpublish_core import DEFAULT_LIMITS, Limits, convert
from mdpublish_core.errors import LimitExceeded
from mdpublish_core.notices import shorten
from mdpublish_core.options.extensions import Extension
from mdpublish_core.writers.outputs import DESTINATIONS

SEARCHED_SIZE, CONFIRMED_SIZE = 10_000, 100_000
"""In characters. Candidates are compared at the first size, and the worst measured at the second."""

CONFIRMED = 4

SEEDS = 40
"""Random candidates before the variations begin."""

SURVIVORS = 12
"""The worst, which are varied."""

# fmt: off
FRAGMENTS = (
    "a", "b1", ".", ",", "\n", "\n\n", "  \n", "\\\n", " ", "\t", "    ", "*", "**", "_", "~~", "`", "``", "*a*",
    "**a**", "~~a~~", "`a`", "***a***", "_a_ ", "*a _b_* ", "[", "]", "![", "[a]", "[a](b)", "![a](b)",
    "[a](<b> 'c')", "<a@b.c>", "<http://a.b>", "http://a.b ", "www.a.b ", "a@b.c ", "[^1]", "[^§]: a\n\n", "[r]",
    "[r][]", "[§]: /b 'c'\n", "&amp;", "&#35;", "\\*", "漢", "א", "e\u0301", "😀", "<", ">", '"', "$x$ ", "$a",
    "$$a$$\n", "\\(", "\\)", "\\(a_§\\) ", "\n\\[\n", "\n\\]\n", "\n\\begin{align}\n",
    "\n\\end{align}\n", "$§$ ", "$x_§^2$ ", "$\\frac{§}{x}$ ", "$\\sqrt{§}$ ",
    "$\\left(§\\right)$ ", "$\\hat{§}$ ", "$\\text{§}$ ", "$\\begin{matrix}§&a\\\\b&c\\end{matrix}$ ", "$\\a$ ", "$\\c §$ ", "$\\def\\a{§\\a}\\a$ ",
    "$\\b\\b$ ", "$\\def\\a#1{\\a{#1#1}}\\a §$ ", "$\\iff$ ", "$\\boxed{§}$ ", "$\\not §$ ", "$\\mathbb{§}$ ",
    "$\\binom §2$ ", "\n# ", "\n###### ", "\n===\n", "\n***\n", "\n- ", "\n* ", "\n1. ", "\n- [ ] ", "\n  - ",
    "\n    - ", "- ", "> ", "\n> ", ">", "\n\n    a", "\n```\n", "\n```py\nx = §\n```\n", "\n~~~\n", "\n> [!NOTE]\n> ",
    "\n\n[^§]: ", "|", "|a", "|a|\n", "a|b\n", "\n|a|\n|-|\n", "\n|a|b|c|\n|-|:-:|-:|\n",
    "\n|a|b|c|d|e|f|g|h|\n|-|-|-|-|-|-|-|-|\n", "|\n", "<b>", "</b>", "<i>a</i>", "<kbd>a</kbd>", "<sub>a</sub>",
    "<br>", "<img src=b>", "<a href=b>a</a>", "<a name=§>", "<!-- -->", "\n<div>\n\n", "\n</div>\n\n",
    "\n<details><summary>a</summary>\n\n", "\n</details>\n\n", "<p align=center>", "<center>", "<table>", "<tr>",
    "<td>", "<th>", "</table>", "<td rowspan=9 colspan=9>", "<td rowspan=9999>a", "<caption>a", "<thead>", "<ul>",
    "<ol start=9>", "<li>", "</ul>", "<dl><dt>a<dd>", "<h1>a</h1>", "<blockquote>", "<pre>a\n", "<hr>",
)
# fmt: on
"""`§` becomes a number, different in each repetition."""

BEGINNINGS = (
    "",
    "a\n",
    "\n|a|\n|-|\n",
    f"\n|{'a|' * 60}\n|{'-|' * 60}\n",
    "[r]: /target 'title'\n\n[^1]: note\n\n",
    "$\\def\\a{x}\\def\\b{\\a\\a\\a\\a\\a\\a\\a\\a}\\def\\c#1{\\b#1\\b#1\\b\\b\\b\\b\\b\\b}$\n\n",
    "> " * 20,
    "- " * 20,
    "<div>" * 20,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    beginning: str
    unit: tuple[tuple[str, int], ...]
    """Fragments, and how often each is repeated in the unit, which is repeated up to the size."""

    @property
    def name(self) -> str:
        unit = " + ".join(f"{fragment!r} × {times}" if times > 1 else repr(fragment) for fragment, times in self.unit)
        return f"{shorten(self.beginning)!r}, then {unit}" if self.beginning else unit

    def markdown(self, size: int) -> str:
        pieces, length = [self.beginning], len(self.beginning)
        for number in range(size):
            for fragment, times in self.unit:
                piece = fragment.replace("§", str(number)) * times
                pieces.append(piece)
                length += len(piece)
            if length >= size:
                break
        return "".join(pieces)[:size]


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    microseconds: float
    """CPU time per byte."""
    name: str


SEARCHED_LIMITS, CONFIRMED_LIMITS = (
    Limits(max_steps=DEFAULT_LIMITS.max_steps * size // CONFIRMED_SIZE, max_total_figure_seconds=0.5)
    for size in (SEARCHED_SIZE, CONFIRMED_SIZE)
)
"""With as many steps per byte at both sizes. A search is not to wait for images."""


def cpu_seconds(
    markdown: str,
    destination: str,
    rounds: int = 1,
    *,
    extensions: frozenset[Extension] | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> float:
    """Return the least CPU time of some conversions."""
    times = []
    for _ in range(rounds):
        gc.collect()
        gc.disable()
        try:
            start = process_time()
            with suppress(LimitExceeded):
                convert(markdown, to=destination, extensions=extensions, limits=limits)
            times.append(process_time() - start)
        finally:
            gc.enable()
    return min(times)


def search(destination: str, *, candidates: int, seed: int = 0) -> list[Finding]:
    """Return the worst texts, measured again at 100 KB, the worst first."""
    chance = random.Random(seed)
    convert("$y$", to=destination)
    worst: list[tuple[float, Candidate]] = []
    for candidate in _candidates(chance, candidates, lambda: [each for _, each in worst]):
        cost = _cost(candidate, destination, SEARCHED_SIZE)
        if all(candidate != each for _, each in worst):
            worst.append((cost, candidate))
            worst.sort(key=lambda pair: -pair[0])
            del worst[SURVIVORS:]
    confirmed = [
        Finding(_cost(candidate, destination, CONFIRMED_SIZE, rounds=2), candidate.name)
        for _, candidate in worst[:CONFIRMED]
    ]
    return sorted(confirmed, reverse=True)


def _cost(candidate: Candidate, destination: str, size: int, rounds: int = 1) -> float:
    limits = SEARCHED_LIMITS if size == SEARCHED_SIZE else CONFIRMED_LIMITS
    markdown = candidate.markdown(size)
    return cpu_seconds(markdown, destination, rounds, limits=limits) / len(markdown.encode()) * 1e6


def _candidates(chance: random.Random, count: int, worst: Callable[[], list[Candidate]]) -> Iterator[Candidate]:
    for number in range(count):
        if number < SEEDS or chance.random() < 0.2:
            yield _random_candidate(chance)
        else:
            yield _variation(chance, chance.choice(worst()))


def _random_candidate(chance: random.Random) -> Candidate:
    unit = tuple(_random_part(chance) for _ in range(chance.randint(1, 4)))
    return Candidate(chance.choice(BEGINNINGS), unit)


def _random_part(chance: random.Random) -> tuple[str, int]:
    return chance.choice(FRAGMENTS), chance.choice((1, 1, 1, 2, 5, 40))


def _variation(chance: random.Random, candidate: Candidate) -> Candidate:
    unit = list(candidate.unit)
    index = chance.randrange(len(unit))
    change = chance.randrange(5)
    if change == 0:
        return replace(candidate, beginning=chance.choice(BEGINNINGS))
    if change == 1 and len(unit) < 6:
        unit.insert(index, _random_part(chance))
    elif change == 2 and len(unit) > 1:
        del unit[index]
    elif change == 3:
        unit[index] = unit[index][0], max(1, int(unit[index][1] * chance.choice((0.5, 2))))
    else:
        unit[index] = _random_part(chance)
    return replace(candidate, unit=tuple(unit))


def main(candidates: int) -> None:
    sys.stdout.write("| destination | CPU s for 100 KB | the text, repeated |\n|---|--:|---|\n")
    for destination in DESTINATIONS:
        worst = search(destination, candidates=candidates)[0]
        shown = worst.name.replace("|", "\\|")
        sys.stdout.write(f"| `{destination}` | {worst.microseconds / 10:.2f} | `` {shown} `` |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
