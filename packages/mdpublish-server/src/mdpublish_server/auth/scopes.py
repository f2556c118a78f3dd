"""Scopes: what a person can allow an app that connects to the account."""

from collections.abc import Iterable, Mapping

from mdpublish_server.errors import Forbidden

SCOPES: Mapping[str, str] = {
    "convert": "Convert and import documents; nothing is stored.",
    "documents.read": "Read your documents, and list your images.",
    "documents.write": "Create, change and delete documents and images. What is published changes at once.",
    "publish": "Publish your documents as web pages, and unpublish them.",
}
"""Sentences for who is names, by scope."""


def known_scopes(scope: str) -> tuple[str, ...]:
    """Return the scopes in a parameter, in our order; others, such as `offline_access`, are ignored."""
    names = scope.split()
    return tuple(name for name in SCOPES if name in names)


def require_scopes(granted: frozenset[str] | None, needed: Iterable[str]) -> None:
    """Raise `Forbidden`, naming all scopes that are missing."""
    missing = [] if granted is None else [name for name in needed if name not in granted]
    if not missing:
        return
    raise Forbidden(
        f"The app lacks the scope{'' if len(missing) == 1 else 's'} {', '.join(missing)}; connect it again, and allow it",
        headers={"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{" ".join(missing)}"'},
    )
