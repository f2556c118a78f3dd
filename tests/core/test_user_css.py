import re
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given, settings

from mdpublish_core import Document, PageOptions, convert, parse, render
from mdpublish_core.css.user_css import MAX_STYLESHEET_CHARACTERS, browser_rules, user_css
from mdpublish_core.errors import InvalidStylesheet
from mdpublish_core.testing import check_words_preserved, documents
from mdpublish_core.writers.outputs import DESTINATIONS
from tests.sampling import sampled
from tests.templates.traits import covering


def css_of(html: str) -> str:
    return html.partition("<style>")[2].partition("</style>")[0]


def test_fragment_carries_the_rules_after_the_templates_under_its_class() -> None:
    css = css_of(convert("# a", css="h1, .callout > p { color: red }\nbody { color: blue }").html)

    assert css.endswith(
        ".mdpublish-swiss-light h1,.mdpublish-swiss-light .callout>p{color:red}\n.mdpublish-swiss-light{color:blue}"
    )


def test_page_carries_the_rules_after_the_templates() -> None:
    page = render(
        parse("# a"), to="page", options=PageOptions(title="a"), css="@media print { h1 { color: red } }"
    ).html

    assert css_of(page).endswith("@media print{\n.mdpublish-swiss-light h1{color:red}\n}")


@pytest.mark.parametrize("destination", ["html", "plain-text"])
def test_destination_without_styles_has_none_of_it(destination: str) -> None:
    assert convert("# a", to=destination, css="h1{color:red}") == convert("# a", to=destination)


@pytest.mark.parametrize("css", [None, "", " \n", "/* nothing */", "p {}", "@charset 'utf-8';"])
def test_nothing_is_nothing(css: str | None) -> None:
    assert user_css(css) is None


def rules_of(css: str, theme_mode: str = "light") -> list[tuple[tuple[str, ...], str, str | None]]:
    stylesheet = user_css(css)
    return [(*each,) for each in browser_rules(stylesheet, theme_mode)[0]] if stylesheet else []


def left_out(css: str, destination: str = "generic") -> str:
    messages = [each.message for each in convert("a", css=css, to=destination).notices]
    assert len(messages) <= 1, "one notice for all"
    return messages[0] if messages else ""


@pytest.mark.parametrize(
    ("css", "rules"),
    [
        (
            "a[href^='https:']:not(.b) > em:nth-child(2n + 1)::after { content: 'x' }",
            [(('& a[href^="https:"]:not(.b)>em:nth-child(2n + 1)::after',), 'content:"x"', None)],
        ),
        (
            "b, a { width: 2px; color: red; width: 1px !important }",
            [(("& b", "& a"), "width:2px;color:red;width:1px !important", None)],
        ),
        ("html { color: red } body > p {color: blue}", [(("&",), "color:red", None), (("&>p",), "color:blue", None)]),
        (":root:not([data-x]) { --a: 1 }", [(("&:not([data-x])",), "--a:1", None)]),
        (".markdown-body h1 { color: red }", [(("&& h1",), "color:red", None)]),
        (":where(body, html) i { color: red }", [(("& i",), "color:red", None)]),
        ("* { margin: 0 }", [(("& *", "&"), "margin:0", None)]),
        (":where(p) { margin: 0 }", [(("& :where(p):not(mdpublish)",), "margin:0", None)]),
        ("h1 { color: red; & i, .b { color: blue } &.c { color: green } }", [
            (("& h1",), "color:red", None),
            (("& h1 i", "& h1 .b"), "color:blue", None),
            (("& h1.c",), "color:green", None),
        ]),
        ("h1 { @media print { color: red } }", [(("& h1",), "color:red", "@media print")]),
        ("html { font-size: 62.5% } p { margin: 1.5rem }", [(("&",), "font-size:10px", None), (("& p",), "margin:15px", None)]),
        ("a, ::-moz-placeholder { color: red }", [(("& a",), "color:red", None), (("& ::-moz-placeholder",), "color:red", None)]),
        ("a, ::-moz-x, b:x { color: red }", [(("& a",), "color:red", None)]),
        ("p:not(ul p):is(.a > b) { color: red }", [(("& p:not(:where(&) ul p):is(:where(&) .a>b)",), "color:red", None)]),
        (":is(body.a, html) p, :is(body:not(.a)) p { --a: 1 }", [(("& p", "&:is(&:not(.a)) p"), "--a:1", None)]),
        (":not(body):not(.\\&):not(body > p) { --a: 1 }", [((r"& :not(&):not(.\26 ):not(&>p)",), "--a:1", None)]),
        ("h2:has(+ p, > i):nth-child(2n of ul li) { --a: 1 }", [
            (("& h2:has(+p,>i):where(& *):nth-child(2n of :where(&) ul li):where(& *)",), "--a:1", None)
        ]),
        (":lang( en , 'fr' ) { --a: 1 }", [(('& :lang(en,"fr")',), "--a:1", None)]),
        ("@supports (display: grid) { a { color: red } }", [(("& a",), "color:red", None)]),
        ("@layer base { a { color: red } }", [(("& a",), "color:red", None)]),
        ("a { color: #ff0000aa; background: oklch(60% .1 50 / 50%) }", [
            (("& a",), "color:#ff0000aa;background:oklch(60% .1 50 / 50%)", None)
        ]),
    ],
)  # fmt: skip
def test_rules_are_those_of_a_browser_for_the_document(
    css: str, rules: list[tuple[tuple[str, ...], str, str | None]]
) -> None:
    assert rules_of(css) == rules


