"""Formulas compared with KaTeX: nearly all convert, none shows a command, and nearly all show the same symbols.

Compares MathML's text without spaces and invisible characters; alphabets, bars and accents are normalized.
"""

import re
from dataclasses import dataclass
from functools import cache
from itertools import count
from statistics import median
from time import thread_time
from unicodedata import normalize
from xml.etree import ElementTree as ET

import pytest

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.math import Macros, parse_formula
from tests.cpu_time import slowness
from tests.remarks import Report
from tests.visual.formulas import Sample, ours, samples
from tests.visual.katex import KatexResult, render

pytestmark = pytest.mark.visual_figures

MIN_CONVERTED = 0.98
MIN_SAME = 0.92
MEDIAN_MS = 0.3
SAMPLE_COUNT = 300

# Deliberate differences from KaTeX.
DIFFERENT = {
    "\\underline": "a line below is drawn by its class from `_`; KaTeX writes the line above",
    "\\underbar": "as \\underline",
    "\\varliminf": "as \\underline",
    "\\underlinesegment": "as \\underline; KaTeX writes the word undefined",
    "\\overlinesegment": "KaTeX writes the word undefined",
    "\\vec": "a small arrow; KaTeX's mark joins a letter, and stands beside it in browsers",
    "\\mathchoice": "parts of a fraction are in text style",
    "\\textcircled": "the one character that is a letter in a circle",
    "\\ncong": "the sign that negates \\cong; KaTeX's denies an equality alone",
    "\\Coloneqq": "one character",
    "\\coloncolonequals": "one character",
    "⩴": "one character, as it was written",
    "≙": "as it was written; KaTeX changes it",
    "⟂": "as it was written; KaTeX changes it",
    "·": "as it was written; KaTeX changes it",
    "\\includegraphics": "the alternative text; KaTeX has a picture, of which nothing is text",
    "\\tag{2}": "the numbers of rows; KaTeX leaves them to its HTML",
    "[t]": "the position of a table is no text",
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ": "Greek capitals stay Greek",
}

_UNSEEN = re.compile("[\u2061-\u2064\u200b\ufe00-\ufe0f\\s]")
_ACCENTS = {
    "ˊ": "\u0301",
    "ˋ": "\u0300",
    "`": "\u0300",
    "ˉ": "\u0304",
    "ˆ": "\u0302",
    "^": "\u0302",
    "~": "\u0303",
    "ˇ": "\u030c",
    "˘": "\u0306",
}
_SAME = str.maketrans({"∣": "|", "∥": "‖"})
_SAME_ACCENTS = str.maketrans(_ACCENTS)


@dataclass(frozen=True, slots=True)
class Converted:
    sample: Sample
    mathml: str | None
    problem: str
    milliseconds: float


@cache
def converted() -> tuple[Converted, ...]:
    conversions = []
    for sample in samples():
        _convert(sample)
        # The fastest of three excludes load on the machine.
        conversions.append(min((_convert(sample) for _ in range(3)), key=lambda each: each.milliseconds))
    return tuple(conversions)


def _convert(sample: Sample) -> Converted:
    start = thread_time()
    try:
        mathml = parse_formula(sample.tex, display=sample.display, macros=Macros()).mathml()
    except FigureError as error:
        return Converted(sample, None, error.problem, (thread_time() - start) * 1000)
    return Converted(sample, mathml, "", (thread_time() - start) * 1000)


@cache
def by_katex() -> tuple[KatexResult, ...]:
    return tuple(render([(sample.tex, sample.display) for sample in samples()]))


_NUMBERED = re.compile(r'<mtd class ?="mml-eqn-num">')


def visible_text(mathml: str) -> str:
    root = ET.fromstring(mathml.replace("&nbsp;", "\u00a0"))
    for parent in root.iter():
        for child in [each for each in parent if each.tag.endswith("annotation")]:
            parent.remove(child)
    content = _UNSEEN.sub("", "".join(root.itertext())).translate(_SAME)
    content = _UNSEEN.sub("", normalize("NFKD", content)).translate(_SAME_ACCENTS)
    return normalize("NFC", content)


