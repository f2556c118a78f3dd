"""Figures in every destination, and notices for those that cannot be rendered."""

import json
import re
import subprocess
import sys
from collections import Counter

import pytest

from mdpublish_core import Conversion, Limits, Media, Notice, PageOptions, convert, parse, render
from mdpublish_core.nodes import Document, Figure, MathBlock, MathSpan, Paragraph, RawText
from mdpublish_core.writers.outputs import DESTINATIONS

pytestmark = pytest.mark.needs("mmdr", "pygraphviz", "resvg_py")

FLOW = "```mermaid\nflowchart LR\n  a[Begin] --> b[End]\n```\n"
GRAPH = "```dot\ndigraph { Begin -> End }\n```\n"
IMAGE_DESTINATIONS = ("email", "google-docs", "onenote", "word")


def notice_messages(conversion: Conversion) -> list[tuple[str, int | None]]:
    return [(notice.message, notice.line) for notice in conversion.notices if notice.code == "figure-failed"]


def images(conversion: Conversion) -> list[tuple[str, int | None, int | None]]:
    return [(media.alt, media.width, media.height) for media in conversion.media]


@pytest.mark.parametrize("source", [FLOW, GRAPH])
def test_diagram_is_an_svg_with_a_name_in_a_page(source: str) -> None:
    for html in (convert(source).html, render(parse(source), to="page", options=PageOptions(title="T")).html):
        assert re.search(r'<figure class="drawing"><svg [^>]*role="img" aria-label="(Flowchart|Graph)"', html)
        assert re.search(r">\s*Begin\s*<", html)
        assert "<style>" not in html.partition("<svg")[2]
        assert " style=" not in html.partition("<svg")[2]


@pytest.mark.parametrize("source", [FLOW, GRAPH])
@pytest.mark.parametrize("destination", IMAGE_DESTINATIONS)
def test_diagram_is_an_image_at_twice_its_displayed_size(destination: str, source: str) -> None:
    conversion = convert(source, to=destination)
    (media,) = conversion.media

    assert media.media_type == "image/png"
    assert media.width is not None
    dense = int.from_bytes(media.data[16:20], "big")
    assert abs(dense - 2 * media.width) <= 2
    width = re.search(r'<img [^>]*width="(\d+)"', conversion.html)
    assert width
    assert 0 < int(width[1]) <= media.width
    assert notice_messages(conversion) == []


def test_diagram_is_attached_to_an_email_and_embedded_elsewhere() -> None:
    assert 'src="cid:' in convert(FLOW, to="email").html
    assert 'src="data:image/png;base64,' in convert(FLOW, to="word").html
    assert 'src="cid:' in convert(FLOW, to="word", media_url="cid:").html


@pytest.mark.needs("merman")
@pytest.mark.parametrize("destination", ["plain-text", "slack"])
def test_diagram_is_text_where_there_is_only_text(destination: str) -> None:
    html = convert(FLOW, to=destination).text

    assert "│ Begin ├" in html
    assert "-->" not in html


def test_diagram_and_formula_are_their_source_where_the_reader_draws_them() -> None:
    conversion = convert(f"{FLOW}\n$x$\n", to="html")

    assert '<code class="language-mermaid">flowchart LR' in conversion.html
    assert "$x$" in conversion.html
    assert conversion.notices == ()


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_title_alternative_and_width_of_the_fence_count_everywhere(destination: str) -> None:
    source = FLOW.replace("mermaid", 'mermaid title="Two steps" alt="From begin to end" width=120')
    conversion = convert(source, to=destination)

    if destination != "html":
        assert "Two steps" in conversion.text
    if destination == "generic":
        assert 'aria-label="From begin to end"' in conversion.html
        assert '<svg width="120"' in conversion.html
    if destination in IMAGE_DESTINATIONS:
        assert [each[:2] for each in images(conversion)] == [("From begin to end", 120)]


def test_title_in_the_source_is_the_alt_text() -> None:
    source = FLOW.replace("LR\n", "LR\n  accTitle: Steps\n  accDescr: From one to the other\n")

    assert re.search(
        r'aria-label="Flowchart: Steps"[^>]*><title>Steps</title><desc>From one to the other</desc>',
        convert(source).html,
    )
    assert images(convert(source, to="email"))[0][0] == "Flowchart: Steps. From one to the other"


@pytest.mark.parametrize("destination", [name for name in DESTINATIONS if name != "html"])
def test_failed_figure_is_its_source_with_the_engines_message_and_line(destination: str) -> None:
    source = f"# T\n\n{FLOW}\n> ```dot\n> digraph {{\n>   a -> ]\n> }}\n> ```\n\n{GRAPH}"
    conversion = convert(source, to=destination)

    ((message, line),) = notice_messages(conversion)
    assert message.startswith("the dot figure is shown as its source: ")
    assert "syntax error" in message
    assert line == 10
    assert "a -&gt; ]" in conversion.text or "a -> ]" in conversion.text
    assert "a -> ]" in conversion.plain_text
    if destination in IMAGE_DESTINATIONS:
        assert len(conversion.media) == 2


