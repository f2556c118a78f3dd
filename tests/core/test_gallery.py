import re
from collections import Counter
from dataclasses import replace
from importlib import resources
from xml.etree.ElementTree import Element

import html5lib
import pytest

from mdpublish_core import convert, get_template, list_templates
from mdpublish_core.css.colors import contrast
from mdpublish_core.gallery import example_markdown, example_page, gallery_css, gallery_page, specimen_page
from mdpublish_core.templates import CATEGORIES, THEME_MODES, Template, ThemeMode, bind

TEMPLATES = list_templates()


def parsed(page: str) -> Element:
    tree: Element = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(page)
    return tree


def of_class(tree: Element, name: str) -> list[Element]:
    return [element for element in tree.iter() if name in element.get("class", "").split()]


def visible_text(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


@pytest.mark.needs("mmdr", "resvg_py", "ziafont", "ziamath")
def test_each_kind_of_document_has_a_template_that_is_made_for_it() -> None:
    files = (resources.files("mdpublish_core") / "gallery" / "examples").iterdir()
    assert {f"{template.example}.md" for template in TEMPLATES} == {file.name for file in files}
    markdown = {template.example: example_markdown(template) for template in TEMPLATES}
    notices = {name: convert(each, to="email").notices for name, each in markdown.items()}
    assert {name: each for name, each in notices.items() if each} == {}
    tree = parsed(example_page(get_template("invoice"), "light"))
    assert visible_text(of_class(tree, "total")[-1]) == "Total due £4,221.00"


@pytest.fixture(scope="module")
def page() -> str:
    return gallery_page(TEMPLATES)


@pytest.fixture(scope="module")
def tree(page: str) -> Element:
    return parsed(page)


def of_every_category() -> list[Template]:
    """One template per category, in reverse order."""
    return [replace(TEMPLATES[0], id=f"a-{category}", category=category) for category in reversed(CATEGORIES)]


def test_every_template_stands_there_in_every_mode(tree: Element) -> None:
    scopes = [element.get("class") for element in tree.iter() if "inert" in element.attrib]

    assert scopes == [bind(template, mode).scope for template in TEMPLATES for mode in THEME_MODES]


def test_card_says_who_its_template_is(tree: Element) -> None:
    identity = {card.get("id"): visible_text(card) for card in of_class(tree, "card")}

    assert list(identity) == [f"template-{template.id}" for template in TEMPLATES]
    for template in TEMPLATES:
        category = "Free" if template.category == "free" else f"{template.category.capitalize()} Pro"
        start = f"{template.name} {template.id} {category} {template.description} Light "
        assert identity[f"template-{template.id}"].startswith(start)


def test_specimen_shows_what_tells_templates_apart(tree: Element) -> None:
    for specimen in (element for element in tree.iter() if "inert" in element.attrib):
        there = {element.tag for element in specimen.iter()}
        classes = {name for element in specimen.iter() for name in element.get("class", "").split()}

        assert {"h1", "h2", "p", "strong", "em", "a", "code", "ul", "input", "table", "blockquote", "pre"} <= there
        assert {"task", "callout", "odd", "even", "keyword", "string", "comment"} <= classes
        assert "hr" in there or "rule" in classes


def test_specimen_is_a_image_to_those_who_cannot_see_it(tree: Element) -> None:
    labels = [element.get("aria-label") for element in tree.iter() if element.get("role") == "img"]

    assert labels == [f"Specimen of {template.name}, {mode}" for template in TEMPLATES for mode in THEME_MODES]


def test_no_id_stands_twice(tree: Element) -> None:
    ids = Counter(element.get("id") for element in tree.iter() if "id" in element.attrib)

    assert [name for name, times in ids.items() if times > 1] == []


def test_every_link_and_label_within_the_page_leads_somewhere(tree: Element) -> None:
    ids = {element.get("id") for element in tree.iter()}
    links = [href[1:] for element in tree.iter("a") if (href := element.get("href", "")).startswith("#")]
    labels = [element.get("aria-labelledby") for element in tree.iter() if "aria-labelledby" in element.attrib]

    assert links
    assert labels
    assert set(links) | set(labels) <= ids


def test_keyboard_reaches_elements_in_their_order(tree: Element) -> None:
    assert all(int(element.get("tabindex", "0")) <= 0 for element in tree.iter())


def test_page_runs_and_loads_nothing(page: str, tree: Element) -> None:
    tags = {element.tag for element in tree.iter()}
    attributes = {name for element in tree.iter() for name in element.attrib}

    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "video", "audio", "form", "base"}
    assert not attributes & {"src", "srcset", "style"}
    assert not [name for name in attributes if name.startswith("on")]
    assert not re.search(r"url\(|@import|@font-face", page)


def test_stylesheet_is_the_one_that_can_be_hashed(tree: Element) -> None:
    assert [style.text for style in tree.iter("style")] == [gallery_css(TEMPLATES)]


def test_stylesheet_holds_that_of_each_fragment() -> None:
    css = gallery_css(TEMPLATES)

    assert all(bind(template, mode).css in css for template in TEMPLATES for mode in THEME_MODES)


