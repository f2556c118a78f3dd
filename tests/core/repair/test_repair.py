"""Spoiled texts become what their authors meant; what is right, and code, stays as it is."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from mdpublish_core import convert, ledger, parse
from mdpublish_core.errors import InvalidArgument, LimitExceeded
from mdpublish_core.options.limits import Limits
from mdpublish_core.repair import REPAIRS, Repaired, repair
from tests.cases.assistant_files import all_samples
from tests.corpora import commonmark_examples

SPOILED: dict[str, Any] = tomllib.loads(Path(__file__).with_name("spoiled.toml").read_text("utf-8"))

SPOILED_SAMPLES = {
    "chat-transcript": {"rule-below-text"},
    "pasted-bullets": {"bullet"},
    "pasted-chart": {"code-quotes"},
    "project-tasks": {"emoji-list"},
    "reasoning-math": {"chat-thoughts"},
    "reasoning-trace": {"chat-thoughts"},
    "sloppy-headings": {"heading-space"},
    "smart-quotes": {"no-break-space", "zero-width-space", "code-quotes", "spaced-bold"},
    "travel-arabic": {"glued-bold"},
    "trip-plan": {"citation-mark"},
    "trip-thai": {"glued-bold"},
    "web-citations": {"citation-mark"},
}
"""Those of the assistants' documents that show such faults, and which they show."""

SPOILED_READMES = {
    "later": {"heading-space"},
    "moji": {"heading-space"},
    "node-alipay-sdk": {"no-break-space"},
    "notp": {"heading-space"},
    "petrovich": {"heading-space"},
    "wepy": {"heading-space"},
}
"""Of 558, those that show the marks of `##Heading` as written, and one with no-break spaces in its code."""


def applied(repaired: Repaired) -> list[str]:
    return [each.code for each in repaired.repairs]


@pytest.mark.parametrize("name", SPOILED)
def test_spoiled_text_becomes_what_was_meant(name: str) -> None:
    spoiled = SPOILED[name]

    repaired = repair(spoiled["before"])

    assert repaired.markdown == spoiled["after"]
    assert applied(repaired) == spoiled["codes"]


KEEPS_WORDS = {
    *("bullet", "escaped-script", "formula-brackets", "glued-bold", "glued-heading", "heading-space"),
    *("no-break-space", "number-range", "rule-below-text", "spaced-bold", "unclosed-math"),
}


def test_no_word_is_lost_or_added_but_marks_of_citations() -> None:
    checked = {name: each for name, each in SPOILED.items() if KEEPS_WORDS | {"citation-mark"} >= {*each["codes"]}}

    assert len(checked) >= 50
    assert {name: words for name, each in checked.items() if (words := _differences(each["before"]))} == {}


def _differences(spoiled: str) -> list[str]:
    """Return what notices say of words that are nowhere, or were nowhere; marks that are taken out count as named."""
    repaired = repair(spoiled)
    named = [ledger.SeenEntry("words", each.before) for each in repaired.repairs if each.code == "citation-mark"]
    before, after = _shown(spoiled), _shown(repaired.markdown)
    notices = [*ledger.loss_notices(before, [*after, *named]), *ledger.loss_notices(after, before)]
    return [notice.message for notice in notices]


def _shown(markdown: str) -> list[ledger.SeenEntry]:
    """Return the words; of links and formulas, which may have been text, too."""
    document = parse(markdown)
    entries = ledger.tree.entries_of((*document.children, *document.footnote_definitions))
    return [ledger.SeenEntry("words", _NO_WORDS.sub(" ", each.value)) for each in entries if each.kind in WITH_WORDS]


WITH_WORDS = {"words", "formula"}
_NO_WORDS = re.compile(r"(?!\d)[\W_]+|\bo\b")
"""Also a bullet."""


