"""The differential tests' harness, with functions as parsers."""

from collections.abc import Callable, Sequence

from tests.conformance.differential import Comparison, compare
from tests.conformance.reference_parsers import Dialect, PendingHtml, ReferenceParser

GFM = frozenset({Dialect.GFM})


def shouting(markdown: str) -> str:
    return f"<p>{markdown.strip().upper()}</p>\n"


def faulty(markdown: str, _: Dialect) -> str:
    return shouting(markdown.replace("x", ""))


def judge(name: str, convert_one: Callable[[str], str]) -> ReferenceParser:
    def begin(sources: Sequence[str], _: Dialect) -> PendingHtml:
        return lambda: [convert_one(markdown) for markdown in sources]

    return ReferenceParser(name, GFM, begin)


def test_fault_is_detected_and_shrunk() -> None:
    bench = Comparison((judge("one", shouting), judge("other", shouting)), faulty)

    report = compare("texts", {"good": "abc\n", "bad": "a line\n\n- ab x cd\n"}, Dialect.GFM, bench)

    assert (report.sources, report.agreed, report.unexplained_count) == (2, 1, 1)
    assert [(entry.name, entry.shortest.markdown) for entry in report.unexplained] == [("bad", "x\n")]
    assert report.unexplained_share == 0.5
    assert "bad: 'x\\n'" in list(report.examples())


def test_one_judge_on_our_side_is_enough() -> None:
    bench = Comparison((judge("one", shouting), judge("other", str.lower)), lambda markdown, _: shouting(markdown))

    report = compare("texts", {"any": "Abc\n"}, Dialect.GFM, bench)

    assert report.reasons == {"judges disagree: other alone": 1}
    assert not report.unexplained


def test_error_of_ours_is_a_difference() -> None:
    def raising(markdown: str, _: Dialect) -> str:
        raise ValueError(markdown)

    report = compare("texts", {"any": "a\n"}, Dialect.GFM, Comparison((judge("one", shouting),), raising))

    assert report.unexplained[0].shortest.ours.startswith("raised ValueError")
