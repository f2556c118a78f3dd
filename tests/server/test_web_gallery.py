"""The gallery, a page of each template, and texts that are carried to and from the workbench."""

from hashlib import sha256
from importlib.resources import files
from xml.etree.ElementTree import Element

import html5lib
import httpx
import pytest

from mdpublish_core import Template, list_templates
from mdpublish_core.hosting.pages import page_style_hash
from mdpublish_core.hosting.templates import search_synonyms
from mdpublish_core.templates import CATEGORIES, THEME_MODES
from mdpublish_server.web.public.gallery import LEADING
from mdpublish_server.web.public.sample import SAMPLE
from mdpublish_server.web.public.template_search import search_templates
from tests.server.conftest import MakeOwner, SignedIn

pytestmark = pytest.mark.anyio

THUMBNAILS = files("mdpublish_server.web") / "static" / "thumbnails"
REMEDY = "run `nox -s thumbnails`"

SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}

MARKDOWN = '# My </textarea> text\n\n"Quoted" & *more*.'


def parsed(response: httpx.Response) -> Element:
    tree: Element = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(response.text)
    return tree


def hrefs(tree: Element) -> list[str]:
    return [link.get("href", "") for link in tree.iter("a")]


def cards(tree: Element) -> list[Element]:
    return [item for item in tree.iter("li") if (item.get("id") or "").startswith("template-")]


def text_of(element: Element) -> str:
    return " ".join("".join(element.itertext()).split())


def button(tree: Element, label: str) -> Element | None:
    return next((each for each in tree.iter("button") if text_of(each) == label), None)


# Thumbnails


def test_every_template_has_a_thumbnail_in_each_mode_and_no_other_is_left() -> None:
    subjects = sorted(each.name.partition(".")[0] for each in THUMBNAILS.iterdir())

    assert subjects == sorted(f"{template.id}-{mode}" for template in list_templates() for mode in THEME_MODES), REMEDY


def test_thumbnails_are_small_and_named_by_their_content() -> None:
    contents = {each.name: each.read_bytes() for each in THUMBNAILS.iterdir()}

    assert [name for name, content in contents.items() if len(content) > 20_000] == []
    assert sum(map(len, contents.values())) < 1_500_000
    assert [name for name, content in contents.items() if sha256(content).hexdigest()[:8] not in name] == [], REMEDY
    assert [name for name, content in contents.items() if content[4:12] != b"ftypavif"] == []


async def test_thumbnail_is_stored_for_good(client: httpx.AsyncClient) -> None:
    name = next(THUMBNAILS.iterdir()).name
    first = await client.get(f"/static/thumbnails/{name}")
    second = await client.get(f"/static/thumbnails/{name}", headers={"If-None-Match": first.headers["etag"]})

    assert (first.status_code, first.content) == (200, (THUMBNAILS / name).read_bytes())
    assert first.headers["content-type"] == "image/avif"
    assert first.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert (second.status_code, second.content) == (304, b"")


async def test_nothing_but_a_thumbnail_is_served(client: httpx.AsyncClient) -> None:
    for name in ("", "swiss-light.avif", "..%2Fsite.css"):
        assert (await client.get(f"/static/thumbnails/{name}")).status_code == 404, name


# The gallery


async def test_gallery_shows_every_template_and_leads_to_its_page(client: httpx.AsyncClient) -> None:
    response = await client.get("/templates")

    tree = parsed(response)
    shown = [(card.get("id"), card.find("h3/a").get("href"), next(card.iter("img")).get("src")) for card in cards(tree)]  # type: ignore[union-attr]
    assert sorted((f"template-{each.id}", f"/templates/{each.id}/light") for each in list_templates()) == sorted(
        (name, path) for name, path, _ in shown
    )
    assert [name for name, *_ in shown[:16]] == [f"template-{each}" for each in LEADING]
    assert [text_of(each) for each in tree.iter("h2")][:3] == ["Start with one of these", "Free", "Business"]
    assert [(await client.get(source or "")).status_code for _, _, source in shown] == [200] * len(shown)
    assert hrefs(tree)[0] == "/", "the way home"


async def test_index_has_at_most_100_kb_and_lazy_images_of_known_size(client: httpx.AsyncClient) -> None:
    response = await client.get("/templates")

    images = [next(card.iter("img")) for card in cards(parsed(response))]
    assert len(response.content) <= 102_400
    assert {(image.get("width"), image.get("height")) for image in images} == {("320", "240")}
    assert {image.get("loading") for image in images[3:]} == {"lazy"}


async def test_thumbnails_follow_the_color_scheme_by_default(client: httpx.AsyncClient) -> None:
    preset, chosen = (await client.get("/templates")).text, (await client.get("/templates?mode=light")).text

    assert preset.count('<source media="(prefers-color-scheme: dark)"') == len(list_templates())
    assert 'href="/templates?category=dark"' in preset, "another category chooses no mode"
    assert "<source" not in chosen


