"""Figures of Mermaid's newer types, of points and of several datasets, for `figure_samples`."""

import json
import random
from itertools import pairwise

from tests.text_forms.figure_sample import WORDS, Sample, names_of, numbers_of


def _mermaid(source: list[str], lines: list[str], said: list[str]) -> Sample:
    return Sample("mermaid", "\n".join(source), lines, said)


def c4(rng: random.Random) -> Sample:
    links = {"Rel": "→", "BiRel": "↔", "Rel_Back": "←"}
    person, *names = names_of(rng)
    rels = [(tail, head, rng.choice(list(links)), rng.choice(["", "HTTP"])) for tail, head in pairwise(names)]
    source = ["C4Context", f'Person({person}, "{person.title()}", "Buys")', 'Enterprise_Boundary(bank, "Bank") {']
    source += [f'System({name}, "{name.title()}")' for name in names]
    source += ["}", f'Rel({person}, {names[0]}, "Asks")']
    source += [
        f'{link}({tail}, {head}, "Uses"{f", {chr(34)}{by}{chr(34)}" * bool(by)})' for tail, head, link, by in rels
    ]
    lines = ["Bank"]
    lines += [f"  {tail} {links[link]} {head}: Uses{f', {by}' * bool(by)}".replace(tail, tail.title()).replace(head, head.title())
              for tail, head, link, by in rels]  # fmt: skip
    lines += [person.title(), "  Buys", f"{person.title()} → {names[0].title()}: Asks"]
    said = [
        f"{len(names) + 1} elements, {len(rels) + 1} relationships",
        f"{person.title()} points to {names[0].title()} (Asks)",
    ]
    said += [
        f"{(head if link == 'Rel_Back' else tail).title()} points to" for tail, head, link, _ in rels if link != "BiRel"
    ]
    return _mermaid(source, lines, said)


def architecture(rng: random.Random) -> Sample:
    links = {"-->": "→", "<--": "←", "<-->": "↔", "--": "—"}
    names = names_of(rng)
    pairs = [(tail, head, rng.choice(list(links))) for tail, head in pairwise(names)]
    source = ["architecture-beta", "group cloud(cloud)[Cloud]"]
    source += [f"service {name}(server)[{name.title()}] in cloud" for name in names]
    source += [f"{tail}:R {link} L:{head}" for tail, head, link in pairs]
    lines = ["Cloud", *(f"  {tail.title()} {links[link]} {head.title()}" for tail, head, link in pairs)]
    said = [f"{len(names)} services, {len(pairs)} connection"]
    said += [
        f"{(tail if link == '-->' else head).title()} points to" for tail, head, link in pairs if link in {"-->", "<--"}
    ]
    return _mermaid(source, lines, said)


def blocks(rng: random.Random) -> Sample:
    names = names_of(rng)
    pairs = [(tail, head, rng.choice(["-->", "---"]), rng.choice(["", "yes"])) for tail, head in pairwise(names)]
    source = ["block-beta", "columns 2", "block:outer", *(f'{name}["{name.title()}"]' for name in names), "end"]
    source += ["lonely", "space", 'arrow<["down"]>(down)']
    source += [
        f"{tail} {f'{link[:2]} {chr(34)}{label}{chr(34)} {link}' if label else link} {head}"
        for tail, head, link, label in pairs
    ]
    signs = {"-->": "→", "---": "—"}
    lines = [
        "outer",
        *(
            f"  {tail.title()} {signs[link]} {head.title()}" + f": {label}" * bool(label)
            for tail, head, link, label in pairs
        ),
    ]
    said = [f"{len(names) + 1} blocks, {len(pairs)} edge"]
    said += [f"{tail.title()} leads to {head.title()}" for tail, head, link, _ in pairs if link == "-->"]
    return _mermaid(source, [*lines, "lonely", "down"], said)


def kanban(rng: random.Random) -> Sample:
    source, lines, tasks = ["kanban"], [], 0
    for number, column in enumerate(names_of(rng, 2, 4)):
        source.append(f"  c{number}[{column}]")
        lines.append(column)
        for card in rng.sample(WORDS, rng.randint(0, 2)):
            who, priority = rng.choice(["", "Ann"]), rng.choice(["", "High"])
            written = ", ".join([f"assigned: '{who}'"] * bool(who) + [f"priority: '{priority}'"] * bool(priority))
            remark = ", ".join([f"{priority.lower()} priority"] * bool(priority) + [who] * bool(who))
            tasks += 1
            source.append(f"    t{tasks}[{card}]" + f"@{{ {written} }}" * bool(written))
            lines.append(f"  {card}" + f" ({remark})" * bool(remark))
    return _mermaid(source, lines, [f"{len(lines) - tasks} columns", *([f"{tasks} task"] if tasks else [])])


