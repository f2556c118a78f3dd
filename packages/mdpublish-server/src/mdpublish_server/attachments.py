"""Headers of responses that clients save as files."""

from urllib.parse import quote

from mdpublish_server.validation.slugs import slug_of_title

# https://www.iana.org/assignments/media-types/application/vnd.openxmlformats-officedocument.wordprocessingml.document
WORD_FILE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
"""Media type of a .docx."""


def attachment(title: str, suffix: str) -> dict[str, str]:
    """Return headers that name a file after its title (RFC 6266)."""
    name = f"{slug_of_title(title) or 'document'}{suffix}"
    return {"Content-Disposition": f"attachment; filename={quote(name)}"}