async def test_filter_shows_one_category_in_one_mode(client: httpx.AsyncClient) -> None:
    for category in CATEGORIES:
        for mode in THEME_MODES:
            tree = parsed(await client.get("/templates", params={"category": category, "mode": mode}))

            assert [card.get("id") for card in cards(tree)] == [
                f"template-{each.id}" for each in list_templates(category)
            ], (category, mode)
            assert all(f"-{mode}." in card.find("img").get("src", "") for card in cards(tree)), (category, mode)  # type: ignore[union-attr]
            current = [link.get("href") for link in tree.iter("a") if link.get("aria-current")]
            assert current == ["/templates", *[f"/templates?category={category}&mode={mode}"] * 2], (category, mode)
            other = next(each for each in THEME_MODES if each != mode)
            assert {f"/templates?mode={mode}", f"/templates?category={category}&mode={other}"} <= set(hrefs(tree)), (
                category,
                mode,
            )


async def test_unknown_filter_shows_everything(client: httpx.AsyncClient) -> None:
    for query in ("category=none", "mode=grey", "category=&mode=", "category=free&category=none"):
        assert len(cards(parsed(await client.get(f"/templates?{query}")))) == len(list_templates()), query


@pytest.mark.parametrize(
    ("query", "matching"),
    [
        ("invoice", "invoice"),
        ("Reports", "swiss"),
        ("legal", "legal-brief"),
        ("calm dark", "midnight"),
        ("rosé", "rose-pine"),
        ("castle", "dracula"),
        ("Dark, calm!", "midnight"),
        ("cv", "resume"),
        ("Résumé", "resume"),
        ("pitch deck", "slide"),
        ("pitch deck", "proposal"),
        ("powerpoi", "slide"),
        ("bill", "invoice"),
        ("menu", "recipe"),
        ("minutes", "meeting-notes"),
        ("agenda", "planner"),
        ("todo", "checklist"),
        ("contract", "legal-brief"),
        ("NDA", "legal-brief"),
        ("readme", "github"),
        ("wedding", "letterpress"),
        ("terms", "legal-brief"),
    ],
)
def test_search_finds_templates_by_name_use_mood_and_description(query: str, matching: str) -> None:
    assert matching in {each.id for each in search_templates(query)}
    assert len(search_templates(query)) < 24


def test_every_synonym_stands_for_words_of_templates_and_finds_some() -> None:
    words = {word for each in list_templates() for word in words_of_facts(each)}

    assert {meaning for meanings in search_synonyms().values() for meaning in meanings} - words == set()
    assert [each for each in search_synonyms() if not search_templates(each)] == []


def words_of_facts(template: Template) -> list[str]:
    return " ".join((template.name, template.category, *template.keywords)).lower().split()


def test_search_leads_with_what_is_named_so() -> None:
    matching = [each.id for each in search_templates("paper")]

    assert {"paper", "latex"} <= set(matching[:6])
    assert matching.index("paper") < matching.index("planner"), "whose description speaks of dotted paper"


async def test_search_is_a_form_and_keeps_its_words(client: httpx.AsyncClient) -> None:
    tree = parsed(await client.get("/templates", params={"q": " invoice ", "mode": "dark"}))
    nothing = parsed(await client.get("/templates", params={"q": "<blink>"}))

    assert [card.get("id") for card in cards(tree)] == ["template-invoice"]
    assert "/templates?q=invoice&mode=light" in hrefs(tree)
    assert "1 template for “invoice”" in [text_of(each) for each in tree.iter("h2")]
    assert "No templates for “<blink>”" in [text_of(each) for each in nothing.iter("h2")]
    assert [each.get("value") for each in nothing.iter("input") if each.get("name") == "q"] == ["<blink>"]


async def test_search_without_scripts_carries_a_text(client: httpx.AsyncClient) -> None:
    response = await client.post("/templates?mode=light&q", data={"content": MARKDOWN, "q": "invoice"})

    tree = parsed(response)
    (field,) = (each for each in tree.iter("textarea") if each.get("name") == "content")
    assert [card.get("id") for card in cards(tree)] == ["template-invoice"]
    assert (field.text or "").strip() == MARKDOWN


# Two templates side by side


async def test_two_templates_show_the_sample_side_by_side(client: httpx.AsyncClient) -> None:
    tree = parsed(await client.get("/templates/compare?left=ink&right=nord&theme_mode=dark"))

    assert [frame.get("src") for frame in tree.iter("iframe")] == [
        f"/templates/{e}/dark/specimen" for e in ("ink", "nord")
    ]
    assert [each.get("value") for each in tree.iter("option") if each.get("selected") is not None] == ["ink", "nord"]


