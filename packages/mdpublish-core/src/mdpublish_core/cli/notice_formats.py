"""Notices as text, JSON, annotations for GitHub Actions, SARIF and JUnit's XML."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, get_args
from urllib.parse import quote

import click

from mdpublish_core.cli.configuration import RunOption
from mdpublish_core.cli.console import error_line
from mdpublish_core.cli.inputs import display_name
from mdpublish_core.cli.rules import read_rules
from mdpublish_core.resources.characters import replace_invalid

if TYPE_CHECKING:
    from mdpublish_core import Delivery, Notice

T = TypeVar("T", str, PurePosixPath)

NoticeFormat = Literal["text", "json", "github", "sarif", "junit"]

_SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"


class FileNotices(NamedTuple):
    """A file with its notices, and if asked for, the forms that arrive by output, or the reason why there are none."""

    file: str
    notices: "Sequence[Notice]" = ()
    problem: str | None = None
    delivery: "Mapping[str, Sequence[Delivery]] | None" = None

    def arrivals(self) -> Iterator[tuple[str, int | None, str]]:
        """Yield the output, line and form of what changes, line by line, and last what arrives as it is."""
        for output, deliveries in (self.delivery or {}).items():
            changed = [each for each in deliveries if each.form != "as-is"]
            single = [replace(each, count=1) for each in changed]
            phrases = sorted((line, each.phrase.removeprefix("1 ")) for each in single for line in each.lines)
            yield from ((output, *each) for each in phrases)
            if unchanged := [each.phrase for each in deliveries if each not in changed]:
                yield output, None, f"as written: {', '.join(unchanged)}"


def output_format_option(destination: str) -> "Callable[[Callable[..., None]], Callable[..., None]]":
    """Return the option of a command that prints its notices to `destination`."""
    return click.option(
        "--output-format",
        "notice_format",
        type=click.Choice(get_args(NoticeFormat)),
        default="text",
        show_default=True,
        help=f"Format of notices, printed to {destination}: text, JSON, annotations for GitHub Actions, SARIF or JUnit's XML.",
    )


report_format_option = click.option(
    "--output-format",
    "is_json",
    cls=RunOption,
    type=click.Choice(["text", "json"]),
    callback=lambda _context, _option, value: value != "text",
    default="text",
    show_default=True,
    help="Format of the report, printed to standard output: words, or JSON for a program.",
)


def print_json(report: Any) -> None:
    """Print a report, whose named tuples and notices become objects."""
    import json

    click.echo(json.dumps(report, indent=2, ensure_ascii=False, default=asdict))


def print_notices(results: Sequence[FileNotices], notice_format: NoticeFormat = "text", *, err: bool = True) -> None:
    """Print the notices of files; `err` prints to standard error."""
    for line in _FORMATTERS[notice_format](results):
        click.echo(line, err=err)
    if notice_format == "text":
        for each in results:
            if each.problem:
                click.echo(error_line(each.problem), err=True)


def print_folder_notices(
    folder: Path, notices: "Mapping[T, Iterable[Notice]]", problems: "Mapping[T, str]", notice_format: NoticeFormat
) -> None:
    """Print the notices of files in a folder, and the problems of those that failed; text to standard error."""
    results = [
        FileNotices(os.path.normpath(folder / name), sort_notices(each)) for name, each in sorted(notices.items())
    ]
    failed = [
        FileNotices(str(folder / name), problem=f"{folder / name}: {problem}")
        for name, problem in sorted(problems.items())
    ]
    print_notices(results + failed, notice_format, err=notice_format == "text")


def sort_notices(notices: "Iterable[Notice]") -> "list[Notice]":
    """Sort by position, without duplicates from several conversions."""
    from mdpublish_core.notices import sorted_by_position

    return sorted_by_position(dict.fromkeys(notices))


def _as_text(results: Sequence[FileNotices]) -> Iterable[str]:
    for each in results:
        for notice in each.notices:
            yield _line(each.file, [notice.line, notice.column], notice.message, notice.code)
            if notice.fix is not None:
                yield f"  {click.style('help:', fg='cyan')} {_remedy(notice.fix)}"
        yield from (_line(each.file, [line], phrase, output) for output, line, phrase in each.arrivals())


def _line(file: str, position: "Sequence[int | None]", message: str, code: str) -> str:
    location = ":".join((display_name(file), *(str(number) for number in position if number is not None)))
    return f"{click.style(f'{location}:', bold=True)} {message} {click.style(f'[{code}]', fg='yellow')}"


def _remedy(fix: str) -> str:
    from mdpublish_core.resources.characters import replace_invisible

    return "write " + "\n  ".join(map(replace_invisible, fix.split("\n")))


def _as_json(results: Sequence[FileNotices]) -> Iterable[str]:
    import json

    content = [
        {
            "file": display_name(each.file),
            "error": each.problem,
            "notices": [asdict(notice) for notice in each.notices],
            "delivery": {name: [*map(asdict, listed)] for name, listed in (each.delivery or {}).items()},
        }
        for each in results
    ]
    yield json.dumps(content, indent=2)


def _as_annotations(results: Sequence[FileNotices]) -> Iterable[str]:
    for each in results:
        location = "file=" + _escaped(display_name(each.file), r"[%\r\n:,]")
        if each.problem:
            yield f"::error {location}::{_escaped(each.problem)}"
        for notice in each.notices:
            line = f",line={notice.line}" if notice.line else ""
            column = f",col={notice.column}" if notice.column else ""
            remedy = f"\nhelp: {_remedy(notice.fix)}" if notice.fix is not None else ""
            yield f"::warning {location}{line}{column},title={notice.code}::{_escaped(notice.message + remedy)}"
        for output, number, phrase in each.arrivals():
            yield f"::notice {location}{f',line={number}' if number else ''},title={output}::{phrase}"


def _as_sarif(results: Sequence[FileNotices]) -> Iterable[str]:
    """Source: OASIS, SARIF 2.1.0."""
    import json

    from mdpublish_core import __version__

    rules = read_rules()
    codes = sorted({notice.code for each in results for notice in each.notices})
    described = [
        {
            "id": code,
            "shortDescription": {"text": rules[code].meaning},
            "help": {"text": rules[code].remedy},
            "properties": {"tags": [rules[code].group]},
        }
        for code in codes
    ]
    problems = [{"level": "error", "message": {"text": each.problem}} for each in results if each.problem]
    run = {
        "tool": {"driver": {"name": "mdpublish", "version": __version__, "rules": described}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not problems, "toolExecutionNotifications": problems}],
        "results": [_sarif_result(each.file, notice) for each in results for notice in each.notices],
    }
    yield json.dumps({"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _sarif_result(file: str, notice: "Notice") -> Mapping[str, Any]:
    artifact = {"uri": quote(display_name(file).replace("\\", "/"))}
    region: dict[str, int] = {"startLine": notice.line} if notice.line else {}
    if notice.line and notice.column and notice.source is not None:
        lines = notice.source.split("\n")
        start = notice.column if len(lines) == 1 else 1
        end = {"endLine": notice.line + len(lines) - 1, "endColumn": start + len(lines[-1])}
        region |= {"startColumn": notice.column, **end}
    location = {"artifactLocation": artifact, **({"region": region} if region else {})}
    result = {
        "ruleId": notice.code,
        "level": "warning",
        "message": {"text": notice.message},
        "locations": [{"physicalLocation": location}],
    }
    if notice.fix is None:
        return result
    replacement = {"deletedRegion": region, "insertedContent": {"text": notice.fix}}
    change = {"artifactLocation": artifact, "replacements": [replacement]}
    return {**result, "fixes": [{"description": {"text": _remedy(notice.fix)}, "artifactChanges": [change]}]}


def _as_junit(results: Sequence[FileNotices]) -> Iterable[str]:
    """Write a test case per file, by the schema of Jenkins' xUnit plug-in."""
    from xml.etree import ElementTree as ET

    failures = sum(len(each.notices) for each in results)
    errors = sum(each.problem is not None for each in results)
    counts = {"tests": str(len(results)), "failures": str(failures), "errors": str(errors)}
    root = ET.Element("testsuites", counts)
    suite = ET.SubElement(root, "testsuite", {"name": "mdpublish check", **counts})
    for each in results:
        name = replace_invalid(display_name(each.file))
        case = ET.SubElement(suite, "testcase", {"name": name, "classname": "mdpublish.check"})
        if each.problem:
            ET.SubElement(case, "error", {"message": replace_invalid(each.problem)})
        for notice in each.notices:
            position = ":".join(str(number) for number in (notice.line, notice.column) if number)
            message = replace_invalid(notice.message)
            failure = ET.SubElement(case, "failure", {"type": notice.code, "message": message})
            failure.text = f"{name}:{position}: {message} [{notice.code}]"
    yield ET.tostring(root, encoding="unicode", xml_declaration=False)


_FORMATTERS: dict[NoticeFormat, Callable[[Sequence[FileNotices]], Iterable[str]]] = {
    "text": _as_text,
    "json": _as_json,
    "github": _as_annotations,
    "sarif": _as_sarif,
    "junit": _as_junit,
}


def _escaped(value: str, special: str = r"[%\r\n]") -> str:
    return re.sub(special, lambda match: f"%{ord(match[0]):02X}", value)
