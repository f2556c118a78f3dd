"""Checks docs/explanation/proofs.md: sections, rows, and named tests."""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from docs.reference.making.operations import title
from mdpublish_server.api import OPERATIONS
from mdpublish_server.api.openapi import openapi_document
from mdpublish_server.api.operations import Operation
from mdpublish_server.errors import ServiceError
from mdpublish_server.settings import PLAN_LIMITS, read_settings
from tests.docs.pages import ROOT

TESTS = ROOT / "tests"

StatusAndCode = tuple[int, str | None]

_DESCRIPTION: dict[str, Any] = openapi_document(read_settings({}), OPERATIONS)

SITE = ("Published pages", "Lists", "Accounts' pages", "Operators", "Safety", "Accessibility", "Operations")

DECISIONS = ("Requests, errors, headers", "Documents and pages", "Plans", "Demo pages", "Accounts")

WITH_TABLE = (
    *(f"Endpoints, {title(each)}" for each in OPERATIONS),
    *("Resources", "States", "Authentication", "Errors", "Limits", "Versioning"),
    *(f"Decisions, {each}" for each in DECISIONS),
    *(f"The site, {each}" for each in SITE),
    "Figures",
    "Templates",
)
"""Sections with rows; subsections include their parent's name."""

WITHOUT_TABLE = ("Endpoints", "Decisions", "The site", "Not built yet")

_HEADING = re.compile(r"(#+) (.*)")
_HEAD = ("| behavior | tests |", "|---|---|")
_ROW = re.compile(r"\| (?P<what>[^|]*?) \|(?: (?P<proofs>[^|]+?))? \|")
_PROOF = re.compile(r"`(?P<file>\w+(?:/\w+)*\.py)::(?P<name>test_\w+)`")
_RESPONSE = re.compile(r"(?P<status>\d{3})(?: `(?P<code>\w+)`)?: ")

_LEFT_OUT = frozenset({"skip", "skipif", "xfail", "importorskip"})
"""Marks of tests that may be skipped or fail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    section: str
    what: str
    proofs: str


def problems_of(page: str, *, tests: Path = TESTS) -> list[str]:
    """`tests` is the folder of the named tests."""
    sections, rows, problems = _read(page)
    problems += _section_problems(sections, rows)
    for row in rows:
        problems += (f"{row.section}: {row.what}: {problem}" for problem in _row_problems(row, tests))
    for operation in OPERATIONS:
        section = f"Endpoints, {title(operation)}"
        problems += _response_problems(section, rows, responses_of(operation))
    problems += _response_problems("Errors", rows, errors())
    problems += _limit_problems(rows)
    return problems


def responses_of(operation: Operation) -> set[StatusAndCode]:
    counted: set[StatusAndCode] = set()
    responses = _DESCRIPTION["paths"][operation.path][operation.method.lower()]["responses"]
    for status, response in responses.items():
        codes = response["content"]["application/json"]["examples"] if int(status) >= 400 else [None]
        counted |= {(int(status), code) for code in codes}
    return counted


def errors() -> set[StatusAndCode]:
    of_classes = {(kind.status, kind.code) for kind in ServiceError.__subclasses__()}
    return of_classes.union(*({each for each in responses_of(every) if each[1]} for every in OPERATIONS))


def limits() -> list[str]:
    return [
        f"{meaning} on {plan.title()}: {f'{int(number):,}' if number else 'any number'}"
        for plan in ("free", "pro")
        for meaning, _, defaults in PLAN_LIMITS.values()
        for number in (defaults[plan],)
    ]


def _read(page: str) -> tuple[list[str], list[Row], list[str]]:
    sections: list[str] = []
    rows: list[Row] = []
    problems: list[str] = []
    above, section = "", ""
    for line in page.splitlines():
        if heading := _HEADING.fullmatch(line):
            depth, name = len(heading[1]), heading[2]
            above = name if depth == 2 else above
            section = f"{above}, {name}" if depth > 2 else name
            if depth > 1:
                sections.append(section)
        elif line.startswith("|") and line not in _HEAD:
            if match := _ROW.fullmatch(line):
                rows.append(Row(section=section, what=match["what"], proofs=match["proofs"] or ""))
            else:
                problems.append(f"{section}: {line} is no row of two cells")
    return sections, rows, problems


def _section_problems(sections: Iterable[str], rows: Iterable[Row]) -> Iterator[str]:
    expected = Counter((*WITH_TABLE, *WITHOUT_TABLE))
    counted = Counter(sections)
    yield from (f"{each}: the section is missing" for each in (expected - counted))
    yield from (f"{each}: the section is none of this page, or there twice" for each in (counted - expected))
    filled = {row.section for row in rows}
    yield from (f"{each}: there is no row" for each in WITH_TABLE if each in counted and each not in filled)
    yield from (f"{each}: there is a row where none belongs" for each in sorted(filled - set(WITH_TABLE)))


def _row_problems(row: Row, tests: Path) -> Iterator[str]:
    if not row.what:
        yield "it does not say what holds"
    if not _PROOF.search(row.proofs):
        yield "there is no proof"
    if rest := _PROOF.sub("", row.proofs).replace(", ", ""):
        yield f"{rest} is no proof"
    for proof in _PROOF.finditer(row.proofs):
        if problem := _proof_problem(tests / proof["file"], proof["name"]):
            yield f"{proof['file']}::{proof['name']} {problem}"


def _proof_problem(file: Path, name: str) -> str | None:
    if not file.is_file():
        return "is in no file"
    left_out = functions_in(file)
    if name not in left_out:
        return "is no test of its file"
    return "may be skipped, or fail" if left_out[name] else None


@cache
def functions_in(file: Path) -> Mapping[str, bool]:
    """Return whether each test may be skipped or fail: by marks, body, parameters or module."""
    body = ast.parse(file.read_text("utf-8")).body
    names: set[str] = set()  # that hold such marks
    for node in body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and _is_left_out(node, names):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    whole = "pytestmark" in names or any(isinstance(node, ast.Expr) and _is_left_out(node, names) for node in body)
    return {
        node.name: whole or _is_left_out(node, names)
        for node in body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }


def _is_left_out(node: ast.AST, names: set[str]) -> bool:
    return any(
        (isinstance(each, ast.Attribute) and each.attr in _LEFT_OUT)
        or (isinstance(each, ast.Name) and each.id in names)
        for each in ast.walk(node)
    )


def _response_problems(section: str, rows: Iterable[Row], expected: set[StatusAndCode]) -> Iterator[str]:
    matches = (_RESPONSE.match(row.what) for row in rows if row.section == section)
    counted = Counter((int(match["status"]), match["code"]) for match in matches if match)
    yield from (f"{section}: {_shown(each)} has no row" for each in expected - set(counted))
    yield from (f"{section}: {_shown(each)} is described nowhere" for each in set(counted) - expected)
    yield from (f"{section}: {_shown(each)} has {number} rows" for each, number in counted.items() if number > 1)


def _shown(response: StatusAndCode) -> str:
    status, code = response
    return f"{status} {code}" if code else str(status)


def _limit_problems(rows: Iterable[Row]) -> Iterator[str]:
    counted = {row.what for row in rows if row.section == "Limits"}
    yield from (f"Limits: {each!r} has no row" for each in limits() if each not in counted)
