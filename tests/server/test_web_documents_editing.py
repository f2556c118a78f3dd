"""A document on the workbench: created, saved, published and refilled, without script."""

import re
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest

from mdpublish_core import list_templates
from mdpublish_server.app import make_app
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.services.accounts import take_page_down
from mdpublish_server.settings import Settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database, open_database
from tests.server.api_requests import MISSING, SITE, create, get, update, used
from tests.server.browsers import Member, account_now, alerts, notices, put_on, whole
from tests.server.conftest import Travel
from tests.server.members import PASSWORD
from tests.server.test_web_landing import Elements

pytestmark = pytest.mark.anyio

NEW = "/documents/new"

MARKDOWN = "# Garden day\n\nThe roses are out.\n"

PRO = next(template.id for template in list_templates() if template.category != "free")

NO_DOCUMENT = ("x", MISSING, MISSING.upper(), "0", "a" * 400, "%00", f"{MISSING}%0a")


def fields_of(page: httpx.Response) -> dict[str, str]:
    """Return what a browser without script sends of the page's form, but for its buttons."""
    elements, fields = Elements(page.text), {}
    contents = re.findall(r'<textarea id="content"[^>]*>\n(.*?)</textarea>', page.text, re.DOTALL)
    fields["content"] = unescape(contents[0])
    for field in elements.all("input"):
        name, kind = field.get("name"), field.get("type", "text")
        is_sent = kind not in ("checkbox", "radio") or "checked" in field
        if name and is_sent and "disabled" not in field and kind != "file":
            fields[name] = field.get("value") or ""
    for name, options in re.findall(r'<select[^>]* name="(\w+)"[^>]*>(.*?)</select>', page.text, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options)
        assert chosen, f"the list {name} has no choice"
        fields[name] = chosen[1]
    return fields


async def open_form(member: Member, path: str) -> dict[str, str]:
    page = await member.browser.get(path)
    assert page.status_code == 200, page.text
    return fields_of(page)


async def send(member: Member, path: str, form: dict[str, str], *, do: str = "save") -> httpx.Response:
    return await member.browser.post(path, data={**form, "do": do})


async def write(member: Member, content: str = MARKDOWN, *, do: str = "save", **fields: str) -> str:
    """Create a document on the site, and return its path."""
    form = await open_form(member, NEW)
    response = await send(member, NEW, {**form, "content": content, **fields}, do=do)
    assert response.status_code == 303, response.text
    return str(response.headers["location"]).partition("?")[0]


async def choose(member: Member, path: str, **options: str) -> httpx.Response:
    """Choose options of a document's page, where it is shared."""
    return await member.browser.post(f"{path}/access", data={**options, "x": "y"})


def id_of(path: str) -> str:
    return path.rpartition("/")[2]


# Creating


async def test_new_document_is_stored_and_shown_again(anna: Member) -> None:
    form = await open_form(anna, NEW)

    response = await send(anna, NEW, {**form, "title": "My garden", "content": MARKDOWN.replace("\n", "\r\n")})

    assert response.status_code == 303
    path, _, query = response.headers["location"].partition("?")
    page = await anna.browser.get(response.headers["location"])
    assert (query, notices(page)) == ("done=saved", ["Saved."])
    assert fields_of(page)["content"] == MARKDOWN
    document = await get(anna.program, id_of(path))
    assert (document["title"], document["content"], document["is_published"]) == ("My garden", MARKDOWN, False)


async def test_document_without_a_title_is_called_as_its_text_says(anna: Member) -> None:
    for content, title in (
        (MARKDOWN, "Garden day"),
        ("text", "Untitled"),
        ("---\ntitle: From the top\n---\n\n# Garden day\n", "From the top"),
    ):
        document = await get(anna.program, id_of(await write(anna, content)))

        assert document["title"] == title, content


async def test_template_that_was_tried_is_carried_to_a_new_document(berta: Member, database: Database) -> None:
    page = await berta.browser.get("/templates/nord/dark")
    fields = {
        each["name"] or "": each.get("value") or "" for each in Elements(page.text).all("input") if each.get("name")
    }
    form = {**fields, "content": MARKDOWN}

    first = await send(berta, NEW, form, do="start")
    second = await send(berta, NEW, form, do="start")

    assert (first.status_code, first.headers["location"]) == (303, second.headers["location"])
    stored = await open_form(berta, first.headers["location"].partition("?")[0])
    assert stored["content"].strip() == MARKDOWN.strip()
    assert (stored["title"], stored["template_id"], stored["theme_mode"]) == ("Garden day", "nord", "dark")
    account = account_now(database, berta)
    assert account.documents == 1


async def test_template_without_a_text_is_chosen_in_the_form_of_a_new_document(anna: Member, berta: Member) -> None:
    empty = {"content": "", "template_id": "nord", "theme_mode": "dark"}
    response = await send(berta, NEW, empty, do="start")

    form = await open_form(berta, response.headers["location"])
    assert (form["content"].strip(), form["template_id"], form["theme_mode"]) == ("", "nord", "dark")
    assert form["revision"] == "0"
    unchanged = await open_form(anna, f"{NEW}?template_id=nord&theme_mode=grey")
    assert (unchanged["template_id"], unchanged["theme_mode"]) == ("swiss", "light")


async def test_front_matter_sets_what_the_form_leaves_at_its_first_choice(anna: Member) -> None:
    content = "---\ntemplate: paper\ntheme_mode: dark\n---\n\nx\n"

    document = await get(anna.program, id_of(await write(anna, content, theme_mode="light")))

    assert (document["template_id"], document["theme_mode"]) == ("paper", "dark")


async def test_form_sent_twice_makes_one_document(anna: Member, database: Database) -> None:
    form = {**await open_form(anna, NEW), "content": MARKDOWN}

    first, second = await send(anna, NEW, form), await send(anna, NEW, form)

    assert first.headers["location"] == second.headers["location"]
    account = account_now(database, anna)
    assert account.documents == 1


