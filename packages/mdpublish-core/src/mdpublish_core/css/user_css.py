"""User stylesheets: what a browser or the other destinations can use, and what is left out.

Nothing is fetched and nothing runs: `@import`, `url()` and the like are left out everywhere.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from mdpublish_core.css.rules import StyleRule
from mdpublish_core.errors import InvalidStylesheet

if TYPE_CHECKING:
    from mdpublish_core.css.user_css_reading import LeftOut, LeftOutKind, UserStylesheet

MAX_STYLESHEET_CHARACTERS = 200_000
"""Twice the largest of the popular stylesheets, which is read in a fifth of a second."""

_MAX_LISTED = 6
"""Items of each kind that a message lists."""

_MAX_QUOTED = 40

_KINDS: "tuple[LeftOutKind, ...]" = ("not CSS", "not allowed", "rules", "at-rules", "selectors", "properties", "values")


def user_css(css: str | None) -> "UserStylesheet | None":
    """Read a stylesheet; None if it has nothing. Raises `InvalidStylesheet` if it is too long or has no rule."""
    if not css or not css.strip():
        return None
    if len(css) > MAX_STYLESHEET_CHARACTERS:
        raise InvalidStylesheet(f"must be at most {MAX_STYLESHEET_CHARACTERS:,} characters (got {len(css):,})")
    stylesheet = _read(css)
    return stylesheet if stylesheet.rules or stylesheet.left_out else None


@lru_cache(maxsize=32)
def _read(css: str) -> "UserStylesheet":
    # Late: few conversions have a stylesheet.
    from mdpublish_core.css.user_css_reading import read_stylesheet

    return read_stylesheet(css)


@lru_cache(maxsize=64)
def browser_rules(stylesheet: "UserStylesheet", theme_mode: str) -> tuple[tuple[StyleRule, ...], str | None]:
    """Return the rules for a browser, whose selectors have `&` for the document, and a message about the rest."""
    from mdpublish_core.css.media_queries import browser_media

    rules: list[StyleRule] = []
    for rule in stylesheet.rules:
        media = browser_media(rule.media, theme_mode) if rule.media else "all"
        if media is None:
            continue
        declarations = ";".join(
            f"{each.name}:{each.value}{' !important' if each.is_important else ''}" for each in rule.declarations
        )
        # A browser drops a whole rule for one selector that it does not know.
        known = tuple(dict.fromkeys(each.css for each in rule.selectors if not _is_vendors(each.css)))
        groups = [known, *((each.css,) for each in rule.selectors if _is_vendors(each.css))]
        condition = None if media == "all" else f"@media {media}"
        rules += [StyleRule(group, declarations, condition) for group in groups if group]
    return tuple(rules), left_out_message(stylesheet.left_out)


def _is_vendors(selector: str) -> bool:
    return ":-" in selector


def left_out_message(left_out: "Iterable[LeftOut]") -> str | None:
    """Return one line about everything that is left out, None for nothing."""
    groups: Mapping[LeftOutKind, dict[str, str]] = {kind: {} for kind in _KINDS}
    for kind, what, hint in left_out:
        groups[kind].setdefault(what, hint)
    if not any(groups.values()):
        return None
    return f"the stylesheet is used without: {'; '.join(_listed(kind, each) for kind, each in groups.items() if each)}"


def _listed(kind: "LeftOutKind", entries: Mapping[str, str]) -> str:
    shown = [_quoted(what) + (f" ({hint})" if hint else "") for what, hint in islice(entries.items(), _MAX_LISTED)]
    more = len(entries) - len(shown)
    return f"{kind}: {', '.join(shown)}{f' and {more:,} more' if more else ''}"


def _quoted(what: str) -> str:
    return f"`{what if len(what) <= _MAX_QUOTED else what[: _MAX_QUOTED - 1] + '…'}`"
