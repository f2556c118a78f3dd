"""The built-in templates, which are the files under `themes/<category>/`, and the reading of a user's own."""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from os import PathLike
from pathlib import Path

from mdpublish_core.errors import InvalidTheme, UnknownCategory, UnknownTemplate
from mdpublish_core.templates.reading import MOST_FILE_BYTES, read_theme
from mdpublish_core.templates.theme import CATEGORIES, Category, Template

_FOLDER = files("mdpublish_core") / "themes"


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
    if template_id not in _files():
        raise UnknownTemplate(template_id, tuple(_catalogue()))
    return _read(template_id)


def load_template(path: str | PathLike[str]) -> Template:
    """Read a theme file of your own; pass what it returns as `template`.

    Raises `InvalidTheme` where the file says something it may not say, and `OSError` where it cannot be read.
    """
    return read_theme(theme_text(path), str(Path(path)))


def theme_text(path: str | PathLike[str]) -> str:
    """Return what a theme file of your own holds; raises `InvalidTheme` where that is no text, and `OSError`."""
    file = Path(path)
    with file.open("rb") as opened:
        content = opened.read(MOST_FILE_BYTES + 1)  # whatever comes after cannot make it valid
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidTheme(str(file), "file", f"not UTF-8: byte {error.start + 1} cannot be read") from None


def built_in_text(template_id: str) -> str:
    """Return the theme file of a built-in template; raises `UnknownTemplate` where there is none."""
    get_template(template_id)
    return _files()[template_id].read_text("utf-8")


@cache
def _catalogue() -> dict[str, Template]:
    templates = sorted(map(_read, _files()), key=lambda each: (CATEGORIES.index(each.category), each.name))
    return {template.id: template for template in templates}


@cache
def _files() -> dict[str, Traversable]:
    """Return the theme files by their templates' ids, without reading any: a conversion needs one of them."""
    shelves = (_FOLDER / category for category in CATEGORIES)
    entries = (entry for shelf in shelves if shelf.is_dir() for entry in shelf.iterdir())
    return {entry.name.removesuffix(".toml"): entry for entry in entries if entry.name.endswith(".toml")}


@cache
def _read(template_id: str) -> Template:
    file = _files()[template_id]
    return read_theme(file.read_text("utf-8"), f"themes/{file.name}")