async def test_form_sent_again_with_another_text_shows_both(anna: Member) -> None:
    form = {**await open_form(anna, NEW), "content": MARKDOWN}
    path = (await send(anna, NEW, form)).headers["location"].partition("?")[0]

    page = await send(anna, NEW, {**form, "content": "Another text"})

    assert page.status_code == 409
    assert both_texts(page) == (MARKDOWN.strip(), "Another text")
    assert f'action="{path}"' in page.text


async def test_document_is_published_with_the_options_that_were_chosen_before(berta: Member) -> None:
    path = await write(berta, page_width="wide", description="What")
    flags = {"hide_badge": "yes", "show_source": "yes", "offer_pdf": "yes"}
    chosen = await choose(berta, path, slug="my-garden", visibility="public", **flags)
    assert chosen.headers["location"] == f"{path}/access?done=saved"
    assert "Not published. What you choose here applies" in (await berta.browser.get(f"{path}/access")).text
    await send(berta, path, await open_form(berta, path), do="publish")

    document = await get(berta.program, id_of(path))
    assert (document["show_source"], document["offer_pdf"]) == (True, True)
    assert (document["slug"], document["visibility"], document["page_width"], document["description"]) == (
        "my-garden",
        "public",
        "wide",
        "What",
    )
    assert "Published with" not in (await berta.browser.get("/u/berta/my-garden")).text
    boxes = Elements((await berta.browser.get(f"{path}/access")).text).all("input")
    assert {box["name"] for box in boxes if box.get("type") == "checkbox" and "checked" in box} == set(flags)
    assert (await berta.browser.get("/u/berta/my-garden.md")).status_code == 200
    await choose(berta, path, show_source="no")
    assert (await berta.browser.get("/u/berta/my-garden.md")).status_code == 404


async def test_password_that_was_chosen_before_publishing_locks_the_page(
    anna: Member, client: httpx.AsyncClient
) -> None:
    path = await write(anna)
    await choose(anna, path, password="an open sesame")

    await send(anna, path, await open_form(anna, path), do="publish")

    document = await get(anna.program, id_of(path))
    locked = await client.get(f"/d/{document['slug']}")
    assert 'type="password"' in locked.text
    assert "The roses are out." not in locked.text


async def test_taken_slug_is_refused_beside_its_field_and_nothing_is_published(berta: Member) -> None:
    await choose(berta, await write(berta, do="publish"), slug="taken")
    path = await write(berta, "Mine")
    before = await get(berta.program, id_of(path))

    page = await choose(berta, path, slug="taken")

    assert (page.status_code, alerts(page)) == (409, ["Slug 'taken' is taken; choose another."])
    assert page.text.index('name="slug" maxlength="60" value="taken"') < page.text.index('id="slug-error" role="alert"')
    assert 'aria-describedby="slug-error about-page-slug" aria-invalid="true"' in page.text
    assert await get(berta.program, id_of(path)) == before
    await choose(berta, path, slug="mine")
    await send(berta, path, await open_form(berta, path), do="publish")
    assert (await berta.browser.get("/u/berta/mine")).status_code == 200


@pytest.mark.parametrize(
    "sent", [{"visibility": "specific"}, {"slug": ""}, {"hide_badge": "no", "show_source": "yes"}, {"offer_pdf": "yes"}]
)
@pytest.mark.parametrize("do", ["save", "publish"])
async def test_form_with_options_of_a_page_that_is_older_saves_nothing_and_keeps_the_text(
    berta: Member, sent: dict[str, str], do: str
) -> None:
    path = await write(berta)
    before = await get(berta.program, id_of(path))
    for action in (path, NEW):
        page = await send(berta, action, {**await open_form(berta, action), **sent, "content": "Mine"}, do=do)

        assert (page.status_code, "are under “Share” now, and none was changed" in alerts(page)[0]) == (400, True)
        refilled = fields_of(page)
        assert (refilled["content"], sent.keys() & refilled.keys()) == ("Mine", set())
        assert await get(berta.program, id_of(path)) == before
        assert (await send(berta, action, refilled, do=do)).status_code == 303
        before = await get(berta.program, id_of(path))


async def test_limit_of_documents_is_stated_before_and_keeps_the_text(anna: Member) -> None:
    for _ in range(3):
        await create(anna.program, content="x")
    message = "The Free plan allows 3 documents; delete one or ask the operator for another plan."

    page = await anna.browser.get(NEW)
    assert unescape(page.text).count(message) == 1
    assert '<a href="/account#plan">' in page.text
    assert 'id="plan"' in (await anna.browser.get("/account")).text
    page = await send(anna, NEW, {**fields_of(page), "content": MARKDOWN})

    assert (page.status_code, alerts(page)) == (403, [message])
    assert unescape(page.text).count(message) == 1
    assert fields_of(page)["content"] == MARKDOWN


class TestLimits:
    @pytest.fixture
    def environment(self) -> dict[str, str]:
        return {"MDPUBLISH_FREE_PAGES": "1", "MDPUBLISH_FREE_RATE_LIMIT": "20"}

    async def test_limit_of_pages_locks_the_button(self, anna: Member) -> None:
        path = await write(anna)
        assert "disabled" not in publish_button(await anna.browser.get(path))
        await write(anna, "Another", do="publish")

        page = await anna.browser.get(path)

        assert "disabled" in publish_button(page)
        assert (
            "The Free plan allows 1 published pages; unpublish one or ask the operator for another plan." in page.text
        )

    async def test_publishing_that_is_refused_keeps_the_text_and_makes_no_second_document(
        self, anna: Member, database: Database
    ) -> None:
        await write(anna, do="publish")

        page = await send(anna, NEW, {**await open_form(anna, NEW), "content": "Mine"}, do="publish")

        assert page.status_code == 403
        refilled = fields_of(page)
        assert refilled["content"] == "Mine"
        action = re.search(r'<form class="workbench"[^>]* action="([^"]+)"', page.text)
        assert action
        response = await send(anna, action[1], refilled)
        assert response.headers["location"] == f"{action[1]}?done=saved"
        account = account_now(database, anna)
        assert (account.documents, account.pages) == (2, 1)

    async def test_saving_costs_no_request_of_the_month_but_obeys_the_rate(self, anna: Member, travel: Travel) -> None:
        path = await write(anna)
        form, before = await open_form(anna, path), await used(anna.program)

        pages = [await send(anna, path, {**form, "content": "Another text"}) for _ in range(21)]

        refused = pages[-1]
        assert refused.status_code == 429
        assert fields_of(refused)["content"] == "Another text"
        travel(timedelta(seconds=2))
        assert await used(anna.program) == before


