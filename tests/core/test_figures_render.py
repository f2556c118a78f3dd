"""Figures in documents: in every destination, with what an author is told where one cannot be drawn."""

import re
import subprocess
import sys
from collections import Counter
from time import monotonic

import pytest

from mdpublish_core import Conversion, Limits, Media, Notice, PageOptions, convert, parse, render, render_page
from mdpublish_core.destinations import DESTINATIONS
from mdpublish_core.nodes import Document, Figure, MathBlock, MathSpan, Paragraph, RawText

FLOW = "```mermaid\nflowchart LR\n  a[Begin] --> b[End]\n```\n"
GRAPH = "```dot\ndigraph { Begin -> End }\n```\n"
PICTURES = ("email", "google-docs", "onenote", "word")


def told(conversion: Conversion) -> list[tuple[str, int | None]]:
    return [(notice.message, notice.line) for notice in conversion.notices if notice.code == "not_drawn"]


def pictures(conversion: Conversion) -> list[tuple[str, int | None, int | None]]:
    return [(media.alt, media.width, media.height) for media in conversion.media]


@pytest.mark.parametrize("source", [FLOW, GRAPH])
def test_diagram_is_an_svg_with_a_name_in_a_page(source: str) -> None:
    for html in (convert(source).html, render_page(parse(source), PageOptions(title="T"))):
        assert re.search(r'<figure class="drawing"><svg [^>]*role="img" aria-label="(Diagram|Graph)"', html)
        assert re.search(r">\s*Begin\s*<", html)
        assert "<style>" not in html.partition("<svg")[2]
        assert " style=" not in html.partition("<svg")[2]


@pytest.mark.parametrize("source", [FLOW, GRAPH])
@pytest.mark.parametrize("destination", PICTURES)
def test_diagram_is_a_picture_twice_as_dense_as_it_is_shown(destination: str, source: str) -> None:
    conversion = convert(source, destination=destination)
    (media,) = conversion.media

    assert media.media_type == "image/png"
    assert media.width is not None
    dense = int.from_bytes(media.data[16:20], "big")
    assert abs(dense - 2 * media.width) <= 2
    width = re.search(r'<img [^>]*width="(\d+)"', conversion.html)
    assert width
    assert 0 < int(width[1]) <= media.width
    assert told(conversion) == []


def test_diagram_of_a_mail_is_named_by_its_content_id_and_elsewhere_held_in_the_text() -> None:
    assert 'src="cid:' in convert(FLOW, destination="email").html
    assert 'src="data:image/png;base64,' in convert(FLOW, destination="word").html
    assert 'src="cid:' in convert(FLOW, destination="word", media_url="cid:").html


@pytest.mark.parametrize("destination", ["plain-text", "slack"])
def test_diagram_is_drawn_in_letters_where_there_is_only_text(destination: str) -> None:
    html = convert(FLOW, destination=destination).html

    assert "│ Begin ├" in html
    assert "-->" not in html


def test_diagram_and_formula_are_their_source_where_the_reader_draws_them() -> None:
    conversion = convert(f"{FLOW}\n$x$\n", destination="html")

    assert '<code class="language-mermaid">flowchart LR' in conversion.html
    assert "$x$" in conversion.html
    assert conversion.notices == ()


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_title_alternative_and_width_of_the_fence_count_everywhere(destination: str) -> None:
    source = FLOW.replace("mermaid", 'mermaid title="Two steps" alt="From begin to end" width=120')
    conversion = convert(source, destination=destination)

    if destination != "html":
        assert "Two steps" in conversion.html
    if destination == "generic":
        assert 'aria-label="From begin to end"' in conversion.html
        assert '<svg width="120"' in conversion.html
    if destination in PICTURES:
        assert [each[:2] for each in pictures(conversion)] == [("From begin to end", 120)]


def test_what_a_source_says_of_itself_stands_for_it() -> None:
    source = FLOW.replace("LR\n", "LR\n  accTitle: Steps\n  accDescr: From one to the other\n")

    assert re.search(
        r'aria-label="Steps"[^>]*><title>Steps</title><desc>From one to the other</desc>', convert(source).html
    )
    assert pictures(convert(source, destination="email"))[0][0] == "Steps: From one to the other"