def treemap(rng: random.Random) -> Sample:
    root, *names = names_of(rng)
    numbers, _ = numbers_of(rng, names)
    source = ["treemap-beta", f'"{root}"', f'    "{names[0]}"', f'        "{names[1]}": {numbers[1]}']
    source += [f'    "{name}": {number}' for name, number in zip(names[2:], numbers[2:], strict=True)]
    lines = [root, f"  {names[0]}", f"    {names[1]}: {numbers[1]}"]
    lines += [f"  {name}: {number}" for name, number in zip(names[2:], numbers[2:], strict=True)]
    return _mermaid(source, lines, [f"{len(names) + 1} items", f"{names[0]} ({names[1]}: {numbers[1]})"])


def _nested(rng: random.Random) -> list[str]:
    depths = [0]
    names = names_of(rng)
    for _ in names[1:]:
        depths.append(rng.randint(0, depths[-1] + 1))
    return ["  " * depth + name for depth, name in zip(depths, names, strict=True)]


def tree_view(rng: random.Random) -> Sample:
    lines = _nested(rng)
    source = ["treeView-beta"] + [f"  {line}".replace(line.strip(), f'"{line.strip()}"') for line in lines]
    return _mermaid(source, lines, [f"{len(lines)} entries"])


def fishbone(rng: random.Random) -> Sample:
    lines = _nested(rng)
    return _mermaid(
        ["ishikawa-beta", "  Effect", *(f"    {line}" for line in lines)],
        ["Effect", *(f"  {line}" for line in lines)],
        [f"{len(lines)} cause"],
    )


def packet(rng: random.Random) -> Sample:
    source, lines, start = ["packet"], [], 0
    for name in names_of(rng):
        bits = rng.choice([1, 3, 8, 16])
        source.append(
            rng.choice(
                [f'+{bits}: "{name}"', f'{start}-{start + bits - 1}: "{name}"' if bits > 1 else f'{start}: "{name}"']
            )
        )
        lines.append(f"{start}–{start + bits - 1}: {name}" if bits > 1 else f"{start}: {name}")
        start += bits
    return _mermaid(source, lines, [f"{len(lines)} fields", lines[0], lines[-1]])


def venn(rng: random.Random) -> Sample:
    one, other, third, label, inside = rng.sample(WORDS, 5)
    source = [
        "venn-beta",
        f"set {one}",
        f"set {other}",
        f'    text t["{inside}"]',
        f"set {third}",
        f'union {one},{other}["{label}"]',
    ]
    shared = " ∩ ".join(sorted((one, other)))
    return _mermaid(source, [one, f"{other}: {inside}", third, f"{shared}: {label}"], ["3 sets", f"{shared}: {label}"])


def requirements(rng: random.Random) -> Sample:
    names = names_of(rng)
    risk = rng.choice(["low", "medium", "high"])
    links = [
        (tail, head, rng.choice(["contains", "derives", "satisfies", "verifies", "traces"]))
        for tail, head in pairwise(names)
    ]
    source = ["requirementDiagram", f"requirement {names[0]} {{", "id: 1", "text: it works", f"risk: {risk}", "}"]
    source += [f"element {name} {{\ntype: {name}s\n}}" for name in names[1:]]
    source += [rng.choice([f"{tail} - {kind} -> {head}", f"{head} <- {kind} - {tail}"]) for tail, head, kind in links]
    lines = [names[0], "  «Requirement»", "  ID: 1", "  Text: it works", f"  Risk: {risk.title()}"]
    lines += [line for name in names[1:] for line in (name, "  «Element»", f"  Type: {name}s")]
    lines += [f"{tail} → {head}: {kind}" for tail, head, kind in links]
    return _mermaid(
        source, lines, [f"{len(names)} elements", *(f"{tail} points to {head} ({kind})" for tail, head, kind in links)]
    )


def radar(rng: random.Random) -> Sample:
    axes, curves = names_of(rng), rng.sample(["Ann", "Bob", "Cid"], 2)
    values = {curve: [rng.randint(0, 9) for _ in axes] for curve in curves}
    source = ["radar-beta", "axis " + ", ".join(f'{axis}["{axis.title()}"]' for axis in axes)]
    source += [
        f'curve c{number}["{curve}"]{{{", ".join(map(str, values[curve]))}}}' for number, curve in enumerate(curves)
    ]
    lines = [
        f"{curve}: " + ", ".join(f"{axis.title()} {value}" for axis, value in zip(axes, values[curve], strict=True))
        for curve in curves
    ]
    return _mermaid(source, lines, ["2 curves", *lines])


def zenuml(rng: random.Random) -> Sample:
    one, other, third = (name.title() for name in rng.sample(WORDS, 3))
    ask, find, back = rng.sample(WORDS, 3)
    source = [
        "zenuml",
        f"{one}->{other}.{ask}() {{",
        f"{third}.{find}()",
        f"return {back}",
        "}",
        f"if({back}) {{",
        f"{one}->{third}: {find}",
        "}",
    ]
    lines = [
        f"{one} → {other}: {ask}()",
        f"{other} → {third}: {find}()",
        f"{other} ┄→ {one}: {back}",
        f"alt [{back}]",
        f"  {one} → {third}: {find}",
    ]
    return _mermaid(
        source,
        lines,
        ["3 participants, 4 messages", f"{one} calls {other}: {ask}()", f"{other} replies to {one}: {back}"],
    )