def publish_button(page: httpx.Response) -> dict[str, str | None]:
    return next(button for button in Elements(page.text).all("button") if button.get("value") == "publish")


# Saving


async def test_document_is_saved_with_all_its_fields(berta: Member) -> None:
    path = await write(berta)
    form = await open_form(berta, path)
    changes = {
        "title": "Another title",
        "content": "Another text",
        "template_id": PRO,
        "theme_mode": "dark",
        "description": "What",
        "page_width": "full",
    }

    response = await send(berta, path, {**form, **changes})

    assert (response.status_code, response.headers["location"]) == (303, f"{path}?done=saved")
    document = await get(berta.program, id_of(path))
    assert {name: document[name] for name in changes} == changes
    assert {name: value for name, value in (await open_form(berta, path)).items() if name in changes} == changes


async def test_page_of_a_published_document_changes_when_its_changes_are_published(anna: Member) -> None:
    path = await write(anna, do="publish")
    form = await open_form(anna, path)
    url = re.search(r'<a href="([^"]+/d/[^"]+)"', (await anna.browser.get(path)).text)
    assert url

    await send(anna, path, {**form, "content": "# Garden day\n\nThe roses are gone.\n"})
    saved = await open_form(anna, path)
    assert "The roses are gone." in saved["content"]
    assert "The roses are out." in (await anna.browser.get(url[1])).text
    await send(anna, path, saved, do="publish")

    assert "The roses are gone." in (await anna.browser.get(url[1])).text


async def test_saving_what_is_stored_changes_nothing(anna: Member) -> None:
    path = await write(anna)
    form, before = await open_form(anna, path), await get(anna.program, id_of(path))

    assert (await send(anna, path, form)).status_code == 303
    assert await get(anna.program, id_of(path)) == before
    assert (await open_form(anna, path))["revision"] == form["revision"]


async def test_line_ends_of_a_stored_text_are_no_change(anna: Member) -> None:
    document_id = await create(anna.program, title="Old Mac", content="a\r\nb\rc\n")
    path = f"/documents/{document_id}"

    await send(anna, path, {**await open_form(anna, path), "content": "a\r\nb\r\nc\r\n"})

    assert (await get(anna.program, document_id))["content"] == "a\r\nb\rc\n"


async def test_options_of_a_page_that_is_not_published_apply_when_it_is(berta: Member) -> None:
    path = await write(berta)
    await choose(berta, path, slug="my-garden", visibility="public")
    page = (await berta.browser.get(f"{path}/access")).text
    assert 'value="my-garden"' in page
    assert 'value="public" checked' in page
    refused = await choose(berta, await write(berta, "Another"), slug="my-garden")
    assert refused.status_code == 409, "the slug is reserved"

    await send(berta, path, await open_form(berta, path), do="publish")

    assert (await berta.browser.get("/u/berta/my-garden")).status_code == 200


async def test_document_is_unpublished_with_its_text_saved(berta: Member) -> None:
    path = await write(berta, do="publish")
    await choose(berta, path, slug="my-garden")

    response = await send(berta, path, {**await open_form(berta, path), "content": "More"}, do="unpublish")

    assert response.headers["location"] == f"{path}?done=unpublished"
    assert (await berta.browser.get("/u/berta/my-garden")).status_code == 404
    document = await get(berta.program, id_of(path))
    assert (document["content"], document["is_published"]) == ("More", False)


async def test_mistake_is_reported_on_the_form_which_keeps_everything(berta: Member) -> None:
    rows: tuple[tuple[dict[str, str], str], ...] = (
        ({"content": "x" * 1_000_001}, "Content must be at most 1,000,000 bytes of UTF-8 (got 1,000,001)."),
        ({"title": "x" * 201}, "Title must be at most 200 characters (got 201)."),
        ({"template_id": "nosuch"}, " (got 'nosuch')."),
        ({"page_width": "huge"}, "Page_width must be one of standard, wide, full (got 'huge')."),
        ({"description": "x" * 501}, "Description must be at most 500 characters (got 501)."),
    )
    for fields, message in rows:
        path = await write(berta)
        before = await get(berta.program, id_of(path))
        form = {**await open_form(berta, path), "content": "Changed", **fields}

        page = await send(berta, path, form)

        assert page.status_code == 400, fields
        assert message in alerts(page)[0], fields
        assert Elements(page.text).content == form["content"], fields
        assert await get(berta.program, id_of(path)) == before, fields


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("slug", "No", "Slug must be 3 to 60 characters (got 2)."),
        ("visibility", "secret", "Visibility must be one of link, public, specific (got 'secret')."),
    ],
)
async def test_mistake_in_an_option_is_reported_and_changes_nothing(
    berta: Member, name: str, value: str, message: str
) -> None:
    path = await write(berta)
    before = await get(berta.program, id_of(path))

    page = await choose(berta, path, **{name: value}, readers="rita@example.com", expires_at="2030-01-01T10:00")

    assert (page.status_code, alerts(page)) == (400, [message])
    assert "rita@example.com</textarea>" in page.text
    assert 'value="2030-01-01T10:00"' in page.text
    assert await get(berta.program, id_of(path)) == before


# Two tabs