async def test_two_templates_show_my_text_in_the_page_itself(client: httpx.AsyncClient) -> None:
    form = {"content": MARKDOWN, "left": "ink", "right": "nord", "theme_mode": "dark"}
    response = await client.post("/templates/compare", data=form, headers=SAME_ORIGIN)

    tree = parsed(response)
    frames = list(tree.iter("iframe"))
    pages = [frame.get("srcdoc") or "" for frame in frames]
    (field,) = tree.iter("textarea")
    policy = response.headers["content-security-policy"]
    assert ["<em>more</em>" in page for page in pages] == [True, True]
    assert pages[0] != pages[1]
    assert {frame.get("sandbox") for frame in frames} == {""}
    assert (field.text or "").strip() == MARKDOWN
    assert all(f"'{page_style_hash(page)}'" in policy for page in pages)
    assert "unsafe" not in policy
    assert "script-src 'self';" in policy


async def test_comparison_of_what_is_no_template_is_refused(client: httpx.AsyncClient) -> None:
    for query in ("left=none", "right=../x", "theme_mode=grey"):
        response = await client.get(f"/templates/compare?{query}")

        assert response.status_code == 400, query
        assert "must be one of" in response.text, query


async def test_comparison_renders_for_the_site_alone(client: httpx.AsyncClient) -> None:
    foreign = await client.post("/templates/compare", data={"content": "x"}, headers={"Sec-Fetch-Site": "cross-site"})

    assert foreign.status_code == 403


async def test_templates_of_the_pro_plan_are_labeled(client: httpx.AsyncClient) -> None:
    labeled = [card.get("id") for card in cards(parsed(await client.get("/templates"))) if " Pro " in text_of(card)]

    assert set(labeled) == {f"template-{each.id}" for each in list_templates() if each.category != "free"}


async def test_picker_gets_every_template_with_its_thumbnails(client: httpx.AsyncClient) -> None:
    entries = (await client.get("/templates/thumbnails.json")).json()

    assert [(each["id"], each["name"]) for each in entries] == [(each.id, each.name) for each in list_templates()]
    assert entries[0]["words"].startswith("github free readme documentation changelog issue plain ")
    assert [each["id"] for each in entries if "cv" in each["words"].split()] == ["resume"]
    assert all(f"/{each['id']}-{mode}." in each[mode] for each in entries for mode in THEME_MODES)


async def test_workbench_loads_no_thumbnail(client: httpx.AsyncClient) -> None:
    page = (await client.get("/")).text

    assert "thumbnails" not in page
    assert "/static/gallery.css" not in page


# A template's page


async def test_template_has_a_page_with_an_example_in_a_frame(client: httpx.AsyncClient) -> None:
    for mode in THEME_MODES:
        tree = parsed(await client.get(f"/templates/paper/{mode}"))

        (frame,) = tree.iter("iframe")
        assert frame.get("src") == f"/templates/paper/{mode}/example", mode
        assert [text_of(heading) for heading in tree.iter("h1")] == ["Paper"], mode
        paths = set(hrefs(tree))
        assert {"/", f"/templates?mode={mode}#template-paper", f"/templates/swiss/{mode}"} <= paths, mode
        assert {f"/templates/paper/{each}" for each in THEME_MODES} <= paths, mode
        shown = [link.get("href") for link in tree.iter("a") if link.get("target") == "preview"]
        assert {f"/templates/paper/{mode}/example", f"/templates/paper/{mode}/specimen"} == set(shown), mode


async def test_example_is_a_document_of_the_kind_that_the_template_is_made_for(client: httpx.AsyncClient) -> None:
    titles = {}
    for template in ("invoice", "resume", "github"):
        response = await client.get(f"/templates/{template}/light/example")
        titles[template] = [text_of(heading) for heading in parsed(response).iter("h1")]
        assert response.headers["content-security-policy"].startswith("sandbox allow-same-origin; default-src 'none'; ")

    assert titles == {"invoice": ["Invoice 2026-0147"], "resume": ["Noor Haddad"], "github": ["Changelog"]}


async def test_sample_is_a_document_of_its_own_in_which_no_script_runs(client: httpx.AsyncClient) -> None:
    first = await client.get("/templates/paper/dark/specimen")
    second = await client.get("/templates/paper/dark/specimen", headers={"If-None-Match": first.headers["etag"]})

    tree = parsed(first)
    assert [text_of(heading) for heading in tree.iter("h1")] == ["Paper"]
    assert first.headers["content-security-policy"].startswith("sandbox allow-same-origin; default-src 'none'; ")
    assert "frame-ancestors 'self'" in first.headers["content-security-policy"]
    assert not [path for path in hrefs(tree) if path.startswith("/")], "a frame leads nowhere on the site"
    assert (second.status_code, second.content) == (304, b"")


