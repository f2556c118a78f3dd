"""What text shows in place of formatting; `properties/test_text_forms.py` reads it back."""

import pytest

from mdpublish_core import convert, parse
from mdpublish_core.writers.slack.composer import slack_composer_html
from tests.core.slack_limits import slack_messages


def shown(markdown: str, destination: str) -> str:
    return convert(markdown, to=destination).text.replace("\u200b", "").removesuffix("\n")


@pytest.mark.parametrize(
    ("markdown", "plain_text", "slack"),
    [
        ("a<sup>bq</sup> a<sub>*b*</sub>", "a^(bq) a_(b)", "a^(bq) a_(_b_)"),
        ("2<sup>nd</sup> x<sup>a<sub>2</sub></sup>", "2ⁿᵈ x^(a₂)", "2ⁿᵈ x^(a₂)"),
        ("<sup>[1](https://a.example)</sup>", "^(1 (https://a.example))", "<https://a.example|¹>"),
        ("x<sup>q)</sup>", "x^{q)}", "x^{q)}"),
        ("~~one  \ntwo~~", "~~one~~\n~~two~~", "~one~\n~two~"),
        ("[~~a~~ b](https://c.example)", "~~a~~ b (https://c.example)", "~<https://c.example|a>~<https://c.example| b>"),
        ("~~a \\~ `` b`c ``~~", "~~a ~ b`c~~", "~a ∼ b`c~"),
        ("==a *b*==", "==a b==", "==a _b_=="),
        ("`~~a~~` \\==b==", "`~~a~~` \\==b==", "`~~a~~` \\==b=="),
        ("<ruby>漢<rp>（</rp><rt>かん</rt><rp>）</rp></ruby>", "漢(かん)", "漢(かん)"),
        ("a[^1] b[1]\n\n[^1]: c", "a[^1] b[1]\n\n[^1] c", "a[^1] b[1]\n\n[^1] c"),
        ("- a\n\n* b\n\n- c", "- a\n\n* b\n\n- c", "• a\n\n‣ b\n\n• c"),
        ("- a\n\n```\nb\n```", "- a\n\n\n    b", "• a\n\n```\nb\n```"),
        ("- a\n\n  ```\n  b\n  ```", "- a\n\n      b", "• a\n```\nb\n```"),
        ("> > - a", "> > - a", "> &gt; • a"),
        ("|a|\n|-|\n|b\\|c|", "a\n----\nb\\|c", "```\na\n----\nb\\|c\n```"),
        ("The $n^q$th, $x_b$[^1] and $x_b$.\n\n[^1]: c", "The n^(q)th, x_(b)[1] and x_b.\n\n[1] c", None),
        ("$\\begin{aligned}a&=b\\\\&=c\\\\d&=1\\end{aligned}$", "a = b = c; d = 1", "`a = b = c; d = 1`"),
    ],
)  # fmt: skip
def test_text_tells_what_formatting_would_show(markdown: str, plain_text: str, slack: str | None) -> None:
    assert shown(markdown, "plain-text") == plain_text
    assert slack is None or shown(markdown, "slack") == slack


def test_displayed_table_has_a_line_for_each_row() -> None:
    formula = r"$$f = \begin{cases}n/2 & \text{if } n \text{ is even}\\ 3n+1 & \text{otherwise}\end{cases}$$"

    assert shown(formula, "plain-text") == "    f = {n/2,     if n is even;\n         3n + 1,  otherwise}"


def test_struck_text_is_struck_in_messages_and_the_composer() -> None:
    document = parse("# ~~Old~~ name\n\n| ~~a~~ |\n|---|\n| b |")
    (message,) = slack_messages(document)
    heading, table = message["blocks"]

    assert message["text"] == "~Old~ name"
    assert heading["elements"][0]["elements"][0] == {
        "type": "text",
        "text": "Old",
        "style": {"bold": True, "strike": True},
    }
    assert table["rows"][0][0]["elements"][0]["elements"][0]["style"] == {"bold": True, "strike": True}
    assert "<s>Old</s>" in slack_composer_html(document)


def test_preheader_shows_struck_text_as_struck() -> None:
    assert "The price is ~~5~~ 7." in convert("The price is ~~5~~ 7.", to="email").html
