import pytest

from mdpublish_core.css.cascade import style_attribute
from mdpublish_core.css.normalize import Units
from mdpublish_core.css.user_css import user_css
from mdpublish_core.css.user_style import UserStyleFactory, declared_longhands


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("color: red", "color:#ff0000"),
        ("color: #abc", "color:#aabbcc"),
        ("color: rgb(1, 2, 3)", "color:#010203"),
        ("color: rgba(0, 0, 0, 0.5)", "color:#7f7f7f"),
        ("color: #ff000080", "color:#ff7f7f"),
        ("color: rgb(1 2 3 / 50%)", "color:#808081"),
        ("color: hsl(210deg 50% 40%)", "color:#336699"),
        ("color: oklch(62.8% 0.2577 29.23)", "color:#ff0000"),
        ("color: oklab(0.452 -0.0324 -0.3115)", "color:#0000ff"),
        ("color: currentColor", ""),
        ("color: red; border: 1px solid", "color:#ff0000;border:1px solid #ff0000"),
        ("background: linear-gradient(red, blue), #123456", "background-color:#123456"),
        ("background: #FFF none", "background-color:#ffffff"),
        ("background: none", "background-color:transparent"),
        ("background-color: transparent", "background-color:transparent"),
        (
            "font: italic bold 12pt/1.5 'A B', serif",
            'font-style:italic;font-variant:normal;font-weight:700;line-height:1.5;font-size:16px;font-family:"A B",serif',
        ),
        ("font-size: large", "font-size:18px"),
        ("font-size: smaller", "font-size:0.83em"),
        ("font-size: 1.2rem", "font-size:19.2px"),
        ("font-size: calc(1px + 2em)", ""),
        ("font-size: 5vw", "font-size:30px"),
        ("font-size: calc(1rem * 1.5 - 4px)", "font-size:20px"),
        ("font-size: clamp(1rem, 3vw, 2rem)", "font-size:18px"),
        ("font-size: calc(2 / 0 * 1px)", ""),
        ("font-size: -2px", ""),
        ("font-weight: bolder", "font-weight:700"),
        ("line-height: normal", "line-height:1.2"),
        ("line-height: 24px", "line-height:24px"),
        ("margin: auto -3px 1in 3pt", "margin:0 0 96px 4px"),
        ("margin: 1px 2px 3px 4px 5px", ""),
        ("padding: 1ch", "padding:0.5em"),
        ("padding-inline: 1px 2px", "padding-left:1px;padding-right:2px"),
        ("margin-block-start: 3px", "margin-top:3px"),
        ("border-inline-start: 4px solid #111", "border-left:4px solid #111111"),
        ("border-width: 0 0 1px; border-style: solid; border-color: red",
         "border-top:0;border-right:0;border-bottom:1px solid #ff0000;border-left:0"),
        ("--a: 3px; --b: calc(var(--a) * 2); padding: var(--b) var(--c, 1px)", "padding:6px 1px"),
        ("--a: var(--b); --b: var(--a); padding: var(--a)", ""),
        ("border: 1px solid red; border-color: blue", "border:1px solid #0000ff"),
        ("border: 1px solid red; border-left-width: thick", ("border-top:1px solid #ff0000;border-right:1px solid "
         "#ff0000;border-bottom:1px solid #ff0000;border-left:5px solid #ff0000")),
        ("border: 2px solid red; border-style: none", "border:0"),
        ("border-color: red", "border:0"),
        ("border: thin groove", "border:1px solid #000000"),
        ("list-style: square inside", "list-style-type:square"),
        ("text-decoration: underline dotted red", "text-decoration:underline"),
        ("text-decoration: none", "text-decoration:none"),
        ("text-align: end", "text-align:right"),
        ("text-align: justify", "text-align:justify"),
        ("text-align: inherit", ""),
        ("vertical-align: 3px", ""),
        ("width: 50%", "width:50%"),
        ("display: none; float: left; x: y", ""),
        ("color: inherit", ""),
        ("a; b:; : c", ""),
    ],
)  # fmt: skip
def test_declaration_is_in_a_form_that_every_destination_knows(written: str, shown: str) -> None:
    stylesheet = user_css(f"p{{{written}}}")
    assert stylesheet
    declarations = [each for rule in stylesheet.rules for each in rule.declarations]
    declared = [(declared_longhands(name, value, Units()) or {}) for name, value, _ in declarations]
    longhands = {name: value for each in declared for name, value in each.items()}
    factory = UserStyleFactory(lambda _element, values, _parent: tuple(values.items()), str, Units())

    assert style_attribute(factory("p", longhands, None).style) == shown
