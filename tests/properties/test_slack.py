"""Law: Slack shows what the author wrote: no unintended mentions or links, and nothing is lost.

Messages are read strictly and leniently. `--generated N` sets the number of random documents.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import html5lib
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mdpublish_core import nodes, parse
from mdpublish_core.resources.urls import encode_url
from mdpublish_core.testing import Sample, documents, hostile_text, samples
from mdpublish_core.testing.laws import _SCRIPTS
from mdpublish_core.writers.plain_text.marks import script_brackets, to_small_characters
from mdpublish_core.writers.slack.composer import slack_composer_html
from mdpublish_core.writers.slack.message import SlackRenderer
from tests.core.slack_limits import problems, slack_messages
from tests.corpora.generated import block_documents, inline_documents
from tests.mrkdwn import ZERO_WIDTH_SPACE, Message, VisibleCharacter, read

pytestmark = pytest.mark.corpora

COMPOSER_ELEMENTS = {"a", "b", "blockquote", "br", "code", "i", "li", "ol", "p", "pre", "s", "ul"}
LINKED = ("http://", "https://", "mailto:")
MARKS: dict[type[nodes.Token], str] = {nodes.Strong: "*", nodes.Emphasis: "_", nodes.Strikethrough: "~"}
# Marks with their full-width forms.
SIGNS = {"*": "*\uff0a", "_": "_\uff3f", "~": "~"}
ALL_SIGNS = "*\uff0a_\uff3f~`\uff40"
SCRIPT_SIGNS = {"sub": "_", "sup": "^"}
PLAIN_ELEMENTS = {"sub", "sup", "small", "span", "ins", "u"}

HOSTILE = (
    *("<!channel>", "<!here>", "<!everyone>", "<@U024BE7LH>", "<#C024BE7LR>", "<!subteam^S1>", "<!date^1^{date}|x>"),
    *("&lt;!channel&gt;", "&amp;lt;!here&amp;gt;", "\\<!channel\\>", "<!channel|x>", "<http://evil.example|", "|", "@"),
    *(
        "@here",
        "@channel",
        "@Everyone",
        "here",
        "channel",
        "<",
        ">",
        "&",
        "&lt;",
        "&gt;",
        "&amp;",
        "\\<",
        "\\>",
        "&#60;",
    ),
    *("[a](http://b.cd)", "[", "](<!channel>)", "](http://b.cd/|x>)", "](javascript:alert(1))", "](/u)", "![", "<b>"),
    *("](mailto:a@b.cd)", "](data:image/png;base64,AA==)", "](HTTP://b.cd)", "](http:b)", "](<http://b c>)", "a@b.cd"),
    *("http://b.cd/_a_", "https://b.cd/*", "www.b.cd", "<http://b.cd/*_~`>", "</b>", "<kbd>", "</kbd>", "<mark>"),
    *(
        "*",
        "*",
        "**",
        "***",
        "_",
        "_",
        "__",
        "~",
        "~~",
        "`",
        "`",
        "``",
        "```",
        "\\*",
        "\\*",
        "\\_",
        "\\_",
        "\\~",
        "\\`",
    ),
    *(
        "\\`\\`\\`",
        "\\`x\\`",
        "\\*x\\*",
        "\\_x\\_",
        "\\~x\\~",
        "\u200b",
        "\uff0a",
        "\uff3f",
        "\uff40",
        "\uff1e",
        "\u00a0",
    ),
    *(
        "\n",
        "\n",
        "\n\n",
        "  \n",
        "\\\n",
        " ",
        " ",
        " ",
        "a",
        "b",
        "c1",
        "é",
        "漢字",
        "。",
        "😀",
        ".",
        "(",
        ")",
        "!",
        "-",
    ),
    *(
        "> ",
        "\\> ",
        "&gt; ",
        "- ",
        "1. ",
        "# ",
        "```\n",
        "\n```\n",
        "| a |\n|---|\n",
        "    ",
        "[^1]",
        "\n\n[^1]: n",
        "$x$",
    ),
    *("\r", "&#13;", "\u2028", "\0", ":smile:", "<!--", "-->", "<details><summary>", "</details>", "<table><tr><td>"),
)


@dataclass(frozen=True, slots=True)
class ExpectedCharacter:
    character: str
    marks: frozenset[str]
    is_exact: bool = True


def check(document: nodes.Document) -> None:
    check_live(document)
    for token in nodes.walk(document):
        if isinstance(token, nodes.Paragraph):
            check_shown(token)


def check_live(document: nodes.Document) -> None:
    message = SlackRenderer().render_document(document)
    author_links = set(linked_urls(document))
    author_text = "".join(author_strings(document)).replace(ZERO_WIDTH_SPACE, "")
    for strict in (True, False):
        reading = read(message, strict=strict)
        assert not reading.mentions, f"{reading.mentions} in {message!r}"
        assert not reading.strays, f"{reading.strays} in {message!r}"
        assert set(reading.links) <= author_links, f"{set(reading.links) - author_links} in {message!r}"
        for url in reading.bare_urls:
            assert re.split(r"[\[\](){}*_~`|]", url)[0] in author_text, f"{url!r} in {message!r}"
        check_sequence(list(code_of(document)), list(reading.code), message)
        check_words(document, reading, message)


def linked_urls(document: nodes.Document) -> Iterator[str]:
    for token in nodes.walk(document):
        url = token.src if isinstance(token, nodes.Image) else getattr(token, "target", "")
        if url.lower().startswith(LINKED):
            yield encode_url(url)


def author_strings(document: nodes.Document) -> Iterator[str]:
    """Yield the text in order, then the URLs."""
    for token in nodes.walk(document):
        yield getattr(token, "content", "")
        yield (
            " " if isinstance(token, nodes.Block | nodes.LineBreak) and not isinstance(token, nodes.HtmlElement) else ""
        )
    for token in nodes.walk(document):
        yield f" {getattr(token, 'target', '')} {getattr(token, 'src', '')}"


def code_of(token: nodes.Token) -> Iterator[str]:
    """Skip tables, which are fences of their own, and links."""
    if isinstance(token, nodes.CodeFence | nodes.BlockCode | nodes.Figure | nodes.MathBlock):
        if token.content.strip():
            yield unfenced(token.content.removesuffix("\n"))
    elif isinstance(token, nodes.InlineCode | nodes.MathSpan):
        if token.content:
            yield unfenced(re.sub(r"\r\n?|\n", " ", token.content))
    elif not isinstance(token, nodes.Table | nodes.Link | nodes.Image) and getattr(token, "tag", "") != "table":
        for child in nodes.children_of(token):
            yield from code_of(child)


def unfenced(code: str) -> str:
    """Ignore zero-width spaces where backticks would end the code."""
    return code.replace(ZERO_WIDTH_SPACE, "") if "```" in code or "`" in (code[:1], code[-1:]) else code


def check_sequence(expected: Sequence[str], actual: Sequence[str], message: str) -> None:
    position = 0
    for each in expected:
        while position < len(actual) and each not in (actual[position], actual[position].replace(ZERO_WIDTH_SPACE, "")):
            position += 1
        assert position < len(actual), f"{each!r} is missing or changed in {message!r}"
        position += 1


def check_words(document: nodes.Document, reading: Message, message: str) -> None:
    position = 0
    content = unescaped(reading.content)
    for token in nodes.walk(document):
        if isinstance(token, nodes.RawText | nodes.InlineCode | nodes.AutoLink | nodes.CodeFence | nodes.BlockCode):
            for word in unescaped(token.content.replace(ZERO_WIDTH_SPACE, "")).split():
                # Literal signs that would read as others have a backslash.
                shown = re.compile(re.sub(r"(\\\||==|\\~\\~)", r"\\\\?\1", re.escape(word))).search(content, position)
                assert shown, f"{word!r} is missing in {message!r}"
                position = shown.end()


def unescaped(content: str) -> str:
    """Return text without small characters and the tilde of struck text."""
    return content.translate(_SCRIPTS).replace("\u223c", "~")


def without_escapes(shown: list[VisibleCharacter], expected: list[ExpectedCharacter]) -> Iterator[VisibleCharacter]:
    """Omit the backslashes before literal signs that would read as a highlight."""
    number = 0
    for place, each in enumerate(shown):
        is_escape = each.character == "\\" and [one.character for one in shown[place + 1 : place + 3]] == ["=", "="]
        if not is_escape or expected[number : number + 1] == [] or expected[number].character == "\\":
            number += 1
            yield each


def check_shown(paragraph: nodes.Paragraph) -> None:
    if any(isinstance(token, nodes.HtmlElement) and token.tag not in PLAIN_ELEMENTS for token in nodes.walk(paragraph)):
        return
    message = SlackRenderer().render_document(nodes.Document([paragraph]))
    expected = [each for each in excused(list(expected_of(paragraph, frozenset()))) if not is_space(each.character)]
    for strict in (True, False):
        shown = [each for each in read(message, strict=strict).shown if not is_space(each.character)]
        shown = list(without_escapes(shown, expected))
        visible, original = ("".join(each.character for each in characters) for characters in (shown, expected))
        # Digits of `sub` and `sup` are characters of their own.
        assert unescaped(visible) == unescaped(original), repr(message)
        for each, expected_character in zip(shown, expected, strict=True):
            assert each.marks <= expected_character.marks, f"{expected_character} became {each} in {message!r}"
            assert each.marks == expected_character.marks or not expected_character.is_exact, (
                f"{expected_character} became {each} in {message!r}"
            )


def expected_of(token: nodes.Token, marks: frozenset[str]) -> Iterator[ExpectedCharacter]:
    for child in nodes.children_of(token):
        if isinstance(child, nodes.RawText | nodes.HtmlSpan):
            yield from expected_text(child.content, marks)
        elif isinstance(child, nodes.InlineCode | nodes.MathSpan):
            # A code block has no emphasis.
            is_exact = not re.search(rf"[`\uff40]|^{ZERO_WIDTH_SPACE}", child.content)
            yield from expected_text(child.content, marks, is_exact=is_exact)
        elif isinstance(child, nodes.LineBreak):
            yield ExpectedCharacter("\n", marks)
        elif isinstance(child, nodes.FootnoteReference):
            yield from expected_text(f"[{child.number}]", marks)
        elif isinstance(child, nodes.AutoLink):
            yield from expected_text(child.content, marks)
        elif isinstance(child, nodes.Image):
            yield from expected_text(image_alt(child), marks)
        elif isinstance(child, nodes.Link):
            yield from expected_link(child, marks)
        elif isinstance(child, nodes.HtmlElement) and child.tag in SCRIPT_SIGNS:
            yield from expected_script(child, marks)
        else:
            yield from expected_of(child, marks | {MARKS[type(child)]} if type(child) in MARKS else marks)


def expected_script(script: nodes.HtmlElement, marks: frozenset[str]) -> Iterator[ExpectedCharacter]:
    """Yield a script in characters of its own or, if there is one without, in brackets after a sign."""
    inside = list(expected_of(script, marks))
    content = "".join(each.character for each in inside)
    sign = SCRIPT_SIGNS[script.tag]
    is_small = not shows_code(script) and to_small_characters(content, sign) is not None
    before, after = ("", "") if is_small else script_brackets(content, sign)
    yield from (*expected_text(before, marks), *inside, *expected_text(after, marks))


def shows_code(token: nodes.Token) -> bool:
    if isinstance(token, nodes.InlineCode | nodes.MathSpan):
        return bool(token.content)
    return not isinstance(token, nodes.Image) and any(map(shows_code, nodes.children_of(token)))


def expected_text(content: str, marks: frozenset[str], *, is_exact: bool = True) -> Iterator[ExpectedCharacter]:
    return (ExpectedCharacter(character, marks, is_exact) for character in content)


def expected_link(link: nodes.Link, marks: frozenset[str]) -> Iterator[ExpectedCharacter]:
    """Give a link's text the marks common to all of it."""
    inside = list(expected_of(link, marks))
    content = "".join(each.character for each in inside)
    if not link.target.lower().startswith(LINKED):
        yield from inside
        if link.target and not link.target.startswith("#") and link.target not in (content, f"mailto:{content}"):
            yield from expected_text(f"({link.target})", marks)
    elif any(isinstance(token, nodes.Image) for token in nodes.walk(link)):
        # An image's alternative text may be empty.
        content = nodes.text_content(link)
        all_marks = marks.union(*(each.marks for each in inside))
        yield from expected_text(encode_url(link.target) if is_space(content) else content, all_marks, is_exact=False)
    elif is_space(content):
        yield from expected_text(encode_url(link.target), marks)
    else:
        is_exact = len({each.marks for each in inside if not is_space(each.character)}) == 1
        yield from (ExpectedCharacter(each.character, each.marks, is_exact) for each in inside)


