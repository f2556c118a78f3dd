"""Seeded figures of every kind, with the lines of their text form and, of graphs and data, what a description must say.

`python -m tests.text_forms.figure_samples 500` reads as many back and prints the untrue ones.
"""

import json
import random
import sys
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import pairwise

from mdpublish_core import get_template
from mdpublish_core.figures import graphviz, mermaid
from mdpublish_core.figures.charts import engine as charts
from mdpublish_core.figures.request import EngineOutput, FigureRequest
from mdpublish_core.templates.style import figure_theme
from tests.text_forms import newer_figure_samples as newer
from tests.text_forms.figure_sample import WORDS, Sample, names_of, numbers_of

_THEME = figure_theme(get_template("swiss"), "light")
_ENGINES = {"mermaid": mermaid.render, "dot": graphviz.render, "chart": charts.render}


def samples(number: int, seed: int = 1) -> Iterator[Sample]:
    for each in range(number):
        yield _KINDS[each % len(_KINDS)](random.Random(seed * 1_000_000 + each))


def render(sample: Sample) -> EngineOutput:
    forms = frozenset({"text"})
    return _ENGINES[sample.engine](FigureRequest(kind=sample.engine, source=sample.source, theme=_THEME, forms=forms))  # type: ignore[arg-type]


def untrue(sample: Sample) -> str:
    """Return what differs from the source; empty if nothing does."""
    output = render(sample)
    read = (output.plain_text or "").split("\n")
    unsaid = [part for part in sample.said if part not in output.description]
    expected = sample.lines
    if sample.source.startswith("digraph"):
        read, expected = sorted(read), sorted(expected)  # cgraph lists edges by their nodes
    if read == expected and not unsaid:
        return ""
    return (
        f"{sample.source}\n--- text\n{output.plain_text}\n--- expected\n"
        + "\n".join(sample.lines)
        + f"\n--- unsaid {unsaid} in {output.description}"
    )


def _edges(rng: random.Random, names: list[str], links: dict[str, str]) -> list[tuple[str, str, str, str]]:
    """Return a chain through all names, and more edges: two ends, a link and a label."""
    ends = list(pairwise(names)) + [tuple(rng.sample(names, 2)) for _ in range(rng.randint(0, 2))]
    return [(tail, rng.choice(list(links)), head, rng.choice(["", "", "yes", "no"])) for tail, head in ends]


def _said(tail: str, arrow: str, head: str, verb: str) -> list[str]:
    return [f"{head if arrow == '←' else tail} {verb} "] if arrow in {"→", "←"} else []


def flowchart(rng: random.Random) -> Sample:
    links = {"-->": "→", "<-->": "↔", "---": "—", "==>": "→", "-.->": "→", "--o": "—○", "--x": "—×"}
    names = names_of(rng)
    edges = _edges(rng, names, links)
    source = ["flowchart LR", "subgraph Outer", *(f"{name}[{name}]" for name in names), "end"]
    source += [f"{tail} {link}{f'|{label}|' if label else ''} {head}" for tail, link, head, label in edges]
    source.append(f"{names[0]} ~~~ {names[-1]}")
    lines = [f"  {tail} {links[link]} {head}" + f": {label}" * bool(label) for tail, link, head, label in edges]
    said = [part for tail, link, head, label in edges for part in _said(tail, links[link], head, "leads to")]
    return Sample("mermaid", "\n".join(source), ["Outer", *lines], [f"{len(names)} nodes, {len(edges)} edges", *said])


