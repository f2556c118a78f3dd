import pytest

from mdpublish_core.css.cascade import ComputedValues, parse_declarations, pt, px, px_to_pt, style_attribute


def computed(*rules: str) -> ComputedValues:
    """Computed values of the innermost of nested elements. `rules` are their declarations, outermost first."""
    values: ComputedValues | None = None
    for rule in rules:
        values = ComputedValues.compute(parse_declarations(rule), values)
    assert values
    return values


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
    declared = parse_declarations(written)

    assert tuple(declared[f"margin-{side}"] for side in ("top", "right", "bottom", "left")) == sides


def test_border_is_its_four_sides() -> None:
    assert parse_declarations("border:1px solid #000000")["border-bottom"] == "1px solid #000000"


def test_lengths_come_to_pixels_of_the_elements_font_size() -> None:
    values = computed("font-size:20px", "font-size:0.5em;margin-top:2em;border-left:0.1em solid #123456")

    assert values.font_size == 10
    assert values.px("margin-top") == 20
    assert values.get("border-left") == "1px solid #123456"


def test_percentage_of_a_font_size_is_of_the_parents() -> None:
    assert computed("font-size:20px", "font-size:150%").font_size == 30


def test_text_is_inherited_and_boxes_are_not() -> None:
    values = computed("color:#111111;margin:3px;background-color:#222222", "font-weight:bold", "")

    assert (values.get("color"), values.get("font-weight")) == ("#111111", "700")
    assert (values.get("margin-top"), values.get("background-color")) == ("0", "transparent")


def test_letter_spacing_is_inherited_in_pixels() -> None:
    assert computed("font-size:20px;letter-spacing:0.1em", "font-size:0.5em").get("letter-spacing") == "2px"


def test_decorations_add_up() -> None:
    values = computed("text-decoration:line-through", "text-decoration:underline")

    assert values.get("text-decoration") == "line-through underline"
    assert computed("text-decoration:underline", "text-decoration:none").get("text-decoration") == "underline"
    assert computed("", "text-decoration:none").get("text-decoration") == "none"


def test_percentage_is_no_length_that_is_known() -> None:
    values = computed("width:50%")

    assert values.get("width") == "50%"
    assert values.px("width") == 0


def test_lengths_are_written_short() -> None:
    assert [px(length) for length in (0, 0.001, 1, 1.5, 13.666, -2)] == ["0", "0", "1px", "1.5px", "13.67px", "-2px"]
    assert [pt(length) for length in (0, 1, 16, 13.6, 0.04)] == ["0", "0.8pt", "12pt", "10.2pt", "0"]
    assert px_to_pt("4px solid #000000") == "3pt solid #000000"


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
    assert style_attribute(parse_declarations(written).items()) == shown


@pytest.mark.parametrize(("written", "factor"), [("1.5", "1.5"), ("30px", "1.5"), ("150%", "1.5"), ("1.5em", "1.5")])
def test_line_height_is_a_factor(written: str, factor: str) -> None:
    assert computed(f"font-size:20px;line-height:{written}").get("line-height") == factor