def test_head_tells_browsers_what_they_need(page: str) -> None:
    assert page.startswith('<!DOCTYPE html>\n<html lang="en">\n')
    assert "<title>Templates · mdpublish</title>" in page
    assert '<meta name="viewport" content="width=device-width, initial-scale=1" />' in page
    assert '<meta name="color-scheme" content="light dark" />' in page


def test_categories_stand_in_the_order_of_the_catalogue_with_their_count() -> None:
    tree = parsed(gallery_page([*of_every_category(), replace(TEMPLATES[0], id="b", category="dark")]))

    expected = [
        f"{category.capitalize()} {'2 templates' if category == 'dark' else '1 template'}" for category in CATEGORIES
    ]
    assert [visible_text(heading) for shelf in of_class(tree, "shelf") for heading in shelf.findall("h2")] == expected


def test_every_category_can_be_chosen() -> None:
    page = gallery_page(of_every_category())
    choices = [visible_text(link) for nav in of_class(parsed(page), "categories") for link in nav.iter("a")]

    assert choices == ["All 8", *(f"{category.capitalize()} 1" for category in CATEGORIES)]
    for category in CATEGORIES:
        assert f"body:has(#category-{category}:target) .shelf:not(:target){{display:none}}" in page


def test_one_category_leaves_nothing_to_choose() -> None:
    tree = parsed(gallery_page([get_template("swiss")]))

    assert of_class(tree, "categories") == []
    assert [visible_text(heading) for heading in tree.iter("h2") if heading.get("id")] == ["Free 1 template"]


def test_page_without_templates_says_so() -> None:
    assert "No templates yet." in visible_text(parsed(gallery_page([])))


def test_names_of_a_user_template_are_escaped() -> None:
    custom = replace(get_template("swiss"), id="own", name='A <b> & "c"', description="</style><script>")

    tree = parsed(gallery_page([custom]))

    assert 'A <b> & "c"' in [heading.text for heading in tree.iter("h3")]
    assert not list(tree.iter("script"))


@pytest.mark.parametrize("scheme", THEME_MODES)
def test_own_text_has_contrast(scheme: str) -> None:
    # The first block of custom properties is for light mode, the second for dark.
    blocks = re.findall(r":root \{(.*?)\}", gallery_css([]), re.DOTALL)
    roles = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6});", blocks[THEME_MODES.index(scheme)]))

    for ground in ("paper", "panel"):
        for ink in ("ink", "muted", "link"):
            assert contrast(roles[ink], roles[ground]) >= 4.5, (ink, ground)
    assert contrast(roles["accent"], roles["paper"]) >= 3  # the focus outline


def test_page_is_the_same_every_time(page: str) -> None:
    assert gallery_page(list_templates()) == page


def test_page_weighs_little() -> None:
    # Uncompressed bytes per template and mode. Pages are sent compressed, where repetition costs nothing.
    assert len(gallery_page(TEMPLATES).encode()) < 18_000 * len(TEMPLATES) * len(THEME_MODES)


def page_url(template: Template, theme_mode: ThemeMode) -> str:
    return f"/templates/{template.id}/{theme_mode}"


def test_specimens_lead_to_full_ones_where_there_are_any() -> None:
    tree = parsed(gallery_page(TEMPLATES, specimen_url=page_url))

    links = [(link.get("href"), link.get("aria-label")) for link in of_class(tree, "open")]
    assert links == [
        (page_url(each, mode), f"{each.name}, {mode}: full page") for each in TEMPLATES for mode in THEME_MODES
    ]
    assert not of_class(parsed(gallery_page(TEMPLATES)), "open")


@pytest.mark.needs("merman", "pygraphviz", "resvg_py")
@pytest.mark.parametrize("mode", THEME_MODES)
def test_full_specimen_shows_all_there_is(mode: ThemeMode) -> None:
    html = specimen_page(get_template("swiss"), mode, specimen_url=page_url, gallery_url="/templates")

    tree = parsed(html)
    assert [heading.text for heading in tree.iter("h1")] == ["Swiss"]
    assert {"svg", "math", "table", "blockquote", "pre", "input", "figcaption"} <= {
        element.tag.rpartition("}")[2] for element in tree.iter()
    }
    assert {"note", "tip", "important", "warning", "caution", "footnotes"} <= {
        name for element in tree.iter() for name in element.get("class", "").split()
    }
    assert len(list(tree.iter("style"))) == 1
    hrefs = [link.get("href") for link in tree.iter("a")]
    other = "dark" if mode == "light" else "light"
    assert {"/templates#template-swiss", f"/templates/swiss/{other}"} <= set(hrefs)
    assert not list(tree.iter("script"))


def test_specimen_without_addresses_has_no_links_to_other_pages() -> None:
    html = specimen_page(get_template("swiss"), "light")

    hrefs = [link.get("href") or "" for link in parsed(html).iter("a")]
    assert [href for href in hrefs if not href.startswith(("#", "https://example.org/"))] == []


def test_name_of_a_user_template_is_no_markdown() -> None:
    custom = replace(get_template("swiss"), name="$1 *a* <b>", description="[x](y) `$name`")

    html = specimen_page(custom, "light", specimen_url=page_url, gallery_url="/templates")

    tree = parsed(html)
    assert [visible_text(heading) for heading in tree.iter("h1")] == ["$1 *a* <b>"]
    assert visible_text(next(tree.iter("p"))).startswith("[x](y) `$name` A page like this one")
