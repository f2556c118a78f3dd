"""Public lists of vectors, in npm packages: DOMPurify's expectations (MPL 2.0 or Apache 2.0), Yahoo's collection of
html5sec.org and its fuzzing seeds, which are OWASP's cheat sheet (both BSD), and the Big List of Naughty Strings (MIT).
"""

import json
import re
from collections.abc import Callable, Iterator

from tests.browser.vectors.composing import Part, Vector, numbered
from tests.corpora.npm import PackagedFile, fetch_all

_FILES = (
    PackagedFile(
        package="dompurify",
        version="0.8.0",
        path="test/fixtures/expect.js",
        sha256="deaac9755d84320fe61cee90db7e984f3e497e3b7a36517bd585788f8d626aa5",
    ),
    PackagedFile(
        package="html-purify",
        version="1.1.0",
        path="tests/test-vectors.js",
        sha256="5524021f5ad0bcb3449a4c11358dedf70e45cbbe1a6e36c6566320ca23450558",
    ),
    PackagedFile(
        package="xss-filters",
        version="1.2.7",
        path="tests/fuzz/bin/seed.xss",
        sha256="1d00c4750c2e407e86ae4485adb1213672bfc2241aa4b938b1e399ca57cf6564",
    ),
    PackagedFile(
        package="blns",
        version="2.0.4",
        path="resources/blns.json",
        sha256="e478f5de901975f7a660e64dc596f1f0b54710a1e8ce06b4210969efefab2245",
    ),
)

_STRING = r'\s*:\s*("(?:[^"\\]|\\.)*")'

# The calls by which these lists show that a vector ran.
_SHOWN = re.compile(r"\b(?:alert|prompt|confirm|write|javascript:alert)\s*\([^()]*\)")


def published(*, first: int) -> list[Vector]:
    """Raises `FetchFailure`."""
    return numbered(_parts(), first=first)


def _parts() -> Iterator[Part]:
    dompurify, html5sec, owasp, naughty = (content.decode("utf-8") for content in fetch_all(_FILES))
    for payload in re.findall(rf'"payload"{_STRING}', dompurify):
        yield "dompurify", _numbered(json.loads(payload))
    for payload in re.findall(rf"input{_STRING}", html5sec):
        # JavaScript strings have escapes that JSON lacks.
        yield (
            "html5sec",
            _numbered(json.loads(re.sub(r"\\(['v0x])", lambda escape: _ESCAPES[escape[1]], payload), strict=False)),
        )
    for payload in owasp.splitlines():
        yield "owasp", _numbered(payload)
    for payload in json.loads(naughty):
        yield "naughty strings", _numbered(payload)


_ESCAPES = {"'": "'", "v": "\\u000b", "0": "\\u0000", "x": "\\\\x"}


def _numbered(payload: str) -> Callable[[int], str]:
    """Put the number into the vector's calls."""
    return lambda number: _SHOWN.sub(f"__ran({number})", payload)
