"""Figures in each destination: placement, size, background, and alternative text."""

import re
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from mdpublish_core import Media, PageOptions, convert, get_template, list_templates, parse, render
from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST, MIN_TEXT_CONTRAST, contrast
from mdpublish_core.figures import pool
from mdpublish_core.figures.allowance import FigureBudget
from mdpublish_core.figures.request import FailedFigure, FigureRequest, RenderedFigure
from mdpublish_core.templates import THEME_MODES, Template, ThemeMode, bind
from mdpublish_core.templates.colors import callout_backgrounds
from mdpublish_core.writers.figures.placement import MAX_PAGE_HEIGHT, Placement
from tests.core.png_images import PngImage
from tests.linters import docs, email, onenote
from tests.sampling import sampled

pytestmark = pytest.mark.needs("mmdr", "pygraphviz", "resvg_py")

SPECIMEN = (Path(__file__).parents[1] / "browser" / "figures.md").read_text("utf-8")

FLOW = "```mermaid\nflowchart LR\n  a[Begin] --> b[End]\n```\n"
TITLED = FLOW.replace("mermaid", 'mermaid title="Two steps"')
TALL = "```dot\ndigraph { " + " -> ".join(f"n{number}" for number in range(40)) + " }\n```\n"
CHAIN = "```dot\ndigraph { rankdir=LR; " + " -> ".join(f"n{number}" for number in range(20)) + " }\n```\n"
# Has one direction.
WIDE = "```mermaid\nsequenceDiagram\n" + "".join(f"  n{each}->>n{each + 1}: x\n" for each in range(10)) + "```\n"

IMAGE_DESTINATIONS = ("email", "google-docs", "onenote", "word")


def images(markdown: str, destination: str, template: str = "swiss", theme_mode: ThemeMode = "light") -> list[Media]:
    return list(convert(markdown, to=destination, template=template, theme_mode=theme_mode).media)