def image_alt(image: nodes.Image) -> str:
    alt = nodes.text_content(image)
    if image.src.lower().startswith(LINKED):
        return alt if alt.replace(ZERO_WIDTH_SPACE, "").strip() else encode_url(image.src)
    return alt or (f"({image.src})" if image.src and not image.src.lower().startswith("data:") else "")


def excused(expected: list[ExpectedCharacter]) -> Iterator[ExpectedCharacter]:
    """Excuse characters in a word with a literal mark of the same kind.

    Literal marks may be outside of what they end.
    """
    word: list[ExpectedCharacter] = []
    for each in [*expected, ExpectedCharacter(" ", frozenset())]:
        word.append(each)
        if is_space(each.character):
            content = "".join(one.character for one in word)
            excuses = {mark for mark, signs in SIGNS.items() if any(sign in content for sign in signs)}
            for one in word:
                is_exact = one.is_exact and not one.marks & excuses and one.character not in ALL_SIGNS
                yield ExpectedCharacter(one.character, one.marks, is_exact)
            word = []


def is_space(character: str) -> bool:
    return not character.replace(ZERO_WIDTH_SPACE, "").strip()


@given(documents())
@example(nodes.Document([nodes.Paragraph([nodes.HtmlElement("sub", {}, [nodes.RawText("0")])])]))
def test_trees_reach_slack_as_they_are(document: nodes.Document) -> None:
    check(document)


