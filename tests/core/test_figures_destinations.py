"""Diagrams and formulas as they stand in each destination: where, how large, on which ground, and what is said for them."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from mdpublish_core import Media, PageOptions, convert, get_template, list_templates, parse, render_page
from mdpublish_core.destinations.figures import PAGE_HEIGHT, Place
from mdpublish_core.figures.colors import MIN_GRAPHICS_CONTRAST, MIN_TEXT_CONTRAST, contrast
from mdpublish_core.templates import THEME_MODES, Template, ThemeMode, bind
from mdpublish_core.templates.colours import callout_grounds
from tests.core.pictures import Picture
from tests.linters import docs, email, onenote

SPECIMEN = (Path(__file__).parents[1] / "browser" / "figures.md").read_text("utf-8")

FLOW = "```mermaid\nflowchart LR\n  a[Begin] --> b[End]\n```\n"
TITLED = FLOW.replace("mermaid", 'mermaid title="Two steps"')
TALL = "```dot\ndigraph { " + " -> ".join(f"n{number}" for number in range(40)) + " }\n```\n"
WIDE = "```dot\ndigraph { rankdir=LR; " + " -> ".join(f"n{number}" for number in range(20)) + " }\n```\n"

PICTURES = ("email", "google-docs", "onenote", "word")


def pictures(markdown: str, destination: str, template: str = "swiss", theme_mode: ThemeMode = "light") -> list[Media]:
    return list(convert(markdown, destination=destination, template=template, theme_mode=theme_mode).media)


def picture(markdown: str, destination: str, template: str = "swiss", theme_mode: ThemeMode = "light") -> Media:
    (media,) = pictures(markdown, destination, template, theme_mode)
    return media


def ground(media: Media) -> str:
    return Picture.of(media.data).pixel(0, 0)


def shown(html: str) -> list[tuple[int, int]]:
    """Return the sizes of the pictures that were drawn, in the order in which they stand."""
    found = re.findall(r"<img ([^>]*)>", html)
    return [
        (int(width[1]), int(height[1]))
        for attributes in found
        if (width := re.search(r'\bwidth="(\d+)"', attributes)) and (height := re.search(r'height="(\d+)"', attributes))
    ]


# Where they stand


@pytest.mark.parametrize("markdown", [FLOW, "$$\nx^2\n$$\n"])
def test_figures_stand_in_the_middle_as_on_the_web(markdown: str) -> None:
    assert re.search(r'<p align="center"[^>]*><img ', convert(markdown, destination="email").html)
    assert re.search(
        r'<p dir="ltr" style="[^"]*text-align:center[^"]*"><span', convert(markdown, destination="google-docs").html
    )
    assert re.search(r'<p style="text-align:center"><img ', convert(markdown, destination="onenote").html)
    assert re.search(
        r'style="[^"]*text-align:center[^"]*"><(img|!--\[if gte)', convert(markdown, destination="word").html
    )


@pytest.mark.parametrize("destination", PICTURES)
def test_title_stands_in_the_middle_below_its_picture(destination: str) -> None:
    html = convert(TITLED, destination=destination).html
    paragraph = re.search(r"<p ([^>]*)>(?:<span [^>]*>)?Two steps", html[html.index("<img ") :])

    assert paragraph
    assert "center" in paragraph[1]


def test_title_of_what_could_not_be_drawn_begins_where_its_source_does() -> None:
    html = convert('```dot title="Broken"\ndigraph {\n```\n', destination="word").html

    assert re.search(r"<p [^>]*>Broken</p>", html)
    assert "center" not in html.partition("<!--StartFragment-->")[2]


def test_what_follows_a_figure_stands_where_it_would() -> None:
    for destination in PICTURES:
        html = convert(f"{TITLED}\nBehind it.\n", destination=destination).html
        paragraph = re.search(r"<p ?([^>]*)>(?:<span [^>]*>)?Behind it", html)

        assert paragraph
        assert "center" not in paragraph[1]


def test_figure_in_an_item_of_a_mail_is_set_apart_from_the_next_item() -> None:
    item = FLOW.replace("\n", "\n  ").strip()
    html = convert(f"- one\n\n  {item}\n- two\n", destination="email").html
    space = re.search(r'<p align="center" style="margin:0 0 (\d+)px"', html)

    assert space
    assert int(space[1]) >= 16


# How large they are


@pytest.mark.parametrize("destination", ["google-docs", "word"])
def test_tall_diagram_is_no_higher_than_a_page(destination: str) -> None:
    natural = picture(TALL, "email")
    assert natural.width
    assert natural.height
    ((width, height),) = shown(convert(TALL, destination=destination).html)

    assert natural.height > 2_000
    assert height == PAGE_HEIGHT
    assert width == pytest.approx(natural.width * PAGE_HEIGHT / natural.height, abs=1)


@pytest.mark.parametrize("destination", ["google-docs", "word", "email"])
@pytest.mark.parametrize("around", ["{}", "> [!NOTE]\n> {}", "- item\n\n  {}"])
def test_wide_diagram_is_no_wider_than_its_column(destination: str, around: str) -> None:
    margin = {"> ": "> ", "- ": "  "}.get(around[:2], "")
    markdown = around.format(WIDE.strip().replace("\n", f"\n{margin}")) + "\n"
    natural = picture(WIDE, "onenote")
    assert natural.width
    assert natural.height
    ((width, height),) = shown(convert(markdown, destination=destination).html)

    room = {"google-docs": 624, "word": 600, "email": 600}[destination]
    assert natural.width > 1_000
    assert width <= (room if around == "{}" else room - 10)
    assert height == pytest.approx(natural.height * width / natural.width, abs=1)


@pytest.mark.parametrize("destination", ["email", "google-docs"])
def test_formula_is_as_large_as_the_letters_around_it(destination: str) -> None:
    small, large = pictures("# About $E = mc^2$\n\nAnd $E = mc^2$ again.\n", destination)[::-1]
    assert small.width
    assert large.width

    assert large.width / small.width == pytest.approx(get_template("swiss").type.scale[0], rel=0.1)
    # It is drawn at that size, and so as sharp as the other.
    assert Picture.of(large.data).width == pytest.approx(2 * large.width, abs=2)


def test_formula_of_a_mail_stands_on_the_line_of_its_text() -> None:
    html = convert("So $x_{i_j}$ is.", destination="email").html

    depth = re.search(r"vertical-align:-([\d.]+)px", html)
    assert depth
    assert 2 < float(depth[1]) < 12


# On which ground they stand


@pytest.mark.parametrize("theme_mode", THEME_MODES)
@pytest.mark.parametrize("destination", PICTURES)
def test_picture_in_a_tinted_callout_has_its_color(destination: str, theme_mode: ThemeMode) -> None:
    style = bind(get_template("notion"), theme_mode)
    colors = get_template("notion").light if theme_mode == "light" else get_template("notion").dark
    tint = callout_grounds(colors)["note"]
    assert tint != style.figure_theme.background

    markdown = "> [!NOTE]\n> " + FLOW.strip().replace("\n", "\n> ") + "\n"
    assert ground(picture(markdown, destination, "notion", theme_mode)) == tint


@pytest.mark.parametrize("destination", ["email", "google-docs"])
def test_formula_in_a_striped_row_has_its_color(destination: str) -> None:
    even = pictures("| a |\n|---|\n| $x$ |\n| $y$ |\n", destination, "newsletter")[1]

    assert ground(even) == get_template("newsletter").light.surface != get_template("newsletter").light.background


def test_formula_has_the_color_of_the_letters_around_it() -> None:
    link = picture("[about $x^2$](https://example.org/)", "email")
    colors = get_template("swiss").light

    drawn = Picture.of(link.data)
    inks = {drawn.pixel(x, y) for x in range(drawn.width) for y in range(drawn.height)}
    assert colors.link in inks
    assert colors.text not in inks


@pytest.mark.parametrize("destination", PICTURES)
def test_callout_with_its_colors_turned_round_has_a_picture_to_be_read(destination: str) -> None:
    media = picture("> [!NOTE]\n> " + FLOW.strip().replace("\n", "\n> ") + "\n", destination, "ink")
    drawn = Picture.of(media.data)

    below = drawn.pixel(0, 0)
    assert below == get_template("ink").light.note
    strongest = max(contrast(drawn.pixel(x, y), below) for x in range(drawn.width) for y in range(0, drawn.height, 2))
    assert strongest >= MIN_TEXT_CONTRAST


def test_page_gives_a_drawing_its_ground_only_where_callouts_have_their_colors_turned_round() -> None:
    turned, other = (
        render_page(parse(FLOW), PageOptions(title="T"), template=template) for template in ("ink", "notion")
    )

    assert re.search(r"\.callout \.drawing ?> ?svg ?\{ ?background-color: ?#ffffff", turned)
    assert ".callout .drawing" not in other


def test_dark_theme_in_docs_draws_for_white_paper_and_for_its_painted_cells() -> None:
    on_paper, in_cell = pictures("So $x$.\n\n| $y$ |\n|---|\n| a |\n", "google-docs", "terminal", "dark")

    assert ground(on_paper) == "#ffffff"
    assert contrast(ground(in_cell), "#ffffff") > MIN_TEXT_CONTRAST


def test_onenotes_paper_is_white_whatever_a_light_template_stands_on() -> None:
    tinted = [each for each in list_templates() if each.light.background.lower() != "#ffffff"]
    assert tinted

    for template in tinted:
        assert ground(picture(FLOW, "onenote", template.id)) == "#ffffff"


@pytest.mark.parametrize("theme_mode", THEME_MODES)
@pytest.mark.parametrize("template", list_templates(), ids=lambda template: template.id)
def test_look_can_be_read_on_every_ground_of_a_template(template: Template, theme_mode: ThemeMode) -> None:
    style = bind(template, theme_mode)
    colors = template.light if theme_mode == "light" else template.dark
    grounds = ["#ffffff", colors.surface, *callout_grounds(colors).values(), colors.note, colors.caution]

    for below in grounds:
        look = Place(ground=below, ink=colors.text, text_size=16).look(style)
        assert look.background == below.lower()
        assert contrast(look.text, below) >= (
            MIN_TEXT_CONTRAST if below not in {colors.note, colors.caution} else MIN_GRAPHICS_CONTRAST
        )
        assert contrast(look.muted, below) >= MIN_GRAPHICS_CONTRAST
        assert min(contrast(color, below) for color in look.series) >= MIN_GRAPHICS_CONTRAST
        assert (
            contrast(Place(ground=below, ink=below, text_size=16).formula_look(style).text, below)
            >= MIN_GRAPHICS_CONTRAST
        )


# What is said for them


@pytest.mark.parametrize("destination", [*PICTURES, "generic"])
def test_title_is_not_said_twice(destination: str) -> None:
    html = convert(TITLED, destination=destination).html

    assert html.count("Two steps") == 1
    assert re.search(r'(alt|aria-label)="Diagram"', html)


@pytest.mark.parametrize("destination", PICTURES)
def test_picture_tells_what_its_source_says_of_it(destination: str) -> None:
    source = FLOW.replace("  a[", "  accTitle: The way\n  accDescr: From begin to end\n  a[")

    assert 'alt="The way: From begin to end"' in convert(source, destination=destination).html
    spoken = source.replace("mermaid", 'mermaid alt="Own words"')
    assert 'alt="Own words"' in convert(spoken, destination=destination).html


@pytest.mark.parametrize("destination", PICTURES)
def test_pictures_have_no_title_to_pop_up_and_no_tex_for_a_text(destination: str) -> None:
    html = convert(SPECIMEN, destination=destination).html
    drawn = re.findall(r"<img [^>]*>", html)

    assert drawn
    for element in drawn:
        assert " title=" not in element
        assert re.search(r' alt="[^"\\]+"', element)


# What is no picture


def test_formula_for_word_is_its_own_and_once_in_letters_for_others() -> None:
    html = convert("So $x^2 - y$ is.\n\n$$\n\\frac{1}{2}\n$$\n", destination="word").html
    for_others = re.sub(r"<!--\[if gte msEquation 12\]>.*?<!\[endif\]-->", "", html, flags=re.DOTALL)

    assert html.count("<m:oMath>") == 2
    assert for_others.count("x² − y") == 1
    assert for_others.count("1/2") == 1
    assert "CodeChar" not in for_others.partition("<!--StartFragment-->")[2]
    for formula in re.findall(r"<m:oMath>.*?</m:oMath>", html, flags=re.DOTALL):
        assert "--" not in formula
        ET.fromstring(formula.replace("<m:oMath>", '<m:oMath xmlns:m="m">', 1))


def test_formula_in_a_line_of_onenote_is_text_as_the_line_is() -> None:
    html = convert("So $x^2$ is, and $\\frac{1}$ is none.", destination="onenote").html

    assert "So x² is" in html
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
    message = convert(HOSTILE, destination="slack").html

    assert "<" not in message
    assert "&lt;!everyone&gt;" in message
    # A fence is closed by its own end alone: four figures.
    assert message.count("```") == 8
    assert re.search(r"`&lt;!here&gt; \*a\* &lt; @U2 &gt;` and `[^`]+`\.", message)


@pytest.mark.parametrize("destination", ["slack", "plain-text"])
@pytest.mark.parametrize("markdown", [FLOW, TALL, WIDE, WIDE.replace("n", "a_name_of_some_length_")])
def test_diagrams_in_letters_fit_into_a_hundred_columns(markdown: str, destination: str) -> None:
    html = convert(markdown, destination=destination).html

    assert re.search("[►→]", html)
    assert max(len(line.removeprefix("    ")) for line in html.split("\n")) <= 100


# Every reader's grammar


@pytest.mark.parametrize("theme_mode", THEME_MODES)
@pytest.mark.parametrize("template", ["swiss", "ink", "terminal", "newsletter", "notion", "paper"])
def test_linters_accept_figures_in_every_place(template: str, theme_mode: ThemeMode) -> None:
    for destination, problems in (
        ("email", email.problems),
        ("google-docs", docs.problems),
        ("onenote", onenote.problems),
    ):
        html = convert(SPECIMEN, destination=destination, template=template, theme_mode=theme_mode).html
        assert problems(html) == []
