"""User stylesheets: any CSS 3 selectors, parsed by cssutils and validated.

`body`, `html` and `:root` mean the document. Nothing is fetched: `@import` and `url()` are rejected, and cssutils has
no fetcher.
"""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from mdpublish_core.errors import InvalidStylesheet
from mdpublish_core.templates.stylesheet import Rule

if TYPE_CHECKING:
    from cssutils import CSSRule

MAX_STYLESHEET_CHARACTERS = 100_000
"""Ten times a template's; cssutils parses 100 KB a second."""

_POSITION = re.compile(r"\[(\d+):\d+: |, (\d+), \d+\)")

# Scripts in old browsers, and external resources.
_FORBIDDEN = re.compile(
    r"url\s*\(|expression\s*\(|behaviou?r|-moz-binding|image-set|javascript:|</|<!--", re.IGNORECASE
)

_ROOT = re.compile(r"^(?:html\s+body|body|html|:root)(?![\w-])")

_LOCK = Lock()


@lru_cache(maxsize=64)
def user_css_rules(css: str | None) -> tuple[Rule, ...]:
    """Parse a stylesheet; raises `InvalidStylesheet` for anything that would be dropped."""
    if not css or not css.strip():
        return ()
    if len(css) > MAX_STYLESHEET_CHARACTERS:
        raise InvalidStylesheet(f"must be at most {MAX_STYLESHEET_CHARACTERS:,} characters (got {len(css):,})")
    with exclusive_cssutils() as errors:
        return tuple(_rules(css, errors))


@contextmanager
def exclusive_cssutils() -> Iterator["_ErrorLog"]:
    """Lock cssutils, whose parser state is global, and capture its log. premailer is not thread-safe either."""
    logger = logging.getLogger("CSSUTILS")
    errors = _ErrorLog()
    with _LOCK:
        handlers, propagate = logger.handlers, logger.propagate
        logger.handlers, logger.propagate = [errors], False
        try:
            yield errors
        finally:
            logger.handlers, logger.propagate = handlers, propagate


def _rules(css: str, errors: "_ErrorLog") -> Iterator[Rule]:
    import cssutils

    parser = cssutils.CSSParser(fetcher=lambda _url: (None, b""), validate=False, loglevel=logging.WARNING)
    sheet = parser.parseString(css)
    errors.check()
    for rule in sheet:
        if rule.type == rule.MEDIA_RULE:
            for inner in rule:
                yield from _rule(inner, f"@media {rule.media.mediaText}")
        else:
            yield from _rule(rule, None)


def _rule(rule: "CSSRule", media: str | None) -> Iterator[Rule]:
    if rule.type == rule.COMMENT:
        return
    if rule.type != rule.STYLE_RULE:
        name = rule.cssText.partition("{")[0].partition(" ")[0]
        raise InvalidStylesheet(f"{name} is not allowed; only style rules and @media are")
    declarations = ";".join(
        f"{each.name}:{each.value}{' !important' if each.priority else ''}"
        for each in rule.style.getProperties(all=True)
    )
    forbidden = _FORBIDDEN.search(declarations)
    if forbidden:
        raise InvalidStylesheet(f"{forbidden[0]!r} is not allowed: a stylesheet must not load or run anything")
    if declarations:
        selectors = tuple(_ROOT.sub("&", selector.selectorText) for selector in rule.selectorList)
        yield Rule(selectors, declarations, media)


class _ErrorLog(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.first: str | None = None

    def emit(self, record: logging.LogRecord) -> None:
        self.first = self.first or record.getMessage()

    def check(self) -> None:
        if self.first:
            position = _POSITION.search(self.first)
            line = int(position[1] or position[2]) if position else None
            raise InvalidStylesheet(f"cannot be parsed: {_POSITION.sub('', self.first).strip('] ')}", line)