@pytest.mark.parametrize(
    ("media", "light", "dark"),
    [
        ("(prefers-color-scheme: dark)", "absent", None),
        ("screen and (prefers-color-scheme: light) and (min-width: 9em)", "@media screen and (min-width: 9em)", "absent"),
        ("print, (prefers-color-scheme: dark)", "@media print", None),
        ("only screen and (max-width: 9em)", "@media only screen and (max-width: 9em)", "@media only screen and (max-width: 9em)"),
    ],
)  # fmt: skip
def test_color_scheme_is_that_of_the_theme_mode(media: str, light: str | None, dark: str | None) -> None:
    css = f"@media {media} {{ a {{ color: red }} }}"

    for theme_mode, expected in (("light", light), ("dark", dark)):
        assert [rule[2] for rule in rules_of(css, theme_mode)] == ([] if expected == "absent" else [expected])


@pytest.mark.parametrize(
    ("media", "holds"),
    [
        ("screen", True),
        ("print", False),
        ("not print", True),
        ("(min-width: 500px)", True),
        ("(max-width: 30em)", False),
        ("(min-width: 30pc)", True),
        ("(max-width: 500q)", False),
        ("(400px <= width < 700px)", True),
        ("(width > 700px)", False),
        ("(hover: hover) and (pointer: fine)", False),
        ("(prefers-color-scheme: dark) or (min-width: 1px)", True),
        ("not ((prefers-color-scheme: dark) or print)", True),
        ("(prefers-color-scheme: light)", True),
    ],
)
def test_media_query_has_a_result_for_an_email(media: str, holds: bool) -> None:
    html = convert("# a", to="email", css=f"@media {media} {{ h1 {{ color: #123456 }} }}").html

    assert ("#123456" in html) == holds