def test_every_repair_has_an_example() -> None:
    shown = {code for spoiled in SPOILED.values() for code in applied(repair(spoiled["before"]))}

    assert len(SPOILED) >= 60
    assert shown | {"bold-heading"} == set(REPAIRS)


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_newlines_stay_as_they_are(newline: str) -> None:
    changed = {
        name
        for name, spoiled in SPOILED.items()
        if repair(spoiled["before"].replace("\n", newline)).markdown.replace(newline, "\n") != spoiled["after"]
    }

    assert changed == set()


@pytest.mark.corpora
def test_examples_of_commonmark_are_right() -> None:
    assert [example.markdown for example in commonmark_examples() if applied(repair(example.markdown))] == []


def test_bold_text_that_begins_in_a_line_above_is_right() -> None:
    assert (
        repair("Tell **finished output\nof ours** from **leftovers of\ndevelopment**, or **this** one.\n").repairs == ()
    )


def test_documents_of_assistants_are_right_but_those_that_show_faults() -> None:
    shown = {sample.name: set(applied(repair(sample.markdown))) for sample in all_samples()}

    assert {name: codes for name, codes in shown.items() if codes} == SPOILED_SAMPLES


@pytest.mark.corpora
def test_readmes_are_right_but_those_with_faults(
    many_readmes: dict[str, str], readmes_of_trades: dict[str, str]
) -> None:
    shown = {name: set(applied(repair(markdown))) for name, markdown in (many_readmes | readmes_of_trades).items()}

    assert {name: codes for name, codes in shown.items() if codes} == SPOILED_READMES


def test_code_in_an_item_is_repaired_as_other_code() -> None:
    repaired = repair("- a\n\n  ```py\n  print(“b”)\n  ```\n")

    assert repaired.markdown == '- a\n\n  ```py\n  print("b")\n  ```\n'


def test_offered_repair_is_applied_only_if_selected() -> None:
    spoiled = SPOILED["bold-lines-are-offered"]

    offers = repair(spoiled["before"]).offers
    selected = repair(spoiled["before"], select={"bold-heading"})

    assert [(each.code, each.line) for each in offers] == [("bold-heading", 3), ("bold-heading", 7)]
    assert selected.markdown == spoiled["offered"]
    assert (len(selected.repairs), selected.offers) == (2, ())


def test_offers_have_their_places_in_the_original() -> None:
    original = "```markdown\n• a\n• b\n\n**Title**\n\nText\n```\n"

    (offer,) = repair(original).offers

    assert (offer.code, offer.line, offer.column, offer.before) == ("bold-heading", 5, 1, "**\n**")


def test_only_selected_repairs_are_applied() -> None:
    repaired = repair("##Title\n\n• a【1†x】\n• b\n", select={"bullet"})

    assert repaired.markdown == "##Title\n\n- a【1†x】\n- b\n"


def test_repair_tells_its_place_and_texts() -> None:
    (shown,) = repair("a\n\nb &amp;lt; c\n").repairs

    assert (shown.code, shown.line, shown.column) == ("double-entity", 3, 3)
    assert (shown.before, shown.after) == ("&amp;", "&")


def test_place_that_is_repaired_twice_belongs_to_the_repair_that_changed_all_of_it() -> None:
    repaired = repair("â€¢ a\nâ€¢ b\n\n##T\n")

    assert repaired.markdown == "- a\n- b\n\n## T\n"
    assert [each.code for each in repaired.repairs] == ["bullet", "heading-space"]
    assert repaired.without(repaired.repairs[0]) == "â€¢ a\nâ€¢ b\n\n## T\n"


def test_place_in_a_repaired_one_belongs_to_the_former_repair() -> None:
    repaired = repair("Itâ€™s\u200bso\n")

    assert repaired.markdown == "It’sso\n"
    assert [(each.code, each.before) for each in repaired.repairs] == [("mojibake", "Itâ€™s\u200bso")]


def test_table_in_a_margin_can_be_undone_alone() -> None:
    spoiled = SPOILED["margin-around-a-table"]
    repaired = repair(spoiled["before"])

    table = next(each for each in repaired.repairs if each.code == "framed-table")

    assert "\n  ├────────┼──────────┤\n  │ fast" in repaired.without(table)
    assert "two options which the documentation lists:\n" in repaired.without(table)


