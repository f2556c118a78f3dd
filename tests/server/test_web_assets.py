"""The budgets of the site's scripts and stylesheets, as they are served: without comments."""

import gzip
import posixpath
import re
from collections.abc import Iterable
from importlib.resources import files

from mdpublish_core.hosting.templates import site_palette
from mdpublish_server.web.assets import served_scripts, served_source

FOLDER = files("mdpublish_server.web") / "static"


def gzipped_bytes(sources: Iterable[bytes]) -> int:
    return sum(len(gzip.compress(source, mtime=0)) for source in sources)


def test_scripts_of_a_page_with_the_editor_have_at_most_45_kb_those_of_first_use_included() -> None:
    scripts = served_scripts()
    names = reached(["workbench.js", "site.js"])
    assert names >= {"autosave.js", "editing/editor.js", "first-use.js", "picker.js", "shared.js"}
    assert gzipped_bytes(scripts[name].encode() for name in names) <= 45_000
    assert sorted(scripts.keys() - names) == ["changes.js", "gallery.js", "keys.js", "published.js", "template.js"]


def reached(names: list[str]) -> set[str]:
    """Return the modules that the given ones import, at once or on first use, and those themselves."""
    modules = set[str]()
    while names:
        modules.add(name := names.pop())
        imports = re.findall(r'(?:from ?|import ?|import\()"(\.{1,2}/[^"]+)"', served_source(name).decode())
        names += {posixpath.normpath(posixpath.join(posixpath.dirname(name), each)) for each in imports} - modules
    return modules


def test_stylesheets_have_at_most_20_kb_in_all() -> None:
    styles = [served_source(each.name) for each in FOLDER.iterdir() if each.name.endswith(".css")]
    assert gzipped_bytes([*styles, site_palette().encode()]) <= 20_000
