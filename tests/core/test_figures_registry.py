"""A new kind of figure needs only an engine and a line in the registry. Tested in a copy of the package."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import mdpublish_core
from mdpublish_core.resources.figure_kinds import FIGURE_KINDS, find_kind
from mdpublish_core.writers.outputs import DESTINATIONS

pytestmark = pytest.mark.needs("resvg_py")

TABLE = "_KINDS = (\n"

ENGINE = """
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.request import EngineOutput

def describe():
    return "dummy 1.0"

def render(request):
    word = request.source.strip()
    if word == "wrong":
        raise FigureError("it is wrong", 1)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><text y="15">{word}</text></svg>'
    return EngineOutput(svg=svg if request.forms & {"svg", "png"} else None, plain_text=f"<<{word}>>")
"""

LINES = """\
    FigureKind("dummy", ("dummy", "dm"), "Dummy label", "mdpublish_core.figures.dummy"),
    FigureKind("letters", ("letters",), "Letters", "mdpublish_core.figures.dummy", frozenset({"text"})),
"""

TEXT_FORM = "# T\n\n```dm\nhello\n```\n\n```dummy\nwrong\n```\n\n```letters width=100\nabc\n```\n"

PROGRAM = """
import json, sys
from mdpublish_core import PageOptions, convert, parse, render
text, *destinations = json.load(sys.stdin)
results = {}
for name in destinations:
    conversion = convert(text, to=name)
    images = [(each.media_type, each.alt, each.width, each.height) for each in conversion.media]
    notices = [(each.code, each.message, each.line) for each in conversion.notices]
    results[name] = {"html": conversion.text, "text": conversion.plain_text, "images": images, "notices": notices}
results["page"] = {"html": convert(text, to="page", options=PageOptions(title="T")).html}
print(json.dumps(results))
"""


@cache
def conversions() -> Mapping[str, Any]:
    """Convert with a copy of the package that has two more kinds. Results are by destination."""
    source = Path(mdpublish_core.__file__).parent
    with TemporaryDirectory() as folder:
        package = Path(folder) / source.name
        shutil.copytree(source, package, ignore=shutil.ignore_patterns("__pycache__"))
        (package / "figures" / "dummy.py").write_text(ENGINE, "utf-8")
        registry = package / "resources" / "figure_kinds.py"
        before, table, after = registry.read_text("utf-8").partition(TABLE)
        assert table, "the registry's table begins otherwise"
        registry.write_text(before + table + LINES + after, "utf-8")
        environment = {**os.environ, "PYTHONPATH": folder}
        command = [sys.executable, "-c", PROGRAM]
        run = subprocess.run(
            command,
            input=json.dumps([TEXT_FORM, *DESTINATIONS]),
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
    results: Mapping[str, Any] = json.loads(run.stdout)
    return results


@pytest.mark.parametrize("destination", ["generic", "page"])
def test_new_kind_is_an_svg_with_its_label_in_a_page(destination: str) -> None:
    html = conversions()[destination]["html"]

    assert re.search(
        r'<svg width="40" height="20" [^>]*role="img" aria-label="Dummy label"[^>]*><text [^>]*>hello<', html
    )
    assert html.count("<svg ") == 1


@pytest.mark.parametrize("destination", ["email", "google-docs", "onenote", "word"])
def test_new_kind_is_an_image_with_its_label_where_no_svg_is_shown(destination: str) -> None:
    assert conversions()[destination]["images"] == [["image/png", "Dummy label", 40, 20]]
    assert 'alt="Dummy label"' in conversions()[destination]["html"]


@pytest.mark.parametrize("destination", ["plain-text", "slack"])
def test_new_kind_is_text_where_there_is_only_text(destination: str) -> None:
    html = conversions()[destination]["html"]

    assert "<<hello>>" in html or "&lt;&lt;hello&gt;&gt;" in html
    assert "<<hello>>" in conversions()[destination]["text"]


def test_new_kind_is_code_of_its_fences_language_where_the_reader_renders_it() -> None:
    assert '<code class="language-dm">hello\n</code>' in conversions()["html"]["html"]
    assert conversions()["html"]["notices"] == []


@pytest.mark.parametrize("destination", [name for name in DESTINATIONS if name != "html"])
def test_error_of_a_new_engine_is_a_notice_and_the_source_is_shown(destination: str) -> None:
    result = conversions()[destination]

    assert result["notices"] == [["figure-failed", "the dummy figure is shown as its source: it is wrong", 8]]
    assert "wrong" in result["html"]


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_kind_that_gives_only_text_is_its_source_where_text_is_not_taken(destination: str) -> None:
    result = conversions()[destination]

    assert "<<abc>>" in result["text"]
    if destination not in {"plain-text", "slack", "teams", "jira", "confluence"}:
        assert "abc" in result["html"]
        assert "&lt;&lt;abc" not in result["html"]


def test_no_language_belongs_to_two_kinds() -> None:
    for kind in FIGURE_KINDS.values():
        assert {find_kind(language.upper()) for language in kind.languages} == {kind}