@pytest.mark.parametrize(
    "code", ["`{}`", "```\n{}\n```", "    {}", "$${}$$", "<!-- {} -->", "<pre>\n{}\n</pre>", "---\ntitle: '{}'\n---"]
)
@pytest.mark.parametrize("written", ["a【1†b】", "â€™a", "&amp;lt;a", "a \u00a0b", "citeturn0search0"])
def test_code_and_what_is_no_prose_stays(code: str, written: str) -> None:
    assert repair(code.format(written)).repairs == ()


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2003", "\u2028", "\x0b", "\x85"])
@pytest.mark.parametrize(
    "markdown", ["{}", "{0}\n{0}\n{0}\n", "text ```\n{}\n```\n", "| a | b |\n{}\n| c | d |\n", "> a ```\n> {}\n"]
)
def test_line_of_other_spaces_is_no_row_of_a_table(markdown: str, space: str) -> None:
    assert "missing-ruler" not in {each.code for each in repair(markdown.format(space)).repairs}


@pytest.mark.parametrize(
    "markdown",
    [
        "Prix\u00a0: 5\u00a0€, « oui\u00a0»\n",
        "À la carte, Ã la carte, «Â la carte», Ñ§, ESPAÑ…, 5 €\n",
        "ไทย\u200bไทย\n",
        "• One<br>\n• Two<br>\n",
        "[English](https://a.example)\n • [Deutsch](https://b.example)\n • [日本語](https://c.example)\n",
        "Ask @\u200bann.\n",
        "- **bbc.example:\u200bplayer:live**\n",
        r"\(my\_variable = 1\), \(\mathtt{a\_b} = 2\), `\(x\_1\)`, see \[note\_1\], a\_b and \(see a\_1\)" + "\n",
        "Music in C## Major, issue#12, F# here, ## There, an\n> quote.## Title\n",
        "See the list:### and the rest, [a](b.html#c)## d, and `x.## Title`\n",
        "Turn 1: citeturn, [cite: Brown 1999], navlist, iturn0, <@U123|ann>, 【注】\n",
        "To show <, write &amp;lt;, or `&` for &amp;amp;.\n",
        "#Paris is lovely in May\n\nWe went there.\n",
        "╭───────────────╮\n│ The plan is   │\n│ ready.        │\n╰───────────────╯\n",
        "```html\n<p>a \u00a0b “c”</p>\n```\n",
        "```sh\na\u00a0\n├──\u00a0b\n│\u00a0\u00a0 └── c\n│\u00a0\u00a0 └── d\n```\n",
        "Write `“as here”`, not `\u00a0` or `\u200b`.\n",
        "– Bonjour.\n\n– Au revoir, dit-il.\n",
        "#hashtag and more\n\n#another\n",
        "What is this about then?\n---\n\nText.\n",
        "Usage\n---\n",
        "```python\nprint('it’s “so”')\n```\n",
        "```markdown\na\n```\n\nText.\n\n```markdown\nb\n```\n",
        "    def f():\n        return 1\n\n    # - x\n",
        "Text that an editor broke after a number of words, as people\ndo in files that they keep in version control, is right.\n",
        "```js\nfunction f() {\n\n  // This is a comment, with words.\n  return 1;\n}\n```\n",
        "See [^1^].\n\n[^1^]: Brown.\n",
        "You said:\n\nhi\n\nChatGPT said:\n\nhello\n",
        "1) One\n2) Two\n",
        r"Cells a\[i\], b\[i+1\] and \[1, 2\]; \[see the note\] or \[x_1 = 2\], and \\[ E = mc^2 \\]." + "\n",
        "- \\[ x \\] done\n- \\[ X \\] next\n\nSee \\[a\\], \\[ 5 \\] and \\[ & \\].\n",
        "f(**kwargs) and g(**opts), 10**(-3) and 10**(-6), src/**/*.js, **/*.ts, 2**n**m, **a**b**c**\n",
        "**状态：**好，**「あ」**い **굵은(bold)**은 **Status:** OK `**a:**b`\n",
        "H~2~O, ~gone~ a~b~c, and `5~7 8~9`\n",
        "about 5~7, and ~~not~~\n",
        "| a | b |\n| --- | --- |\n| 1~2 | 3~4 |\n",
        "<https://x.example/css?family=A|B> and `<https://x.example|a>`\n",
        "The call f( x ) and ( in parentheses ), then a set [ 1, 2 ].\n",
        "It costs $$ or so.\n",
        "2 ** 3 ** 4 and a ** b ** c\n",
        "🚀 Fast\n\n🔒 Safe\n",
        "🚀 Fast<br>\n🔒 Safe\n",
        "| a | b |\n| c | d |\n",
        "<think>Only that.</think>\n",
        "```markdown\n```sh\nls\n```\n\nText.\n",
        "```markdown\n# T\n```\nbecomes\n```\n<h1>T</h1>\n```\n",
        "```markdown\n- a\n\n```\nText.\n\n```sh\nls\n```\n\nThen:\n```\nb\n```\n",
        "   # Title\n\n   Text.\n\n   ```py\n   x = 1\n   ```\n",
        "Tools for the rest of us\n---\n",
        "## A\n\nTools for the rest of us\n---\n\nText.\n",
        "See $$x_1 and the rest of it.\n",
        "It is $$x^2\nand y_1 holds.\n",
        "It is $$x^2\n+ 1\n",
        "| a | b |\n|---|---|\n| c │ d | e |\n",
        "$$\na\n$$\n",
        "\ufeff# Title\n",
        "",
        "\n",
    ],
)
def test_what_is_meant_stays(markdown: str) -> None:
    assert repair(markdown).repairs == ()
    assert repair(markdown).markdown == markdown