@given(hostile_text())
@example("<!channel> &lt;!here&gt; <@U1> @here")
def test_hostile_input_does_no_harm(markdown: str) -> None:
    check(parse(markdown))
    check(parse(markdown, raw_html="keep"))


@given(samples())
def test_documents_reach_slack_as_they_are(sample: Sample) -> None:
    check(parse(sample.markdown))


@pytest.fixture
def generated(request: pytest.FixtureRequest) -> Iterator[str]:
    number, seed = request.config.getoption("generated"), request.config.getoption("seed")
    third = number // 3
    random = Random(f"slack {seed}")
    arguments = ("".join(random.choices(HOSTILE, k=random.randint(1, 24))) for _ in range(number - 2 * third))
    return iter([*arguments, *block_documents(third, seed), *inline_documents(third, seed)])


def test_generated_documents_do_no_harm(generated: Iterator[str]) -> None:
    for markdown in generated:
        try:
            check(parse(markdown))
        except AssertionError as error:
            error.add_note(f"from {markdown!r}")
            raise


@given(st.one_of(documents(), hostile_text().map(parse), st.lists(st.sampled_from(HOSTILE)).map("".join).map(parse)))
def test_messages_of_block_kit_are_within_the_limits(document: nodes.Document) -> None:
    messages = slack_messages(document)

    assert [problem for message in messages for problem in problems(message)] == []


@given(st.one_of(documents(), hostile_text().map(parse), st.lists(st.sampled_from(HOSTILE)).map("".join).map(parse)))
def test_composer_gets_only_what_it_keeps(document: nodes.Document) -> None:
    tree = html5lib.parseFragment(slack_composer_html(document), namespaceHTMLElements=False)

    assert {element.tag for element in tree.iter()} - {"DOCUMENT_FRAGMENT"} <= COMPOSER_ELEMENTS
    assert all(link.get("href", "").lower().startswith(LINKED) for link in tree.iter("a"))
