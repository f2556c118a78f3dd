import pytest

from mdpublish_core.templates.cascade import style_attribute
from mdpublish_core.templates.css_normalize import normalize_declarations


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("color: red", "color:#ff0000"),
        ("color: #abc", "color:#aabbcc"),
        ("color: rgb(1, 2, 3)", "color:#010203"),
        ("color: rgba(0, 0, 0, 0.5)", ""),
        ("color: currentColor", ""),
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
        ("font-size: 5vw", ""),
        ("font-weight: bolder", "font-weight:700"),
        ("line-height: normal", "line-height:1.2"),
        ("line-height: 24px", "line-height:24px"),
        ("margin: auto -3px 1in 3pt", "margin:0 0 96px 4px"),
        ("margin: 1px 2px 3px 4px 5px", ""),
        ("padding: 1ch", "padding:0.5em"),
        ("border: 1px solid red; border-color: blue", "border:1px solid #0000ff"),
        ("border: 1px solid red; border-left-width: thick", ("border-top:1px solid #ff0000;border-right:1px solid #ff0000;"
         "border-bottom:1px solid #ff0000;border-left:5px solid #ff0000")),
        ("border: 2px solid red; border-style: none", "border:0"),
        ("border-color: red", ""),
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
    assert style_attribute(normalize_declarations(written)) == shown