def dot(rng: random.Random) -> Sample:
    ways = {
        "": "→",
        "dir=back": "←",
        "dir=both": "↔",
        "dir=none": "—",
        "arrowhead=none": "—",
        "arrowhead=odiamond": "—◇",
        "arrowhead=empty": "—▷",
    }
    names = names_of(rng)
    edges = _edges(rng, names, ways)
    rng.shuffle(edges)
    written = [f'{tail} -> {head} [label="{label}" {way}]' for tail, way, head, label in edges]
    hidden = [f"{names[0]} -> {names[-1]} [style=invis, label=unseen]", "gone [style=invis]"]
    source = "digraph {\n" + "\n".join((";".join(names), *written, *hidden)) + "\n}"
    lines = [f"{tail} {ways[way]} {head}" + f": {label}" * bool(label) for tail, way, head, label in edges]
    said = [part for tail, way, head, label in edges for part in _said(tail, ways[way], head, "leads to")]
    return Sample("dot", source, lines, [f"{len(names)} nodes, {len(edges)} edges", *said])


def records(rng: random.Random) -> Sample:
    first, second = names_of(rng, 3, 5), names_of(rng, 3, 5)
    at, to = rng.randrange(1, len(first)), rng.randrange(1, len(second))
    fields = "|".join(f"<{name}> {name}" for name in first)
    rows = "".join(f"<TR><TD PORT='p{number}'>{name}</TD><TD>{number}</TD></TR>" for number, name in enumerate(second))
    source = f'digraph {{ a [shape=record, label="{fields}"]; b [label=<<TABLE>{rows}</TABLE>>]; a:{first[at]} -> b:p{to}:w }}'
    table = [f"{name} | {number}" for number, name in enumerate(second)]
    lines = [
        table[0],
        *(f"  {row}" for row in table[1:]),
        f"{' | '.join(first)} ({first[at]}) → {table[0]} ({second[to]})",
    ]
    return Sample("dot", source, lines, ["leads to"])


def sequence(rng: random.Random) -> Sample:
    links = {"->>": "→", "-->>": "┄→", "->": "—", "-->": "┄", "-x": "—×", "--x": "┄×", "-)": "→", "<<->>": "↔"}
    names = names_of(rng, 2, 4)
    messages = [(*rng.sample(names, 2), rng.choice(list(links)), rng.choice(WORDS)) for _ in range(rng.randint(2, 5))]
    source = ["sequenceDiagram", *(f"participant {name}" for name in names)]
    source += [f"{tail}{link}{head}: {words}" for tail, head, link, words in messages]
    named = {end for tail, head, _, _ in messages for end in (tail, head)}
    lines = [name for name in names if name not in named]
    lines += [f"{tail} {links[link]} {head}: {words}" for tail, head, link, words in messages]
    said = [
        f"{tail} {'replies to' if link.startswith('--') else 'calls'} {head}"
        for tail, head, link, _ in messages
        if link != "<<->>"
    ]
    return Sample("mermaid", "\n".join(source), lines, [f"{len(names)} participants", *said])


def entities(rng: random.Random) -> Sample:
    ends = {"||": "1", "o|": "0..1", "}|": "1..*", "}o": "0..*"}
    right = {"||": "||", "o|": "|o", "}|": "|{", "}o": "o{"}
    one, other, label = rng.sample(WORDS, 3)
    left, there, line = rng.choice(list(ends)), rng.choice(list(right)), rng.choice(["--", ".."])
    left = {"o|": "|o"}.get(left, left)
    there_sign = {"o|": "o|"}.get(there, right[there])
    source = f"erDiagram\n{one} {left}{line}{there_sign} {other} : {label}\n{one} {{\nint id PK\n}}"
    kind = {"--": "—", "..": "┄"}[line]
    lines = [
        one,
        "  int id PK",
        f"{one} ({ends[{'|o': 'o|'}.get(left, left)]}) {kind} {other} ({ends[there]}): {label}",
    ]
    return Sample("mermaid", source, lines, [f"{one} (", label])


