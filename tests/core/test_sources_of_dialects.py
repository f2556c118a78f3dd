"""Sources of dialects, each in several forms: formatting keeps them, checking names what is not read, and repairs are made."""

import pytest

from mdpublish_core import convert, parse, select_extensions
from mdpublish_core.formatting import format_markdown

SOURCES = {
    "front matter in TOML": [
        "+++\ntitle = \"Reports\"\nroot = \"C:\\\\Users\\\\ann\"\npattern = 'a\\-b\\_c'\n# a comment\nweight = 3\n+++\n\n# Reports\n",
        '+++\ntags = ["a*b*", "_c_"]\n+++\n\ntext\n',
        '+++\n[params]\nx = "**y**"\n+++\n',
        '+++\ntitle = """\na\n* b\n"""\n+++\n\ntext\n',
        "+++\ndate = 2026-01-02\n+++\n\n- a\n",
    ],
    "subscripts": ["Water is H~2~O.\n", "a~i~ b~j~\n", "~x~\n", "H~2~SO~4~ in *water*\n", "- CO~2~\n"],
    "admonitions": [
        '!!! note "Mind"\n    One line.\n\n??? tip\n    - a\n    - b\n',
        "!!! note\n\n    a\n\n    b\n",
        "- x\n\n    !!! bug\n        y\n",
        '???+ info "A *b*"\n    1. c\n',
        '!!! info inline end "T"\n\n    ```\n    d\n    ```\n',
    ],
    "tabs": [
        '=== "pip"\n\n    Run it.\n\n=== "uv"\n\n    Run that.\n',
        '=== "A"\n    a\n',
        '===! "A"\n\n    a\n\n===+ "B"\n\n    b\n',
        '- x\n\n    === "A"\n\n        a\n',
        '=== "A"\n\n    - a\n\n=== "B"\n\n    > b\n',
    ],
    "shortcodes": [
        '{{< figure src="a.png" title="The \\"best\\" one" >}}\n',
        "{{% notice note %}}\na\n{{% /notice %}}\n",
        'a {{< ref "b_c.md" >}} d\n',
        "{{< highlight go >}}\na_b := `c`\n{{< /highlight >}}\n",
        '- {{< icon "a*b*c" >}}\n',
    ],
    "entities": ["10&nbsp;km and soft&shy;hyphen\n", "a&ensp;b\n", "&zwnj;a\n", "# a&nbsp;b\n", "| a&shy;b |\n| --- |\n"],
}  # fmt: skip


@pytest.mark.parametrize("source", [source for sources in SOURCES.values() for source in sources])
def test_formatting_keeps_what_programs_read(source: str) -> None:
    assert format_markdown(source).markdown == source


def test_front_matter_in_toml_is_not_shown() -> None:
    for source in SOURCES["front matter in TOML"]:
        assert "+++" not in convert(source, to="plain-text").text


@pytest.mark.parametrize(
    "source",
    [
        "See [guide].\n\n[guide]: https://docs.example/v1\n[guide]: https://docs.example/v2\n",
        "[a][b]\n\n[b]: u\n\n> [B]: v\n",
        "[b]: u\n\ntext\n\n- [b]: <v>\n\n[b]\n",
        "[b]: u 't'\n[b]: v\n[b]: w\n\n[b]\n",
        "[a  b]: u\n\n[A b]\n\n[a b]: v\n",
    ],
)
def test_definition_that_is_never_used_is_kept_and_named(source: str) -> None:
    assert format_markdown(source).markdown == source
    (notice,) = parse(source).notices
    assert (notice.code, notice.message.partition("]")[2]) == (
        "undefined-reference",
        " is defined before; this is not used",
    )
    assert notice.line is not None


def test_definition_that_says_the_same_is_not_named() -> None:
    assert parse("[a]\n\n[a]: u\n[a]: u\n").notices == ()


@pytest.mark.parametrize(
    "source",
    [
        "5~7 U, then 100~200 times",
        "10~20% or 30~40%",
        "- 1~2 km and 3~4 km",
        "| 5~7 and 8~9 |\n|---|",
        "10%~20%, $5~$7",
    ],
)
def test_ranges_are_named_and_repaired(source: str) -> None:
    assert "unread-syntax" in [notice.code for notice in parse(source).notices]
    shown = convert(source, to="plain-text", repair=True).text
    assert shown.count("~") == source.count("~")


@pytest.mark.parametrize("source", ["**Status:**OK", "- **Name:**Ada", "**Done!**Next", "> **a:**b", "x **y.**z"])
def test_bold_before_a_letter_is_named_and_repaired(source: str) -> None:
    assert "unread-syntax" in [notice.code for notice in parse(source).notices]
    assert "**" not in convert(source, to="slack", repair=True).text


@pytest.mark.parametrize(
    "source",
    ["> [!recipe]- Cake\n> Mix.", "> [!recipe] Cake\n> Mix.", "> [!my-kind]+ Cake\n> Mix.", "- > [!x] Cake\n  > Mix.", "> [!a|b] Cake\n> Mix."],
)  # fmt: skip
def test_callout_of_any_kind_is_named_or_read(source: str) -> None:
    assert [notice.code for notice in parse(source).notices] == ["unread-syntax"]
    conversion = convert(source, to="plain-text", extensions=select_extensions(["obsidian"]))
    assert "Cake" in conversion.text
    assert "[!" not in conversion.text


@pytest.mark.parametrize(
    ("source", "size"),
    [
        ("![Plan|300](https://x.example/plan.png)", 'alt="Plan" width="300"'),
        ("![Plan|300x200](https://x.example/plan.png)", 'alt="Plan" width="300" height="200"'),
        ("![Plan|300][p]\n\n[p]: https://x.example/plan.png", 'alt="Plan" width="300"'),
        ("- a ![Plan|30](https://x.example/plan.png) b", 'alt="Plan" width="30"'),
        ("![[plan.png|300]]", 'alt="plan.png" width="300"'),
    ],
)
def test_size_of_an_image_is_read_with_links_of_wikis(source: str, size: str) -> None:
    assert size in convert(source, to="html", extensions=select_extensions(["wikilinks"])).html