async def test_template_that_is_none_is_not_found(client: httpx.AsyncClient) -> None:
    for path in ("none/light", "paper/grey", "paper", "none/light/specimen", "paper/grey/specimen", "%2e%2e/light"):
        response = await client.get(f"/templates/{path}")

        assert response.status_code == 404, path
        assert response.headers["content-type"].startswith("text/html"), path


async def test_plan_decides_who_can_use_a_template(
    client: httpx.AsyncClient, make_owner: MakeOwner, signed_in: SignedIn
) -> None:
    guest = parsed(await client.get("/templates/nord/light"))
    free = parsed(await signed_in(make_owner("anna").account).get("/templates/nord/light"))
    pro = parsed(await signed_in(make_owner("ben", plan="pro").account).get("/templates/nord/light"))

    for tree in (guest, free):
        assert button(tree, "Use with my text") is None
        assert "Requires the Pro plan." in text_of(tree)
    for tree in (guest, free, pro):
        assert [text_of(heading) for heading in tree.iter("h1")] == ["Nord Pro"]
    use = button(pro, "Use with my text")
    assert use is not None
    assert (use.get("formaction"), use.get("name"), use.get("value")) == ("/documents/new", "do", "start")
    assert button(parsed(await client.get("/templates/ink/light")), "Use with my text") is not None


# A text in a template, and back on the workbench


async def test_any_template_shows_my_text(client: httpx.AsyncClient) -> None:
    form = {"content": MARKDOWN, "template_id": "nord", "theme_mode": "dark", "place": "page"}
    page = await client.post("/preview", data=form, headers=SAME_ORIGIN)

    assert page.status_code == 200
    assert "<em>more</em>" in page.text


async def test_text_in_a_template_of_the_pro_plan_cannot_be_taken_along(client: httpx.AsyncClient) -> None:
    for path, place in (("/preview", "word"), ("/copy", "page"), ("/download.html", "page")):
        form = {"content": MARKDOWN, "template_id": "nord", "theme_mode": "dark", "place": place}
        response = await client.post(path, data=form, headers=SAME_ORIGIN)

        assert response.status_code == 400, path
        assert "requires the Pro plan" in response.text, path


async def test_text_is_carried_without_scripts(client: httpx.AsyncClient) -> None:
    for path in ("/templates?category=dark&mode=dark", "/templates/ink/dark"):
        response = await client.post(path, data={"content": MARKDOWN})

        tree = parsed(response)
        (field,) = (each for each in tree.iter("textarea") if each.get("name") == "content")
        assert (field.text or "").strip() == MARKDOWN, path
        targets = {each.get("formaction") for each in tree.iter("button")}
        lossy = [
            path
            for path in hrefs(tree)
            if path.startswith("/templates/") and not path.endswith(("/example", "/specimen"))
        ]
        assert lossy == [], "links would lose the text"
        assert "/templates/aurora/dark" in targets or "/templates/mono/dark" in targets, path


async def test_text_goes_back_to_the_workbench_with_the_template(client: httpx.AsyncClient) -> None:
    page = await client.post("/workbench", data={"content": MARKDOWN, "template_id": "ink", "theme_mode": "dark"})

    tree = parsed(page)
    (field,) = tree.iter("textarea")
    assert page.status_code == 200
    assert (field.text or "").strip() == MARKDOWN
    assert [each.get("value") for each in tree.iter("option") if each.get("selected") is not None] == ["ink"]
    assert [each.get("value") for each in tree.iter("input") if each.get("checked") is not None] == ["dark", "600"]


async def test_workbench_has_the_sample_when_no_text_comes(client: httpx.AsyncClient) -> None:
    (field,) = parsed(await client.post("/workbench", data={"content": ""})).iter("textarea")

    assert (field.text or "").strip() == SAMPLE.strip()


async def test_address_chooses_template_and_mode_on_the_workbench(client: httpx.AsyncClient) -> None:
    tree = parsed(await client.get("/?template_id=ink&theme_mode=dark"))

    (preview,) = [frame.get("src") for frame in tree.iter("iframe") if frame.get("name") == "preview"]
    assert [each.get("value") for each in tree.iter("option") if each.get("selected") is not None] == ["ink"]
    assert preview == "/preview/sample?place=page&template_id=ink&theme_mode=dark"
    sample = await client.get(preview)
    assert sample.text == (await client.get(f"{preview}&place=page")).text
    assert sample.text != (await client.get("/preview/sample?place=page")).text


async def test_workbench_ignores_a_choice_that_it_does_not_offer(client: httpx.AsyncClient) -> None:
    for query in ("template_id=nord", "template_id=none&theme_mode=grey", "template_id="):
        tree = parsed(await client.get(f"/?{query}"))

        assert [each.get("value") for each in tree.iter("option") if each.get("selected") is not None] == ["swiss"], (
            query
        )