def classes(rng: random.Random) -> Sample:
    links = {"<|--": ("◁—", "{1} inherits from {0}"), "<|..": ("◁┄", "{1} implements {0}"), "*--": ("◆—", "{0} is composed of {1}"),
             "o--": ("◇—", "{0} has {1}"), "..>": ("┄→", "{0} depends on {1}"), "-->": ("→", "{0} points to {1}"), "--": ("—", "{0} is linked to {1}")}  # fmt: skip
    names = names_of(rng)
    pairs = [(tail, head, rng.choice(list(links))) for tail, head in pairwise(names)]
    source = ["classDiagram", *(f"{tail} {link} {head}" for tail, head, link in pairs), f"{names[0]} : +run()"]
    lines = [names[0], "  +run()", *(f"{tail} {links[link][0]} {head}" for tail, head, link in pairs)]
    return Sample(
        "mermaid", "\n".join(source), lines, [links[link][1].format(tail, head) for tail, head, link in pairs]
    )


def states(rng: random.Random) -> Sample:
    names = names_of(rng)
    pairs = list(pairwise(names))
    words = [rng.choice(WORDS) for _ in pairs]
    source = [
        "stateDiagram-v2",
        f"[*] --> {names[0]}",
        *(f"{a} --> {b}: {w}" for (a, b), w in zip(pairs, words, strict=True)),
        f"state {names[0]} {{",
        "inner",
        "}",
    ]
    lines = [
        names[0],
        "  inner",
        f"(start) → {names[0]}",
        *(f"{a} → {b}: {w}" for (a, b), w in zip(pairs, words, strict=True)),
    ]
    return Sample(
        "mermaid", "\n".join(source), lines, [f"{a} leads to {b} ({w})" for (a, b), w in zip(pairs, words, strict=True)]
    )


def gantt(rng: random.Random) -> Sample:
    day, source, lines = date(2024, 1, 1), ["gantt", "dateFormat YYYY-MM-DD", "section Work"], ["Work"]
    for name in names_of(rng):
        start, days = day + timedelta(rng.randint(0, 300)), rng.randint(1, 30)
        flag = rng.choice(["", "done", "active", "crit", "milestone"])
        if flag == "milestone":
            source.append(f"{name} :milestone, {start}, 0d")
            lines.append(f"  {name}: {start} (milestone)")
            continue
        source.append(f"{name} :{flag + ', ' if flag else ''}{start}, {days}d")
        end = start + timedelta(days - 1)
        period = f"{start} – {end}" if end > start else f"{start}"
        lines.append(f"  {name}: {period}" + (f" ({flag.replace('crit', 'critical')})" if flag else ""))
    dates = [word for line in lines for word in line.replace("(", " ").split() if word[:2] == "20"]
    return Sample("mermaid", "\n".join(source), lines, [f"{len(lines) - 1} tasks from {min(dates)} to {max(dates)}"])


def commits(rng: random.Random) -> Sample:
    marks = {"NORMAL": "", "REVERSE": " (reverse)", "HIGHLIGHT": " (highlight)"}
    source, lines = ["gitGraph"], []
    for name in names_of(rng):
        mark, tag = rng.choice(list(marks)), rng.choice(["", "v1"])
        source.append(f'commit id: "{name}" type: {mark}' + (f' tag: "{tag}"' if tag else ""))
        lines.append(f"main: {name}{marks[mark]}" + (f" [{tag}]" if tag else ""))
    return Sample("mermaid", "\n".join(source), lines, [f"{len(lines)} commits"])


def pie(rng: random.Random) -> Sample:
    names = names_of(rng)
    numbers, said = numbers_of(rng, names)
    shares = [int(100 * number / sum(numbers) + 0.5) for number in numbers]
    lines = [
        f"{name}: {number}" + f" ({share}%)" * (100 * number >= sum(numbers))
        for name, number, share in zip(names, numbers, shares, strict=True)
    ]
    source = "\n".join(("pie", *(f'"{name}" : {number}' for name, number in zip(names, numbers, strict=True))))
    return Sample("mermaid", source, lines, said)


def xy(rng: random.Random) -> Sample:
    names = names_of(rng)
    numbers, said = numbers_of(rng, names)
    source = f"xychart-beta\nx-axis [{', '.join(names)}]\nbar {numbers}"
    return Sample("mermaid", source, [f"{name}: {number}" for name, number in zip(names, numbers, strict=True)], said)


