"""A theme file to begin with: a built-in one under another name."""

import re

from mdpublish_core.templates.catalog import built_in_theme, get_template
from mdpublish_core.templates.loader import parse_theme

# The lines that say who a template is; each stands in every built-in file, above its first table.
_IDENTITY = re.compile(r"^(id|name|description) = .*$", re.MULTILINE)


def scaffold_theme(template_id: str, new_id: str) -> str:
    """Return the text of a theme file that is a built-in template's, under an id of its own.

    Raises `UnknownTemplate` where there is none to begin with, and `InvalidTheme` where the new id may be no id.
    """
    base = get_template(template_id)
    identity = {
        "id": new_id,
        "name": new_id.replace("-", " ").capitalize()[:40],
        "description": f"Our own, begun with {base.name}.",
    }
    theme = _IDENTITY.sub(lambda line: f'{line[1]} = "{identity[line[1]]}"', built_in_theme(template_id))
    parse_theme(theme, f"{new_id}.toml")
    return theme
