"""The harness itself, with judges that are functions: it finds a fault, shrinks it, and believes a single judge."""

from collections.abc import Callable, Sequence

from tests.conformance.differential import Bench, examined
from tests.conformance.judges import Converting, Dialect, Judge

GFM = frozenset({Dialect.GFM})


def shouting(text: str) -> str:
    return f"<p>{text.strip().upper()}</p>\n"


def faulty(text: str, _: Dialect) -> str:
    return shouting(text.replace("x", ""))


def judge(name: str, convert_one: Callable[[str], str]) -> Judge:
    def begin(texts: Sequence[str], _: Dialect) -> Converting:
        return lambda: [convert_one(text) for text in texts]

    return Judge(name, GFM, begin)


def test_fault_is_found_and_shrunk() -> None:
    bench = Bench((judge("one", shouting), judge("other", shouting)), faulty)

    report = examined("texts", {"good": "abc\n", "bad": "a line\n\n- ab x cd\n"}, Dialect.GFM, bench)

    assert (report.texts, report.agreed, report.unexplained_count) == (2, 1, 1)
    assert [(found.name, found.least.text) for found in report.unexplained] == [("bad", "x\n")]
    assert report.unexplained_share == 0.5
    assert "bad: 'x\\n'" in list(report.examples())


def test_one_judge_on_our_side_is_enough() -> None:
    bench = Bench((judge("one", shouting), judge("other", str.lower)), lambda text, _: shouting(text))

    report = examined("texts", {"any": "Abc\n"}, Dialect.GFM, bench)

    assert report.reasons == {"judges disagree: other alone": 1}
    assert not report.unexplained


def test_error_of_ours_is_a_difference() -> None:
    def raising(text: str, _: Dialect) -> str:
        raise ValueError(text)

    report = examined("texts", {"any": "a\n"}, Dialect.GFM, Bench((judge("one", shouting),), raising))

    assert report.unexplained[0].least.ours.startswith("raised ValueError")