def both_texts(page: httpx.Response) -> tuple[str, str]:
    """Return what a conflict shows of the stored and of the sent text."""
    stored, mine = (
        "\n".join(re.findall(rf'<div class="{side}[^>]*>.*?<span class="words">(.*?)</span></div>', page.text))
        for side in ("before", "after")
    )
    return unescape(re.sub("</?del>", "", stored)), unescape(re.sub("</?ins>", "", mine))


def choose_all(page: httpx.Response, choice: str) -> dict[str, str]:
    """Return the form of a conflict's page, with one choice for each block."""
    return {**fields_of(page), **dict.fromkeys(re.findall(r'name="(choice-\w+)"', page.text), choice)}


LONG = "".join(f"Paragraph {number}.\n\n" for number in range(40))


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "merged"),
    [
        pytest.param("a\n\nb\n", "A\n\nb\n", "a\n\nB\n", "A\n\nB\n", id="different blocks"),
        pytest.param("a\n\nb\n", "A\n\nb\n", "A\n\nb\n", "A\n\nb\n", id="the same change"),
        pytest.param("- a\n- b\n- c\n", "- A\n- b\n- c\n", "- a\n- b\n- C\n- d\n", "- A\n- b\n- C\n- d\n", id="items"),
        pytest.param(
            "|a|b|\n|-|-|\n|1|2|\n|3|4|\n",
            "|a|b|\n|-|-|\n|1|m|\n|3|4|\n",
            "|a|b|\n|-|-|\n|1|2|\n|t|4|\n",
            "|a|b|\n|-|-|\n|1|m|\n|t|4|\n",
            id="rows of a table",
        ),
        pytest.param(
            "---\ntitle: a\nlang: de\n---\n\nb\n",
            "---\ntitle: A\nlang: de\n---\n\nb\n",
            "---\ntitle: a\nlang: fr\n---\n\nB\n",
            "---\ntitle: A\nlang: fr\n---\n\nB\n",
            id="front matter",
        ),
        pytest.param("a\n\nb\n", "a\n\n\nb\n", "a\n\nB  \n", "a\n\n\nB  \n", id="white space"),
        pytest.param("a\n\nb\n\nc\n", "a\n\nc\n", "a\n\nb\n\nC\n", "a\n\nC\n", id="deletion beside an edit"),
        pytest.param("a\n\nb", "a\n\nB", "a\n\nb\n\nc", "a\n\nB\n\nc", id="no line at the end"),
        pytest.param(
            LONG,
            LONG.replace("h 3.", "h three."),
            LONG.replace("h 30.", "h thirty.") + "End.\n",
            LONG.replace("h 3.", "h three.").replace("h 30.", "h thirty.") + "End.\n",
            id="far apart",
        ),
    ],
)
async def test_changes_of_other_blocks_are_merged(anna: Member, base: str, mine: str, theirs: str, merged: str) -> None:
    for by_script in (False, True):
        path = await write(anna, base)
        form = await open_form(anna, path)
        await send(anna, path, {**form, "content": theirs})
        if by_script:
            sent = {**form, "content": mine, "do": "autosave"}
            saved = (await merge_by_script(anna, path, sent)).json()
            assert (saved["content"], edited(mine, saved["merged"] or [])) == (merged, merged)
        else:
            response = await send(anna, path, {**form, "content": mine})
            assert ("?done=merged" in response.headers["location"]) == (mine != theirs)
        assert (await get(anna.program, id_of(path)))["content"] == merged


def edited(content: str, replacements: list[tuple[int, int, str]]) -> str:
    for start, end, written in replacements:
        content = content[:start] + written + content[end:]
    return content


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "both"),
    [
        pytest.param("a\n\nb\n", "a\n\nmine\n", "A\n\ntheirs\n", "A\n\nmine\n\ntheirs\n", id="one block"),
        pytest.param("a\n", "a\n\nmine\n", "a\n\ntheirs\n", "a\n\nmine\n\ntheirs\n", id="added in one place"),
        pytest.param("a\n\nb\n\nc\n", "a\n\nc\n", "a\n\ntheirs\n\nc\n", "a\n\ntheirs\n\nc\n", id="deletion and edit"),
        pytest.param("- a\n", "- a\n- mine\n", "- a\n- theirs\n", "- a\n- mine\n- theirs\n", id="items"),
        pytest.param(
            "|a|b|\n|-|-|\n|1|2|\n",
            "|a|b|\n|-|-|\n|1|mine|\n",
            "|a|b|\n|-|-|\n|theirs|2|\n",
            "|a|b|\n|-|-|\n|1|mine|\n|theirs|2|\n",
            id="cells of a row",
        ),
        pytest.param(
            "---\nx: 1\n---\n\nb\n",
            "---\nx: mine\n---\n\nb\n",
            "---\nx: theirs\n---\n\nb\n",
            "---\nx: mine\nx: theirs\n---\n\nb\n",
            id="front matter",
        ),
        pytest.param(
            "```\na\n\nb\n```\n",
            "```\nmine\n\nb\n```\n",
            "```\na\n\ntheirs\n```\n",
            "```\nmine\n\nb\n```\n\n```\na\n\ntheirs\n```\n",
            id="code",
        ),
    ],
)
async def test_of_one_block_the_person_chooses_and_the_other_stays_a_revision(
    anna: Member, base: str, mine: str, theirs: str, both: str
) -> None:
    for choice, chosen in (
        ("mine", mine.replace("a\n\nm", "A\n\nm") if "A" in theirs else mine),
        ("theirs", theirs),
        ("both", both),
    ):
        path = await write(anna, base)
        form = await open_form(anna, path)
        await send(anna, path, {**form, "content": theirs})
        page = await send(anna, path, {**form, "content": mine})
        assert page.status_code == 409
        assert (await get(anna.program, id_of(path)))["content"] == theirs

        assert (await send(anna, path, choose_all(page, choice))).status_code == 303

        assert (await get(anna.program, id_of(path)))["content"] == chosen
        revisions = [(await anna.browser.get(f"{path}/revisions/{number}")).text for number in range(1, 9)]
        for word in ("mine", "theirs"):
            assert word in chosen or word not in mine + theirs or any(word in each for each in revisions)


