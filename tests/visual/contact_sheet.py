"""Sheets of each kind of figure in several templates: `python -m tests.visual.contact_sheet --out DIR`.

For each group of figures, template and mode: the page (`.html`), its screenshot (`-page.png`), and the images for email
and documents (`-pictures.png`).
"""

import argparse
import base64
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from mdpublish_core import PageOptions, parse, render_page
from mdpublish_core.figure_kinds import Form
from mdpublish_core.figures.math import Macros, parse_formula
from mdpublish_core.figures.pool import render
from mdpublish_core.figures.request import FigureRequest, RenderedFigure
from mdpublish_core.options.styles import ThemeMode
from tests.chromium import launched
from tests.visual.chromium import offline_page
from tests.visual.mermaid_diagrams import TYPES, our_diagrams
from tests.visual.rendering import figure_request, theme_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TEMPLATES = ("swiss", "ink", "terminal", "newsletter", "notion", "github")
MODES: tuple[ThemeMode, ...] = ("light", "dark")

_WIDTH = 900

# The most complex diagram of each type.
_SHOWN = {
    "flowchart": "an incident response in full",
    "sequence": "title as a statement; everything nested",
    "class": "a domain model",
    "state": "a traffic light with an hour for the night",
    "er": "a shop in full, with comments between the statements",
    "pie": "many slices",
    "gantt": "topAxis, many sections",
    "journey": "a support case in full",
    "mindmap": "a map in full",
    "timeline": "long periods and events, which wrap",
    "quadrant": "an Eisenhower matrix in full",
    "git_graph": "comments, messages and a release flow in full",
}

_GRAPH = """digraph {
    label="What depends on what"
    subgraph cluster_core { label="core"; parser; writer; tree }
    reader -> parser [label="text"]
    parser -> tree -> writer
    writer -> page [style=dashed, label="HTML"]
    table [shape=record, label="{<a> one|<b> two|{three|four}}"]
    tree -> table:a
    html [shape=plain, label=<<table border="0" cellborder="1"><tr><td><b>key</b></td><td>value</td></tr></table>>]
    page -> html
    parser -> mail [color="red"]
}
"""

_ENGINES = ("dot", "neato", "fdp", "sfdp", "twopi", "circo", "osage", "patchwork")

_FORMULAS = (
    r"x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}",
    r"\sum_{n=1}^{\infty} \frac{1}{n^2} = \frac{\pi^2}{6}",
    r"\int_{-\infty}^{\infty} e^{-x^2}\,dx = \sqrt{\pi}",
    r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}^{-1} = \frac{1}{ad-bc}\begin{pmatrix} d & -b \\ -c & a \end{pmatrix}",
    r"f(x) = \begin{cases} x^2 & \text{if } x \ge 0 \\ -x & \text{otherwise} \end{cases}",
    r"\begin{aligned} (a+b)^2 &= a^2 + 2ab + b^2 \\ (a-b)^2 &= a^2 - 2ab + b^2 \end{aligned}",
    r"\lim_{x \to 0} \frac{\sin x}{x} = 1",
    r"\underbrace{1 + 2 + \cdots + n}_{n \text{ terms}} = \binom{n+1}{2}",
    r"\boxed{E = mc^2} \quad \cancel{x} \quad \overline{AB} \quad \widehat{xyz} \quad \vec{v}",
    r"\mathbb{R} \subset \mathbb{C},\quad \mathcal{L}\{f\} = \mathfrak{g},\quad \mathbf{A}\mathsf{x} = \mathtt{b}",
    r"\begin{array}{c|c} p & \lnot p \\ \hline \top & \bot \\ \bot & \top \end{array}",
    r"\left\lfloor \frac{\color{#1f77b4}{n}}{2} \right\rfloor \xrightarrow{\text{next}} A \overset{!}{=} B",
)

_IMAGE_PAGE = "<!DOCTYPE html><meta charset=utf-8><body style='margin:24px;background:{ground};color:{text};font:13px sans-serif'>{body}"
_IMAGE = "<p>{name}<br><img width={width} height={height} style='max-width:100%;height:auto' src='data:image/png;base64,{data}'>"


def fences(group: str) -> Iterator[tuple[str, str]]:
    if group == "diagrams":
        by_name = {(diagram.kind, diagram.name): diagram.source for diagram in our_diagrams()}
        for kind in TYPES:
            yield kind, f"```mermaid\n{by_name[kind, _SHOWN[kind]]}```"
    elif group == "graphs":
        for engine in _ENGINES:
            yield engine, f"```{engine}\n{_GRAPH}```"
    else:
        for number, tex in enumerate(_FORMULAS, 1):
            yield f"formula {number}", f"$$\n{tex}\n$$\n\nAnd within a line ${tex}$ it is small."


def requests(group: str, template: str, mode: ThemeMode) -> Iterator[tuple[str, FigureRequest]]:
    theme = theme_of(template, mode)
    forms: frozenset[Form] = frozenset({"png"})
    if group == "formulas":
        for tex in _FORMULAS:
            yield tex, figure_request("math", parse_formula(tex, display=True, macros=Macros()).mathml(), theme, forms)
        return
    for name, fence in fences(group):
        language, _, source = fence.removeprefix("```").removesuffix("```").partition("\n")
        yield name, figure_request("mermaid" if group == "diagrams" else "dot", source, theme, forms, language)


def page_of(group: str, template: str, mode: ThemeMode) -> str:
    markdown = "\n\n".join(f"## {name}\n\n{fence}" for name, fence in fences(group))
    title = f"{group} in {template}, {mode}"
    return render_page(
        parse(f"# {title}\n\n{markdown}\n"), PageOptions(title=title), template=template, theme_mode=mode
    )


def images_of(group: str, template: str, mode: ThemeMode) -> str:
    parts = []
    for name, request in requests(group, template, mode):
        result = render(request, seconds=10)
        if isinstance(result, RenderedFigure) and result.png:
            data = base64.b64encode(result.png).decode("ascii")
            parts.append(_IMAGE.format(name=escape(name), width=result.width, height=result.height, data=data))
        else:
            parts.append(f"<p>{escape(name)}: {escape(str(result))}")
    theme = theme_of(template, mode)
    return _IMAGE_PAGE.format(ground=theme.background, text=theme.muted, body="".join(parts))


def screenshot(browser: "Browser", html: str, path: Path) -> None:
    page = offline_page(browser, width=_WIDTH)
    page.set_content(html)
    page.screenshot(path=path, full_page=True)
    page.close()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder for the sheets")
    parser.add_argument("--template", action="append", help=f"only in this template (else {', '.join(TEMPLATES)})")
    parser.add_argument("--mode", choices=MODES, action="append", help="only in this theme mode")
    parser.add_argument("--group", choices=("diagrams", "graphs", "formulas"), action="append", help="only these")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    with launched() as browser:
        for template in options.template or TEMPLATES:
            for mode in options.mode or MODES:
                for group in options.group or ("diagrams", "graphs", "formulas"):
                    name = f"{template}-{mode}-{group}"
                    html = page_of(group, template, mode)
                    (options.out / f"{name}.html").write_text(html, "utf-8")
                    screenshot(browser, html, options.out / f"{name}-page.png")
                    screenshot(browser, images_of(group, template, mode), options.out / f"{name}-pictures.png")


if __name__ == "__main__":
    main()
