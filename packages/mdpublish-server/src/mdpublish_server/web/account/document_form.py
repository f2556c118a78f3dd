"""The form of a document: its text and style, and the revision that they were read at."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec import UNSET, MsgspecError, json, structs
from starlette.requests import Request

from mdpublish_server.errors import ValidationError
from mdpublish_server.models import DocumentCreate, DocumentUpdate, checked
from mdpublish_server.services.editing import Edit, normalized
from mdpublish_server.services.publishing import DEFAULTS
from mdpublish_server.services.rebasing import COPIED
from mdpublish_server.services.working_copies import Seen, Working
from mdpublish_server.storage import DocumentRecord
from mdpublish_server.validation.body import DOCUMENT_BODY_BYTES
from mdpublish_server.web.forms import is_json, read_form_lists, read_text_form
from mdpublish_server.web.public.draft_form import EmptyText

AUTOSAVE, SAVE, PUBLISH = "autosave", "save", "publish"
UNPUBLISH, DISCARD, DUPLICATE = "unpublish", "discard", "duplicate"

START = "start"
"""Creates a document with the template of another page's form; without a text, shows the form of one."""

_MAX_FIELDS = 1_000  # each conflict has one

# Of the document, and of its working copy.
_REVISION = re.compile("([0-9]{1,18})(?:-([0-9]{1,9}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentForm:
    """The submitted form, not validated; None for a field it did not have, such as one the plan does not allow."""

    title: str = ""
    content: str = ""
    template_id: str = "swiss"
    theme_mode: str = "light"
    description: str | None = None
    page_width: str | None = None
    folder: str | None = None
    revision: str = "0"
    base: str = ""
    """The fields at that revision, in JSON: what was changed since is merged with it."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """Of conflicts, as `MergeJob` has them."""
    nonce: str = ""
    place: str = "page"
    known: str = ""
    do: str = SAVE
    email: str | None = None
    password: str | None = None
    # Of a page that was opened before they were chosen under "Share".
    slug: str | None = None
    visibility: str | None = None
    hide_badge: str | None = None
    show_source: str | None = None
    offer_pdf: str | None = None

    @property
    def seen(self) -> Seen:
        """What was edited; revision 0, which no document has, if it is malformed."""
        match = _REVISION.fullmatch(self.revision)
        return Seen(int(match[1]), int(match[2] or 0)) if match else Seen(0)

    @property
    def hidden_fields(self) -> dict[str, str]:
        """The fields that another form keeps while a person signs in, but for the text."""
        return {
            name: value
            for name in _FIELDS
            if name not in ("content", "known", "email", "password") and (value := getattr(self, name)) is not None
        }


_FIELDS = tuple(name for name in DocumentForm.__dataclass_fields__ if name != "choices")
_CHOICE = "choice-"

EDITED_FIELDS = _FIELDS[: _FIELDS.index("revision")]
"""What is stored of a document."""


async def read_document_form(request: Request) -> DocumentForm:
    """Return the form, or JSON of it, from scripts; raise `ValidationError`."""
    if is_json(request):
        return await read_text_form(request, DocumentForm)
    sent = await read_form_lists(request, max_bytes=DOCUMENT_BODY_BYTES, max_fields=_MAX_FIELDS)
    choices = {name.removeprefix(_CHOICE): values[-1] for name, values in sent.items() if name.startswith(_CHOICE)}
    form = DocumentForm(**{name: sent[name][-1] for name in _FIELDS if name in sent}, choices=choices)
    # Browsers send CR LF, which would count against the limit.
    return replace(form, content=form.content.replace("\r\n", "\n"))


def form_of(working: Working) -> DocumentForm:
    """Return the form of a stored document as it is edited."""
    document, copy = working.shown, working.seen.copy
    form = DocumentForm(
        title=document.title,
        content=document.content,
        template_id=document.template_id,
        theme_mode=document.theme_mode,
        description=document.description or "",
        page_width=document.page_width or DEFAULTS["page_width"],
        folder=document.folder or "",
        revision=f"{document.revision}-{copy}" if copy else str(document.revision),
    )
    return _with_base(form)


def _with_base(form: DocumentForm) -> DocumentForm:
    return replace(form, base=json.encode(merged_fields(form)).decode())


def merged_fields(form: DocumentForm) -> dict[str, str]:
    """Return the fields that are merged; an empty title is what the text says."""
    values = {name: getattr(form, name) for name in COPIED}
    return {
        name: normalized(value) for name, value in values.items() if value or (name != "title" and value is not None)
    }


def base_of(form: DocumentForm) -> dict[str, str]:
    """Return the fields that were edited; nothing if the form does not have them."""
    with suppress(MsgspecError):
        return json.decode(form.base, type=dict[str, str])
    return {}


def new_form(nonce: str, **chosen: Any) -> DocumentForm:
    """Return the form of a document that is not stored yet, with fields that are chosen already."""
    form = DocumentForm(description="", page_width=DEFAULTS["page_width"], folder="", nonce=nonce)
    return _with_base(replace(form, **chosen))


def completed(form: DocumentForm, defaults: DocumentForm) -> DocumentForm:
    """Return the form with the fields that it did not have, to show it again."""
    missing = {name: getattr(defaults, name) for name in _FIELDS if getattr(form, name) is None}
    return replace(form, **missing)


def require_current(form: DocumentForm) -> None:
    """Raise `ValidationError` for a form that has options: publishing without them might show what was to be hidden."""
    if any(getattr(form, name) is not None for name in _FIELDS[_FIELDS.index("slug") :]):
        raise ValidationError(
            "The options of this page are under “Share” now, and none was changed; choose them there and save again"
        )


def edit_of(form: DocumentForm) -> Edit:
    """Return what the form changes; raise `ValidationError`."""
    changes = DocumentUpdate(
        content=form.content,
        template_id=form.template_id,
        theme_mode=form.theme_mode,
        **_given(title=form.title.strip() or None, description=form.description, page_width=form.page_width),
    )
    filing = checked(DocumentUpdate(**_given(folder=form.folder)))
    return Edit(changes=checked(changes), filing=filing, is_published=form.do == PUBLISH)


def new_document_of(form: DocumentForm) -> DocumentCreate:
    """Return the document to create; raise `ValidationError`. The form's first choices leave it to front matter."""
    if not form.content:
        raise EmptyText
    named = _given(title=form.title.strip() or None, folder=form.folder or None)
    return checked(DocumentCreate(content=form.content, **named, **_chosen(form, "template_id", "theme_mode")))


def rest_of(form: DocumentForm) -> Edit:
    """Return what is left to save of a new document once it is created; raise `ValidationError`."""
    changes = DocumentUpdate(**_chosen(form, "description", "page_width"))
    return Edit(changes=checked(changes), is_published=form.do == PUBLISH)


def draft_of(form: DocumentForm, stored: DocumentRecord | None) -> DocumentUpdate:
    """Return the text to preview, with an empty title where the form has none; raise `ValidationError`."""
    if not form.content:
        raise EmptyText
    names = ("template_id", "theme_mode", "description", "page_width")
    if stored is None:
        values = _chosen(form, *names)
    else:
        values = _given(**{name: getattr(form, name) for name in names}, offer_pdf=stored.offer_pdf)
    title = form.title.strip()
    draft = checked(DocumentUpdate(content=form.content, title=title, **values))
    return draft if title else structs.replace(draft, title="")


def _chosen(form: DocumentForm, *names: str) -> dict[str, Any]:
    """Return the fields that are not a new form's."""
    first = new_form("")
    values = {name: getattr(form, name) for name in names}
    return {name: value for name, value in values.items() if value is not None and value != getattr(first, name)}


def _given(**values: Any) -> dict[str, Any]:
    return {name: UNSET if value is None else value for name, value in values.items()}