async def test_a_choice_is_of_what_was_shown(anna: Member) -> None:
    path = await write(anna, "a\n")
    form = await open_form(anna, path)
    await send(anna, path, {**form, "content": "theirs\n"})
    page = await send(anna, path, {**form, "content": "mine\n"})
    await update(anna.program, id_of(path), content="theirs, later\n")

    second = await send(anna, path, choose_all(page, "mine"))

    assert second.status_code == 409
    assert "theirs, later" in both_texts(second)[0]
    assert (await send(anna, path, choose_all(second, "mine"))).status_code == 303
    assert (await get(anna.program, id_of(path)))["content"] == "mine\n"


async def test_another_conflict_asks_for_all_and_keeps_what_was_chosen(anna: Member) -> None:
    path = await write(anna, "a\n\nm\n\nb\n")
    form = await open_form(anna, path)
    sent = {**form, "content": "A1\n\nm\n\nB1\n", "do": "save"}
    later = form
    for theirs in ("a\n\nm\n\nB2\n", "A2\n\nm\n\nB2\n"):
        await send(anna, path, {**later, "content": theirs})
        conflict = (await merge_by_script(anna, path, sent)).json()["conflict"]
        ids = sorted(set(re.findall(r'name="(choice-\w+)"', conflict)))
        later = await open_form(anna, path)
        if len(ids) == 1:
            sent = {**sent, ids[0]: "mine"}
    assert (len(ids), len(re.findall(r'value="mine" checked', conflict))) == (2, 1)

    saved = await merge_by_script(anna, path, {**sent, **dict.fromkeys(ids, "mine")})
    assert (saved.status_code, saved.json()["content"]) == (200, "A1\n\nm\n\nB1\n")


async def test_publishing_without_script_shows_what_was_merged_first(anna: Member) -> None:
    path = await write(anna, "a\n\nb\n", do="publish")
    form = await open_form(anna, path)
    await send(anna, path, {**form, "content": "a\n\nB\n"})
    response = await send(anna, path, {**form, "content": "A\n\nb\n"}, do="publish")
    page = await anna.browser.get(response.headers["location"])
    stored = await get(anna.program, id_of(path))

    assert "Saved, not published. Merged changes from another tab." in page.text
    assert (stored["content"], fields_of(page)["content"]) == ("a\n\nb\n", "A\n\nB\n")
    await send(anna, path, fields_of(page), do="publish")
    assert (await get(anna.program, id_of(path)))["content"] == "A\n\nB\n"


async def test_after_a_long_time_offline_many_revisions_are_merged_at_once(anna: Member) -> None:
    path = await write(anna, LONG)
    form = await open_form(anna, path)
    content = LONG
    for number in range(10, 35):
        content = content.replace(f"h {number}.", f"h {number}, changed.")
        await update(anna.program, id_of(path), content=content)

    await send(anna, path, {**form, "content": LONG.replace("h 2.", "h two.")})

    assert (await get(anna.program, id_of(path)))["content"] == content.replace("h 2.", "h two.")


async def test_titles_and_styles_are_merged_too(anna: Member) -> None:
    path = await write(anna, "a\n", title="Garden")
    form = await open_form(anna, path)
    await send(anna, path, {**form, "title": "Theirs", "template_id": "paper"})

    await send(anna, path, {**form, "content": "Mine\n"})
    document = await get(anna.program, id_of(path))
    assert (document["content"], document["title"], document["template_id"]) == ("Mine\n", "Theirs", "paper")

    page = await send(anna, path, {**form, "title": "Mine"})
    assert "<legend>Title</legend>" in page.text
    assert 'value="both"' not in page.text
    await send(anna, path, choose_all(page, "mine"))
    assert (await get(anna.program, id_of(path)))["title"] == "Mine"


async def test_conflict_shows_the_blocks_and_changes_nothing(anna: Member) -> None:
    path = await write(anna, "# Garden\n\nFirst.\n")
    form = await open_form(anna, path)
    await send(anna, path, {**form, "content": "# Garden\n\nTheir text\n"})

    page = await send(anna, path, {**form, "content": "# Garden\n\nMy <b>text</b>\n"})

    assert page.status_code == 409
    assert both_texts(page) == ("Their text", "My <b>text</b>")
    assert fields_of(page)["content"].strip() == "# Garden\n\nMy <b>text</b>"
    assert re.findall(r"disabled>(\w+)<", page.text) == ["Save", "Publish"]
    assert "Their text" in (await get(anna.program, id_of(path)))["content"]


@pytest.mark.parametrize("do", ["save", "publish", "unpublish"])
async def test_change_by_a_program_conflicts_too(anna: Member, do: str) -> None:
    path = await write(anna)
    form = await open_form(anna, path)
    await update(anna.program, id_of(path), content="By a program")

    page = await send(anna, path, {**form, "content": "Mine"}, do=do)

    assert both_texts(page) == ("By a program", "Mine")
    document = await get(anna.program, id_of(path))
    assert (document["content"], document["is_published"]) == ("By a program", False)


async def test_same_form_sent_twice_is_no_conflict(anna: Member) -> None:
    path = await write(anna)
    form = {**await open_form(anna, path), "content": "Another text"}

    assert [(await send(anna, path, form)).status_code for _ in range(2)] == [303, 303]


@pytest.mark.parametrize("revision", ["", "x", "-1", "9" * 100, "٣"])
async def test_form_without_a_revision_overwrites_nothing(anna: Member, revision: str) -> None:
    path = await write(anna)

    page = await send(anna, path, {**await open_form(anna, path), "content": "Mine", "revision": revision, "base": ""})

    assert both_texts(page) == (MARKDOWN.strip(), "Mine")


