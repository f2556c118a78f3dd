"""The built-in templates, which are the files under `themes/<category>/`, and the reading of a user's own."""

from functools import cache
from importlib.resources import files
from os import PathLike
from pathlib import Path

from mdpublish_core.errors import InvalidTheme, UnknownCategory, UnknownTemplate
from mdpublish_core.templates.theme import CATEGORIES, MOST_FILE_BYTES, Category, Template, read_theme


def list_templates(category: Category | None = None) -> tuple[Template, ...]:
    """Return the built-in templates, of one category or of all: by category in the catalogue's order, then by name.

    Raises `UnknownCategory`.
    """
    if category is None:
        return tuple(_catalogue().values())
    if category not in CATEGORIES:
        raise UnknownCategory(category, CATEGORIES)
    return tuple(template for template in _catalogue().values() if template.category == category)


def get_template(template_id: str) -> Template:
    """Return the built-in template with this id; raises `UnknownTemplate` where there is none."""
    try:
        return _catalogue()[template_id]
    except KeyError:
        raise UnknownTemplate(template_id, tuple(_catalogue())) from None


def load_template(path: str | PathLike[str]) -> Template:
    """Read a theme file of your own; pass what it returns as `template`.

    Raises `InvalidTheme` where the file says something it may not say, and `OSError` where it cannot be read.
    """
    file = Path(path)
    with file.open("rb") as opened:
        content = opened.read(MOST_FILE_BYTES + 1)  # whatever comes after cannot make it valid
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidTheme(str(file), "file", f"not UTF-8: byte {error.start + 1} cannot be read") from None
    return read_theme(text, str(file))


@cache
def _catalogue() -> dict[str, Template]:
    folder = files("mdpublish_core") / "themes"
    templates = []
    for category in CATEGORIES:
        shelf = folder / category
        if shelf.is_dir():
            entries = [entry for entry in shelf.iterdir() if entry.name.endswith(".toml")]
            shelved = [read_theme(entry.read_text("utf-8"), f"themes/{category}/{entry.name}") for entry in entries]
            templates.extend(sorted(shelved, key=lambda template: template.name))
    return {template.id: template for template in templates}
