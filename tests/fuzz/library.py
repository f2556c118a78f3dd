"""The library's conversions and pages."""

from collections.abc import Iterator
from random import Random
from typing import Any

from mdpublish_core import MdpublishError, PageOptions, convert, list_templates, social_image
from mdpublish_core.options.extensions import ALL_EXTENSIONS, RAW_HTML_MODES
from mdpublish_core.templates import THEME_MODES
from mdpublish_core.writers.outputs import DESTINATIONS
from tests.fuzz.session import Case

TEMPLATES = tuple(template.id for template in list_templates())

STYLESHEETS = (
    "h1 { color: red }",
    "a[href^='http'] { color: #123456 } td:first-child, li:last-child { padding: 3px 5px; margin: 0 auto 1em }",
    ".callout > p { border: 2px solid blue !important } table { width: 50% } blockquote p code { font: bold 12px/1.5 serif }",
)

# Applying a stylesheet takes ten times as long as a conversion.
_STYLESHEET_SHARE = 0.1

_DESTINATIONS_PER_DOCUMENT = 3
_SOCIAL_IMAGE_SHARE = 0.05


def _styling(random: Random) -> dict[str, Any]:
    styling: dict[str, Any] = {"template": random.choice(TEMPLATES), "theme_mode": random.choice(THEME_MODES)}
    return {**styling, "css": random.choice(STYLESHEETS)} if random.random() < _STYLESHEET_SHARE else styling


def _dialect(random: Random) -> dict[str, Any]:
    dialect: dict[str, Any] = {"raw_html": random.choice(RAW_HTML_MODES)}
    if random.random() < _STYLESHEET_SHARE:
        dialect["extensions"] = frozenset(name for name in sorted(ALL_EXTENSIONS) if random.random() < 0.5)
    return dialect


class Conversions:
    """`convert`, in all destinations."""

    name = "library"

    def options(self, random: Random, markdown: str) -> Iterator[dict[str, Any]]:
        del markdown
        dialect = _dialect(random)
        for destination in random.sample(list(DESTINATIONS), _DESTINATIONS_PER_DOCUMENT):
            yield {"to": destination, **dialect, **_styling(random)}

    def convert(self, case: Case) -> None:
        try:
            conversion = convert(case.markdown, **case.options)
        except MdpublishError:
            return
        for output in (conversion.text, conversion.plain_text):
            output.encode()

    def snippet(self, case: Case) -> str:
        return f"from mdpublish_core import convert\nconvert({case.markdown!a}, {_arguments(case.options)})"


class Pages:
    """The output `page`, with every option, and `social_image`."""

    name = "pages"

    def options(self, random: Random, markdown: str) -> Iterator[dict[str, Any]]:
        title = markdown.strip()[: random.choice((1, 20, 200))] or "Untitled"
        flags = {name: random.random() < 0.5 for name in ("reading_time", "toc", "copy_code")}
        page = {"title": title, "description": random.choice((None, markdown[:500])), **flags}
        yield {"dialect": _dialect(random), "page": page, **_styling(random)}
        if random.random() < _SOCIAL_IMAGE_SHARE:
            yield {
                "social_image": title,
                "template": random.choice(TEMPLATES),
                "theme_mode": random.choice(THEME_MODES),
            }

    def convert(self, case: Case) -> None:
        others = dict(case.options)
        try:
            if "social_image" in others:
                social_image(others.pop("social_image"), **others)
                return
            options = PageOptions(**others.pop("page"))
            convert(case.markdown, to="page", options=options, **others.pop("dialect"), **others).to_bytes()
        except MdpublishError:
            return

    def snippet(self, case: Case) -> str:
        others = dict(case.options)
        if "social_image" in others:
            return f"from mdpublish_core import social_image\nsocial_image({others.pop('social_image')!a}, {_arguments(others)})"
        dialect, page = _arguments(others.pop("dialect")), _arguments(others.pop("page"))
        return (
            "from mdpublish_core import PageOptions, convert\n"
            f"convert({case.markdown!a}, to='page', options=PageOptions({page}), {dialect}, {_arguments(others)})"
        )


def _arguments(options: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!a}" for name, value in options.items())
