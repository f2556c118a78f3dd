"""The rules of `stylesheets/`.

`base.css` applies to every template, `<element>-<variant>.css` to those with that variant, `web.css` and `*.web.css`
only to web pages, `page.css` to whole pages, `page-cjk.css` to those in Chinese, Japanese or Korean, `highlights.css`
and `tabs.css` to pages that have any. `$name` is a value of the theme, `&` the scope.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path

from mdpublish_core.css.rules import StyleRule, parse_rules, scoped_css

_FOLDER = Path(__file__).parent / "stylesheets"

_VALUE = re.compile(r"\$([a-z][a-z0-9_]*)")


@cache
def variants_of(element: str) -> tuple[str, ...]:
    prefix = f"{element}-"
    names = (entry.name.removesuffix(".css").removesuffix(".web") for entry in _FOLDER.iterdir())
    return tuple(sorted({name.removeprefix(prefix) for name in names if name.startswith(prefix)}))


def rules(names: Iterable[str], values: Mapping[str, str], extra_css: str = "") -> tuple[StyleRule, ...]:
    """Return the rules of the named files and `extra_css`, with values substituted."""
    return tuple(_with_values(rule, values) for written in (*map(_read, names), _parsed(extra_css)) for rule in written)


def _with_values(rule: StyleRule, values: Mapping[str, str]) -> StyleRule:
    def value(name: re.Match[str]) -> str:
        return values[name[1]]

    declarations = _VALUE.sub(value, rule.declarations) if "$" in rule.declarations else rule.declarations
    media = _VALUE.sub(value, rule.media) if rule.media and "$" in rule.media else rule.media
    return StyleRule(rule.selectors, declarations, media)


@lru_cache(maxsize=256)
def _parsed(source: str) -> tuple[StyleRule, ...]:
    # Keeps placeholders: parsing is most of the work, and independent of the theme mode.
    return tuple(parse_rules(source))


@cache
def _read(name: str) -> tuple[StyleRule, ...]:
    file = _FOLDER / f"{name}.css"
    if name.endswith(".web") and not file.is_file():
        return ()
    return tuple(parse_rules(file.read_text("utf-8")))


def compile_css(names: tuple[str, ...], values: Mapping[str, str], scope: str, extra_css: str = "") -> str:
    return scoped_css(rules(names, values, extra_css), scope)
