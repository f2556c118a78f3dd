"""The order in which the packages' modules import, of `pyproject.toml`."""

import tomllib
from pathlib import Path

from docs.reference.making.markdown import wrapped

_PYPROJECT = Path(__file__).parents[3] / "pyproject.toml"


def import_layers() -> str:
    """Return a list item for each package, with its layers from the lowest on."""
    contracts = tomllib.loads(_PYPROJECT.read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    layers = {
        each["id"]: [f"`{layer.replace(' | ', ' ')}`" for layer in each.get("layers", ())][::-1] for each in contracts
    }
    items = (f"Core: {' → '.join(layers['core'])}", f"Server: the core → {' → '.join(layers['server'])}")
    return "\n".join(wrapped(item, 0) for item in items)
