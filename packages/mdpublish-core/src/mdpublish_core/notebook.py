"""Shows a notebook's own tables and formulas in Jupyter as a template does: `%load_ext mdpublish_core.notebook`.

IPython asks a function for each type. Those of other packages are known by name, so none of them is imported.
"""

import sys
from functools import partial
from typing import Any

from mdpublish_core import Document, Template, markdown, nodes, parse, render
from mdpublish_core.templates import PageThemeMode

__all__ = ["show_with"]

MAX_ROWS = 60
"""As pandas shows; the caption says how many there are."""

_TABLES = (
    *(("pandas", "DataFrame"), ("pandas", "Series"), ("pandas.core.frame", "DataFrame")),
    *(("pandas.core.series", "Series"), ("polars.dataframe.frame", "DataFrame"), ("polars.series.series", "Series")),
)
_FORMULAS = (("IPython.core.display", "Math"), ("sympy.core.basic", "Basic"))


def show_with(template: str | Template | None = None, theme_mode: PageThemeMode | None = None) -> None:
    """Show what the cells of this notebook return in the style of a template, from now on.

    These are a DataFrame or a Series of pandas or Polars, with 60 rows at most, a formula of IPython or SymPy, a
    `Document`, and what `mdpublish_core.markdown` returns. Outside IPython, it does nothing. `template` and `theme_mode`
    are as in `convert`.
    """
    render(Document([]), template=template, theme_mode=theme_mode)  # whose errors come at once
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        return
    show = partial(_html, template=template, theme_mode=theme_mode)
    html = shell.display_formatter.formatters["text/html"]
    html.for_type(Document, show)
    html.for_type(markdown.Markdown, lambda value: show(parse(value)))
    for module, name in _TABLES:
        html.for_type_by_name(module, name, lambda value: show(parse(_table(value))))
    for module, name in _FORMULAS:
        html.for_type_by_name(module, name, lambda value: show(_formula(value)))


def load_ipython_extension(_shell: object) -> None:
    show_with()


def _html(document: Document, **style: Any) -> str:
    return render(document, plain_text=False, **style).html


def _table(frame: Any) -> str:
    caption = f"{MAX_ROWS:,} of {len(frame):,} rows" if len(frame) > MAX_ROWS else ""
    return markdown.table(frame.head(MAX_ROWS), caption=caption)


def _formula(value: Any) -> Document:
    return Document([nodes.MathBlock(value._repr_latex_().strip("$ \n") + "\n")])