@pytest.mark.parametrize("destination", [name for name in DESTINATIONS if name != "html"])
def test_invalid_diagram_is_reported_in_every_destination(destination: str) -> None:
    conversion = convert("```mermaid\nflowchart LR\n  a[Begin (x --> b\n```\n", to=destination)

    ((message, line),) = notice_messages(conversion)
    assert message.startswith("the mermaid figure is shown as its source: ")
    assert line in {1, 3, 4}


def test_formula_that_cannot_be_read_is_its_source_with_its_line() -> None:
    source = "One $\\nosuch{x}$ line.\n\nTwo\nlines and $\\frac{a}$.\n\n$$\na\n\\nosuch\n$$\n"
    conversion = convert(source)

    assert [line for _, line in notice_messages(conversion)] == [1, 4, 8]
    assert "\\nosuch" in notice_messages(conversion)[0][0]
    assert '<code class="math">\\nosuch{x}</code>' in conversion.html
    assert '<code class="language-math">a\n\\nosuch\n</code>' in conversion.html


def test_macros_hold_from_their_definition_to_the_end_of_the_document() -> None:
    source = "$\\half$\n\n$$\n\\newcommand{\\half}{\\frac{1}{2}}\n$$\n\n$\\half$\n"
    conversion = convert(source)

    assert [line for _, line in notice_messages(conversion)] == [1]
    assert conversion.html.count("<mfrac>") == 1
    assert 'class="math" role="group"' not in conversion.html
    assert "newcommand" not in convert(source, to="plain-text").text


@pytest.mark.parametrize(
    ("destination", "form"),
    [
        ("generic", "<msup><mi>x</mi><mn>2</mn></msup>"),
        ("html", "$x^2$"),
        ("plain-text", "Let x² be."),
        ("slack", "`x²`"),
        ("onenote", "<em>x</em><sup>2</sup>"),
        ("word", "<m:sSup>"),
        ("email", ">2</sup> be."),
        ("google-docs", 'vertical-align:super">2</span>'),
    ],
)
def test_formula_is_in_the_form_that_its_reader_knows(destination: str, form: str) -> None:
    assert form in convert("Let $x^2$ be.\n", to=destination).text


def test_formula_for_word_is_followed_by_a_text_fallback() -> None:
    html = convert("Let $x^2$ be.\n", to="word").html

    assert re.search(
        r"<!--\[if gte msEquation 12\]><m:oMath>.*</m:oMath><!\[endif\]--><!--\[if !msEquation\]><!--><i>x</i><sup>2</sup><!--<!\[endif\]-->",
        html,
    )


def test_image_of_a_formula_in_an_email_is_on_the_baseline() -> None:
    html = convert("Let $\\frac{x}{2}$ be.\n", to="email").html

    depth = re.search(r'alt="x/2"[^>]*vertical-align:-([0-9.]+)px', html)
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


def test_same_document_comes_to_the_same_bytes_in_another_process() -> None:
    source = f"{FLOW}\n{GRAPH}\n$$\n\\int_0^1 x\\,dx\n$$\n"
    code = f"import json; from mdpublish_core import convert; print(json.dumps([convert({source!r}, to=each).text for each in {[*DESTINATIONS]}]))"
    there = json.loads(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)

    here = [convert(source, to=destination).text for destination in DESTINATIONS]
    assert [name for name, one, other in zip(DESTINATIONS, here, there, strict=True) if one != other] == []


def test_figures_beyond_the_time_of_a_document_are_their_source() -> None:
    source = "".join(f"$\\sqrt{{x_{{{number}}}}} + {number}$ " for number in range(3_000))
    conversion = convert(f"a\n\n{source}", to="email", limits=Limits(max_total_figure_seconds=0.1))

    # One notice for all remaining figures.
    ((message, line),) = notice_messages(conversion)
    assert message == (
        "the formula and all others from here on are shown as their source: earlier figures used up the 0.1 s of CPU time allowed"
    )
    assert line == 3
    assert 1 < conversion.html.count("<img ") < 3_000
    assert "x_{2999}} + 2999" in conversion.html


def test_figure_without_enough_time_left_is_late_and_not_the_machines_load() -> None:
    """The backstop is that of the whole time of a figure: ten times the rest could be less than the start of a job."""
    edges = "".join(f"late{number} -> late{number * 7 % 60}\n" for number in range(60))
    conversion = convert(f"```dot\ndigraph {{ {edges} }}\n```\n", limits=Limits(max_total_figure_seconds=1e-6))

    assert [notice.code for notice in conversion.notices] == ["figure-failed"]
    assert "earlier figures used up" in conversion.notices[0].message


def test_figures_of_a_hand_built_tree_are_rendered_too() -> None:
    document = Document(
        [
            Paragraph([RawText("a "), MathSpan("x")]),
            MathBlock("y\n"),
            Figure("dot", "digraph { a -> b }", language="dot"),
            Figure("dot", "digraph { a -> }", language="dot"),
        ]
    )
    conversion = render(document)

    assert conversion.html.count("<math") == 2
    assert conversion.html.count("<svg ") == 1
    assert [line for _, line in notice_messages(conversion)] == [None]


