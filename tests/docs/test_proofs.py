"""Every promise of the API has a row on the page of proofs, and rows name tests that exist and run."""

import re
from pathlib import Path

import pytest

from docs.reference.making.operations import title
from mdpublish_server.api import OPERATIONS
from mdpublish_server.api.operations import Operation
from mdpublish_server.errors import CODES
from tests.docs.pages import ROOT
from tests.docs.proofs import (
    DECISIONS,
    WITH_TABLE,
    WITHOUT_TABLE,
    StatusAndCode,
    errors,
    functions_in,
    limits,
    problems_of,
    responses_of,
)

REAL = "server/test_api_limits.py::test_request_counts_one"
ROW = f"| Something holds | `{REAL}` |"
HEAD = "| behavior | tests |\n|---|---|"


def whole_page() -> str:
    rows = dict.fromkeys(WITH_TABLE, ROW)
    rows |= {f"Endpoints, {title(each)}": rows_of(responses_of(each)) for each in OPERATIONS}
    rows["Errors"] = rows_of(errors())
    rows["Limits"] = "\n".join(f"| {limit} | `{REAL}` |" for limit in limits())
    page = "# Tests behind each promise\n"
    for above in (*WITHOUT_TABLE[:-1], *WITH_TABLE, WITHOUT_TABLE[-1]):
        if ", " not in above:
            page += f"\n## {above}\n"
            page += f"\n{HEAD}\n{rows[above]}\n" if above in rows else ""
            below = [section for section in rows if section.startswith(f"{above}, ")]
            page += "".join(f"\n### {each.partition(', ')[2]}\n\n{HEAD}\n{rows[each]}\n" for each in below)
    return page


def rows_of(responses: set[StatusAndCode]) -> str:
    named = (f"{status} `{code}`" if code else str(status) for status, code in sorted(responses, key=str))
    return "\n".join(f"| {response}: it is so | `{REAL}` |" for response in named)


PAGE = whole_page()


def test_everything_that_holds_is_proven() -> None:
    assert problems_of((ROOT / "docs/explanation/proofs.md").read_text("utf-8")) == []


# The checker finds each kind of problem.


def test_whole_page_is_no_fault() -> None:
    assert problems_of(PAGE) == []


def test_every_response_of_every_operation_is_required() -> None:
    by_title = {title(each): responses_of(each) for each in OPERATIONS}

    assert all(min(responses)[0] in {200, 201} for responses in by_title.values())
    assert by_title["POST /v1/demo/publish"] == {
        (201, None),
        *((400, code) for code in ("invalid_body", "validation_error", "content_rejected")),
        (403, "forbidden"),
        (409, "conflict"),
        (422, "idempotency_mismatch"),
        (429, "rate_limited"),
        *((500, code) for code in ("render_error", "internal_error")),
        (503, "service_unavailable"),
    }


def test_every_code_is_required() -> None:
    assert {code for _, code in errors()} == set(CODES)
    assert {status for status, code in errors() if code == "quota_exceeded"} == {403, 429}


def test_every_limit_of_every_plan_is_required() -> None:
    assert len(limits()) == 8
    assert "Counted requests per month on Pro: 10,000" in limits()
    assert "Documents on Pro: any number" in limits()


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_response_without_a_row_is_reported(operation: Operation) -> None:
    before, heading, rest = PAGE.partition(f"### {title(operation)}\n")
    for status, code in responses_of(operation):
        written, shown = (f"{status} `{code}`", f"{status} {code}") if code else (str(status), str(status))
        broken = before + heading + re.sub(rf"\| {written}: .*\n", "", rest, count=1)
        assert problems_of(broken) == [f"Endpoints, {title(operation)}: {shown} has no row"]


@pytest.mark.parametrize(("status", "code"), sorted(errors(), key=str))
def test_error_without_a_row_is_reported(status: int, code: str) -> None:
    before, heading, rest = PAGE.partition("\n## Errors\n")
    broken = before + heading + re.sub(rf"\| {status} `{code}`: .*\n", "", rest, count=1)
    assert problems_of(broken) == [f"Errors: {status} {code} has no row"]


@pytest.mark.parametrize("limit", limits())
def test_limit_without_a_row_is_reported(limit: str) -> None:
    assert problems_of(PAGE.replace(f"| {limit} |", "| A limit |")) == [f"Limits: {limit!r} has no row"]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("| Something holds | |", "Something holds: there is no proof"),
        ("| Something holds | it does |", "Something holds: there is no proof"),
        (f"| Something holds | {REAL} |", "Something holds: there is no proof"),
        (f"| Something holds | `{REAL}`, by hand |", "Something holds: by hand is no proof"),
        (f"| Something holds | `tests/{REAL}` |", f"Something holds: tests/{REAL} is in no file"),
        ("| A | `server/nosuch.py::test_it` |", "A: server/nosuch.py::test_it is in no file"),
        (f"| A | `{REAL}`, `{REAL}s` |", f"A: {REAL}s is no test of its file"),
        (f"|  | `{REAL}` |", ": it does not say what holds"),
    ],
)
def test_row_that_proves_nothing_is_reported(row: str, problem: str) -> None:
    problems = problems_of(with_row("## Versioning", row))
    assert f"Versioning: {problem}" in problems


def with_row(heading: str, row: str) -> str:
    before, head, rest = PAGE.partition(f"\n{heading}\n\n{HEAD}\n")
    assert head
    return f"{before}{head}{row}\n{rest}"


