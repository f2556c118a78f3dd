"""Scans pages for what a site needs before it renders one: title, headings, links, text."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Literal

from mdpublish_core import nodes
from mdpublish_core.front_matter import FrontMatter, kind_of
from mdpublish_core.nodes.comments import is_comment
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.options.limits import DEFAULT_LIMITS
from mdpublish_core.readers import ParseRequest, read
from mdpublish_core.readers.markdown import added_extensions, read_front_matter
from mdpublish_core.readers.markdown.includes import Include
from mdpublish_core.readers.markdown.url_rewriting import urls_in
from mdpublish_core.resources.url_rewriters import Url, UrlRewriter
from mdpublish_core.site.settings import SiteSettings
from mdpublish_core.strings.positions import SourcePosition
from mdpublish_core.writers.document_defaults import defaults_of, ignored_notice
from mdpublish_core.writers.structure.anchors import Anchors

MAX_INDEXED_CHARACTERS = 200_000
"""Characters of a page in the search index: a long book chapter has half of it."""

_SPACE = re.compile(r"\s+")

_TRUE = frozenset({"true", "yes", "on", "1"})

_MAX_LABEL = 200
"""Characters of a link's text: longer ones are no names."""

_INDEXED_HEADINGS = 3
"""Lowest level of the headings that search finds."""


@dataclass(frozen=True, slots=True)
class PageUrl:
    """The URL of a link or image."""

    url: str
    kind: Literal["link", "image"]
    by_name: bool
    position: SourcePosition

    @property
    def located(self) -> Url:
        return Url(self.url, self.kind, self.position.line, self.by_name, lambda: self.position)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, and the text below it, up to the next one."""

    anchor: str
    heading: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannedPage:
    """A page before it is rendered."""

    title: str | None
    nav_title: str | None
    description: str | None
    date: str | None
    """The date in ISO 8601, in UTC."""

    rank: float | None
    anchors: dict[str, str]
    """Ids by the fragments of links to them."""

    urls: tuple[PageUrl, ...]
    labels: tuple[tuple[str, str], ...]
    """URLs of links with their texts, which search takes as names of what they lead to."""

    sections: tuple[Section, ...]
    notices: tuple[Notice, ...]
    template: str | None = None
    """The template that its front matter names."""

    has_formulas: bool = False
    has_title: bool = True
    """Whether its text says its title, and not just what its first section is called."""


def is_draft(markdown: str) -> bool:
    value = read_front_matter(markdown)[0].get("draft", "")
    return isinstance(value, str) and value.strip().lower() in _TRUE


def parse_page(
    markdown: str, settings: SiteSettings, include: Include | None = None, rewrite_url: UrlRewriter | None = None
) -> nodes.Document:
    names = (*filter(None, [settings.dialect]), *settings.extensions)
    extensions = added_extensions(markdown, names) if names else None
    request = ParseRequest(settings.raw_html, extensions, rewrite_url, None, settings.transforms, DEFAULT_LIMITS)
    return read(markdown, request, include)


def scan_page(markdown: str, settings: SiteSettings, include: Include | None = None) -> ScannedPage:
    document = parse_page(markdown, settings, include)
    defaults = defaults_of(document)
    notices: list[Notice] = []
    values = document.front_matter
    anchors = document.cached(Anchors)
    return ScannedPage(
        title=defaults.title or document.title,
        nav_title=_string_of(values, "nav_title") or _string_of(values, "sidebar_label"),
        description=defaults.description or document.summary,
        date=_date_of(values, notices),
        rank=_rank_of(values, notices),
        anchors=dict(anchors.ids),
        urls=tuple(PageUrl(url.url, url.kind, url.by_name, url.position) for _, url in urls_in(document)),
        labels=tuple(_labels(document)),
        sections=tuple(_sections(document, anchors)),
        notices=tuple(notices),
        template=defaults.template_id,
        has_formulas=any(isinstance(each, nodes.MathBlock | nodes.MathSpan) for each in document.figures_and_math),
        has_title=bool(defaults.title) or any(heading.level == 1 for heading in document.headings),
    )


def _string_of(values: FrontMatter, key: str) -> str | None:
    value = values.get(key, "")
    return (_SPACE.sub(" ", value).strip() or None) if isinstance(value, str) else None


def _date_of(values: FrontMatter, notices: list[Notice]) -> str | None:
    if not (value := values.get("date", "")) or isinstance(value, Mapping):
        return None  # a mapping has a notice of `defaults_of`
    try:
        if not isinstance(value, str):
            raise ValueError  # noqa: TRY301, TRY004
        written = value.strip()
        moment = datetime.fromisoformat(written) if len(written) > len("2026-01-31") else _midnight(written)
    except ValueError:
        problem = f"must be a date, such as 2026-01-31 or 2026-01-31T12:00:00Z (got {shorten(str(value))!r})"
        notices.append(ignored_notice(values, "date", problem))
        return None
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _midnight(written: str) -> datetime:
    day = date.fromisoformat(written)
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _rank_of(values: FrontMatter, notices: list[Notice]) -> float | None:
    key = "nav_order" if "nav_order" in values else "sidebar_position"
    if not (value := values.get(key, "")):
        return None
    try:
        return float(int(value if isinstance(value, str) else ""))
    except ValueError:
        got = repr(shorten(value)) if isinstance(value, str) else kind_of(value)
        notices.append(ignored_notice(values, key, f"must be a whole number (got {got})"))
        return None


def _labels(document: nodes.Document) -> Iterator[tuple[str, str]]:
    for token in nodes.walk(document):
        if isinstance(token, nodes.Link) and (label := nodes.text_content(token)[:_MAX_LABEL].strip()):
            yield token.target, label


def _sections(document: nodes.Document, anchors: Anchors) -> Iterator[Section]:
    anchor = heading = ""
    parts: list[str] = []
    room = MAX_INDEXED_CHARACTERS
    for block in document.children:
        if isinstance(block, nodes.Heading | nodes.SetextHeading) and block.level <= _INDEXED_HEADINGS:
            if heading or parts:
                yield Section(anchor, heading, " ".join(parts))
            anchor, heading, parts = anchors.heading_id(block) or "", nodes.text_content(block)[:500], []
        elif room > 0:
            content = _SPACE.sub(" ", "".join(_parts_of(block))).strip()[:room]
            room -= len(content)
            parts.append(content)
    if heading or parts:
        yield Section(anchor, heading, " ".join(parts))


def _parts_of(block: nodes.Token) -> Iterator[str]:
    for token in nodes.walk(block):
        if isinstance(token, nodes.RawText | nodes.InlineCode | nodes.AutoLink | nodes.MathSpan | nodes.HtmlSpan):
            yield "" if is_comment(token) else token.content
        elif isinstance(token, nodes.CodeFence | nodes.BlockCode):
            yield f" {token.content} "
        elif isinstance(token, nodes.BlockToken | nodes.LineBreak):
            yield " "