def test_text_in_two_encodings_needs_the_extra() -> None:
    script = (
        "import sys; sys.modules['ftfy'] = None\n"
        "from mdpublish_core.repair import repair\n"
        "print(ascii(repair('donâ€™t &amp;lt;')), repair('plain').skipped)"
    )

    output = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", script], capture_output=True, text=True, check=True
    ).stdout

    assert "skipped=('mojibake',)" in output
    assert output.endswith(" ()\n")


def test_summary_counts_repairs_by_kind() -> None:
    assert repair("##T\n\na【1†b】\n\nc【2†d】\n").summary == "3 repairs: heading space, citation mark (2)"
    assert repair("##T\n").summary == "1 repair: heading space"
    assert repair("T\n").summary == ""


def test_conversion_repairs_on_request_and_lists_what() -> None:
    spoiled = "##T【1†a】\n"

    conversion = convert(spoiled, to="html", repair=True)

    assert conversion.text == convert("## T\n", to="html").text
    assert conversion.repairs == repair(spoiled).repairs
    assert convert(spoiled, to="html").repairs == ()


@pytest.mark.parametrize(("filled", "lines", "is_joined"), [(3, 6, True), (2, 5, False), (3, 8, False), (4, 8, True)])
def test_lines_that_a_terminal_filled_with_spaces_are_joined(filled: int, lines: int, is_joined: bool) -> None:
    width = len("The service answers each request within a second here ")
    written = ["The service answers each request within a second here"] * lines
    padded = [line.ljust(width + 1) if number < filled else line for number, line in enumerate(written)]

    repaired = repair("\n".join(padded))

    assert (applied(repaired) == ["terminal-lines"]) is is_joined


def test_unknown_code_is_refused() -> None:
    with pytest.raises(InvalidArgument, match=r"select must have codes of repairs, such as .* \(got 'x'\)"):
        repair("", select={"x"})


def test_too_long_text_is_refused() -> None:
    with pytest.raises(LimitExceeded, match="max_input_bytes"):
        repair("äää", limits=Limits(max_input_bytes=5))