@pytest.mark.parametrize("destination", [name for name in DESTINATIONS if name != "html"])
def test_figure_that_cannot_be_drawn_is_its_source_with_the_engines_word_and_the_line(destination: str) -> None:
    source = f"# T\n\n{FLOW}\n> ```dot\n> digraph {{\n>   a -> ]\n> }}\n> ```\n\n{GRAPH}"
    conversion = convert(source, destination=destination)

    ((message, line),) = told(conversion)
    assert message.startswith("the dot figure is shown as its source: ")
    assert "syntax error" in message
    assert line == 10
    assert "a -&gt; ]" in conversion.html or "a -> ]" in conversion.html
    assert "a -> ]" in conversion.plain_text
    if destination in PICTURES:
        assert len(conversion.media) == 2


@pytest.mark.parametrize("destination", [name for name in DESTINATIONS if name != "html"])
def test_diagram_that_is_wrong_is_told_of_wherever_it_goes(destination: str) -> None:
    conversion = convert("```mermaid\nflowchart LR\n  a[Begin --> b\n```\n", destination=destination)

    ((message, line),) = told(conversion)
    assert message.startswith("the mermaid figure is shown as its source: ")
    assert line in {1, 3, 4}


def test_formula_that_cannot_be_read_is_its_source_with_its_line() -> None:
    source = "One $\\nosuch{x}$ line.\n\nTwo\nlines and $\\frac{a}$.\n\n$$\na\n\\nosuch\n$$\n"
    conversion = convert(source)

    assert [line for _, line in told(conversion)] == [1, 4, 8]
    assert "\\nosuch" in told(conversion)[0][0]
    assert '<code class="math">\\nosuch{x}</code>' in conversion.html
    assert '<code class="language-math">a\n\\nosuch\n</code>' in conversion.html


def test_macros_hold_from_their_definition_to_the_end_of_the_document() -> None:
    source = "$\\half$\n\n$$\n\\newcommand{\\half}{\\frac{1}{2}}\n$$\n\n$\\half$\n"
    conversion = convert(source)

    assert [line for _, line in told(conversion)] == [1]
    assert conversion.html.count("<mfrac>") == 1
    assert 'class="math" role="group"' not in conversion.html
    assert "newcommand" not in convert(source, destination="plain-text").html


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_formula_is_in_the_form_that_its_reader_knows(destination: str) -> None:
    html = convert("Let $x^2$ be.\n", destination=destination).html
    forms = {
        "generic": "<msup><mi>x</mi><mn>2</mn></msup>",
        "html": "$x^2$",
        "plain-text": "Let x² be.",
        "slack": "`x²`",
        "onenote": "x²",
        "word": "<m:sSup>",
        "email": 'alt="x²"',
        "google-docs": 'alt="x²"',
    }
    assert forms[destination] in html


def test_words_formula_is_followed_by_its_text_for_others() -> None:
    html = convert("Let $x^2$ be.\n", destination="word").html

    assert re.search(
        r"<!--\[if gte msEquation 12\]><m:oMath>.*</m:oMath><!\[endif\]--><!--\[if !msEquation\]><!-->.*x².*<!--<!\[endif\]-->",
        html,
    )


def test_picture_of_a_formula_in_a_mail_stands_on_the_line() -> None:
    html = convert("Let $x_i$ be.\n", destination="email").html

    depth = re.search(r'alt="xᵢ"[^>]*vertical-align:-([0-9.]+)px', html)
    assert depth
    assert 0 < float(depth[1]) < 12


def test_two_hundred_figures_have_no_id_twice() -> None:
    source = "\n".join(FLOW.replace("Begin", f"Begin {number % 7}") for number in range(200))
    html = convert(source).html
    ids = re.findall(r' id="([^"]*)"', html)

    assert html.count("<svg ") == 200
    assert len(ids) >= 200
    assert [name for name, number in Counter(ids).items() if number > 1] == []
    assert set(re.findall(r"url\(#([^)]*)\)", html)) <= set(ids)


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_same_document_comes_to_the_same_bytes_in_another_process(destination: str) -> None:
    source = f"{FLOW}\n{GRAPH}\n$$\n\\int_0^1 x\\,dx\n$$\n"
    code = f"import sys; from mdpublish_core import convert; sys.stdout.buffer.write(convert({source!r}, destination={destination!r}).html.encode())"
    there = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout

    assert convert(source, destination=destination).html.encode() == there


