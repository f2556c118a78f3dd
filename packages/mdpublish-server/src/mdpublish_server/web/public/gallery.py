"""`/templates`: thumbnails of every template, a page of each, and a text that is tried in them.

Texts are carried from the workbench: by its script in the browser, or without scripts from form to form.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from msgspec import json
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core import Template, get_template, list_templates
from mdpublish_core.errors import UnknownTemplate
from mdpublish_core.hosting.outputs import THEME_MODES, ThemeMode
from mdpublish_core.hosting.templates import CATEGORIES, Category
from mdpublish_server.auth.plans import is_free_template, is_pro
from mdpublish_server.errors import NotFound
from mdpublish_server.web import thumbnails
from mdpublish_server.web.forms import read_text_form
from mdpublish_server.web.nonces import new_nonce
from mdpublish_server.web.page_context import Pages
from mdpublish_server.web.public.draft_form import DraftForm
from mdpublish_server.web.public.template_search import QUERY_CHARACTERS, search_templates, words_of

PATH = "/templates"

LIST_PATH = f"{PATH}/thumbnails.json"
"""What the workbench's picker loads when it is opened."""

# fmt: off
LEADING = (
    "ink", "terminal", "letterpress", "kanban", "executive", "recipe", "solarized", "brutalist", "thesis", "obsidian", "zine",
    "latex", "bauhaus", "consulting", "dyslexia-friendly", "proceedings",
)
# fmt: on
"""Templates that differ most, by the measure of `tests.templates.likeness`."""

LABELS = {"dark": "Made for dark"}
"""Labels of categories that are not their names: *Dark* is a theme mode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The filter: one category or all, or what a search finds, in one mode."""

    category: Category | None
    theme_mode: ThemeMode
    query: str = ""
    is_preset: bool = False
    """Whether nobody chose the mode: pictures are in the visitor's."""

    @property
    def url(self) -> str:
        mode = None if self.is_preset else self.theme_mode
        named = {"category": self.category, "q": self.query, "mode": mode}
        query = urlencode({name: value for name, value in named.items() if value})
        return f"{PATH}?{query}" if query else PATH

    @property
    def label(self) -> str:
        return LABELS.get(self.category or "", (self.category or "all").capitalize())

    @property
    def shelves(self) -> list[tuple[str, tuple[Template, ...]]]:
        """The templates under headings."""
        if self.query:
            matches = search_templates(self.query)
            count = f"{len(matches) or 'No'} template{'' if len(matches) == 1 else 's'}"
            return [(f"{count} for “{self.query}”", matches)]
        if self.category:
            return [(self.label, list_templates(self.category))]
        leading = tuple(map(get_template, LEADING))
        choices = [replace(self, category=each) for each in CATEGORIES]
        others = [(each.label, tuple(t for t in list_templates(each.category) if t not in leading)) for each in choices]
        return [("Start with one of these", leading), *others]


@dataclass(frozen=True, slots=True, kw_only=True)
class GalleryForm(DraftForm):
    """A text that is carried, and a search without scripts."""

    q: str = ""


class Gallery(Pages):
    """The thumbnails, and the page of each template."""

    async def show(self, request: Request) -> Response:
        """Show the thumbnails; a POST is from a browser without scripts, and carries a text."""
        form = await _carried(request)
        choice = _choice(request.query_params, form)
        return self._site.page(
            "public/gallery.html",
            account=await self._sessions.account_if_known(request),
            choice=choice,
            content=form and form.content,
            categories=[replace(choice, category=each, query="") for each in (None, *CATEGORIES)],
            counts=[len(list_templates(each)) for each in (None, *CATEGORIES)],
            modes=[replace(choice, theme_mode=mode, is_preset=False) for mode in THEME_MODES],
            free_templates=sum(is_free_template(each.id) for each in list_templates()),
            thumbnail_url=thumbnails.thumbnail_url,
            thumbnail_width=thumbnails.WIDTH,
            thumbnail_height=thumbnails.HEIGHT,
        )

    async def show_template(self, request: Request) -> Response:
        """Show a template, and carry a text as `show` does."""
        form = await _carried(request)
        template, theme_mode = template_of(request)
        account = await self._sessions.account_if_known(request)
        before, after = _neighbors(template)
        return self._site.page(
            "public/template.html",
            account=account,
            template=template,
            theme_mode=theme_mode,
            theme_modes=THEME_MODES,
            before=before,
            after=after,
            content=form and form.content,
            is_free=is_free_template(template.id),
            is_pro=account is not None and is_pro(account.plan, account.plan_until, now=self._state.clock()),
            nonce=new_nonce(),
        )

    async def list(self, _request: Request) -> Response:
        """Return every template with its thumbnails, for the workbench's picker."""
        entries = [
            {
                "id": each.id,
                "name": each.name,
                "words": " ".join(words_of(each)),
                **{mode: thumbnails.thumbnail_url(each.id, mode) for mode in THEME_MODES},
            }
            for each in list_templates()
        ]
        headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
        return Response(json.encode(entries), headers=headers, media_type="application/json")


def template_of(request: Request) -> tuple[Template, ThemeMode]:
    """Return the path's template and mode; raise `NotFound`."""
    mode = _mode(request.path_params["theme_mode"])
    try:
        template = get_template(request.path_params["template_id"])
    except UnknownTemplate:
        template = None
    if template is None or mode is None:
        raise NotFound("No such template")
    return template, mode


async def _carried(request: Request) -> GalleryForm | None:
    return await read_text_form(request, GalleryForm) if request.method == "POST" else None


def _choice(query: Mapping[str, str], form: GalleryForm | None) -> Choice:
    """Return what an address chooses; the button that searches without scripts leaves `q` to the form."""
    category = next((each for each in CATEGORIES if each == query.get("category")), None)
    sought = query.get("q") or (form.q if form and "q" in query else "")
    mode, sought = _mode(query.get("mode")), sought.strip()[:QUERY_CHARACTERS]
    return Choice(category=category, theme_mode=mode or "light", query=sought, is_preset=mode is None)


def _mode(name: str | None) -> ThemeMode | None:
    return next((mode for mode in THEME_MODES if mode == name), None)


def _neighbors(template: Template) -> tuple[Template | None, Template | None]:
    templates = (None, *list_templates(), None)
    index = templates.index(template)
    return templates[index - 1], templates[index + 1]
