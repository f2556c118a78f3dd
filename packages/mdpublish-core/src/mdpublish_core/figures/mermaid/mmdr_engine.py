"""Engine for mmdr, where merman has no wheel; no other module imports it.

mmdr contains an older merman without custom measurement. Layout runs at a larger font size, near DejaVu Sans's widths.
"""

import json
import re
from functools import lru_cache

from mmdr._mmdr import render

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.mermaid.configuration import diagram_config, site_config
from mdpublish_core.figures.mermaid.errors import to_figure_error
from mdpublish_core.figures.mermaid.postprocessing import postprocess
from mdpublish_core.figures.mermaid.sources import MermaidSource, Theming, after_front_matter, engine_source
from mdpublish_core.figures.mermaid.themes import FONT_SIZE
from mdpublish_core.figures.request import FigureTheme

# In px: mmdr assumes 0.52 em per character; DejaVu Sans has up to 0.61.
_LAYOUT_FONT_SIZE = FONT_SIZE + 4

_CONFIGURED_SIZE = re.compile(rf"(fontSize\": \"?){FONT_SIZE}(?=px\"|\b)", re.IGNORECASE)
_ID = re.compile(r'<svg\s+id="([\w-]+)"')
_SIZES = re.compile(rf"(font-size[:=]\s*[\"']?){_LAYOUT_FONT_SIZE}(?=px|[\"'])")


def render_svg(source: MermaidSource, theme: FigureTheme) -> str:
    """Render SVG; raises `FigureError`."""
    content = engine_source(source)
    position = after_front_matter(content)
    directive = f"%%{{init: {_site_config_json(theme, source.theming)}}}%%"
    if site_overrides := diagram_config(source, theme):
        directive += f"%%{{init: {json.dumps(site_overrides)}}}%%"
    try:
        # Without a line feed, to keep line numbers.
        svg = render(content[:position] + directive + content[position:], backend="merman")
    except ValueError as error:
        raise to_figure_error(str(error), source) from None
    except BaseException as error:
        # A Rust panic is a BaseException.
        if type(error).__name__ != "PanicException":
            raise
        raise FigureError("the diagram cannot be rendered; make it simpler") from None
    named = _ID.match(svg)
    if named and len(named[1]) > 3:
        svg = svg.replace(named[1], "fig")
    return postprocess(_SIZES.sub(rf"\g<1>{FONT_SIZE}", svg), source, theme)


def read_model(source: MermaidSource, theme: FigureTheme) -> None:
    """Return None: mmdr only draws."""


def render_ascii_art(source: MermaidSource, theme: FigureTheme) -> tuple[str, ...]:  # noqa: ARG001
    """Return nothing: mmdr has no text output."""
    return ()


CHECKS = ((render_svg, 200_000),)
"""See `merman_engine`. mmdr cannot parse without rendering."""


@lru_cache(maxsize=16)
def _site_config_json(theme: FigureTheme, theming: Theming) -> str:
    # Directives do not distinguish single and double quotes.
    content = json.dumps(site_config(theme, theming)).replace("'", "")
    return _CONFIGURED_SIZE.sub(rf"\g<1>{_LAYOUT_FONT_SIZE}", content)
