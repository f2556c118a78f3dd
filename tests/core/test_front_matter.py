"""Front matter: which blocks are, what their values are, and where they count."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core import (
    DEFAULT_EXTENSIONS,
    Document,
    PageOptions,
    convert,
    from_json,
    parse,
    render,
    to_json,
    to_markdown,
)
from mdpublish_core.front_matter import FrontMatter
from mdpublish_core.nodes import BlockToken, Heading, RawText, walk
from mdpublish_core.readers.markdown.front_matter import MAX_BYTES, MAX_KEYS
from mdpublish_core.readers.markdown.yaml_values import MAX_DEPTH, UnreadableValue, double_quoted, read_pair

WITHOUT = DEFAULT_EXTENSIONS - {"front-matter"}

BLOCKS = {
    "three dots": "---\ntitle: T\n...\nText\n",
    "Windows line ends": "---\r\ntitle: T\r\n---\r\nText\r\n",
    "a byte-order mark": "\ufeff---\ntitle: T\n---\nText\n",
    "spaces behind the marks": "--- \ntitle: T\n---\t\nText\n",
    "a quoted key": '---\n"title": T\n---\nText\n',
    "comments": "---\ntitle: T\n# old: 1\n---\nText\n",
    "an empty line": "---\ntitle: T\n\nauthor: Me\n---\nText\n",
    "a list without indent": "---\ntitle: T\ntags:\n- a\n- b\n---\nText\n",
    "lines in brackets": "---\ntitle: T\ntags: [\n  a,\n  b\n]\n---\nText\n",
    "text over several lines": "---\ntitle: T\nabout: >-\n  One\n  two.\n---\nText\n",
    "a key of four words": "---\ntitle: T\nDatum der letzten Änderung: x\n---\nText\n",
    "a key with a colon": "---\ntitle: T\nog:title: x\n---\nText\n",
}

MARKDOWN = {
    "nothing": "---\n---\n",
    "prose": "---\nFoo\n---\nBar\n---\n",
    "an empty line first": "---\n\ntitle: T\n---\n",
    "no end": "---\ntitle: T\n",
    "text after a value": "---\ntitle: T\ntext\n---\n",
    "a heading between empty lines": "---\nNote: this.\n\n# Heading\n\n---\n",
    "a heading first": "---\n# Heading\ntitle: T\n---\n",
    "a sentence with a colon": "---\nPlease read what follows here: it matters\n---\n",
    "a URL": "---\nhttps://example.org\n---\n",
    "a list": "---\n- a: b\n---\n",
    "four dashes": "----\ntitle: T\n---\n",
    "text above": "Text\n---\ntitle: T\n---\n",
    "an indent": " ---\ntitle: T\n---\n",
    "items after a value": "---\ntitle: T\n- a\n---\n",
    "an anchor": "---\n&a key: value\n---\n",
    "a directive": "---\n%YAML 1.2\ntitle: T\n---\n",
}


@pytest.mark.parametrize("markdown", BLOCKS.values(), ids=BLOCKS)
def test_lines_of_keys_and_values_are_front_matter(markdown: str) -> None:
    document = parse(markdown)

    assert document.front_matter["title"] == "T"
    assert convert(markdown, to="html").html == "<p>Text</p>\n"
    assert document.word_count == 1
    assert document.notices == ()


def test_toml_is_front_matter() -> None:
    lines = [
        'title = "Über"  # of it',
        "draft = true",
        "version = 1.10",
        "date = 2025-04-01",
        'tags = ["a", "b"]',
        "[params]",
        "deep.er = 1",
        "[[menus.main]]",
        "name = 'x'",
    ]
    document = parse("\n".join(["+++", *lines, "+++ ", "", "# Text"]))

    assert dict(document.front_matter) == {
        "title": "Über",
        "draft": "true",
        "version": "1.10",
        "date": "2025-04-01",
        "tags": ("a", "b"),
        "params": {"deep": {"er": "1"}},
        "menus": {"main": ({"name": "x"},)},
    }
    assert document.front_matter.position_of("params")[:2] == (7, 1)
    assert (document.notices, [block.line_number for block in walk(document) if isinstance(block, Heading)]) == (
        (),
        [13],
    )
    assert parse(to_markdown(document)).front_matter == document.front_matter


@pytest.mark.parametrize(
    ("block", "has_notice"),
    [
        ("text", False),
        ("", False),
        ("a = 1", False),
        ("a = \n", True),
        ("a = 1\na = 2", True),
        (f"a = {'[' * 5_000}", True),
        (f"a = {'[' * 9}{']' * 9}", True),
        (f"a = {'1' * 5_000}", True),
        (f"a = '{'b' * MAX_BYTES}'", True),
        ("\n".join(f"a{number} = 1" for number in range(MAX_KEYS + 1)), True),
    ],
)
def test_other_block_between_pluses_is_markdown(block: str, has_notice: bool) -> None:
    document = parse(f"+++\n{block}\n{'' if block == 'a = 1' else '+++'}\n")

    assert (len(document.front_matter), bool(document.children)) == (0, True)
    assert [notice.code for notice in document.notices] == ["front-matter-ignored"] * has_notice


@pytest.mark.parametrize("markdown", MARKDOWN.values(), ids=MARKDOWN)
def test_another_first_block_is_markdown(markdown: str) -> None:
    assert not parse(markdown).front_matter
    assert convert(markdown, to="html") == convert(markdown, to="html", extensions=WITHOUT)


def test_front_matter_is_markdown_without_the_extension() -> None:
    html = convert("---\ntitle: T\n---\n", to="html", extensions=frozenset()).html

    assert html == "<hr />\n<h2>title: T</h2>\n"


def test_lines_below_keep_their_numbers() -> None:
    document = parse("---\ntitle: T\nauthor: Me\n---\n\n# Heading\n\n[a](javascript:b)\n")

    heading = next(token for token in walk(document) if isinstance(token, Heading))
    assert isinstance(heading, BlockToken)
    assert (heading.line_number, document.notices[0].line) == (6, 8)


def test_scalars_are_strings() -> None:
    values = parse(
        "---\nlang: no\ndate: 2026-11-22\nnumber: 1_000\nyes: on\nlist: [1, ~, null, '']\n---\n"
    ).front_matter

    assert values == {"lang": "no", "date": "2026-11-22", "number": "1_000", "yes": "on", "list": ("1", "")}


def test_nested_values_are_kept_and_nulls_are_left_out() -> None:
    values = parse("---\na:\nb: ~\nc: null\nd: {e: f, n: ~}\ng: [[h], {}]\ni:\n  j: [k]\nl: 'null'\n---\n").front_matter

    assert values == {"d": {"e": "f"}, "g": (("h",), {}), "i": {"j": ("k",)}, "l": "null"}
    assert pickle.loads(pickle.dumps(values)) == values


def test_nested_values_survive_markdown_and_json() -> None:
    document = parse(
        "---\nauthor: {name: Jane, urls: [a, 'b: c']}\nmenu:\n  main: {weight: 3}\nempty: []\n---\n\nText\n"
    )

    assert document.front_matter["menu"] == {"main": {"weight": "3"}}
    assert parse(to_markdown(document)) == document
    assert from_json(to_json(document)) == document


def test_front_matter_is_a_read_only_mapping() -> None:
    values = parse("---\nb: 1\na: 2\n---\n").front_matter

    assert list(values) == ["b", "a"]
    assert not hasattr(values, "__setitem__")
    assert pickle.loads(pickle.dumps(values)) == values
    assert repr(values) == "FrontMatter({'b': '1', 'a': '2'})"


NOT_YAML = {
    "My post: a story": 'title: "My post: a story"',
    "**Bold** title": 'title: "**Bold** title"',
    "*alias": 'title: "*alias"',
    "&anchor a": 'title: "&anchor a"',
    "!tag a": 'title: "!tag a"',
    "!!python/object:os.system a": 'title: "!!python/object:os.system a"',
    "@mention": 'title: "@mention"',
    "[draft] A story": 'title: "[draft] A story"',
    '"one" and "two"': 'title: "\\"one\\" and \\"two\\""',
    "a\u2028b: c": 'title: "a\\u2028b: c"',
}


@pytest.mark.parametrize("value", NOT_YAML)
def test_line_that_is_not_yaml_is_read_as_text(value: str) -> None:
    document = parse(f"---\ntitle: {value}\nlang: de\n---\n")

    assert document.front_matter == {"title": value, "lang": "de"}
    (notice,) = document.notices
    assert (notice.code, notice.line, notice.column) == ("front-matter-repaired", 2, 1)
    assert (notice.source, notice.fix) == (f"title: {value}", NOT_YAML[value])


@pytest.mark.parametrize(("value", "title"), [("'It's'", "It's"), ('"The "best" one"', 'The "best" one')])
def test_quotes_around_a_value_with_quotes_are_taken_off(value: str, title: str) -> None:
    assert parse(f"---\ntitle: {value}\n---\n").front_matter["title"] == title


def test_fix_of_a_line_gives_the_same_value_without_a_notice() -> None:
    document = parse("---\ntitle: a: \x01 'b\u0085\ufeff\n---\n")
    fix = document.notices[0].fix

    repaired = parse(f"---\n{fix}\n---\n")
    assert repaired.notices == ()
    assert repaired.front_matter == document.front_matter


def test_lines_that_are_not_yaml_are_ignored_with_a_notice() -> None:
    document = parse("---\ntitle: T\ntags: [a,\n  b: {\n---\n")

    assert document.front_matter == {"title": "T"}
    assert [(notice.code, notice.line) for notice in document.notices] == [("front-matter-ignored", 3)]


def test_last_of_repeated_keys_counts() -> None:
    document = parse("---\ntitle: One\ntitle: Two\n---\n")

    assert document.front_matter == {"title": "Two"}
    assert document.notices[0].message == "`title` is repeated; the last value counts"


@given(st.text())
def test_any_string_can_be_written_as_a_quoted_value(value: str) -> None:
    expected = "".join("\ufffd" if "\ud800" <= each <= "\udfff" or each == "\0" else each for each in value)
    if expected != value:
        return
    assert parse(f"---\ntitle: {double_quoted(value)}\n---\n").front_matter == {"title": value}


TOKENS = st.sampled_from(
    [
        *(
            "title",
            "a",
            ": ",
            ":",
            " ",
            "\t",
            "- ",
            "[",
            "]",
            "{",
            "}",
            "&x ",
            "*x",
            "!t ",
            "|\n",
            "> ",
            "\n",
            "\n  ",
            "\n\n",
        ),
        *("# c", "'", '"', "\\u0041", "\\x", "%", "@", "`", "~", "null", "---", "...", "? ", ",", "\nb: ", "\n- "),
        *("\u2028", "\u0085", "\ufeff", "\0", "\x07", "é", "漢", "\ud800"),
    ]
)


@given(st.lists(TOKENS, max_size=25).map("".join))
def test_any_value_is_read_or_ignored_or_text(value: str) -> None:
    markdown = f"---\nauthor: Me\ntitle: {value}\n---\nText\n"

    document = parse(markdown)
    assert document.front_matter.get("author", "Me") == "Me"
    assert all(isinstance(each, str | tuple | FrontMatter) for each in document.front_matter.values())
    assert "Text" in convert(markdown, to="plain-text").text


# Limits.


@pytest.mark.parametrize(
    ("markdown", "limit"),
    [
        ("---\n" + "k: v\n" * (MAX_KEYS + 1) + "---\n", "200 keys"),
        (f"---\na: {'b' * MAX_BYTES}\n---\n", "16,384 bytes"),
        (f"---\na: {'ü' * (MAX_BYTES // 2)}\n---\n", "16,384 bytes"),
        ("---\n" + "".join(f"k{number}: v\n" for number in range(100_000)) + "---\n", "200 keys"),
    ],
)
def test_block_past_a_limit_is_markdown_with_a_notice(markdown: str, limit: str) -> None:
    conversion = convert(markdown, to="html")

    assert conversion.html == convert(markdown, to="html", extensions=WITHOUT).html
    assert conversion.notices[0].code == "front-matter-ignored"
    assert limit in conversion.notices[0].message


def test_block_at_the_limits_is_read() -> None:
    keys = "".join(f"k{number}: v\n" for number in range(MAX_KEYS - 1))
    last = "last: " + "b" * (MAX_BYTES - len(keys) - len("last: \n")) + "\n"

    assert len(parse(f"---\n{keys}{last}---\n").front_matter) == MAX_KEYS


def test_reading_of_deep_values_stops_at_the_limit() -> None:
    with pytest.raises(UnreadableValue, match=f"deeper than {MAX_DEPTH} levels"):
        read_pair("a: " + "[" * 10_000)


def test_aliases_are_never_expanded() -> None:
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd:\n  - *c\n"
    document = parse(f"---\n{bomb}---\n")

    assert document.front_matter == {"a": "&a [x, x]", "b": "&b [*a, *a]", "c": "&c [*b, *b]"}


# Defaults.

BLOCK = "---\ntitle: T\ndescription: D\nlang: de-CH\ntemplate: paper\ntheme_mode: dark\npage_width: wide\n---\n# H\n"


def test_template_and_theme_mode_are_defaults_of_convert() -> None:
    conversion = convert(BLOCK)

    assert (conversion.template_id, conversion.theme_mode) == ("paper", "dark")
    assert conversion == convert(BLOCK, template="paper", theme_mode="dark")


def test_argument_wins_over_front_matter() -> None:
    conversion = convert(BLOCK, template="swiss", theme_mode="light")

    assert (conversion.template_id, conversion.theme_mode) == ("swiss", "light")


def test_template_id_is_another_name_of_template() -> None:
    assert convert("---\ntemplate_id: paper\n---\n").template_id == "paper"
    assert convert("---\ntemplate_id: paper\ntemplate: swiss\n---\n").template_id == "swiss"


def test_page_takes_its_metadata_from_front_matter() -> None:
    page = render(parse(BLOCK), to="page").html

    assert '<html lang="de-CH">' in page
    assert "<title>T</title>" in page
    assert '<meta name="description" content="D" />' in page
    assert "mdpublish-paper-dark" in page
    assert (
        page
        == render(
            parse(BLOCK),
            to="page",
            options=PageOptions(title="T", description="D", lang="de-CH", page_width="wide"),
            template="paper",
            theme_mode="dark",
        ).html
    )


def test_page_options_win_over_front_matter() -> None:
    page = render(
        parse(BLOCK), to="page", options=PageOptions(title="U", description="", lang="fr"), template="swiss"
    ).html

    assert '<html lang="fr">' in page
    assert "<title>U</title>" in page
    assert "description" not in page
    assert "mdpublish-swiss-dark" in page


@pytest.mark.parametrize(("markdown", "title"), [("# H\n", "H"), ("Text\n", "Untitled")])
def test_page_without_front_matter_takes_its_title_from_the_text(markdown: str, title: str) -> None:
    assert f"<title>{title}</title>" in render(parse(markdown), to="page").html


@pytest.mark.parametrize("names", ["breaks, no-strikethrough", "breaks no-strikethrough", "[breaks, no-strikethrough]"])
def test_front_matter_selects_extensions(names: str) -> None:
    html = convert(f"---\nextensions: {names}\n---\na\n~~b~~", to="html").html

    assert html == "<p>a<br />\n~~b~~</p>\n"


def test_argument_extensions_win_over_front_matter() -> None:
    markdown = "---\nextensions: breaks\n---\na\nb"

    assert "<br" not in convert(markdown, to="html", extensions=DEFAULT_EXTENSIONS).html


INVALID = {
    "template: nope": "`template` must be the id of a built-in template (got 'nope'); it is ignored",
    "template: mine.toml": "`template` must be the id of a built-in template (got 'mine.toml'); it is ignored",
    "theme_mode: dim": "`theme_mode` must be one of light, dark (got 'dim'); it is ignored",
    "page_width: 3": "`page_width` must be one of standard, wide, full (got '3'); it is ignored",
    "lang: en_US": "`lang` must be a BCP 47 language tag, such as en or de-CH (got 'en_US'); it is ignored",
    "lang: english": "`lang` must be a BCP 47 language tag, such as en or de-CH (got 'english'); it is ignored",
    "paper: A3": "`paper` must be one of a4, letter (got 'A3'); it is ignored",
    "margin: 4": "`margin` must be 5 to 60 millimeters (got '4'); it is ignored",
    "margin: 2cm": "`margin` must be 5 to 60 millimeters (got '2cm'); it is ignored",
    "footnotes: [page]": "`footnotes` must be one value (got a list); it is ignored",
    "toc: 'yes'": "`toc` must be one of true, false (got 'yes'); it is ignored",
    "title: [a]": "`title` must be one value (got a list); it is ignored",
    "title: {en: a}": "`title` must be one value (got a mapping); it is ignored",
    "date: {year: 2026}": "`date` must be text or a list of texts (got a mapping); it is ignored",
    "keywords: [[a]]": "`keywords` must be text or a list of texts (got a nested list); it is ignored",
    "subject: [a]": "`subject` must be one value (got a list); it is ignored",
    "slug: {a: b}": "`slug` must be one value (got a mapping); it is ignored",
    "extensions: {math: true}": "`extensions` must be text or a list of texts (got a mapping); it is ignored",
    "extensions: maths": "unknown extension 'maths'; it is ignored",
}


@pytest.mark.parametrize("line", INVALID)
def test_invalid_value_is_a_notice_and_the_default_is_used(line: str) -> None:
    conversion = convert(f"---\nauthor: Me\n{line}\n---\nText\n")

    assert [(each.code, each.line, each.message) for each in conversion.notices] == [
        ("front-matter-ignored", 3, INVALID[line])
    ]
    assert (conversion.template_id, conversion.theme_mode) == ("swiss", "light")


@pytest.mark.parametrize(
    "tag", ["no", "de-CH", "zh-Hant-TW", "sl-rozaj-biske", "en-US-u-hc-h12", "es-419", "en-x-mine"]
)
def test_language_tags_are_valid(tag: str) -> None:
    assert f'<html lang="{tag}">' in render(parse(f"---\nlang: {tag}\n---\n"), to="page").html


def test_values_of_no_use_are_ignored_silently() -> None:
    assert convert("---\nlayout: {a: post}\ntags: [{a: b}]\ntitle:\nlang: ''\n---\n").notices == ()


def test_document_built_by_hand_may_have_front_matter() -> None:
    document = Document([Heading(1, [RawText("H")])], front_matter={"template": "paper"})

    assert document.front_matter == FrontMatter({"template": "paper"})
    assert render(document).template_id == "paper"
