"""Headers of responses that clients save as files."""

from mdpublish_server.validation.slugs import file_name_of, slug_of_title


def attachment(title: str, suffix: str) -> dict[str, str]:
    """Return headers that name a file after its title (RFC 6266). A slug needs no escaping."""
    name = file_name_of(slug_of_title(title) or "document")
    return {"Content-Disposition": f"attachment; filename={name}{suffix}"}
