"""New theme files, copied from a built-in one."""

import re

from mdpublish_core.templates.catalog import built_in_theme, get_template
from mdpublish_core.templates.loader import parse_theme

_IDENTITY = re.compile(r"^(id|name|description) = .*$", re.MULTILINE)


def scaffold_theme(template_id: str, new_id: str) -> str:
    """Return a built-in theme file under a new id.

    Raises `UnknownTemplate`, and `InvalidTheme` for an invalid id.
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
