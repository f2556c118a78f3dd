from tests.linters.css import Declaration, Length, colors, declarations, functions, lengths, words


def test_declarations_are_split_where_css_does() -> None:
    style = "Color: red ;background:url(a;b:c) ! IMPORTANT;font-family:'a;b', \"c:d\";;-aw-style-name:code;lost"

    assert declarations(style) == [
        Declaration("color", "red"),
        Declaration("background", "url(a;b:c)", important=True),
        Declaration("font-family", "'a;b', \"c:d\""),
        Declaration("-aw-style-name", "code"),
        Declaration("lost", ""),
    ]


def test_lengths_have_their_units() -> None:
    assert lengths("1px -.5EM 50% 0 calc(2rem+3) #123456 #12e4a6 h1 a-1") == [
        Length(1, "px"),
        Length(-0.5, "em"),
        Length(50, "%"),
        Length(0, ""),
        Length(2, "rem"),
        Length(3, ""),
    ]


def test_words_functions_and_colors_are_distinguished() -> None:
    value = "1px solid #ffaabb rgb(1, 2, 3) Auto 2em"

    assert words(value) == ["solid", "auto"]
    assert functions(value) == ["rgb"]
    assert colors(value) == ["#ffaabb"]
