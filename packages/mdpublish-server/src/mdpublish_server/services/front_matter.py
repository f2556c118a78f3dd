"""Front matter as defaults for the fields that a request leaves out."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from msgspec import Struct

from mdpublish_core import Notice
from mdpublish_core.hosting.documents import SourcePosition, limit_notices, sorted_by_position
from mdpublish_server.auth.plans import Plan, is_free_template
from mdpublish_server.conversion.converter import Converter, Share
from mdpublish_server.errors import ValidationError
from mdpublish_server.models import fields_set
from mdpublish_server.validation import validators
from mdpublish_server.validation.slugs import validate_slug

DEFAULTS: Mapping[str, str] = {"title": validators.UNTITLED, "template_id": "swiss", "theme_mode": "light"}

_CHECKS: Mapping[str, Callable[[str], str | None]] = {
    "title": validators.validate_title,
    "template_id": validators.validate_template,
    "theme_mode": validators.validate_theme_mode,
    "slug": validate_slug,
    "description": validators.validate_description,
    "page_width": validators.validate_page_width,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CompleteFields:
    """A document's fields, and notices about values of the front matter that are not used."""

    fields: Mapping[str, Any]
    notices: tuple[Notice, ...]
    positions: Mapping[str, SourcePosition]

    def ignored(self, key: str, problem: str) -> Notice:
        return _ignored(f"{key} {problem}", self.positions.get(key, SourcePosition()))


class FrontMatterDefaults:
    """Completes requests."""

    def __init__(self, converter: Converter) -> None:
        self._converter = converter

    async def complete(
        self, request: Struct, plan: Plan | None, *, client_id: str, takes_slug: bool = False
    ) -> CompleteFields:
        """Return the request's fields, else those of its content's front matter, else the defaults.

        `plan` is None for a demo. An empty title is as if left out, but stays so.
        """
        fields, share = fields_set(request), Share.DEMO if plan is None else Share.ACCOUNTS
        read = await self._converter.read_front_matter(fields["content"], share=share, client_id=client_id)
        notices = list(read.notices)
        for key, check in _CHECKS.items():
            if key in read.values and not fields.get(key) and (takes_slug or key != "slug"):
                try:
                    fields[key] = _allowed(plan, key, check(read.values[key]))
                except ValidationError as error:
                    notices.append(_ignored(error.message, read.positions[key]))
        return CompleteFields(fields={**DEFAULTS, **fields}, notices=joined_notices(notices), positions=read.positions)


def joined_notices(*notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """Return notices by position, each once, within the limit: those about front matter also come with a page."""
    return tuple(limit_notices(sorted_by_position(dict.fromkeys(chain(*notices)))))


def _allowed(plan: Plan | None, key: str, value: str | None) -> str | None:
    """Raise `ValidationError` if the plan does not allow a value."""
    has_pro_options = plan is not None and plan.has_pro_options
    if key == "template_id" and value is not None and not has_pro_options and not is_free_template(value):
        raise ValidationError(f"template {validators.requires_pro(value)}")
    if key == "slug" and not has_pro_options:
        raise ValidationError("slug requires the Pro plan")
    return value


def _ignored(problem: str, position: SourcePosition) -> Notice:
    return Notice("front-matter-ignored", f"{problem}; it is ignored", *position)
