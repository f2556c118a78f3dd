"""Constructs of dialects nested, combined and cut short, as their own programs show them, or named."""

from collections import Counter

import pytest
from lxml import html

from mdpublish_core import convert, parse, select_extensions, to_markdown
from tests.dialects.constructs import words, words_of

TABLE = "| a | b |\n| - | - |\n| 1 | 2 |\n"


def shown(source: str, dialect: str) -> html.HtmlElement:
    page = convert(source, to="generic", extensions=select_extensions([dialect])).html
    tree = html.fragment_fromstring(page or "<p></p>")
    for style in tree.xpath("//style"):
        style.drop_tree()
    return tree


@pytest.mark.parametrize(
    ("dialect", "source", "meaning", "elements"),
    [
        ("mkdocs", f"{TABLE}/// caption\nCap\n///\n", "a b 1 2 Cap", "//figure[table or div/table]/figcaption"),
        ("mkdocs", "![x](a.png)\n/// figure-caption\nFig *t*\n///\n", "Fig t", "//figure//img|//figcaption/em"),
        ("mkdocs", "![x](a.png)\n/// caption\n    attrs: {id: y}\nFig\n///\n", "Fig", "//figure//figcaption"),
        ("mkdocs", '- a\n\n    !!! note "T"\n        b\n\n    c\n', "a T b c", "//li//*[contains(@class, 'note')]"),
        ("mkdocs", '!!! note "O"\n\n    !!! tip "I"\n        d\n', "O I d", "//*[contains(@class, 'note')]//*[contains(@class, 'tip')]"),
        ("mkdocs", '=== "A"\n\n    === "B"\n\n        x\n\n=== "C"\n\n    y\n', "A B x C y", "//details//details"),
        ("mkdocs", "Term\n:   one\n\n    two\n\n:   three\n\n        code\n", "Term one two three code", "//dd//pre"),
        ("mkdocs", '??? "T *t*"\n    x\n', "T t x", "//details[not(@open)]/summary/em"),
        ("mkdocs", '- a\n\n    ???+ "T"\n        x\n', "a T x", "//li//details"),
        ("mkdocs", "<https://x.example>{ .c }\n", "https://x.example", "//a[@href='https://x.example']"),
        ("pandoc", "<https://x.example>{.c}\n", "https://x.example", "//a[@href='https://x.example']"),
        ("pandoc", "![Cap](a.png){#fig:x width=50%}\n", "Cap", "//figure[figcaption]/img[@width='50%']"),
        ("pandoc", "![Cap](a.png){width=2in height=2.54cm}\n", "Cap", "//img[@width='192' and @height='96']"),
        ("pandoc", "a ![x](a.png){width=36pt}\n", "a", "//img[@width='48']"),
        ("obsidian", "> [!faq]- T\n> > [!todo] N\n> > d\n", "T N d", "//*[contains(@class, 'callout')]//*[contains(@class, 'callout')]"),
    ],
)  # fmt: skip
def test_variant_is_shown_as_its_program_shows_it(dialect: str, source: str, meaning: str, elements: str) -> None:
    """As PyMdown Extensions 13.1.2 and pandoc 3.9 show them."""
    tree = shown(source, dialect)
    extensions = select_extensions([dialect])
    document = parse(source, extensions=extensions)

    assert Counter(words_of(tree)) == Counter(words(meaning))
    assert tree.xpath(elements)
    assert parse(to_markdown(document), extensions=extensions).children == document.children


@pytest.mark.parametrize(
    ("dialect", "source"),
    [
        ("mkdocs", "/// note | T\n    type: x\n\nb\n///\n"),
        ("mkdocs", "/// tab | A\na\n///\n"),
        ("mkdocs", f"{TABLE}\n/// caption | <\n\nCap\n\nmore\n///\n"),
        ("mkdocs", "{==\n\nmarked\n\n==}\n"),
        ("pandoc", "\\newpage\n"),
        ("hugo", "{{</* figure */>}}\n"),
    ],
)
def test_variant_that_is_not_read_is_named(dialect: str, source: str) -> None:
    notices = convert(source, to="html", extensions=select_extensions([dialect])).notices

    assert {notice.code for notice in notices} == {"unread-syntax"}


@pytest.mark.parametrize("source", ["/// a comment of a program\n", "a /// note\n", "\\new\n", "// note\n"])
def test_what_is_like_a_variant_is_text(source: str) -> None:
    assert convert(source, to="html").notices == ()
