"""Fields that say who may read a page, and until when."""

from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from mdpublish_server.auth.password_hashing import PasswordHashing
from mdpublish_server.auth.passwords import validate_email, validate_password
from mdpublish_server.errors import ValidationError

if TYPE_CHECKING:
    # Workers read fields without a database.
    from mdpublish_server.storage.records import DocumentRecord

FIELD_SCOPES: Mapping[str, str] = {
    **dict.fromkeys(("title", "content", "folder", "template_id", "theme_mode", "description"), "documents.write"),
    **dict.fromkeys(("page_width", "hide_badge"), "documents.write"),
    **dict.fromkeys(("slug", "visibility", "readers", "password", "expires_at"), "publish"),
    **dict.fromkeys(("show_source", "offer_pdf"), "publish"),
}
"""What an app needs to change a field of a document: with `publish`, it may let others read it."""

_TO_WIDEN = frozenset({"publish", "documents.read"})

_WIDENING = [
    {"password": "password_hash"}.get(name, name) for name, scope in FIELD_SCOPES.items() if scope == "publish"
]

MAX_READERS = 100

MAX_LIFETIME = timedelta(days=3653)
"""Ten years."""

_TIME_CHARACTERS = 40


def validate_readers(readers: Collection[str]) -> tuple[str, ...]:
    """Return normalized addresses and `@domain`, each once; raise `ValidationError`."""
    if len(readers) > MAX_READERS:
        raise ValidationError(f"readers must have at most {MAX_READERS} items (got {len(readers):,})")
    return tuple(dict.fromkeys(map(_reader, readers)))


def validate_page_password(password: str | None) -> str | None:
    return None if password is None else validate_password(password)


def validate_end(time: str | None) -> datetime | None:
    """Return a time in UTC, whole microseconds; raise `ValidationError`."""
    if time is None:
        return None
    try:
        parsed = datetime.fromisoformat(time[:_TIME_CHARACTERS])
        # Near the ends of the calendar, another time zone has no date.
        return parsed.replace(tzinfo=parsed.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        form = "a time in ISO 8601, such as 2027-01-31T12:00:00Z"
        raise ValidationError(f"expires_at must be {form} (got {time[:60]!r})") from None


async def stored_fields(fields: Mapping[str, Any], hashing: PasswordHashing, *, now: datetime) -> dict[str, Any]:
    """Return a request's fields as a document has them; raise `ValidationError`."""
    stored = {name: value for name, value in fields.items() if name != "password"}
    if stored.get("expires_at") is not None:
        require_future(stored["expires_at"], now)
    if "password" in fields:
        password = fields["password"]
        stored["password_hash"] = None if password is None else await hashing.compute_hash(password)
    return stored


def scopes_to_change(former: "DocumentRecord", changed: "DocumentRecord") -> AbstractSet[str]:
    """Return what an app needs to change a document in this way, besides the scope of its operation.

    Who may not read the document must not come to read it by letting others read it.
    """
    is_shown = changed.published_at is not None and former.published_at is None
    is_wider = any(getattr(former, name) != getattr(changed, name) for name in _WIDENING)
    return _TO_WIDEN if is_shown or is_wider else frozenset()


def scopes_of_fields(names: Iterable[str]) -> AbstractSet[str]:
    """Return what an app needs to give these fields of a document other values, besides the scope of its operation."""
    return _TO_WIDEN if any(FIELD_SCOPES.get(name) == "publish" for name in names) else frozenset()


def takes_away(fields: Mapping[str, Any]) -> bool:
    """Return whether fields may take a page from somebody who could read it."""
    return not fields.keys().isdisjoint(("visibility", "readers", "password_hash", "expires_at"))


def require_future(expires_at: datetime, now: datetime) -> None:
    """Raise `ValidationError` for an end that has passed, or is more than ten years away."""
    if not now < expires_at <= now + MAX_LIFETIME:
        raise ValidationError(
            f"expires_at must be in the future and at most ten years away (got {expires_at.isoformat()})"
        )


def is_reader(readers: Collection[str], email: str) -> bool:
    """Return whether an address, or its domain, is listed."""
    return email in readers or f"@{email.partition('@')[2]}" in readers


def _reader(reader: str) -> str:
    is_domain = reader.startswith("@")
    try:
        email = validate_email(f"reader{reader}" if is_domain else reader.strip())
    except ValidationError:
        forms = "email addresses such as name@example.org, or domains such as @example.org, in ASCII before the @"
        raise ValidationError(f"readers must be {forms} (got {reader[:60]!r})") from None
    return email.removeprefix("reader") if is_domain else email
