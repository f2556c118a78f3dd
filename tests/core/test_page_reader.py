"""What readers of a page have at hand: links beside headings, and a switch between light and dark, without a script."""

import re

import pytest

from mdpublish_core import PageOptions, parse, read_html, render, to_markdown
from mdpublish_core.templates import PageThemeMode, list_templates
from mdpublish_core.templates.style import page_css

SECTIONS = "".join(
    f"## Part {number}\n\n{'word ' * 250}\n\n#### Detail {number}\n\n- [ ] task\n\n" for number in range(4)
)
LONG, SHORT = f"# Title\n\n{SECTIONS}", "# Title\n\n## One\n\nText\n\n### Two\n\n> ## Quoted\n"

HIDDEN, NAMED = 'aria-hidden="true" tabindex="-1"', 'aria-label="Link to this section"'


def page(
    markdown: str, *, controls: bool = True, mode: PageThemeMode = "light", css: str | None = None, **options: object
) -> str:
    chosen = PageOptions(reader_controls=controls, **options)  # type: ignore[arg-type]
    return render(parse(markdown), to="page", options=chosen, theme_mode=mode, css=css, template="github").html


def links(html: str) -> list[tuple[str, str]]:
    return re.findall(r'<a class="anchor" href="([^"]*)" ([^>]*)></a></h[2-6]>', html)


@pytest.mark.parametrize(
    ("markdown", "toc", "expected"),
    [
        (SHORT, True, [("#md-one", NAMED), ("#md-two", NAMED), ("#md-quoted", NAMED)]),
        (LONG, True, [(f"#md-{name}-{n}", kind) for n in range(4) for name, kind in (("part", HIDDEN), ("detail", NAMED))]),
        (LONG, False, [(f"#md-{name}-{n}", NAMED) for n in range(4) for name in ("part", "detail")]),
        ("# Title\n\n## !\n", True, []),
    ],
)  # fmt: skip
def test_the_keyboard_reaches_links_beside_headings_that_no_contents_have(
    markdown: str, toc: bool, expected: list[tuple[str, str]]
) -> None:
    assert links(page(markdown, toc=toc)) == expected


@pytest.mark.parametrize(("lang", "label"), [("de", "Link zu diesem Abschnitt"), ("ja", "このセクションへのリンク")])
def test_names_are_in_the_language_of_the_page(lang: str, label: str) -> None:
    assert f'aria-label="{label}"' in page(SHORT, lang=lang)


@pytest.mark.parametrize("markdown", [SHORT, LONG])
def test_what_is_read_back_is_the_text_alone(markdown: str) -> None:
    with_controls, without = (to_markdown(read_html(page(markdown, controls=each)).document) for each in (True, False))

    assert with_controls == without


@pytest.mark.parametrize("options", [{"controls": False}, {"css": "p { color: red }"}])
def test_pages_have_neither_unless_asked_or_with_colors_of_the_user(options: dict[str, object]) -> None:
    html = page(LONG, **options)  # type: ignore[arg-type]

    assert not links(html)
    assert 'class="mode"' not in html
    assert ".anchor" not in html


@pytest.mark.parametrize(("mode", "scheme"), [("light", "light"), ("dark", "dark"), ("auto", "light dark")])
def test_page_has_one_switch_and_says_the_mode_it_begins_in(mode: PageThemeMode, scheme: str) -> None:
    html = page(LONG, mode=mode)

    assert html.count('<input class="mode" type="checkbox"') == 1
    assert f'<meta name="color-scheme" content="{scheme}" />' in html
    assert "<script" not in html
    assert " style=" not in html


def test_conversion_says_the_mode_that_was_asked_for() -> None:
    options = PageOptions(reader_controls=True)

    assert render(parse("a"), to="page", options=options, theme_mode="dark").theme_mode == "dark"


def test_stylesheet_has_contents_beside_the_text_for_pages_that_have_contents_and_room() -> None:
    beside = {
        template.id for template in list_templates() if "scroll-target-group" in page_css(template, "light", "standard")
    }
    with_contents = {
        template.id
        for template in list_templates()
        if "scroll-target-group" in page_css(template, "light", "standard", has_contents=True)
    }

    assert beside == {template.id for template in list_templates() if template.layout == "rail"}
    assert with_contents == beside | {template.id for template in list_templates() if template.contents_window}


@pytest.mark.parametrize(("width", "window"), [("standard", "95em"), ("wide", "132.5em"), ("full", None)])
def test_wider_pages_have_contents_beside_the_text_in_wider_windows(width: str, window: str | None) -> None:
    windows = re.findall(
        r"@media screen and \(min-width: ?(\S+)\)\s*\{[^@]*scroll-target-group",
        page(LONG, toc=True, page_width=width),
    )

    assert windows == ([window] if window else [])