@pytest.mark.parametrize(
    ("css", "part"),
    [
        ("h1{colr:red}", "not CSS: `colr` (line 1; did you mean `color`?)"),
        ("a {\n b: red }", "not CSS: `b` (line 2"),
        ("a { color: red } }", "line 1"),
        ("a..b { color: red }", "`a..b` (line 1)"),
        ("@import 'x.css';", "at-rules: `@import`"),
        ("@font-face { font-family: x; src: url(x.woff) }", "at-rules: `@font-face`"),
        ("a { background: url(https://example.org/a.png) }", "not allowed: `url()` (line 1)"),
        ("a { background: u\\72l(x) }", "not allowed: `url()`"),
        ("a { --x: url(x) }", "not allowed: `url()`"),
        ("a { background: image-set('x' 1x) }", "not allowed: `image-set()`"),
        ("a { width: expression(alert(1)) }", "not allowed: `expression()`"),
        ("a { behavior: x }", "not allowed: `behavior`"),
        ("a { content: '</style>' }", "not allowed: `</`"),
        ("a { content: '\\3c/style>' }", "not allowed: `</`"),
        ("a[x='</style>'] { color: red }", "not allowed: `</ in a selector`"),
        ("@media </style> { a { color: red } }", "`@media </style>`"),
        ("a { position: fixed }", "not allowed: `position: fixed`"),
        ("a { POSITION: var(--x, fixed); --x: fixed }", "not allowed: `position: var(--x, fixed)` (line 1)"),
        ("body { all: inherit }", "not allowed: `all: inherit`"),
        ("a { --b\\}\\*\\{c: 1 }", "not CSS: `--b}*{c` (line 1)"),
        ("a { --b: \\\n}", "not CSS: `--b: \\`"),
        ("i, a:hoover { color: red }", "selectors: `:hoover` (line 1)"),
        ("body ~ * { color: red }", "selectors: `body ~ *` (line 1)"),
        (".dark body p { color: red }", "selectors: `.dark body p`"),
        ("body:has(+ p) { color: red }", "selectors: `body:has(+ p)`"),
        ("dialog::backdrop { color: red }", "selectors: `::backdrop`"),
        ("a { --x: {} }", "not CSS: `--x: {}`"),
        ("a { width: " + "calc(" * 40 + "1px" + ")" * 40 + "}", "nested too deep"),
        ("a {" * 40 + "color: red" + "}" * 40, "rules nested too deep"),
    ],
)
def test_what_a_browser_does_not_get_is_in_one_notice(css: str, part: str) -> None:
    conversion = convert("a", css=f"{css}\np {{ color: #123456 }}")

    (notice,) = conversion.notices
    assert notice.code == "stylesheet-left-out"
    assert part in notice.message
    assert not {"url(", "@import", "expression", "fixed", "behavior"} & set(css_of(conversion.html).split())


@pytest.mark.parametrize(
    "css",
    [
        "a { background: url(//x) } b { background: URL('//x') }",
        "@import url(//x); @import '//x';",
        "a::after { content: '</style><script>' }",
        "a { --x: ;}</style><script>; } ",
        "a:not([x='</style>']), b { color: red }",
        ":is(</style>) { color: red }",
        "@media screen { a { color: red } </style> }",
        "a { color: red; } --></style>",
        "\\</style> { color: red }",
    ],
)
def test_no_stylesheet_ends_its_element_or_loads_anything(css: str) -> None:
    html = convert("a", css=css).html

    assert html.count("</style") == 1
    assert "//x" not in html
    assert "@import" not in html


@pytest.mark.parametrize(
    ("css", "parts"),
    [
        ("a:hover { color: red } p::before { content: 'x' }", ["selectors: `:hover`, `::before`"]),
        ("p { display: grid; color: red }", ["properties: `display`"]),
        ("p { width: max-content }", ["values: `width: max-content`"]),
        ("p:has(a) { color: red }", ["selectors: `:has()`"]),
        ("@media (monochrome) { p { color: red } }", ["at-rules: `@media (monochrome)`"]),
        ("p { color: red; height: 1px }", ["properties: `height`"]),
    ],
)
def test_what_an_email_does_not_get_is_in_one_notice(css: str, parts: list[str]) -> None:
    assert [part for part in parts if part not in left_out(css, "email")] == []


def test_notice_lists_some_of_many() -> None:
    message = left_out("".join(f"p {{ x{number}: 1 }}" for number in range(1000)))

    assert "and 994 more" in message
    assert len(message) < 400


def test_stylesheet_of_which_nothing_is_left_out_has_no_notice() -> None:
    assert left_out("p { color: red }", "email") == left_out("p:hover { color: red }") == ""


@pytest.mark.parametrize("css", ["<style>", "a,b"])
def test_text_without_rules_is_no_stylesheet(css: str) -> None:
    with pytest.raises(InvalidStylesheet, match="stylesheet, line 1: has no rules"):
        convert("a", css=css)