async def test_mistake_after_another_change_does_not_hide_the_conflict(anna: Member) -> None:
    path = await write(anna)
    form = await open_form(anna, path)
    await update(anna.program, id_of(path), content="By a program")

    page = await send(anna, path, {**form, "content": "Mine", "title": "x" * 201})
    assert page.status_code == 400
    page = await send(anna, path, {**fields_of(page), "title": "Short"})

    assert page.status_code == 409
    assert both_texts(page) == ("By a program", "Mine")


# Scripts


async def save_by_script(member: Member, path: str, **fields: Any) -> httpx.Response:
    """Send a form as a script does that knows of no other revision."""
    return await merge_by_script(member, path, {**fields, "base": ""})


async def merge_by_script(member: Member, path: str, fields: dict[str, str]) -> httpx.Response:
    return await member.browser.post(path, data=fields, headers={"Accept": "application/json"})


async def test_script_saves_and_learns_the_new_revision(anna: Member) -> None:
    path = await write(anna)
    form = await open_form(anna, path)

    response = await save_by_script(anna, path, **{**form, "content": "One"})

    assert response.status_code == 200
    stored = response.json()
    assert (stored["path"], stored["revision"], stored["content"]) == (path, str(int(form["revision"]) + 1), "One")
    resent = await save_by_script(anna, path, **{**form, "content": "Two", "revision": stored["revision"]})
    assert resent.json()["revision"] == str(int(stored["revision"]) + 1)


@pytest.mark.parametrize("do", ["save", "publish"])
async def test_autosaved_text_that_is_saved_becomes_a_revision_when_it_is_replaced(anna: Member, do: str) -> None:
    path = await write(anna, "Before")
    form = await open_form(anna, path)
    for content, pressed in (
        ("Typing", "autosave"),
        ("Typed", "autosave"),
        ("Typed", do),
        ("More", "autosave"),
        ("Much", "autosave"),
        ("Much", do),
    ):
        stored = (await save_by_script(anna, path, **{**form, "content": content, "do": pressed})).json()
        form["revision"] = stored["revision"]

    page = await anna.browser.get(f"{path}/revisions")

    numbers = re.findall(rf'<a href="{path}/revisions/(\d+)">', page.text)
    former = [await open_form(anna, f"{path}/revisions/{number}") for number in numbers]
    assert [revision["content"].strip() for revision in former] == ["Typed", "Before"]


async def test_saving_an_autosaved_text_does_not_change_the_document(anna: Member) -> None:
    path = await write(anna, "Before")
    form = await open_form(anna, path)
    autosaved = (await save_by_script(anna, path, **{**form, "content": "After", "do": "autosave"})).json()
    before = await get(anna.program, id_of(path))

    saved = await save_by_script(anna, path, **{**form, "content": "After", "revision": autosaved["revision"]})

    assert saved.json() == autosaved
    assert await get(anna.program, id_of(path)) == before


async def test_script_creates_one_document_and_learns_its_path(anna: Member) -> None:
    form = {**await open_form(anna, NEW), "content": "---\ntemplate: paper\n---\n\n# Garden\n"}

    first = (await save_by_script(anna, NEW, **form)).json()

    assert (first["title"], first["template_id"], first["revision"]) == ("Garden", "paper", "1")
    later = {**form, "content": "Another", "revision": first["revision"], "template_id": "paper"}
    assert (await save_by_script(anna, first["path"], **later)).json()["content"] == "Another"


async def test_script_learns_of_a_conflict_with_the_stored_text(anna: Member) -> None:
    path = await write(anna)
    form = await open_form(anna, path)
    await update(anna.program, id_of(path), content="Theirs\r\n", title="T")

    response = await save_by_script(anna, path, **{**form, "content": "Mine"})

    assert response.status_code == 409
    conflict = response.json()
    assert conflict["error"]["message"] == "The document was changed after you opened it"
    assert (conflict["stored"]["content"], conflict["stored"]["title"]) == ("Theirs\n", "T")
    assert conflict["conflict"] == ""
    blocks = (await merge_by_script(anna, path, {**form, "content": "Mine"})).json()["conflict"]
    assert re.findall("<(?:del|ins)>(.*?)<", blocks) == ["Theirs", "Mine"]


async def test_script_learns_why_nothing_was_saved(anna: Member) -> None:
    path = await write(anna)
    form = await open_form(anna, path)

    refused = await save_by_script(anna, path, **{**form, "content": "x", "title": "x" * 201})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "validation_error")
    gone = await save_by_script(anna, f"/documents/{MISSING}", **form)
    assert gone.status_code == 404
    anna.browser.cookies.clear()
    signed_out = await save_by_script(anna, path, **form)
    assert (signed_out.status_code, signed_out.json()["error"]["message"]) == (
        401,
        "You are signed out; sign in to save your text",
    )


# Expired sessions and lost documents


async def test_expired_session_asks_for_the_password_and_then_saves_the_text(anna: Member) -> None:
    path = await write(anna)
    form = {**await open_form(anna, path), "content": "Written <b>late</b>\n", "title": "Late"}
    anna.browser.cookies.clear()

    page = await send(anna, path, form)
    assert page.status_code == 401
    assert fields_of(page)["content"] == "Written <b>late</b>\n"
    wrong = await anna.browser.post(
        path, data={**fields_of(page), "email": "anna@example.org", "password": "wrong horse"}
    )
    assert wrong.status_code == 401
    assert alerts(wrong) == ["Incorrect email address or password."]
    right = {**fields_of(wrong), "email": "anna@example.org", "password": PASSWORD}
    response = await anna.browser.post(path, data=right)

    assert (response.status_code, response.headers["location"]) == (303, f"{path}?done=saved")
    document = await get(anna.program, id_of(path))
    assert (document["title"], document["content"]) == ("Late", "Written <b>late</b>\n")
    assert (await anna.browser.get(path)).status_code == 200


