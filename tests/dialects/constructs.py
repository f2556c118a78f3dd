"""Constructs of MkDocs and Obsidian: a source, and the lines that a reader of it is meant to see, in any format.

The words of those of MkDocs are what Python-Markdown 3.11.3 shows, with the extensions of `programs_of_python` and
pymdown-extensions 13.1.2, but for numbers of lines and the label of an admonition whose title is empty.
"""

from typing import NamedTuple


class Construct(NamedTuple):
    """A construct. `lines` are those of the shown document in order, without marks, such as bullets."""

    dialect: str
    source: str
    lines: tuple[str, ...]
    is_alike: bool = True
    """Whether the program of the dialect shows the same words, in some order."""


def _mkdocs(source: str, *lines: str, is_alike: bool = True) -> Construct:
    return Construct("mkdocs", source, lines, is_alike)


def _obsidian(source: str, *lines: str) -> Construct:
    return Construct("obsidian", source, lines)


CONSTRUCTS = {
    "admonition": _mkdocs("!!! note\n\n    Body\n\nAfter", "Note", "Body", "After"),
    "admonition with a title": _mkdocs('!!! tip "A *title*"\n    Body', "A title", "Body"),
    "admonition of an unknown kind": _mkdocs("!!! recipe\n    Body", "Recipe", "Body"),
    "admonition of an unknown kind with a title": _mkdocs('!!! recipe "Cake"\n    Body', "Cake", "Body"),
    "admonition beside the text": _mkdocs('!!! info inline end "Aside"\n\n    Body', "Aside", "Body"),
    "admonition without a title": _mkdocs('!!! warning ""\n\n    Body', "Warning", "Body", is_alike=False),
    "admonition with quotes in its title": _mkdocs('!!! note "The "b" c"\n\n    Body', 'The "b" c', "Body"),
    "admonition with blocks": _mkdocs(
        "!!! note\n\n    - a\n\n        b\n\n    ```py\n    c\n    ```\n\n    | d |\n    |---|\n    | e |",
        *("Note", "a", "b", "c", "d", "e"),
    ),
    "admonition in a list": _mkdocs("1.  a\n\n    !!! note\n\n        b\n\n2.  c", "a", "Note", "b", "c"),
    "admonition in an admonition": _mkdocs("!!! note\n\n    a\n\n    !!! bug\n\n        b", "Note", "a", "Bug", "b"),
    "admonition in a quote": _mkdocs("> !!! note\n>\n>     a", "Note", "a"),
    "folded admonition": _mkdocs("??? question\n\n    Body", "Question", "Body"),
    "folded admonition with a title": _mkdocs('??? note "A title"\n\n    Body', "A title", "Body"),
    "unfolded admonition": _mkdocs('???+ success "Done"\n\n    Body\n\nAfter', "Done", "Body", "After"),
    "folded admonition of an unknown kind": _mkdocs("??? recipe\n\n    Body", "Recipe", "Body"),
    "tabs": _mkdocs('=== "C"\n\n    a\n\n=== "C++"\n\n    b\n\nAfter', "C", "a", "C++", "b", "After"),
    "tabs with lists and code": _mkdocs(
        '=== "List"\n\n    - a\n    - b\n\n=== "Code"\n\n    ``` c\n    d\n    ```', "List", "a", "b", "Code", "d"
    ),
    "tabs in an admonition": _mkdocs(
        '!!! note\n\n    === "A"\n\n        a\n\n    === "B"\n\n        b', "Note", "A", "a", "B", "b"
    ),
    "tabs in tabs": _mkdocs(
        '=== "A"\n\n    === "B"\n\n        b\n\n=== "C"\n\n    === "D"\n\n        d\n\n    === "E"\n\n        e',
        *("A", "B", "b", "C", "D", "d", "E", "e"),
    ),
    "two sets of tabs": _mkdocs('=== "A"\n\n    a\n\n===! "B"\n\n    b', "A", "a", "B", "b"),
    "title of a fence": _mkdocs('``` py title="a b.py"\nx = 1\n```', "a b.py", "x = 1"),
    "title of a fence without a language": _mkdocs('``` title=".cfg"\nx\n```', ".cfg", "x"),
    "title in braces": _mkdocs(
        '``` { .yaml .annotate title="a.yml" linenums="1" }\nx: 1\n```', "a.yml", "x: 1", is_alike=False
    ),
    "title of a fence in a list": _mkdocs('- a\n\n    ``` sh title="b"\n    c\n    ```', "a", "b", "c"),
    "highlighted lines": _mkdocs('``` py hl_lines="2 3"\na\nb\nc\n```', "a", "b", "c"),
    "numbers of lines": _mkdocs('``` py linenums="1"\na\nb\n```', "a", "b", is_alike=False),
    "fence with a class": _mkdocs("``` { .py }\na\n```", "a"),
    "fence with braces": _mkdocs('```{.py hl_lines="1"}\na\n```', "a"),
    "name of a module": _mkdocs("a\n\n::: package\n\nb", "a", "::: package", "b"),
    "name of a class": _mkdocs("a\n\n::: package.Class\n    options: {}\n", "a", "::: package.Class options: {}"),
    "callout of an unknown kind": _obsidian("> [!recipe]\n> Body", "Recipe", "Body"),
    "callout of an unknown kind with a title": _obsidian("> [!recipe] A *cake*\n> Body", "A cake", "Body"),
    "folded callout of an unknown kind": _obsidian("> [!my-kind]- Title\n> Body", "Title", "Body"),
    "unfolded callout of an unknown kind": _obsidian("> [!recipe]+\n> - Body", "Recipe", "Body"),
    "callout with words for a theme": _obsidian("> [!tip|wide right] Title\n> Body", "Title", "Body"),
    "callout with a title alone": _obsidian("> [!recipe] Title", "Title"),
    "callout in a callout": _obsidian("> [!question] a\n> > [!recipe] b\n> > c", "a", "b", "c"),
    "callout of a known kind": _obsidian("> [!faq]- a\n> b", "a", "b"),
    "quote": _obsidian("> a [!recipe] b", "a [!recipe] b"),
}