def katex_text(result: KatexResult) -> str:
    assert result.html is not None
    annotation = re.search(r"<math.*</math>", result.html, re.DOTALL)
    assert annotation is not None
    numbers = count(1)
    # Its stylesheet writes these numbers.
    return visible_text(_NUMBERED.sub(lambda cell: f"{cell[0]}<mtext>({next(numbers)})</mtext>", annotation[0]))


def share(part: int, whole: int) -> str:
    return f"{part:>5,} of {whole:>5,}  {100 * part / whole:6.2f} %"


def test_there_are_formulas_of_every_kind(report: Report) -> None:
    counts: dict[str, int] = {}
    for sample in samples():
        counts[sample.collection] = counts.get(sample.collection, 0) + 1
    report("formulas: " + ", ".join(f"{name} {count}" for name, count in counts.items()))

    assert len(set(ours())) >= SAMPLE_COUNT
    assert {"symbols", "functions", "macros", "environments"} < counts.keys()
    assert counts["symbols"] > 500
    assert counts["functions"] > 150
    assert counts["macros"] > 250


@pytest.mark.short
def test_formulas_convert(report: Report) -> None:
    expected = [(each, judge) for each, judge in zip(converted(), by_katex(), strict=True) if judge.error is None]
    failed = [each for each, _ in expected if each.mathml is None]
    report(f"converted       {share(len(expected) - len(failed), len(expected))}")
    report(f"refused by KaTeX itself: {len(converted()) - len(expected)}")
    for each in failed:
        report(f"  {each.sample.tex}: {each.problem}")

    assert len(failed) <= len(expected) * (1 - MIN_CONVERTED)


@pytest.mark.short
def test_no_formula_shows_a_command(report: Report) -> None:
    # Backslashes that are meant.
    expected = ("\\backslash", "\\textbackslash", "\\verb", "\\setminus")
    raw = [
        each.sample.tex
        for each in converted()
        if each.mathml and "\\" in each.mathml and not any(name in each.sample.tex for name in expected)
    ]
    report(f"raw commands    {len(raw)}")

    assert not raw


@pytest.mark.short
def test_every_formula_is_well_formed(report: Report) -> None:
    faulty = []
    for each in converted():
        try:
            ET.fromstring(each.mathml or "<math/>")
        except ET.ParseError as error:
            faulty.append((each.sample.tex, str(error)))
    report(f"ill-formed      {len(faulty)}")

    assert not faulty


@pytest.mark.short
def test_formulas_show_what_katex_shows(report: Report) -> None:
    pairs = [
        (each, visible_text(each.mathml), katex_text(judge))
        for each, judge in zip(converted(), by_katex(), strict=True)
        if each.mathml is not None and judge.html is not None
    ]
    other = [(each.sample.tex, mine, theirs) for each, mine, theirs in pairs if mine != theirs]
    report(f"the same text   {share(len(pairs) - len(other), len(pairs))}")
    unexplained = [each for each in other if not _is_explained(each[0])]
    for tex, mine, theirs in unexplained:
        report(f"  {tex}\n    ours  {mine}\n    KaTeX {theirs}")

    assert len(other) <= len(pairs) * (1 - MIN_SAME)
    assert not unexplained


def _is_explained(tex: str) -> bool:
    return any(name in tex or (name.isalpha() and set(name) & set(tex)) for name in DIFFERENT)


def test_formulas_are_quick(report: Report) -> None:
    times = sorted(each.milliseconds for each in converted())
    report(
        f"\nmedian {median(times):.3f} ms, slowest twentieth {times[len(times) * 19 // 20]:.3f} ms, slowest {times[-1]:.2f} ms"
    )

    assert median(times) <= MEDIAN_MS * slowness()