async def test_expired_session_creates_the_new_document_after_signing_in(anna: Member) -> None:
    form = {**await open_form(anna, NEW), "content": MARKDOWN}
    anna.browser.cookies.clear()

    page = await send(anna, NEW, form, do="publish")
    resent = {**fields_of(page), "email": "anna@example.org", "password": PASSWORD}
    response = await anna.browser.post(NEW, data=resent)

    path, _, done = response.headers["location"].partition("?")
    assert done == "done=published"
    assert (await get(anna.program, id_of(path)))["content"] == MARKDOWN


async def test_who_signs_in_as_somebody_else_keeps_the_text(anna: Member, berta: Member) -> None:
    path = await write(anna)
    form = {**await open_form(anna, path), "content": "Mine"}
    anna.browser.cookies.clear()

    page = await anna.browser.post(path, data={**form, "email": "berta@example.org", "password": PASSWORD})

    assert page.status_code == 404
    assert fields_of(page)["content"] == "Mine"
    response = await send(anna, NEW, fields_of(page))
    assert (await get(berta.program, id_of(response.headers["location"].partition("?")[0])))["content"] == "Mine"


@pytest.mark.parametrize(("do", "label"), [("save", "Sign in and save"), ("publish", "Sign in and publish")])
async def test_button_after_an_expired_session_names_what_it_does(anna: Member, do: str, label: str) -> None:
    path = await write(anna)
    form = {**await open_form(anna, path), "do": do}
    anna.browser.cookies.clear()

    page = await anna.browser.post(path, data=form)

    assert f'<button class="primary">{label}</button>' in page.text
    signing_in = {**fields_of(page), "email": "anna@example.org", "password": PASSWORD}
    await anna.browser.post(path, data=signing_in)
    assert (await get(anna.program, id_of(path)))["is_published"] == (do == "publish")


async def test_conflict_after_signing_in_shows_both_texts(anna: Member) -> None:
    path = await write(anna)
    form = {**await open_form(anna, path), "content": "Mine"}
    await update(anna.program, id_of(path), content="Theirs")
    anna.browser.cookies.clear()

    page = await anna.browser.post(path, data={**form, "email": "anna@example.org", "password": PASSWORD})

    assert both_texts(page) == ("Theirs", "Mine")
    assert (await anna.browser.get(path)).status_code == 200, "the session has begun"


async def test_text_comes_back_while_the_database_is_down(
    anna: Member, settings: Settings, converter: Converter, tmp_path: Path
) -> None:
    path = await write(anna)
    form = {**await open_form(anna, path), "content": "Mine", "title": "Title"}
    database = open_database(f"sqlite:///{tmp_path / 'never-made.db'}")
    app = make_app(AppState(settings, database=database, converter=converter))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=SITE) as client:
        client.cookies.set("session", anna.token)
        page = await client.post(path, data=form)
        by_script = await client.post(path, data=form, headers={"Accept": "application/json"})
    database.close()

    assert page.status_code == 503
    assert "Try again" in page.text
    assert by_script.json()["error"]["code"] == "service_unavailable"
    assert (await anna.browser.post(path, data=fields_of(page))).status_code == 303
    document = await get(anna.program, id_of(path))
    assert (document["title"], document["content"]) == ("Title", "Mine")


async def test_download_of_an_expired_session_keeps_the_text(anna: Member) -> None:
    path = await write(anna)
    form = {**await open_form(anna, path), "content": "Mine"}
    anna.browser.cookies.clear()

    page = await anna.browser.post(f"{path}/download.md", data=form, headers={"Sec-Fetch-Site": "same-origin"})

    assert page.status_code == 401
    assert fields_of(page)["content"] == "Mine"
    assert f'action="{path}"' in page.text


async def test_text_of_a_document_that_was_deleted_is_kept_as_a_new_one(anna: Member) -> None:
    path = await write(anna)
    form = {**await open_form(anna, path), "content": "Mine"}
    await anna.browser.post(f"{path}/delete")

    page = await send(anna, path, form)

    assert (page.status_code, alerts(page)) == (404, ["This document no longer exists; save the text as a new one."])
    response = await send(anna, NEW, fields_of(page))
    assert response.status_code == 303


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_malformed_missing_and_others_ids_are_given_the_same_response(
    anna: Member, berta: Member, method: str
) -> None:
    theirs = id_of(await write(berta, "Secret"))
    form = {**await open_form(anna, NEW), "content": "Mine"}

    pages = set()
    for document_id in (theirs, *NO_DOCUMENT):
        page = await anna.browser.request(method, f"/documents/{document_id}", data=form)
        assert page.status_code == 404
        pages.add(whole(page))

    assert len(pages) == 1
    assert "Secret" not in str(pages)


# Plans


async def test_options_of_pro_are_shown_but_locked_on_free(anna: Member) -> None:
    path = await write(anna)
    page, access = await anna.browser.get(path), await anna.browser.get(f"{path}/access")

    locked = {option["value"] for option in Elements(page.text).all("option") if "disabled" in option}
    assert locked == {template.id for template in list_templates() if template.category != "free"}
    assert page.text.count("(Pro)") == len(locked)
    fields = [field for field in Elements(access.text).all("input") if "disabled" in field]
    assert {field["value"] for field in fields if field["name"] == "visibility"} == {"public", "specific"}
    assert {field["name"] for field in fields} == {"slug", "hide_badge", "visibility"}
    assert access.text.count("(Pro)") == 5  # readers, too


async def test_nothing_is_locked_on_pro(berta: Member) -> None:
    path = await write(berta)
    for page in (await berta.browser.get(path), await berta.browser.get(f"{path}/access")):
        assert "disabled" not in page.text
        assert "(Pro)" not in page.text


