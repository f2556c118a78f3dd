"""A document's way, from Markdown to what its destination takes.

    text → parse → Document → render → Conversion
                            ↘ render_page → a web page

The modules that do the work are imported in the functions that need them, so that `import mdpublish_core`, and with it
every command, starts without them: mistletoe alone takes over 100 ms to load.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdpublish_core.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from mdpublish_core.document import Document
    from mdpublish_core.notices import Notice
    from mdpublish_core.templates import Template, ThemeMode


@dataclass(frozen=True, slots=True)
class Conversion:
    """A document in the form its destination takes.

    `html` is what the destination shows (for `plain-text`, the text itself), `plain_text` the same without any markup;
    `destination`, `template_id` and `theme_mode` say what was used; `notices` tell the author what could not be shown as
    it was written.
    """

    html: str
    plain_text: str
    destination: str
    template_id: str
    theme_mode: ThemeMode
    notices: tuple[Notice, ...]


def convert(
    markdown: str,
    *,
    destination: str = "generic",
    template: str | Template = "swiss",
    theme_mode: ThemeMode = "light",
    limits: Limits = DEFAULT_LIMITS,
) -> Conversion:
    """Convert a Markdown text for a destination, in a template's style.

    `destination` is one of the names in `docs/reference/destinations.md`; `template` is a built-in template's id, or a
    Template that `load_template` read.

    Raises `UnknownDestination`, `UnknownTemplate`, `UnknownThemeMode`, and `LimitExceeded` past `limits.input_bytes`.
    """
    document = parse(markdown, limits=limits)
    return render(document, destination=destination, template=template, theme_mode=theme_mode)


def parse(markdown: str, *, limits: Limits = DEFAULT_LIMITS) -> Document:
    """Parse a Markdown text into a tree, to render it more than once.

    Any text is a document. Line ends may be mixed; NUL and lone surrogates become U+FFFD; text that nests deeper than
    `limits.nesting` becomes one paragraph with all of it, and a notice.

    Raises `LimitExceeded` past `limits.input_bytes`.
    """
    from mdpublish_core.parsing import parse_text

    return parse_text(markdown, limits)


def render(
    document: Document,
    *,
    destination: str = "generic",
    template: str | Template = "swiss",
    theme_mode: ThemeMode = "light",
) -> Conversion:
    """Render a parsed document for a destination, in a template's style.

    Raises `UnknownDestination`, `UnknownTemplate` and `UnknownThemeMode`.
    """
    from mdpublish_core.destinations import get_destination
    from mdpublish_core.destinations.plain_text import plain_text
    from mdpublish_core.templates import bind, get_template

    chosen = get_template(template) if isinstance(template, str) else template
    style = bind(chosen, theme_mode)
    html = get_destination(destination).render(document, style)
    return Conversion(
        html=html,
        plain_text=html if destination == "plain-text" else plain_text(document),
        destination=destination,
        template_id=chosen.id,
        theme_mode=theme_mode,
        notices=document.notices,
    )
