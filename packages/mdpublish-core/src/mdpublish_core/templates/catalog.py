"""Built-in templates (`themes/<category>/<id>.toml`) and user themes."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from os import PathLike
from pathlib import Path

from mdpublish_core.arguments import require_type, type_name
from mdpublish_core.errors import InvalidTheme, PluginError, UnknownCategory, UnknownTemplate
from mdpublish_core.plugins import find_plugin, load_plugin, plugin_names
from mdpublish_core.templates.loader import MAX_THEME_BYTES, parse_theme
from mdpublish_core.templates.theme import CATEGORIES, Category, Template

_FOLDER = Path(__file__).parent.parent / "themes"


def list_templates(category: Category | None = None) -> tuple[Template, ...]:
    """Return the built-in templates, optionally of one category, in catalog order, then by name.

    Raises `UnknownCategory`, and `InvalidTheme` if a file's id is not unique or not its name.
    """
    if category is None:
        return tuple(_catalog().values())
    if category not in CATEGORIES:
        raise UnknownCategory(category, CATEGORIES)
    return tuple(template for template in _catalog().values() if template.category == category)


def get_template(template_id: str) -> Template:
    """Return the template with this id: one that is built in, else one of an installed package.

    Raises `UnknownTemplate`, `PluginError`.
    """
    require_type("template_id", template_id, str)
    if template_id in _files():
        return _read(template_id)
    if (plugin := find_plugin("template", template_id)) is None:
        raise UnknownTemplate(template_id, (*_catalog(), *plugin_names("template")))
    loaded = load_plugin(plugin)
    if not isinstance(loaded, Template):
        raise PluginError(plugin.label, f"must be a Template, as load_template returns it (got {type_name(loaded)})")
    if loaded.id != template_id:
        raise PluginError(plugin.label, f"must have the id that its entry point names (got {loaded.id!r})")
    return loaded


def load_template(path: str | PathLike[str]) -> Template:
    """Load a theme file, for use as `template`.

    Raises `InvalidTheme`, and `OSError` if the file cannot be read.
    """
    return parse_theme(read_theme_file(path), str(Path(path)))


def read_theme_file(path: str | PathLike[str]) -> str:
    require_type("path", path, str, PathLike, expected="a str or a path")
    file = Path(path)
    with file.open("rb") as stream:
        content = stream.read(MAX_THEME_BYTES + 1)  # enough to detect an oversized file
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidTheme(str(file), "file", f"not UTF-8: byte {error.start + 1} cannot be read") from None


def built_in_theme(template_id: str) -> str:
    if template_id not in _files():
        raise UnknownTemplate(template_id, tuple(_catalog()))
    return _files()[template_id].read_text("utf-8")


@cache
def search_synonyms() -> Mapping[str, Sequence[str]]:
    """Return words that people search templates by, with the templates' own words that they stand for."""
    return tomllib.loads((_FOLDER / "synonyms.toml").read_text("utf-8"))


@cache
def _catalog() -> dict[str, Template]:
    templates = sorted(map(_read, _files()), key=lambda each: (CATEGORIES.index(each.category), each.name))
    return {template.id: template for template in templates}


@cache
def _files() -> dict[str, Path]:
    """Unread: a conversion needs only one."""
    folders = (_FOLDER / category for category in CATEGORIES)
    files: dict[str, Path] = {}
    for entry in (entry for folder in folders if folder.is_dir() for entry in folder.iterdir()):
        if entry.name.endswith(".toml"):
            template_id = entry.name.removesuffix(".toml")
            if template_id in files:
                problem = f"{template_id!r} is also the id of {_source(files[template_id])}"
                raise InvalidTheme(_source(entry), "id", problem)
            files[template_id] = entry
    return files


@cache
def _read(template_id: str) -> Template:
    file = _files()[template_id]
    template = parse_theme(file.read_text("utf-8"), _source(file), is_built_in=True)
    if template.id != template_id:
        other = _files().get(template.id)
        taken = f", the id of {_source(other)}" if other else ""
        raise InvalidTheme(_source(file), "id", f"is {template.id!r}{taken}; allowed: the file's name, {template_id!r}")
    return template


def _source(file: Path) -> str:
    return "/".join(file.parts[-3:])