def test_media_url_is_called_once_for_each_image() -> None:
    requested: list[Media] = []

    def url_for_media(media: Media) -> str:
        requested.append(media)
        return f"https://a.example/{media.content_id}"

    conversion = convert(f"{FLOW}\n{FLOW}", to="onenote", media_url=url_for_media)

    assert len(conversion.media) == 1
    assert len(requested) == 2
    assert conversion.html.count(f"https://a.example/{requested[0].content_id}") == 2


def test_ignored_options_of_a_figure_are_reported() -> None:
    conversion = convert('```chart\n{"type": "bar", "options": {"animation": true, "plugins": {"zoom": {}}}}\n```\n')

    assert [(notice.code, notice.line) for notice in conversion.notices] == [
        ("chart-option-ignored", line) for line in (2, 2, 1)
    ]
    assert conversion.notices[0].message == "in the chart figure, `options.animation` is ignored: charts are static"


def test_column_of_a_mistake_is_that_of_the_document() -> None:
    conversion = convert('> - ```chart\n>   {"type": "bar",\n>    data: 1 2}\n>   ```\n')

    assert conversion.notices == (
        Notice(
            "figure-failed",
            "the chart figure is shown as its source: invalid JSON: missing comma before '2}'",
            3,
            14,
            "2}",
        ),
    )


@pytest.mark.parametrize("destination", [name for name in DESTINATIONS if name != "html"])
@pytest.mark.parametrize("formula", ["x^2", r"\nosuch"])
def test_title_of_a_formulas_fence_is_its_caption(destination: str, formula: str) -> None:
    conversion = convert(f'```math title="Squared & shown"\n{formula}\n```\n', to=destination)

    assert re.search(r"Squared &(amp;)? shown", conversion.text)
    assert "Squared & shown\n" in conversion.plain_text
    assert conversion.text.count("Squared") == 1
    assert len(notice_messages(conversion)) == (formula == r"\nosuch")


def test_alt_option_of_a_math_fence_is_its_alt_text() -> None:
    source = '```math alt="x times x"\nx^2\n```\n'

    assert 'aria-label="x times x"' in convert(source).html
    assert [each[0] for each in images(convert(source, to="email"))] == ["x times x"]


def test_definition_has_no_caption() -> None:
    source = '```math title="Never"\n\\newcommand{\\a}{b}\n```\n'

    for destination in DESTINATIONS:
        if destination != "html":
            assert "Never" not in convert(source, to=destination).text


def test_image_of_a_very_large_graph_has_fewer_pixels() -> None:
    words = " ".join(f"word {number}" for number in range(300))
    (media,) = convert(f'```dot\ngraph {{ a [label="{words}"] }}\n```\n', to="email").media

    assert media.width is not None
    assert media.width > 16_000
    assert 15_000 < int.from_bytes(media.data[16:20], "big") <= 16_000


@pytest.mark.parametrize("destination", ["generic", "email"])
@pytest.mark.parametrize(
    ("source", "size"),
    [
        ("```dot\ndigraph { size=0.1; a -> b -> c }\n```", "2 by 7"),
        ('```neato\ngraph { viewport="5,5"; a -- b }\n```', "5"),
        ("```dot\ngraph { rankdir=LR; size=1; a -- b -- c }\n```", "72 by 13"),
        ("```dot\ngraph { }\n```", "8 by 8"),
        pytest.param("```mermaid\nflowchart TD\n```", "16 by 16", marks=pytest.mark.needs("merman")),
        pytest.param("```mermaid\npacket-beta\n```", "1026 by 15", marks=pytest.mark.needs("merman")),
    ],
)
def test_drawing_too_small_to_show_anything_is_its_source(destination: str, source: str, size: str) -> None:
    conversion = convert(source, to=destination)

    [notice] = conversion.notices
    assert notice.code == "figure-failed"
    assert "its drawing must be at least 20 px wide and high (got " in notice.message
    assert f"{size} px)" in notice.message
    assert "<svg" not in conversion.html
    assert images(conversion) == []


@pytest.mark.parametrize(
    ("source", "size"),
    [
        ("```dot\ngraph { a [shape=point] }\n```", (12, 12)),
        ('```dot\ngraph { rankdir=LR; size="8,5"; node [shape=point]; a -- b -- c -- d }\n```', (130, 12)),
        ("```dot\ngraph { rankdir=LR; node [shape=plain fontsize=9]; small -- words }\n```", (94, 19)),
        ("```math\ni\n```", (8, 17)),
    ],
)
def test_small_drawing_of_dots_or_small_words_is_right(source: str, size: tuple[int, int]) -> None:
    conversion = convert(source, to="email")

    assert conversion.notices == ()
    assert [(width, height) for _, width, height in images(conversion)] == [size]
