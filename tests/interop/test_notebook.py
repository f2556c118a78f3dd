"""What Jupyter shows of a notebook's tables, formulas, Markdown and documents."""

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pandas as pd
import polars as pl
import pytest

from mdpublish_core import markdown, notebook, parse
from mdpublish_core.errors import UnknownTemplate

pytestmark = pytest.mark.interop


class Formatter:
    """Finds a type's function as IPython does: by the class, else by its module and name."""

    def __init__(self) -> None:
        self.functions: dict[object, Callable[[Any], str]] = {}

    def for_type(self, kind: type, function: Callable[[Any], str]) -> None:
        self.functions[kind] = function

    def for_type_by_name(self, module: str, name: str, function: Callable[[Any], str]) -> None:
        self.functions[module, name] = function

    def __call__(self, value: object) -> str:
        kind = type(value)
        return self.functions.get(kind, self.functions.get((kind.__module__, kind.__name__), lambda _: ""))(value)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Formatter:
    formatter = Formatter()
    shell = SimpleNamespace(display_formatter=SimpleNamespace(formatters={"text/html": formatter}))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    return formatter


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_are_tables_of_the_template(shown: Formatter, frame: Any) -> None:
    notebook.show_with("dracula", "dark")

    html = shown(frame({"city": ["South|East", "<b>"], "sales": [1, None]}))

    assert "<td>South|East</td>" in html
    assert "<td>&lt;b&gt;</td>" in html
    assert "mdpublish-dracula-dark" in html
    assert "mdpublish-swiss-light" in (parse("x")._repr_html_())


@pytest.mark.parametrize("series", [pd.Series(range(100), name="n"), pl.Series("n", range(100))])
def test_a_long_series_says_how_long_it_is(shown: Formatter, series: object) -> None:
    notebook.load_ipython_extension(None)

    html = shown(series)

    assert "<figcaption>60 of 100 rows</figcaption>" in html
    assert html.count("<tr") == 61


def test_formulas_are_set_and_texts_shown(shown: Formatter) -> None:
    notebook.show_with()
    math = type("Math", (), {"__module__": "IPython.core.display", "_repr_latex_": lambda _: r"$\displaystyle x^2$"})

    assert "<msup>" in shown(math())
    assert "<h1" in shown(parse("# Hi"))
    table = markdown.table({"a": ["x|y"]})
    assert "<td>x|y</td>" in shown(table)
    assert "<td>x|y</td>" in table._repr_html_()


def test_outside_a_notebook_nothing_happens_but_a_wrong_template_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "IPython", raising=False)

    notebook.show_with("dracula")
    with pytest.raises(UnknownTemplate):
        notebook.show_with("nosuch")
