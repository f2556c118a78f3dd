"""The budgets of the site's scripts and stylesheets."""

import gzip
from importlib.resources import files
from importlib.resources.abc import Traversable

from mdpublish_core.site_palette import site_palette

FOLDER = files("mdpublish_server.web") / "static"


def gzipped_bytes(suffix: str, folder: Traversable = FOLDER) -> dict[str, int]:
    sources = {each.name: each.read_bytes() for each in folder.iterdir() if each.name.endswith(suffix)}
    return {name: len(gzip.compress(source, mtime=0)) for name, source in sources.items()}


def test_scripts_have_at_most_30_kb_in_all_and_45_kb_with_the_editor() -> None:
    sizes, editing = gzipped_bytes(".js"), gzipped_bytes(".js", FOLDER / "editing")
    assert sum(sizes.values()) <= 30_000, sizes
    assert sum(sizes.values()) + sum(editing.values()) <= 45_000, editing


def test_stylesheets_have_at_most_20_kb_in_all() -> None:
    sizes = gzipped_bytes(".css")
    assert sum(sizes.values()) + len(gzip.compress(site_palette().encode())) <= 20_000, sizes
