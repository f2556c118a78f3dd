"""`POST /import`: what is pasted into the workbench, as Markdown, and images of who is signed in."""

from base64 import b64encode

import httpx
import pytest

from mdpublish_core import convert
from mdpublish_server.web.public import imports
from tests.image_files import PNG
from tests.server.browsers import Member

pytestmark = pytest.mark.anyio

SAME_ORIGIN = {"Sec-Fetch-Site": "same-origin"}

IMAGE = f'<img alt="a *dot*" src="data:image/png;base64,{b64encode(PNG).decode()}">'

RESPONSE = (
    '<h3 data-start="1">Plan</h3><p>Prices <b>rose</b>【4†source】.</p>'
    "<table><tr><th>a</th></tr><tr><td>1</td></tr></table>"
)


async def bring(client: httpx.AsyncClient, content: bytes | str, kind: str = "html") -> httpx.Response:
    return await client.post(f"/import?format={kind}", content=content, headers=SAME_ORIGIN)


async def test_line_says_what_came_and_what_was_repaired(client: httpx.AsyncClient) -> None:
    assert (await bring(client, RESPONSE)).json() == {
        "markdown": "### Plan\n\nPrices **rose**.\n\n| a   |\n| --- |\n| 1   |\n",
        "summary": "Pasted from ChatGPT · 1 table, 1 repair",
    }


async def test_word_file_is_read(client: httpx.AsyncClient) -> None:
    file = convert("# Day\n\n$x^2$ and $y$\n", to="docx").to_bytes()
    read = (await bring(client, file, "docx")).json()

    assert read == {"markdown": "# Day\n\n$x^2$ and $y$\n", "summary": "Pasted as Markdown · 2 formulas"}


async def test_images_of_a_guest_become_their_text(client: httpx.AsyncClient) -> None:
    pasted, image = await bring(client, f"<p>See {IMAGE}</p>"), await bring(client, PNG, "image")

    assert pasted.json() == {
        "markdown": "See a \\*dot\\*\n",
        "summary": "Pasted as Markdown; 1 image is left out: sign in to keep images",
    }
    assert (image.status_code, image.json()["error"]) == (
        401,
        "Images are stored with an account: sign in, or link to an image on the web",
    )


async def test_images_of_a_member_are_stored(anna: Member) -> None:
    pasted, image = await bring(anna.browser, f"<p>See {IMAGE}</p>"), await bring(anna.browser, PNG, "image")

    alt, _, url = pasted.json()["markdown"].strip().removesuffix(")").partition("](")
    assert (alt, pasted.json()["summary"]) == ("See ![a \\*dot\\*", "Pasted as Markdown · 1 image")
    for each in (url, image.json()["markdown"].removeprefix("![](").removesuffix(")")):
        assert (await anna.browser.get(httpx.URL(each).path)).headers["Content-Type"] == "image/png"


async def test_images_that_cannot_be_stored_are_left_out_with_the_reason(
    anna: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "MAX_IMAGES", 0)

    assert (await bring(anna.browser, f"<p>See {IMAGE}</p>")).json() == {
        "markdown": "See a \\*dot\\*\n",
        "summary": "Pasted as Markdown; images are left out: at most 0 can be pasted at once (got 1)",
    }


async def test_what_cannot_be_read_is_refused(client: httpx.AsyncClient) -> None:
    for content, kind, message in (
        (b"x", "rtf", "format must be one of docx, docm, dotx, "),
        (b"PK", "docx", "The file must be a Word document"),
        (b"x" * 5_000_001, "html", "The body must be at most 5,000,000 bytes"),
    ):
        response = await bring(client, content, kind)

        assert (response.status_code, response.json()["error"][: len(message)]) == (400, message), content


@pytest.mark.parametrize("environment", [{"MDPUBLISH_SITE_CPU_SECONDS": "1"}])
async def test_network_has_a_limit_of_cpu_time(client: httpx.AsyncClient) -> None:
    for _ in range(100):
        response = await bring(client, "<p>x</p>" * 5_000)
        if response.status_code != 200:
            break

    assert response.status_code == 429
    assert response.json()["error"].startswith("Previews, copies and imports of your network have used the CPU time")


async def test_other_sites_may_not_ask(client: httpx.AsyncClient) -> None:
    response = await client.post("/import", content=b"<p>x</p>", headers={"Sec-Fetch-Site": "cross-site"})

    assert response.status_code == 403
