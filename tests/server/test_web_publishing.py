"""Publishing on the home page as who is signed in, and editing a demo in place with its owner link."""

import httpx
import pytest

from mdpublish_server.settings import Settings
from mdpublish_server.storage import Database
from mdpublish_server.storage.demo_usage import MISCOUNTED
from mdpublish_server.web.nonces import new_nonce
from tests.server.api_requests import SITE, get
from tests.server.browsers import Member, alerts, put_on
from tests.server.test_web_claims import demo_path
from tests.server.test_web_documents_editing import PRO, id_of

pytestmark = pytest.mark.anyio

FORM = {
    "content": "# Garden day\n\nRoses.\n",
    "template_id": "swiss",
    "theme_mode": "light",
    "nonce": new_nonce(),
    "place": "page",
}


async def test_signed_in_person_publishes_a_document_of_the_account(berta: Member) -> None:
    response = await berta.browser.post("/", data={**FORM, "template_id": PRO})

    path, _, query = response.headers["location"].partition("?")
    document = await get(berta.program, id_of(path))
    assert (response.status_code, query) == (303, "done=published")
    assert (document["title"], document["template_id"], document["is_published"]) == ("Garden day", PRO, True)
    second = await berta.browser.post("/", data={**FORM, "template_id": PRO})
    assert second.headers["location"].partition("?")[0] == path


async def test_home_page_offers_the_templates_of_the_account(anna: Member, berta: Member) -> None:
    option = f'<option value="{PRO}"'
    assert f"{option}>" in (await berta.browser.get("/")).text
    assert f"{option} disabled>" in (await anna.browser.get("/")).text
    copied = {**FORM, "template_id": PRO, "place": "email"}
    assert (await berta.browser.post("/copy", data=copied, headers={"Origin": SITE})).status_code == 200
    assert (await anna.browser.post("/copy", data=copied, headers={"Origin": SITE})).status_code == 400


async def test_refused_text_stays_in_the_form_of_a_new_document(anna: Member, database: Database) -> None:
    put_on(database, anna, "free")
    for _ in range(3):
        await anna.browser.post("/", data={**FORM, "nonce": new_nonce()})

    page = await anna.browser.post("/", data=FORM)

    assert page.status_code == 403
    assert "allows 3 documents" in alerts(page)[0]
    assert "Roses." in page.text


async def test_owner_link_edits_a_demo_in_place(client: httpx.AsyncClient, database: Database) -> None:
    owner, url = await demo_path(client)
    assert "world" in (await client.get(f"{owner}/edit")).text

    response = await client.post(f"{owner}/edit", data=FORM)

    assert (response.status_code, response.headers["location"]) == (303, owner)
    assert "Roses." in (await client.get(url)).text
    with database.read_transaction() as transaction:
        ((counted, held),) = transaction.rows(MISCOUNTED)
    assert counted == held > 0


async def test_edit_of_a_demo_that_is_refused_changes_nothing(client: httpx.AsyncClient, settings: Settings) -> None:
    owner, url = await demo_path(client)
    lure = (
        f"# Verify\n\nYour account was suspended. [Enter your password]({settings.public_url}.example.org/login) now.\n"
    )

    page = await client.post(f"{owner}/edit", data={**FORM, "content": ""})
    scanned = await client.post(f"{owner}/edit", data={**FORM, "content": lure})

    assert (page.status_code, scanned.status_code) == (400, 400)
    assert "world" in (await client.get(url)).text
    assert (await client.get("/claim/nosuch/edit")).status_code == 404