def test_figures_beyond_the_time_of_a_document_are_their_source() -> None:
    began = monotonic()
    source = "".join(f"$x_{{{number}}} + {number}$ " for number in range(3_000))
    conversion = convert(f"a\n\n{source}", destination="email", limits=Limits(drawing_seconds=0.5))

    # One notice for all that are left.
    ((message, line),) = told(conversion)
    assert message == (
        "the formula and all others from here on are shown as their source: the figures before it took the 0.5 s allowed"
    )
    assert line == 3
    assert 1 < conversion.html.count("<img ") < 3_000
    assert "x_{2999} + 2999" in conversion.html
    assert monotonic() - began < 10


def test_tree_made_by_hand_is_drawn_too() -> None:
    document = Document(
        [
            Paragraph([RawText("a "), MathSpan("x")]),
            MathBlock("y\n"),
            Figure("dot", "digraph { a -> b }", language="dot"),
            Figure("dot", "digraph {", language="dot"),
        ]
    )
    conversion = render(document)

    assert conversion.html.count("<math") == 2
    assert conversion.html.count("<svg ") == 1
    assert [line for _, line in told(conversion)] == [None]


def test_media_url_is_asked_for_each_picture_once() -> None:
    asked: list[Media] = []

    def address(media: Media) -> str:
        asked.append(media)
        return f"https://a.example/{media.content_id}"

    conversion = convert(f"{FLOW}\n{FLOW}", destination="onenote", media_url=address)

    assert len(conversion.media) == 1
    assert len(asked) == 2
    assert conversion.html.count(f"https://a.example/{asked[0].content_id}") == 2


def test_what_is_left_out_of_a_drawn_figure_is_told() -> None:
    conversion = convert('```chart\n{"type": "bar", "options": {"animation": true, "plugins": {"zoom": {}}}}\n```\n')

    assert [(notice.code, notice.line) for notice in conversion.notices] == [("left_out", 1)] * 3
    assert conversion.notices[0].message == (
        "in the chart figure, `options.animation` is left out: nothing moves in a chart that is a picture"
    )


def test_column_of_a_mistake_is_that_of_the_document() -> None:
    conversion = convert('> - ```chart\n>   {"type": "bar",\n>    data: 1}\n>   ```\n')

    assert conversion.notices == (
        Notice(
            "not_drawn",
            "the chart figure is shown as its source: its JSON goes wrong: names stand in double quotes (column 6)",
            3,
        ),
    )


@pytest.mark.parametrize("destination", [name for name in DESTINATIONS if name != "html"])
@pytest.mark.parametrize("formula", ["x^2", r"\nosuch"])
def test_title_of_a_formulas_fence_is_its_caption(destination: str, formula: str) -> None:
    conversion = convert(f'```math title="Squared & shown"\n{formula}\n```\n', destination=destination)

    assert re.search(r"Squared &(amp;)? shown", conversion.html)
    assert "Squared & shown\n" in conversion.plain_text
    assert conversion.html.count("Squared") == 1
    assert len(told(conversion)) == (formula == r"\nosuch")


def test_alternative_of_a_formulas_fence_stands_for_it() -> None:
    source = '```math alt="x times x"\nx^2\n```\n'

    assert 'aria-label="x times x"' in convert(source).html
    assert [each[0] for each in pictures(convert(source, destination="email"))] == ["x times x"]


def test_definition_has_no_caption() -> None:
    source = '```math title="Never"\n\\newcommand{\\a}{b}\n```\n'

    for destination in DESTINATIONS:
        if destination != "html":
            assert "Never" not in convert(source, destination=destination).html


def test_picture_of_a_very_large_graph_has_fewer_pixels() -> None:
    nodes = " ".join(f'n{number} [label="A node of number {number}"]' for number in range(150))
    (media,) = convert(f"```dot\ngraph {{ {nodes} }}\n```\n", destination="email").media

    assert media.width is not None
    assert media.width > 16_000
    assert 15_000 < int.from_bytes(media.data[16:20], "big") <= 16_000