def test_right_row_is_no_fault() -> None:
    assert problems_of(with_row("## Versioning", ROW)) == []
    assert problems_of(with_row("### Plans", ROW)) == []


def test_line_that_is_no_row_is_reported() -> None:
    for line in ("| Something holds |", f"| A | B | `{REAL}` |", "|---|---|---|"):
        assert problems_of(with_row("## States", line)) == [f"States: {line} is no row of two cells"]


def test_response_that_is_described_nowhere_or_listed_twice_is_reported() -> None:
    section = "Endpoints, GET /v1/usage"
    for start, problem in (("404 `not_found`", "404 not_found is described nowhere"), ("200", "200 has 2 rows")):
        broken = with_row("### GET /v1/usage", f"| {start}: it is so | `{REAL}` |")
        assert problems_of(broken) == [f"{section}: {problem}"]


def test_section_that_is_missing_is_reported() -> None:
    broken = re.sub(r"\n### Accounts\n.*?\n(?=## )", "\n", PAGE, count=1, flags=re.DOTALL)
    assert problems_of(broken) == ["Decisions, Accounts: the section is missing"]


def test_operation_without_a_section_is_reported() -> None:
    broken = re.sub(r"\n### GET /v1/usage\n.*?\n(?=##)", "\n", PAGE, count=1, flags=re.DOTALL)
    problems = problems_of(broken)
    assert "Endpoints, GET /v1/usage: the section is missing" in problems
    assert "Endpoints, GET /v1/usage: 200 has no row" in problems


def test_section_that_is_none_or_there_twice_is_reported() -> None:
    problem = "the section is none of this page, or there twice"
    for added, name in (("## Others", "Others"), ("## States", "States"), ("#### Deeper", "Not built yet, Deeper")):
        assert problems_of(f"{PAGE}\n{added}\n") == [f"{name}: {problem}"]


def test_empty_table_is_reported() -> None:
    for name in DECISIONS:
        broken = re.sub(rf"(\n### {name}\n\n{re.escape(HEAD)}\n).*?\n(?=\n)", r"\1", PAGE, count=1, flags=re.DOTALL)
        assert problems_of(broken) == [f"Decisions, {name}: there is no row"]


def test_row_where_none_belongs_is_reported() -> None:
    assert problems_of(f"{PAGE}\n{HEAD}\n{ROW}\n") == ["Not built yet: there is a row where none belongs"]
    assert problems_of(f"{HEAD}\n{ROW}\n\n{PAGE}") == [": there is a row where none belongs"]


@pytest.mark.parametrize(
    ("source", "is_left_out"),
    [
        ("def test_it(): ...", False),
        ("async def test_it(): ...", False),
        ("@pytest.mark.parametrize('a', [1])\ndef test_it(a): ...", False),
        ("MARKS = pytest.param(1, marks=pytest.mark.stress)\n@MARKS\ndef test_it(): ...", False),
        ("@pytest.mark.skip\ndef test_other(): ...\ndef test_it(): ...", False),
        ("@pytest.mark.skip\ndef test_it(): ...", True),
        ("@pytest.mark.skipif(True, reason='')\ndef test_it(): ...", True),
        ("@pytest.mark.xfail(strict=True)\nasync def test_it(): ...", True),
        ("@pytest.mark.parametrize('a', [pytest.param(1, marks=pytest.mark.xfail)])\ndef test_it(a): ...", True),
        ("def test_it():\n    pytest.skip('no')", True),
        ("def test_it():\n    if True:\n        pytest.xfail('no')", True),
        ("def test_it():\n    pytest.importorskip('no')", True),
        ("MAY_SKIP = pytest.mark.skipif(True, reason='')\n@MAY_SKIP\ndef test_it(): ...", True),
        ("A = pytest.mark.xfail\nB = [A]\n@pytest.mark.parametrize('a', B)\ndef test_it(a): ...", True),
        ("pytestmark = pytest.mark.skip\ndef test_it(): ...", True),
        ("pytestmark: list = [pytest.mark.anyio, pytest.mark.xfail]\ndef test_it(): ...", True),
        ("pytest.skip('no', allow_module_level=True)\ndef test_it(): ...", True),
        ("made = pytest.importorskip('made')\npytestmark = made.mark\ndef test_it(): ...", True),
    ],
)
def test_test_that_may_not_run_is_no_proof(tmp_path: Path, source: str, is_left_out: bool) -> None:
    file = tmp_path / "test_a.py"
    file.write_text(f"import pytest\n\n{source}\n", "utf-8")

    assert functions_in(file)["test_it"] is is_left_out

    row = "| Something holds | `test_a.py::test_it` |"
    problems = problems_of(with_row("## Versioning", row), tests=tmp_path)
    message = "Versioning: Something holds: test_a.py::test_it may be skipped, or fail"
    assert (message in problems) is is_left_out


@pytest.mark.parametrize(
    "source",
    ["", "test_it = None", "class TestA:\n    def test_it(self): ...", "# def test_it(): ...", "def tests_it(): ..."],
)
def test_test_that_is_not_there_is_no_proof(tmp_path: Path, source: str) -> None:
    file = tmp_path / "test_a.py"
    file.write_text(f"{source}\n", "utf-8")

    assert "test_it" not in functions_in(file)