def sankey(rng: random.Random) -> Sample:
    first, *others = names_of(rng)
    numbers, _ = numbers_of(rng, others)
    flows = list(zip(others, numbers, strict=True))
    source = "\n".join(("sankey-beta", *(f"{first},{name},{number}" for name, number in flows)))
    return Sample(
        "mermaid",
        source,
        [f"{first} → {name}: {number}" for name, number in flows],
        [f"{first} flows to {others[0]} ({numbers[0]})"],
    )


def journey(rng: random.Random) -> Sample:
    tasks = [(name, rng.randint(1, 5)) for name in names_of(rng)]
    source = "\n".join(("journey", "section Day", *(f"{name}: {score}: Ann, Bob" for name, score in tasks)))
    return Sample(
        "mermaid", source, ["Day", *(f"  {name}: {score} (Ann, Bob)" for name, score in tasks)], [f"{len(tasks)} tasks"]
    )


def mindmap(rng: random.Random) -> Sample:
    root, *others = names_of(rng)
    depths = [1]
    for _ in others[1:]:
        depths.append(rng.randint(1, depths[-1] + 1))
    lines = [root, *("  " * depth + name for name, depth in zip(others, depths, strict=True))]
    return Sample("mermaid", "\n".join(("mindmap", *(f"  {line}" for line in lines))), lines, [f"{len(lines)} topics"])


def timeline(rng: random.Random) -> Sample:
    events = [(rng.randint(1900, 2030), rng.sample(WORDS, rng.randint(1, 2))) for _ in range(rng.randint(2, 5))]
    source = "\n".join(("timeline", *(f"{year} : {' : '.join(words)}" for year, words in events)))
    return Sample(
        "mermaid", source, [f"{year}: {'; '.join(words)}" for year, words in events], [f"{len(events)} periods"]
    )


def quadrants(rng: random.Random) -> Sample:
    points = [(name, rng.randint(51, 99) / 100, rng.randint(51, 99) / 100) for name in names_of(rng)]
    source = "\n".join(
        ("quadrantChart", "x-axis Low --> High", "quadrant-1 Best", *(f"{name}: [{x}, {y}]" for name, x, y in points))
    )
    return Sample(
        "mermaid",
        source,
        ["x: Low → High", "Best", *(f"  {name} ({x}, {y})" for name, x, y in points)],
        [f"{len(points)} points"],
    )


def chart(rng: random.Random) -> Sample:
    names = names_of(rng)
    numbers, said = numbers_of(rng, names)
    kind = rng.choice(["bar", "line", "pie", "doughnut", "radar", "polarArea"])
    source = json.dumps({"type": kind, "data": {"labels": names, "datasets": [{"label": "Sales", "data": numbers}]}})
    width = max(map(len, names))
    lines = [
        " " * width + "  Sales",
        "-" * width + "  -----",
        *(f"{name:{width}}  {number:>5}" for name, number in zip(names, numbers, strict=True)),
    ]
    said += [f"{names[0]} {numbers[0]}"] + [f"from {numbers[0]} to {numbers[-1]}"] * (kind == "line" and len(names) > 3)
    return Sample("chart", source, lines, said)


_KINDS: tuple[Callable[[random.Random], Sample], ...] = (
    flowchart, dot, records, sequence, entities, classes, states, gantt, commits, pie, xy, sankey, journey, mindmap, timeline, quadrants, chart,
    newer.c4, newer.architecture, newer.blocks, newer.kanban, newer.treemap, newer.tree_view, newer.fishbone, newer.packet, newer.venn,
    newer.requirements, newer.radar, newer.zenuml, newer.plots, newer.branches, newer.fragments, newer.scatter, newer.bubbles, newer.datasets,
)  # fmt: skip


def main(number: int) -> None:
    differences = [difference for sample in samples(number) if (difference := untrue(sample))]
    print("\n\n".join(differences))  # noqa: T201
    print(f"{number} figures, {len(differences)} untrue")  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