def plots(rng: random.Random) -> Sample:
    names = names_of(rng, 4)
    (bars, said), (line, _) = numbers_of(rng, names), numbers_of(rng, names)
    source = ["xychart-beta", f"x-axis Place [{', '.join(names)}]", 'y-axis "Sales"', f"bar {bars}", f"line {line}"]
    lines = [
        "x: Place",
        "y: Sales",
        *(f"{name}: bar {one}, line {two}" for name, one, two in zip(names, bars, line, strict=True)),
    ]
    return _mermaid(source, lines, [f"{len(names)} positions", *said])


def branches(rng: random.Random) -> Sample:
    root, *names = names_of(rng)
    source, lines = ["gitGraph", f'commit id: "{root}"', "branch dev"], [f"main: {root}"]
    for number, name in enumerate(names):
        source.append(f'commit id: "{name}"')
        lines.append(f"dev: {name}" + f", from {root}" * (not number))
    picked = rng.choice(names)
    how, tag = (
        rng.choice([("merge dev", "merge dev"), (f'cherry-pick id: "{picked}"', f"cherry-pick {picked}")]),
        rng.choice(["", "v1"]),
    )
    source += ["checkout main", 'commit id: "main2"', how[0] + f' tag: "{tag}"' * bool(tag)]
    lines += ["main: main2", f"main: {how[1]}" + f" [{tag}]" * bool(tag)]
    return _mermaid(source, lines, [f"2 branches, {len(lines)} commits", f"main: {how[1]}"])


def fragments(rng: random.Random) -> Sample:
    one, other = rng.sample(WORDS, 2)
    words = rng.sample(WORDS, 4)
    kind, section = rng.choice([("alt", "else"), ("par", "and"), ("critical", "option")])
    source = [
        "sequenceDiagram",
        "autonumber",
        f"{one}->>{other}: {words[0]}",
        f"Note over {one},{other}: seen",
        f"{kind} first",
        f"{other}-->>{one}: {words[1]}",
    ]
    source += [
        f"{section} second",
        "loop daily",
        f"{one}-){other}: {words[2]}",
        "end",
        "end",
        f"{other}-x{one}: {words[3]}",
    ]
    lines = [
        f"1. {one} → {other}: {words[0]}",
        f"Note over {one}, {other}: seen",
        f"{kind} [first]",
        f"  2. {other} ┄→ {one}: {words[1]}",
    ]
    lines += [
        f"{section} [second]",
        "  loop [daily]",
        f"    3. {one} → {other}: {words[2]}",
        f"4. {other} —× {one}: {words[3]}",
    ]
    return _mermaid(source, lines, ["2 participants, 4 messages", f"{other} replies to {one}: {words[1]}"])


def _chart(kind: str, labels: list[str], datasets: list[dict[str, object]]) -> str:
    return json.dumps({"type": kind, "data": {"labels": labels, "datasets": datasets}})


def _table(rows: list[list[str]]) -> list[str]:
    """Return columns of which all but the first are aligned at their right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    rows = [rows[0], ["-" * width for width in widths], *rows[1:]]
    return [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def scatter(rng: random.Random) -> Sample:
    names = names_of(rng, 2, 3)
    points = {name: [(rng.randint(1, 50), rng.randint(51, 99)) for _ in range(3)] for name in names}
    source = _chart(
        "scatter", [], [{"label": name, "data": [{"x": x, "y": y} for x, y in points[name]]} for name in names]
    )
    lines = _table([["", "x", "y"], *([name, str(x), str(y)] for name in names for x, y in points[name])])
    return Sample("chart", source, lines, [f"{name}: x {points[name][0][0]}, y {points[name][0][1]}" for name in names])


def bubbles(rng: random.Random) -> Sample:
    name, *_ = names_of(rng)
    points = [(rng.randint(1, 50), rng.randint(51, 99), size) for size in rng.sample(range(2, 40), 5)]
    source = _chart("bubble", [], [{"label": name, "data": [dict(zip("xyr", point, strict=True)) for point in points]}])
    lines = _table([["", "x", "y", "r"], *([name, *map(str, point)] for point in points)])
    x, y, size = max(points, key=lambda point: point[2])
    return Sample("chart", source, lines, [f"{name} has 5 values", f"largest r {size} (x {x}, y {y})"])


def datasets(rng: random.Random) -> Sample:
    labels, sets = names_of(rng, 4), ["Ann", "Bob"]
    values = [numbers_of(rng, labels) for _ in sets]
    kind = rng.choice(["bar", "line"])
    given: list[dict[str, object]] = [
        {"label": name, "data": numbers, "type": which}
        for name, (numbers, _), which in zip(sets, values, ["bar", kind], strict=True)
    ]
    rows = [["", *sets], *([label, *(str(numbers[row]) for numbers, _ in values)] for row, label in enumerate(labels))]
    said = [
        "Mixed chart" if kind == "line" else "Bar chart",
        f"{2 * len(labels)} values in 2 datasets ({'Ann as bar, Bob as line' if kind == 'line' else 'Ann, Bob'})",
        *values[0][1],
        *values[1][1],
    ]
    return Sample("chart", _chart("bar", labels, given), _table(rows), said)