def test_stylesheet_has_a_limit() -> None:
    css = "a { color: red }" * (MAX_STYLESHEET_CHARACTERS // 10)

    with pytest.raises(InvalidStylesheet, match="at most 200,000 characters"):
        convert("a", css=css)


@pytest.mark.parametrize(
    ("css", "left"),
    [
        ("a { color: red }" * 11_000, "rules past 10,000 selectors"),
        ("".join(f"p:nth-child({number}) {{ color: red }}" for number in range(300)), "rules past 200 conditions"),
        ("a, b, i { a, b, i { a, b, i { a, b, i { a, b, i { a, b, i { a, b, i { a, b, i { a, b, i { color: red }}}}}}}}}",
         "rules past 10,000 selectors"),
    ],
)  # fmt: skip
def test_rules_have_limits(css: str, left: str) -> None:
    assert left in left_out(css[:MAX_STYLESHEET_CHARACTERS], "email")


def test_variables_that_double_are_bounded() -> None:
    doubling = "".join(f"--a{number}: var(--a{number - 1}) var(--a{number - 1});" for number in range(1, 40))

    html = convert("a", to="email", css=f"body {{ --a0: red; {doubling} color: var(--a39) }}").html

    assert len(html) < 20_000


def test_nothing_is_written_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    for destination in DESTINATIONS:
        convert("# a", to=destination, css="a { b { c: d } } @x; h1 { color: #ff0000aa } }")

    assert capsys.readouterr().err == ""


def test_stylesheets_are_read_beside_one_another() -> None:
    results: list[bool] = []

    def read(number: int) -> None:
        html = convert("a", to="email", css=f"p {{ color: #1234{number:02} }}").html
        results.append(f"#1234{number:02}" in html)

    threads = [Thread(target=read, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert results == [True] * 16


@pytest.mark.parametrize(
    ("css", "color"),
    [
        ("p { color: #101112 } .x, p { color: #202122 }", "#202122"),
        ("p { color: #101112 !important } p { color: #202122 }", "#101112"),
        ("body p { color: #101112 } p:first-child { color: #202122 }", "#202122"),
        ("p:not(#a) { color: #101112 } p:first-child:not(.b) { color: #202122 }", "#101112"),
        (":where(p:first-child) { color: #101112 } p { color: #202122 }", "#202122"),
        (":is(p, .a) { color: #101112 } p { color: #202122 }", "#101112"),
        ("body { --c: #101112 } p { --c: #202122; color: var(--c) }", "#202122"),
        ("body { --c: #101112; color: var(--c) }", "#101112"),
        ("body { --c: var(--d); --d: #101112 } p { --d: #202122; color: var(--c) }", "#101112"),
        ("p { color: var(--none, var(--d, #101112)) }", "#101112"),
        ("body { color: #101112 } p { color: #202122; color: inherit }", "#101112"),
        ("p:nth-last-child(2) { color: #101112 }", "#101112"),
        ("p:first-of-type:not(:last-of-type) { color: #101112 }", "#101112"),
        ("body { background: #000000 } p { color: #ffffff80 }", "#808080"),
    ],
)
def test_cascade_is_that_of_css(css: str, color: str) -> None:
    html = convert("first\n\nsecond", to="email", css=css).html

    assert re.findall(r"[;\"]color:(#\w+)", html.rpartition("first")[0])[-1] == color


STYLED = ("google-docs", "word", "onenote", "email")

SPECIMEN = (Path(__file__).parents[1] / "browser/specimen.md").read_text("utf-8")


@pytest.mark.parametrize("destination", STYLED)
@pytest.mark.parametrize("template", sampled([template.id for template in covering()], 6))
def test_stylesheet_that_meets_nothing_changes_nothing(destination: str, template: str) -> None:
    document = parse(SPECIMEN)

    matched = render(document, to=destination, template=template)
    inlined = render(document, to=destination, template=template, css="nosuch { color: red }")

    assert inlined == matched


@pytest.mark.parametrize("destination", STYLED)
@pytest.mark.parametrize(
    ("markdown", "css"),
    [
        ("# a", "h1 { color: #123456 }"),
        ("a", "body { color: #123456 }"),
        ("> [!TIP]\n> a", ".tip > .title { color: #123456 !important }"),
        ("- a\n- b", "li:nth-child(2) { color: rgb(18, 52, 86) }"),
        ("[a](https://example.org/)", 'a[href$=".org/"] { color: #123456 }'),
        ("```py\nimport a\n```", "pre .keyword { color: #123456 }"),
        ("|a|\n|-|\n|b|\n", "tr.odd > td { background: #123456 }"),
        ("|a|\n|-:|\n|b|\n", "td.right { background: #123456 }"),
        ("a `b`", "p > code { background-color: #123456 }"),
        ("a[^1]\n\n[^1]: b", ".footnotes:last-child li { color: #123456 }"),
    ],
)
def test_any_rule_is_applied_to_its_elements(destination: str, markdown: str, css: str) -> None:
    assert "#123456" not in convert(markdown, to=destination).text
    assert "#123456" in convert(markdown, to=destination, css=css).text


@pytest.mark.parametrize("destination", STYLED)
def test_notices_and_media_are_given_once(destination: str) -> None:
    image = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
    markdown = f"![a]({image})\n\n```makefile\n{'a: b' * 20_000}\n```\n"

    plain = convert(markdown, to=destination)
    styled = convert(markdown, to=destination, css="p { color: red }")

    assert styled.notices == plain.notices
    assert plain.notices
    assert len(styled.media) == len(plain.media) == 1


# Two renderings and premailer take some hundred times as long as other examples.
@pytest.mark.parametrize("destination", STYLED)
@settings(max_examples=max(8, settings().max_examples // 6))
@given(document=documents())
def test_any_tree_takes_a_stylesheet(destination: str, document: Document) -> None:
    css = "p, li { color: green } * > * { margin: 1px } :first-child { font: italic 12pt/2 serif }"

    check_words_preserved([], render(document, to=destination, css=css))


# Most are not allowed in XML; the others end lines or are invisible.
CHARACTERS = "".join(map(chr, [*range(32), 0x7F, 0x85, 0x2028, 0xD800, 0xDFFF, 0xFFFE, 0xFFFF]))


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_any_character_may_stand_in_any_place(destination: str) -> None:
    places = (
        "[a](http://a/{} 't{}') ![b{}](http://b/{}.png)",
        "[a](<http://a/{}> 't{}')",
        "<http://a/{}>",
        "http://a/{}",
        "<a href='http://a/{}' title='t{}'>b{}</a> <abbr title='{}'>c</abbr> <img src='b{}' alt='{}'>",
        "# {}\n\n`{}` $x{}$\n\n```{}\n{}\n```",
        "a[^{}]\n\n[^{}]: {}",
    )
    markdown = "\n\n".join(place.replace("{}", each) for place in places for each in CHARACTERS)

    for css in (None, "h1, a[href^=http] { color: red }"):
        conversion = convert(markdown, to=destination, css=css)

        conversion.text.encode()
        conversion.plain_text.encode()


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_url_has_no_control_characters(destination: str) -> None:
    conversion = convert("[a](<http://a/&#7;>)", to=destination, css="h1{color:red}")

    for output in (conversion.text, conversion.plain_text):
        assert "http://a/%07" in output


def test_columns_have_room_for_the_padding_of_a_stylesheet() -> None:
    """In Word, whose columns have fixed widths."""
    markdown = "|a|b|\n|-|-|\n|Alpha|12|"

    plain, padded = (
        [float(width) for width in re.findall(r'<th [^>]*width="(\d+)"', convert(markdown, to="word", css=css).html)]
        for css in ("td { color: red }", ".markdown-body td, .markdown-body th { padding: 6px 30px }")
    )

    assert len(plain) == len(padded) == 2
    assert all(wider > width + 20 for width, wider in zip(plain, padded, strict=True))
