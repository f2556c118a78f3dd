"""Sheets of our charts next to Chart.js's: `python -m tests.visual.chart_sheet --out DIR [NAME-OR-KIND…]`.

An image per kind (`bar.png`): Chart.js's chart left, ours or the error right.
"""

import argparse
import base64
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from tests.visual import chart_dumps
from tests.visual.chart_configurations import KINDS, Configuration, select
from tests.visual.chart_differences import describe_error
from tests.visual.chartjs import ReferenceChart, RenderedChart, Screenshots, chromium, offline_page, reference_charts

_PAGE = "<!DOCTYPE html><meta charset=utf-8><style>{style}</style><body>{body}"

_STYLE = """
body { margin: 16px; width: max-content; font: 14px sans-serif; background: #ddd }
section { margin-bottom: 16px }
div { display: flex; gap: 8px }
img, p { background: #fff; margin: 0 }
p { box-sizing: border-box; padding: 8px }
"""

_MAX_SIDE = 16_000
"""Chromium's limit in pixels."""


def sections(
    configurations: Sequence[Configuration], theirs: dict[Configuration, ReferenceChart], page: Screenshots
) -> Iterator[str]:
    for configuration in configurations:
        width, height = configuration.size
        charted = theirs[configuration]
        ours, problem = _ours(configuration)
        (overlap,) = page.compare([(charted.png, ours)]) if charted.png and ours else (None,)
        png = page.draw(ours) if ours else None
        shares = f": area {overlap.area:.3f}, colour {overlap.color:.3f}" if overlap else ""
        images = "".join(_image(png, why, width, height) for png, why in ((charted.png, charted.error), (png, problem)))
        yield f"<section>{escape(str(configuration))}{shares}<div>{images}</div></section>"


def _ours(configuration: Configuration) -> tuple[RenderedChart | None, str | None]:
    width, height = configuration.size
    try:
        markup = chart_dumps.markup(configuration.source, width=width, height=height)
    except Exception as problem:  # noqa: BLE001  (any error; the sheet shows it)
        return None, describe_error(problem)
    return RenderedChart(markup=markup, size=(width, height)), None


def _image(png: bytes | None, why: str | None, width: int, height: int) -> str:
    if png is None:
        return f"<p style='width:{width}px;height:{height}px'>{escape(why or '')}</p>"
    data = base64.b64encode(png).decode("ascii")
    return f"<img width={width} height={height} src='data:image/png;base64,{data}'>"


def _sheets(parts: Sequence[tuple[str, int]]) -> Iterator[str]:
    body, height = "", 0
    for part, more in parts:
        if body and height + more > _MAX_SIDE:
            yield body
            body, height = "", 0
        body += part
        height += more
    yield body


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("words", nargs="*", metavar="NAME-OR-KIND", help="which configurations (else all)")
    parser.add_argument("--out", type=Path, required=True, help="folder for the sheets")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    configurations = select(options.words)
    theirs = reference_charts(configurations)
    with chromium() as browser:
        page, sheet = Screenshots(browser), offline_page(browser, density=1)
        for kind in KINDS:
            of_kind = [each for each in configurations if each.kind == kind]
            heights = [each.size[1] + 40 for each in of_kind]
            parts = list(zip(sections(of_kind, theirs, page), heights, strict=True))
            for number, body in enumerate(_sheets(parts) if parts else (), 1):
                sheet.set_content(_PAGE.format(style=_STYLE, body=body))
                name = f"{kind}-{number}.png" if number > 1 else f"{kind}.png"
                sheet.screenshot(path=options.out / name, full_page=True)


if __name__ == "__main__":
    main()