@pytest.mark.parametrize(
    "fields", [{"template_id": PRO}, {"slug": "mine"}, {"visibility": "public"}, {"hide_badge": "yes"}]
)
@pytest.mark.parametrize("is_published", [True, False])
async def test_locked_option_is_refused_if_it_is_sent_all_the_same(
    anna: Member, fields: dict[str, str], is_published: bool
) -> None:
    path = await write(anna, do="publish" if is_published else "save")
    before = await get(anna.program, id_of(path))

    if "template_id" in fields:
        page = await send(anna, path, {**await open_form(anna, path), **fields})
    else:
        page = await choose(anna, path, **fields)

    assert page.status_code == 403
    assert "Pro plan" in alerts(page)[0]
    assert await get(anna.program, id_of(path)) == before


async def test_stored_options_of_pro_survive_a_downgrade(berta: Member, database: Database) -> None:
    path = await write(berta, do="publish", template_id=PRO)
    await choose(berta, path, slug="mine", visibility="public")
    put_on(database, berta, "free")

    response = await send(berta, path, {**await open_form(berta, path), "content": "More"})

    assert response.status_code == 303
    document = await get(berta.program, id_of(path))
    assert (document["template_id"], document["slug"], document["visibility"]) == (PRO, "mine", "public")
    shown = await berta.browser.post(
        f"{path}/preview", data=await open_form(berta, path), headers={"Sec-Fetch-Site": "same-origin"}
    )
    assert shown.status_code == 200


async def test_document_that_is_read_only_can_be_read_copied_and_unpublished(anna: Member, database: Database) -> None:
    put_on(database, anna, "pro")
    paths = [await write(anna, f"Number {number}", do="publish") for number in range(6)]
    put_on(database, anna, "free")

    page = await anna.browser.get(paths[0])

    assert "This document is read-only: on the Free plan, only the 5 most recently edited" in page.text
    actions = [button.get("value") for button in Elements(page.text).all("button") if button.get("name") == "do"]
    assert actions == ["unpublish"]
    form = fields_of(page)
    copied = await anna.browser.post(f"{paths[0]}/copy", data=form, headers={"Sec-Fetch-Site": "same-origin"})
    assert copied.status_code == 200
    refused = await send(anna, paths[0], {**form, "content": "More"})
    assert (refused.status_code, "read-only" in alerts(refused)[0]) == (403, True)
    assert fields_of(refused)["content"] == "More"
    assert (await send(anna, paths[0], form, do="unpublish")).status_code == 303


async def test_document_that_was_taken_down_is_saved_but_not_published(anna: Member, database: Database) -> None:
    path = await write(anna, do="publish")
    with database.write_transaction() as transaction:
        take_page_down(transaction, id_of(path))

    page = await anna.browser.get(path)
    assert "Taken down by the operator" in page.text
    assert 'value="publish"' not in page.text
    form = fields_of(page)
    assert (await send(anna, path, {**form, "content": "More"})).status_code == 303
    refused = await send(anna, path, await open_form(anna, path), do="publish")
    assert refused.status_code == 403


# Previews


async def test_preview_shows_the_stored_text_at_first_and_then_the_sent_one(anna: Member) -> None:
    path = await write(anna)
    first = await anna.browser.get(f"{path}/preview?place=page")
    sent = await anna.browser.post(
        f"{path}/preview",
        data={**await open_form(anna, path), "content": "Sent", "title": "A title", "place": "page"},
        headers={"Sec-Fetch-Site": "same-origin"},
    )

    assert "The roses are out." in first.text
    assert "<title>A title</title>" in sent.text
    assert "sandbox allow-same-origin" in first.headers["content-security-policy"]
    assert (await get(anna.program, id_of(path)))["content"] == MARKDOWN


@pytest.mark.parametrize("encoding", ["data", "json"])
async def test_preview_of_a_document_is_as_large_as_a_document(anna: Member, encoding: str) -> None:
    fields = {"content": "word " * 30_000, "place": "plain-text"}
    headers = {"Sec-Fetch-Site": "same-origin", "Accept": "application/json"}
    for path in (NEW, await write(anna)):
        body: dict[str, Any] = {encoding: {**await open_form(anna, path), **fields}}

        response = await anna.browser.post(f"{path}/preview", headers=headers, **body)

        assert response.status_code == 200
        assert response.text.count("word ") >= 29_999


async def test_locked_template_has_no_preview_and_no_copy(anna: Member) -> None:
    for target in ("preview", "copy"):
        response = await anna.browser.post(
            f"{NEW}/{target}",
            data={"content": "x", "template_id": PRO, "place": "word"},
            headers={"Sec-Fetch-Site": "same-origin"},
        )
        assert response.status_code == 403


async def test_preview_is_for_who_is_signed_in(anna: Member) -> None:
    path = await write(anna)
    anna.browser.cookies.clear()

    response = await anna.browser.post(
        f"{path}/preview", data={"content": "x"}, headers={"Sec-Fetch-Site": "same-origin"}
    )

    assert response.status_code == 401
    assert "You are signed out" in response.text


@pytest.mark.parametrize("environment", [{"MDPUBLISH_SITE_CPU_SECONDS": "1"}])
async def test_previews_of_an_account_have_a_limit_of_cpu_time(anna: Member, travel: Travel) -> None:
    headers = {"Sec-Fetch-Site": "same-origin"}
    form = {"content": "x", "place": "plain-text"}

    statuses = [(await anna.browser.post(f"{NEW}/copy", data=form, headers=headers)).status_code for _ in range(101)]

    assert statuses == sorted(statuses)
    assert set(statuses) == {200, 429}
    travel(timedelta(minutes=2))
    assert (await anna.browser.post(f"{NEW}/copy", data=form, headers=headers)).status_code == 200


# The list


async def test_search_that_is_too_long_is_refused(anna: Member) -> None:
    page = await anna.browser.get(f"/documents?q={'x' * 101}")

    assert page.status_code == 400
    assert "The search must be at most 100 characters (got 101)" in page.text


async def test_former_path_of_the_list_redirects(anna: Member) -> None:
    response = await anna.browser.get("/account/documents?cursor=x")

    assert (response.status_code, response.headers["location"]) == (308, "/documents?cursor=x")
