"""Compares our HTML with other implementations' and explains the differences.

A document that no parser reads as we do is shrunk, then matched against `RULES` in order.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tests.conformance.dom import same
from tests.conformance.reference_parsers import Dialect, ReferenceParser, ours
from tests.conformance.shrinking import shrink

_BATCH = 500
"""Documents; enough to hide the pipe's latency."""
_MAX_SHRUNK = 1_000
"""More are a fault that needs no shrinking."""

Convert = Callable[[str, Dialect], str]


@dataclass(frozen=True, slots=True)
class Case:
    markdown: str
    dialect: Dialect
    ours: str
    verdicts: Mapping[str, str]

    @property
    def agreeing(self) -> frozenset[str]:
        return frozenset(name for name, html in self.verdicts.items() if same(self.ours, html))


@dataclass(frozen=True, slots=True)
class Comparison:
    judges: Sequence[ReferenceParser]
    convert: Convert = ours

    def case(self, markdown: str, dialect: Dialect) -> Case:
        return next(self.cases([markdown], dialect))

    def cases(self, sources: Sequence[str], dialect: Dialect) -> Iterator[Case]:
        sitting = [judge for judge in self.judges if dialect in judge.dialects]
        for start in range(0, len(sources), _BATCH):
            batch = sources[start : start + _BATCH]
            begun = [judge.begin(batch, dialect) for judge in sitting]
            converted = [self._ours(markdown, dialect) for markdown in batch]
            verdicts = zip(*(finish() for finish in begun), strict=True)
            for markdown, html, htmls in zip(batch, converted, verdicts, strict=True):
                yield Case(markdown, dialect, html, dict(zip((judge.name for judge in sitting), htmls, strict=True)))

    def _ours(self, markdown: str, dialect: Dialect) -> str:
        try:
            return self.convert(markdown, dialect)
        except Exception as error:  # noqa: BLE001  (any error is a difference)
            return f"raised {error!r}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A fault of other parsers, the `judges`, that explains a difference.

    The example shows this fault alone; its test fails when it is fixed.
    """

    name: str
    reason: str
    judges: frozenset[str]
    example: str
    explains: Callable[[Case, Comparison], bool]
    dialect: Dialect = Dialect.GFM


def _read_as_commonmark(case: Case, comparison: Comparison) -> bool:
    """Explain documents that we and commonmark.js read alike, and in which other parsers see no extension."""
    if case.dialect is not Dialect.GFM:
        return False
    plain = comparison.case(case.markdown, Dialect.COMMONMARK).verdicts
    unextended = all(same(html, plain[name]) for name, html in case.verdicts.items())
    return unextended and same(case.ours, plain["commonmark.js"])


def _without(pattern: str, replacement: str, judge: str) -> Callable[[Case, Comparison], bool]:
    """Explain differences that vanish when a pattern is replaced in the document."""
    stumbling = re.compile(pattern, re.MULTILINE)

    def explains(case: Case, comparison: Comparison) -> bool:
        smooth = stumbling.sub(replacement, case.markdown)
        return smooth != case.markdown and judge in comparison.case(smooth, case.dialect).agreeing

    return explains


def _but_for(change: Callable[[str], str], judge: str) -> Callable[[Case, Comparison], bool]:
    """Explain differences that vanish after a change to both outputs."""

    def explains(case: Case, _: Comparison) -> bool:
        html = case.verdicts.get(judge)
        return html is not None and same(change(case.ours), change(html))

    return explains


def _without_nested_strong(html: str) -> str:
    depth = 0
    pieces = []
    for piece in re.split(r"(</?strong>)", html):
        if piece == "</strong>":
            depth -= 1
        if piece not in {"<strong>", "</strong>"} or depth == 0:
            pieces.append(piece)
        if piece == "<strong>":
            depth += 1
    return "".join(pieces)


def _without_space_at_edges(html: str) -> str:
    html = re.sub(r"(<(?:p|h[1-6]|li|t[dh])>)[\s\u00a0\u3000]+", r"\1", html)
    return re.sub(r"[\s\u00a0\u3000]+(</(?:p|h[1-6]|li|t[dh])>)", r"\1", html)


RULES = (
    Rule(
        name="an old fault that cmark-gfm and comrak share",
        reason="no extension is in the text, and commonmark.js, which knows none and so is not asked about GFM, reads "
        "it as we do; comrak began as a translation of cmark-gfm",
        judges=frozenset({"cmark-gfm", "comrak"}),
        example="> a\n<a>\n",
        explains=_read_as_commonmark,
    ),
    Rule(
        name="cmark-gfm joins nested strong",
        reason="cmark-gfm writes one `strong` for `****a****`; the specification, examples 424 and 455 to 457, two",
        judges=frozenset({"cmark-gfm"}),
        example="****a****\n",
        explains=_but_for(_without_nested_strong, "cmark-gfm"),
    ),
    Rule(
        name="cmark-gfm: symbols are no punctuation",
        reason="cmark-gfm is of CommonMark 0.29; since 0.31 Unicode's symbols stand beside emphasis as punctuation does",
        judges=frozenset({"cmark-gfm"}),
        example="€_a_\n",
        explains=_without(r"[€😀]", ".", "cmark-gfm"),
    ),
    Rule(
        name="commonmark.js trims all white space",
        reason="commonmark.js calls String.trim on a block's text, which takes no-break spaces too",
        judges=frozenset({"commonmark.js"}),
        example="\u00a0a\n",
        explains=_but_for(_without_space_at_edges, "commonmark.js"),
        dialect=Dialect.COMMONMARK,
    ),
    Rule(
        name="commonmark.js keeps line ends in `alt`",
        reason="commonmark.js writes a picture's text with its line ends, the others with spaces; nothing says which",
        judges=frozenset({"commonmark.js"}),
        example="![\n]()\n",
        explains=_without(r"(!\[[^\]]*)\n", r"\1 ", "commonmark.js"),
        dialect=Dialect.COMMONMARK,
    ),
    Rule(
        name="commonmark.js halves characters",
        reason="commonmark.js looks at UTF-16's halves beside emphasis, and takes those of 😀 for letters",
        judges=frozenset({"commonmark.js"}),
        example="*😀**&\n",
        explains=_without("😀", "€", "commonmark.js"),
        dialect=Dialect.COMMONMARK,
    ),
    Rule(
        name="comrak: a checkbox alone is a task",
        reason="comrak makes a task of an item that holds nothing but `[x]`; the specification asks for white space after",
        judges=frozenset({"comrak"}),
        example="- [x]\n",
        explains=_without(r"\[[ xX]\][ \t]*$", "[y]", "comrak"),
    ),
    Rule(
        name="marks before a mail scheme",
        reason="cmark-gfm and comrak take marks before `mailto:` into the address and its scheme; we leave them outside",
        judges=frozenset({"cmark-gfm", "comrak"}),
        example="-mailto:a@b.c\n",
        explains=_without(r"[.+_-]+(?=(?:mailto|xmpp):)", "", "cmark-gfm"),
    ),
    Rule(
        name="declarations begin with a capital",
        reason="cmark-gfm and comrak read declarations as CommonMark 0.29 has them, with a name in capitals and a "
        "space; since 0.31 one letter is enough. What is no declaration to them may hold an address",
        judges=frozenset({"cmark-gfm", "comrak"}),
        example="`<!a@.a>\n",
        explains=_without(r"<!(?=[A-Za-z])", "< ", "cmark-gfm"),
    ),
    Rule(
        name="comrak: no addresses behind an open bracket",
        reason="comrak links no address in the text behind a bracket that never closes; cmark-gfm and we do",
        judges=frozenset({"comrak"}),
        example="[a@b.c\n",
        explains=_without(r"\[", "(", "comrak"),
    ),
    Rule(
        name="a line end in what looks like a call of a footnote",
        reason="cmark-gfm loses the label of `[^a]` where a line ends in it and no footnote has it; we show it as text",
        judges=frozenset({"cmark-gfm"}),
        example="[^a\n]\n",
        explains=_without(r"(\[\^[^\]\n]*)\n", r"\1 ", "cmark-gfm"),
    ),
    Rule(
        name="definitions right above a table",
        reason="cmark-gfm and comrak show the definitions in the lines above a table's header; nothing in a paragraph "
        "is shown that is a definition (4.7)",
        judges=frozenset({"cmark-gfm", "comrak"}),
        example="[a]:'\na\n-|\n",
        explains=_without(r"\[[^\]\n]+\]:[^\n]*$", "b", "cmark-gfm"),
    ),
    Rule(
        name="text right behind a footnote in an item",
        reason="cmark-gfm and comrak take a list for loose where a footnote stands right above text in an item of it",
        judges=frozenset({"cmark-gfm", "comrak"}),
        example="- [^a]:\n\ta\n",
        explains=_without(r"\[\^[^\]\n]+\]:", "", "cmark-gfm"),
    ),
    Rule(
        name="a tab before a line end in `alt`",
        reason="cmark-gfm and comrak take all white space from a line's end; the specification and commonmark.js, spaces",
        judges=frozenset({"cmark-gfm", "comrak"}),
        example="![\t\n]()\n",
        explains=_without(r"[\t\u00a0]+$", "", "cmark-gfm"),
    ),
    Rule(
        name="a line of dashes under definitions alone",
        reason="where definitions take all of a paragraph, `---` is left without text to be a heading's underline of, and "
        "so is a thematic break (4.1, 4.3); cmark-gfm and comrak write its dashes, commonmark.js an empty paragraph",
        judges=frozenset({"cmark-gfm", "commonmark.js", "comrak"}),
        example="[a]: b\n---\n",
        explains=_without(r"-{3,}[ \t]*$", "***", "comrak"),
        dialect=Dialect.COMMONMARK,
    ),
)


@dataclass(frozen=True, slots=True)
class Unexplained:
    name: str
    shortest: Case


@dataclass(slots=True)
class Report:
    name: str
    sources: int = 0
    agreed: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    unexplained: list[Unexplained] = field(default_factory=list)
    unshrunk: int = 0

    @property
    def unexplained_count(self) -> int:
        return len(self.unexplained) + self.unshrunk

    @property
    def unexplained_share(self) -> float:
        return self.unexplained_count / self.sources if self.sources else 0.0

    def lines(self) -> Iterator[str]:
        yield f"{self.name}: {self.sources} texts"
        rows = {"all judges read it as we do": self.agreed, **dict(self.reasons.most_common())}
        for reason, number in {**rows, "unexplained": self.unexplained_count}.items():
            yield f"  {number:7}  {number / max(1, self.sources):8.3%}  {reason}"

    def examples(self, limit: int = 12) -> Iterator[str]:
        by_source = {(entry.shortest.markdown, entry.shortest.dialect): entry for entry in self.unexplained}.values()
        for entry in sorted(by_source, key=lambda entry: (len(entry.shortest.markdown), entry.shortest.markdown))[
            :limit
        ]:
            yield f"{entry.name}: {entry.shortest.markdown!r}"
            for name, html in {"ours": entry.shortest.ours, **entry.shortest.verdicts}.items():
                yield f"    {name:14} {_beginning_of_difference(html, entry.shortest.ours)!r}"


def _beginning_of_difference(html: str, other: str) -> str:
    if len(html) <= 400:
        return html
    start = next((index for index, (a, b) in enumerate(zip(html, other, strict=False)) if a != b), 0)
    return f"…{html[max(0, start - 80) : start + 200]}…"


def compare(name: str, sources: Mapping[str, str], dialect: Dialect, comparison: Comparison) -> Report:
    report = Report(f"{name}, as {dialect.value}")
    for name_of_source, case in zip(sources, comparison.cases(list(sources.values()), dialect), strict=True):
        _count(name_of_source, case, report, comparison)
    return report


def _count(name: str, case: Case, report: Report, comparison: Comparison) -> None:
    report.sources += 1
    if case.agreeing == case.verdicts.keys():
        report.agreed += 1
    elif case.agreeing:
        report.reasons[f"judges disagree: {_names(case.verdicts.keys() - case.agreeing)} alone"] += 1
    elif rule := explained(case, comparison):
        report.reasons[rule.name] += 1
    elif len(report.unexplained) >= _MAX_SHRUNK:
        report.unshrunk += 1
    else:
        smallest = shorten(case, comparison)
        # Two faults match no rule; the shortest form may show only one.
        if rule := explained(shorten(smallest, comparison, whatever_it_is=True), comparison):
            report.reasons[f"{rule.name}, beside another"] += 1
        else:
            report.unexplained.append(Unexplained(name, smallest))


def explained(case: Case, comparison: Comparison) -> Rule | None:
    return next((rule for rule in RULES if _is_outlier(rule, case) and rule.explains(case, comparison)), None)


def _is_outlier(rule: Rule, case: Case) -> bool:
    """Return whether the rule's judges disagree with the others, if there are any."""
    rest = case.verdicts.keys() - rule.judges
    readings = [case.verdicts[name] for name in rule.judges & case.verdicts.keys()]
    return not rest or any(not same(reading, case.verdicts[name]) for reading in readings for name in rest)


def shorten(case: Case, comparison: Comparison, *, whatever_it_is: bool = False) -> Case:
    """Return the shortest document found that still differs, without explanation unless `whatever_it_is`.

    It keeps a final newline, without which parsers have other faults.
    """

    def shows(markdown: str) -> bool:
        if not markdown.endswith("\n"):
            return False
        shorter = comparison.case(markdown, case.dialect)
        return not shorter.agreeing and (whatever_it_is or explained(shorter, comparison) is None)

    start = case.markdown.replace("\r\n", "\n").removesuffix("\n") + "\n"
    return comparison.case(shrink(start, shows), case.dialect) if shows(start) else case


def _names(names: Iterable[str]) -> str:
    return " and ".join(sorted(names))
