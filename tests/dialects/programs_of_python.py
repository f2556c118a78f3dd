"""Reads a JSON list of texts from standard input, and prints a list of the HTML that a program makes of them, or null.

It runs in an environment of its own, which has the programs and nothing of ours.
"""

import json
import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def python_markdown() -> Callable[[str], str]:
    """Return a reader with Material's usual extensions, as far as they need no folder around the file."""
    pymdownx = (
        "arithmatex betterem caret critic details emoji highlight inlinehilite keys mark smartsymbols superfences tabbed tasklist "
        "tilde"
    )
    names = "abbr admonition attr_list def_list footnotes md_in_html tables toc".split()  # noqa: SIM905
    options: Mapping[str, Mapping[str, object]] = {
        "pymdownx.arithmatex": {"generic": True},
        "pymdownx.tabbed": {"alternate_style": True},
        "pymdownx.tasklist": {"custom_checkbox": True},
    }
    converter = import_module("markdown").Markdown(
        extensions=[*names, *(f"pymdownx.{name}" for name in pymdownx.split())], extension_configs=options
    )
    return lambda source: converter.reset().convert(source)


def mistune() -> Callable[[str], str]:
    import mistune

    plugins = ("abbr", "def_list", "footnotes", "strikethrough", "table", "task_lists", "url")
    convert = mistune.create_markdown(escape=False, plugins=plugins)
    return lambda source: str(convert(source))


def myst() -> Callable[[str], str]:
    """Return a reader with what MyST adds to markdown-it-py; directives and roles are as they are written."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.attrs import attrs_block_plugin, attrs_plugin
    from mdit_py_plugins.colon_fence import colon_fence_plugin
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.footnote import footnote_plugin
    from mdit_py_plugins.myst_blocks import myst_block_plugin
    from mdit_py_plugins.myst_role import myst_role_plugin

    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    for plugin in (
        attrs_block_plugin, attrs_plugin, colon_fence_plugin, deflist_plugin, footnote_plugin, myst_block_plugin, myst_role_plugin,
    ):  # fmt: skip
        reader.use(plugin)
    return reader.render


PROGRAMS: Mapping[str, Callable[[], Callable[[str], str]]] = {
    "Python-Markdown": python_markdown,
    "mistune": mistune,
    "MyST": myst,
}


def main() -> None:
    convert = PROGRAMS[sys.argv[1]]()
    pages: list[str | None] = []
    for source in json.load(sys.stdin):
        try:
            pages.append(convert(source))
        except Exception:  # noqa: BLE001  (whatever a program raises, it does not read the text)
            pages.append(None)
    json.dump(pages, sys.stdout)


if __name__ == "__main__":
    main()