@pytest.mark.parametrize("destination", IMAGE_DESTINATIONS)
def test_images_are_rendered_in_one_batch_with_the_colors_of_their_places(
    destination: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches: list[list[FigureRequest]] = []

    def render_all(
        requests: Iterable[FigureRequest], *, seconds: float, budget: FigureBudget
    ) -> dict[FigureRequest, RenderedFigure | FailedFigure]:
        batches.append(list(dict.fromkeys(requests)))
        return rendering(batches[-1], seconds=seconds, budget=budget)

    rendering = pool.render_all
    monkeypatch.setattr(pool, "render_all", render_all)
    quoted = FLOW.replace("Begin", "Quoted").replace("\n", "\n> ")

    conversion = convert(f"{FLOW}\n> [!WARNING]\n> {quoted}", to=destination, template="notion")

    (batch,) = batches
    assert [each.source.count("Quoted") for each in batch] == [0, 1]
    assert len(conversion.media) == 2
    # One image a request, in the colors of its place.
    assert len({each.data for each in conversion.media}) == 2


def image(markdown: str, destination: str, template: str = "swiss", theme_mode: ThemeMode = "light") -> Media:
    (media,) = images(markdown, destination, template, theme_mode)
    return media


def background(media: Media) -> str:
    return PngImage.decode(media.data).pixel(0, 0)


def displayed_size(html: str) -> list[tuple[int, int]]:
    """Sizes of the rendered images, in document order."""
    matches = re.findall(r"<img ([^>]*)>", html)
    return [
        (int(width[1]), int(height[1]))
        for attributes in matches
        if (width := re.search(r'\bwidth="(\d+)"', attributes)) and (height := re.search(r'height="(\d+)"', attributes))
    ]


# Placement


def test_content_after_a_figure_is_placed_as_usual() -> None:
    for destination in IMAGE_DESTINATIONS:
        html = convert(f"{TITLED}\nBehind it.\n", to=destination).text
        paragraph = re.search(r"<p ?([^>]*)>(?:<span [^>]*>)?Behind it", html)

        assert paragraph
        assert "center" not in paragraph[1]


def test_figure_in_an_item_of_a_mail_is_set_apart_from_the_next_item() -> None:
    item = FLOW.replace("\n", "\n  ").strip()
    html = convert(f"- one\n\n  {item}\n- two\n", to="email").html
    space = re.search(r'<p align="center" style="margin:0 0 (\d+)px"', html)

    assert space
    assert int(space[1]) >= 16


# Size


@pytest.mark.parametrize("destination", ["google-docs", "word"])
def test_tall_diagram_is_no_higher_than_a_page(destination: str) -> None:
    natural = image(TALL, "email")
    assert natural.width
    assert natural.height
    ((width, height),) = displayed_size(convert(TALL, to=destination).text)

    assert natural.height > 2_000
    assert height == MAX_PAGE_HEIGHT
    assert width == pytest.approx(natural.width * MAX_PAGE_HEIGHT / natural.height, abs=1)


@pytest.mark.parametrize("destination", ["google-docs", "word", "email"])
@pytest.mark.parametrize("around", ["{}", "> [!NOTE]\n> {}", "- item\n\n  {}"])
def test_wide_diagram_is_no_wider_than_its_column(destination: str, around: str) -> None:
    margin = {"> ": "> ", "- ": "  "}.get(around[:2], "")
    markdown = around.format(WIDE.strip().replace("\n", f"\n{margin}")) + "\n"
    natural = image(WIDE, "onenote")
    assert natural.width
    assert natural.height
    ((width, height),) = displayed_size(convert(markdown, to=destination).text)

    available_width = {"google-docs": 624, "word": 600, "email": 600}[destination]
    assert natural.width > 1_000
    assert width <= (available_width if around == "{}" else available_width - 10)
    assert height == pytest.approx(natural.height * width / natural.width, abs=1)


@pytest.mark.parametrize("destination", ["email", "google-docs"])
def test_formula_is_as_large_as_the_text_around_it(destination: str) -> None:
    small, large = images("# About $\\frac{E}{m}$\n\nAnd $\\frac{E}{m}$ again.\n", destination)[::-1]
    assert small.width
    assert large.width

    assert large.width / small.width == pytest.approx(get_template("swiss").type.scale[0], rel=0.1)
    # Rendered at that size, so it is as sharp as the other.
    assert PngImage.decode(large.data).width == pytest.approx(2 * large.width, abs=2)


@pytest.mark.parametrize("destination", ["email", "google-docs"])
def test_formula_in_a_line_is_on_the_baseline(destination: str) -> None:
    html = convert("So $x_{i_j}$ is.", to=destination).text

    depth = re.search(r"vertical-align:-([\d.]+)px", html)
    assert depth
    assert 2 < float(depth[1]) < 12


# Background


@pytest.mark.parametrize("theme_mode", THEME_MODES)
@pytest.mark.parametrize("destination", IMAGE_DESTINATIONS)
def test_image_in_a_tinted_callout_has_its_color(destination: str, theme_mode: ThemeMode) -> None:
    style = bind(get_template("notion"), theme_mode)
    colors = get_template("notion").light if theme_mode == "light" else get_template("notion").dark
    tint = callout_backgrounds(colors)["note"]
    assert tint != style.figure_theme.background

    markdown = "> [!NOTE]\n> " + FLOW.strip().replace("\n", "\n> ") + "\n"
    assert background(image(markdown, destination, "notion", theme_mode)) == tint


@pytest.mark.parametrize("destination", ["email", "google-docs"])
def test_formula_in_a_striped_row_has_its_color(destination: str) -> None:
    even = images("| a |\n|---|\n| $\\frac1x$ |\n| $\\frac1y$ |\n", destination, "newsletter")[1]

    assert background(even) == get_template("newsletter").light.surface != get_template("newsletter").light.background


def test_formula_has_the_color_of_the_text_around_it() -> None:
    link = image("[about $\\frac{x}{2}$](https://example.org/)", "email")
    colors = get_template("swiss").light

    drawn = PngImage.decode(link.data)
    inks = {drawn.pixel(x, y) for x in range(drawn.width) for y in range(drawn.height)}
    assert colors.link in inks
    assert colors.text not in inks


@pytest.mark.parametrize("destination", IMAGE_DESTINATIONS)
def test_callout_with_inverse_colors_has_a_readable_image(destination: str) -> None:
    media = image("> [!NOTE]\n> " + FLOW.strip().replace("\n", "\n> ") + "\n", destination, "ink")
    drawn = PngImage.decode(media.data)

    below = drawn.pixel(0, 0)
    assert below == get_template("ink").light.note
    strongest = max(contrast(drawn.pixel(x, y), below) for x in range(drawn.width) for y in range(0, drawn.height, 2))
    assert strongest >= MIN_TEXT_CONTRAST


def test_page_gives_a_figure_a_background_only_in_inverse_callouts() -> None:
    turned, other = (
        render(parse(FLOW), to="page", options=PageOptions(title="T"), template=template).html
        for template in ("ink", "notion")
    )

    assert re.search(r"\.callout \.drawing ?> ?svg ?\{ ?background-color: ?#ffffff", turned)
    assert ".callout .drawing" not in other


def test_dark_theme_in_docs_draws_for_white_paper_and_for_its_painted_cells() -> None:
    on_paper, in_cell = images("So $\\frac1x$.\n\n| $\\frac1y$ |\n|---|\n| a |\n", "google-docs", "terminal", "dark")

    assert background(on_paper) == "#ffffff"
    assert contrast(background(in_cell), "#ffffff") > MIN_TEXT_CONTRAST


@pytest.mark.nightly
def test_onenote_page_is_white_in_every_light_template() -> None:
    tinted = [each for each in list_templates() if each.light.background.lower() != "#ffffff"]
    assert tinted

    for template in tinted:
        assert background(image(FLOW, "onenote", template.id)) == "#ffffff"


@pytest.mark.parametrize("theme_mode", THEME_MODES)
@pytest.mark.parametrize("template", list_templates(), ids=lambda template: template.id)
def test_figure_theme_is_readable_on_every_background_of_a_template(template: Template, theme_mode: ThemeMode) -> None:
    style = bind(template, theme_mode)
    colors = template.light if theme_mode == "light" else template.dark
    backgrounds = ["#ffffff", colors.surface, *callout_backgrounds(colors).values(), colors.note, colors.caution]

    for below in backgrounds:
        theme = Placement(background_color=below, foreground_color=colors.text, text_size=16).theme_for(style)
        assert theme.background == below.lower()
        assert contrast(theme.text_color, below) >= (
            MIN_TEXT_CONTRAST if below not in {colors.note, colors.caution} else MIN_GRAPHICS_CONTRAST
        )
        assert contrast(theme.muted, below) >= MIN_GRAPHICS_CONTRAST
        assert min(contrast(color, below) for color in theme.series) >= MIN_GRAPHICS_CONTRAST
        assert (
            contrast(
                Placement(background_color=below, foreground_color=below, text_size=16)
                .formula_theme_for(style)
                .text_color,
                below,
            )
            >= MIN_GRAPHICS_CONTRAST
        )


# Titles and alternative text


@pytest.mark.parametrize("destination", [*IMAGE_DESTINATIONS, "generic"])
def test_title_is_not_repeated(destination: str) -> None:
    html = convert(TITLED, to=destination).text

    assert html.count("Two steps") == 1
    assert re.search(r'(alt|aria-label)="Flowchart[".]', html)


@pytest.mark.parametrize("destination", IMAGE_DESTINATIONS)
def test_image_has_the_description_of_its_source(destination: str) -> None:
    source = FLOW.replace("  a[", "  accTitle: The way\n  accDescr: From begin to end\n  a[")

    assert 'alt="Flowchart: The way. From begin to end"' in convert(source, to=destination).text
    spoken = source.replace("mermaid", 'mermaid alt="Own words"')
    assert 'alt="Own words"' in convert(spoken, to=destination).text


@pytest.mark.parametrize("destination", IMAGE_DESTINATIONS)
def test_images_have_no_tooltip_and_no_tex_as_alt_text(destination: str) -> None:
    html = convert(SPECIMEN, to=destination).text
    drawn = re.findall(r"<img [^>]*>", html)

    assert drawn
    for element in drawn:
        assert " title=" not in element
        assert re.search(r' alt="[^"\\]+"', element)


# Native and text forms


def test_formula_for_word_is_native_with_one_text_fallback() -> None:
    html = convert("So $x^2 - y$ is.\n\n$$\n\\frac{1}{2}\n$$\n", to="word").html
    for_others = re.sub(r"<!--\[if gte msEquation 12\]>.*?<!\[endif\]-->", "", html, flags=re.DOTALL)

    assert html.count("<m:oMath>") == 2
    assert for_others.count("<i>x</i><sup>2</sup>\u00a0− <i>y</i>") == 1
    assert for_others.count("1/2") == 1
    assert "CodeChar" not in for_others.partition("<!--StartFragment-->")[2]
    for formula in re.findall(r"<m:oMath>.*?</m:oMath>", html, flags=re.DOTALL):
        assert "--" not in formula
        ET.fromstring(formula.replace("<m:oMath>", '<m:oMath xmlns:m="m">', 1))


def test_inline_formula_in_onenote_is_text() -> None:
    html = convert("So $x_i^2$ is, $\\frac12$ too, and $\\frac{1}$ is none.", to="onenote").html

    assert "So <em>x</em><sub><em>i</em></sub><sup>2</sup> is, 1/2 too" in html
    assert re.search(r"<span [^>]*Consolas[^>]*>\\frac\{1\}</span>", html)


HOSTILE = """\
```mermaid title="<!channel> *x* & y"
flowchart LR
  a["<!channel> & <@U1>"] --> b["x ``` y"]
```

So $\\text{<!here> *a*} <@U2>$ and $x ` y ``` z$.

~~~math
\\text{a ``` b <!channel>}
~~~

~~~dot
digraph { "<!everyone>" -> "```" }
~~~

~~~dot title="bad <!here>"
digraph { "<!channel>" ->
```
<!here>
~~~
"""


def test_nothing_in_a_figure_acts_in_slack() -> None:
    message = convert(HOSTILE, to="slack").text

    assert "<" not in message
    assert "&lt;!everyone&gt;" in message
    # Two delimiters each for four figures: no content ends a fence early.
    assert message.count("```") == 8
    assert re.search(r"`&lt;!here&gt; \*a\* &lt; @U2 &gt;` and `[^`]+`\.", message)


@pytest.mark.needs("merman")
@pytest.mark.parametrize("destination", ["slack", "plain-text"])
@pytest.mark.parametrize("markdown", [FLOW, TALL, CHAIN, CHAIN.replace("n", "a_name_of_some_length_")])
def test_text_diagrams_fit_into_a_hundred_columns(markdown: str, destination: str) -> None:
    html = convert(markdown, to=destination).text

    assert re.search("[►→]", html)
    assert max(len(line.removeprefix("    ")) for line in html.split("\n")) <= 100


# Linters


@pytest.mark.parametrize("theme_mode", THEME_MODES)
@pytest.mark.parametrize("template", sampled(["swiss", "ink", "terminal", "newsletter", "notion", "paper"], 3))
def test_linters_accept_figures_everywhere(template: str, theme_mode: ThemeMode) -> None:
    for destination, problems in (
        ("email", email.problems),
        ("google-docs", docs.problems),
        ("onenote", onenote.problems),
    ):
        html = convert(SPECIMEN, to=destination, template=template, theme_mode=theme_mode).text
        assert problems(html) == []
