"""The budgets of the site's scripts and stylesheets."""

import gzip
from importlib.resources import files

from mdpublish_core.site_palette import site_palette

FOLDER = files("mdpublish_server.web") / "static"


def gzipped_bytes(suffix: str) -> dict[str, int]:
    sources = {each.name: each.read_bytes() for each in FOLDER.iterdir() if each.name.endswith(suffix)}
    return {name: len(gzip.compress(source, mtime=0)) for name, source in sources.items()}


def test_scripts_have_at_most_30_kb_in_all() -> None:
    sizes = gzipped_bytes(".js")
    assert sum(sizes.values()) <= 30_000, sizes


def test_stylesheets_have_at_most_15_kb_in_all() -> None:
    sizes = gzipped_bytes(".css")
    assert sum(sizes.values()) + len(gzip.compress(site_palette().encode())) <= 15_000, sizes
