"""Mermaid by mmdr, where merman has no wheel: the only module that names it.

It carries an older merman inside, which takes no measurer. So the layout is made for larger letters than are drawn:
what it assumes of those is about as wide as DejaVu Sans is in truth.
"""

import json
import re
from functools import lru_cache

from mmdr._mmdr import render

from mdpublish_core.figures.mermaid.configuration import request, settings
from mdpublish_core.figures.mermaid.failures import undrawable
from mdpublish_core.figures.mermaid.repairs import repaired
from mdpublish_core.figures.mermaid.sources import Source, Theming, after_front_matter, completed
from mdpublish_core.figures.mermaid.themes import SIZE
from mdpublish_core.figures.request import FigureError, FigureTheme

# The size that layouts are made for, in px: mmdr takes letters for 0.52 em wide, where DejaVu Sans has up to 0.61.
_ASSUMED = SIZE + 4

_ID = re.compile(r'<svg\s+id="([\w-]+)"')
_SIZES = re.compile(rf"(font-size[:=]\s*[\"']?){_ASSUMED}(?=px|[\"'])")


def drawing(source: Source, theme: FigureTheme) -> str:
    """Return a diagram as SVG; raises `FigureError`."""
    text = completed(source)
    place = after_front_matter(text)
    directive = f"%%{{init: {_configuration(theme, source.theming)}}}%%"
    if own := request(source, theme):
        directive += f"%%{{init: {json.dumps(own)}}}%%"
    try:
        # On the line of what follows it, so that the lines of messages are those of the source.
        svg = render(text[:place] + directive + text[place:], backend="merman")
    except ValueError as error:
        raise undrawable(str(error), source) from None
    except BaseException as error:
        # What Rust did not foresee arrives as an exception that is none of Python's own kinds.
        if type(error).__name__ != "PanicException":
            raise
        raise FigureError("the diagram cannot be drawn; make it simpler") from None
    named = _ID.match(svg)
    if named and len(named[1]) > 3:
        svg = svg.replace(named[1], "fig")
    return repaired(_SIZES.sub(rf"\g<1>{SIZE}", svg), source, theme)


def letters(source: Source, theme: FigureTheme, columns: int) -> None:  # noqa: ARG001  (as the other engine's)
    """Return None: mmdr draws no letters."""
    return


@lru_cache(maxsize=16)
def _configuration(theme: FigureTheme, theming: Theming) -> str:
    # A directive takes both kinds of quotation marks for the same, so families stand without.
    return json.dumps(_enlarged(settings(theme, theming))).replace("'", "")


def _enlarged(value: object) -> object:
    """Return settings with the size of letters that layouts are made for."""
    if isinstance(value, dict):
        return {key: _enlarged(each) if not _is_size(key, each) else _size(each) for key, each in value.items()}
    return value


def _is_size(key: str, value: object) -> bool:
    return key.lower().endswith("fontsize") and value in {SIZE, f"{SIZE}px"}


def _size(value: object) -> object:
    return _ASSUMED if value == SIZE else f"{_ASSUMED}px"
