import pytest

from mdpublish_core.templates.cascade import Computed, declarations_of, in_points, pt, px, style


def computed(*rules: str) -> Computed:
    """Return what an element has that stands in others, each with declarations of its own, the outermost first."""
    found: Computed | None = None
    for rule in rules:
        found = Computed.of(declarations_of(rule), found)
    assert found
    return found


@pytest.mark.parametrize(
    ("written", "sides"),
    [
        ("margin: 1px", ("1px", "1px", "1px", "1px")),
        ("margin: 1px 2px", ("1px", "2px", "1px", "2px")),
        ("margin: 1px 2px 3px", ("1px", "2px", "3px", "2px")),
        ("margin: 1px 2px 3px 4px", ("1px", "2px", "3px", "4px")),
        ("margin: 1px; margin-left: 5px", ("1px", "1px", "1px", "5px")),
        ("margin-left: 5px; margin: 1px", ("1px", "1px", "1px", "1px")),
    ],
)
def test_shorthand_is_its_four_sides(written: str, sides: tuple[str, ...]) -> None:
    declared = declarations_of(written)

    assert tuple(declared[f"margin-{side}"] for side in ("top", "right", "bottom", "left")) == sides


def test_border_is_its_four_sides() -> None:
    assert declarations_of("border:1px solid #000000")["border-bottom"] == "1px solid #000000"


def test_lengths_come_to_pixels_of_the_own_font_size() -> None:
    found = computed("font-size:20px", "font-size:0.5em;margin-top:2em;border-left:0.1em solid #123456")

    assert found.font_size == 10
    assert found.px("margin-top") == 20
    assert found.get("border-left") == "1px solid #123456"


def test_percentage_of_a_font_size_is_of_the_parents() -> None:
    assert computed("font-size:20px", "font-size:150%").font_size == 30


def test_text_is_inherited_and_boxes_are_not() -> None:
    found = computed("color:#111111;margin:3px;background-color:#222222", "font-weight:bold", "")

    assert (found.get("color"), found.get("font-weight")) == ("#111111", "700")
    assert (found.get("margin-top"), found.get("background-color")) == ("0", "transparent")


def test_letter_spacing_is_inherited_in_pixels() -> None:
    assert computed("font-size:20px;letter-spacing:0.1em", "font-size:0.5em").get("letter-spacing") == "2px"


def test_decorations_add_up() -> None:
    found = computed("text-decoration:line-through", "text-decoration:underline")

    assert found.get("text-decoration") == "line-through underline"
    assert computed("text-decoration:underline", "text-decoration:none").get("text-decoration") == "underline"
    assert computed("", "text-decoration:none").get("text-decoration") == "none"


def test_percentage_is_no_length_that_is_known() -> None:
    found = computed("width:50%")

    assert found.get("width") == "50%"
    assert found.px("width") == 0


def test_lengths_are_written_short() -> None:
    assert [px(length) for length in (0, 0.001, 1, 1.5, 13.666, -2)] == ["0", "0", "1px", "1.5px", "13.67px", "-2px"]
    assert [pt(length) for length in (0, 1, 16, 13.6, 0.04)] == ["0", "0.8pt", "12pt", "10.2pt", "0"]
    assert in_points("4px solid #000000") == "3pt solid #000000"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("margin:1px", "margin:1px"),
        ("margin:1px 2px", "margin:1px 2px"),
        ("margin:1px 2px 3px", "margin:1px 2px 3px"),
        ("margin:1px 2px 3px 4px", "margin:1px 2px 3px 4px"),
        ("margin-top:1px;color:#000000", "margin-top:1px;color:#000000"),
        ("border:1px solid #000000", "border:1px solid #000000"),
        (
            "border:0;border-top:2px solid #000000",
            "border-top:2px solid #000000;border-right:0;border-bottom:0;border-left:0",
        ),
    ],
)
def test_sides_are_written_as_one_where_they_can_be(written: str, shown: str) -> None:
    assert style(declarations_of(written).items()) == shown


@pytest.mark.parametrize(("written", "factor"), [("1.5", "1.5"), ("30px", "1.5"), ("150%", "1.5"), ("1.5em", "1.5")])
def test_line_height_is_a_factor(written: str, factor: str) -> None:
    assert computed(f"font-size:20px;line-height:{written}").get("line-height") == factor
