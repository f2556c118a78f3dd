"""The budgets of the site's scripts and stylesheets, as they are served: without comments."""

import gzip
import posixpath
import re
from importlib.resources import files

from mdpublish_core.hosting.templates import site_palette
from mdpublish_server.web.assets import served_source

FOLDER = files("mdpublish_server.web") / "static"


def names(suffix: str, folder: str = "") -> list[str]:
    return [f"{folder}{each.name}" for each in FOLDER.joinpath(folder).iterdir() if each.name.endswith(suffix)]


def gzipped_bytes(suffix: str, folder: str = "") -> dict[str, int]:
    return {name: len(gzip.compress(served_source(name), mtime=0)) for name in names(suffix, folder)}


def test_scripts_have_at_most_30_kb_in_all_and_45_kb_on_a_page_with_the_editor() -> None:
    sizes, editing = gzipped_bytes(".js"), gzipped_bytes(".js", "editing/")
    assert sum(sizes.values()) <= 30_000, sizes
    used = reached(["workbench.js", "site.js"])
    assert used >= editing.keys() | {"share.js", "picker.js", "palette.js"}
    assert sum(({**sizes, **editing})[name] for name in used) <= 45_000, sorted(used)


def reached(names: list[str]) -> set[str]:
    """Return the modules that the given ones import, at once or on first use, and those themselves."""
    modules = set[str]()
    while names:
        modules.add(name := names.pop())
        imports = re.findall(r'(?:from |import |import\()"(\.{1,2}/[^"]+)"', served_source(name).decode())
        names += {posixpath.normpath(posixpath.join(posixpath.dirname(name), each)) for each in imports} - modules
    return modules


def test_stylesheets_have_at_most_20_kb_in_all() -> None:
    sizes = gzipped_bytes(".css")
    assert sum(sizes.values()) + len(gzip.compress(site_palette().encode())) <= 20_000, sizes
