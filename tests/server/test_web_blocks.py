"""A preview in blocks says what whole pages say: what was shown, changed as it says, is the new page."""

from itertools import pairwise

import httpx
import pytest

from mdpublish_server.web.public.blocks import NOTHING, Blocks, Piece, blocks_of

BEFORE = "# Plan\n\nOne.\n\n---\n\nTwo <b>x</b>.\n\n---\n\n- a\n  - b\n\nThree.\n"

VERSIONS = (
    BEFORE,
    BEFORE.replace("One", "Once"),
    BEFORE.replace("One", "Once").replace("Three", "More"),
    BEFORE.replace("One.", "One.[^1]") + "\n[^1]: Note.\n",
    BEFORE.replace("One.\n\n", ""),
    BEFORE.replace("Two", "```\nTwo"),
    "Three.\n\n" + BEFORE,
    BEFORE + BEFORE,
    BEFORE.replace("Plan", "Another"),
    "",
    "<div><p>a</p>b</div>text <span>c</span>\n\n<table><tr><td><table><tr><td>x</td></tr></table></td></tr></table>\n\n<details>\n<summary>s</summary>\n\n<hr>\n\n</details>\n",
    '```mermaid\nflowchart LR\n  A --> B\n```\n\n![a > b](https://example.org/a.png "a > b")\n',
)


def changed(shown: list[str], page: Blocks) -> list[str]:
    """Return the HTML of the page's blocks."""
    return [
        html for part in page.blocks for html in ([part.html or ""] if isinstance(part, Piece) else shown[slice(*part)])
    ]


def keys(page: Blocks, known: str) -> str:
    shown = [known[at : at + 8] for at in range(8, len(known), 8)]
    parts = [[part.key] if isinstance(part, Piece) else shown[slice(*part)] for part in page.blocks]
    return "".join([page.shell.key, *(key for part in parts for key in part)])


@pytest.mark.parametrize(
    ("place", "template"),
    [("page", "swiss"), ("page", "newspaper"), ("slack", "swiss"), ("email", "swiss"), ("word", "swiss")],
)
@pytest.mark.anyio
async def test_what_was_shown_becomes_the_whole_page(client: httpx.AsyncClient, place: str, template: str) -> None:
    container = "main" if place == "page" else "body"
    known, shown, shell = NOTHING, [""], ""
    for content in VERSIONS:
        form = {"content": content, "place": place, "template_id": template}
        headers = {"Sec-Fetch-Site": "same-origin", "Accept": "application/json"}
        html = (await client.post("/preview", data=form, headers=headers)).json()["html"]
        if not content:
            continue
        page = blocks_of(html, container, known)
        shown, known, shell = changed(shown, page), keys(page, known), page.shell.html or shell
        end = shell.rindex(f"</{container}>")

        assert shell[:end] + "".join(shown) + shell[end:] == html
        sent = (await client.post("/preview", data={**form, "known": known}, headers=headers)).json()
        assert (sent["shell"], sent["blocks"]) == ({"key": known[:8], "html": None}, [[0, len(shown)]])


@pytest.mark.parametrize(("before", "after"), list(pairwise(VERSIONS[:5])))
def test_only_what_differs_is_sent(before: str, after: str) -> None:
    page = "<body><main>\n{}</main></body>"
    one, other = (
        page.format("".join(f"<p>{each}</p>\n" for each in markdown.split("\n\n"))) for markdown in (before, after)
    )
    known = keys(blocks_of(one, "main", NOTHING), "")

    sent = [part.html for part in blocks_of(other, "main", known).blocks if isinstance(part, Piece)]

    assert sent == [f"<p>{each}</p>\n" for each in after.split("\n\n") if each not in before.split("\n\n")]


def test_block_ends_with_its_own_tag_and_the_text_after_it() -> None:
    html = '<body>\n<p>a</p> b <hr /><ul><li><ul><li>c</li></ul></li></ul><img alt="d" />e</body>'

    page = blocks_of(html, "body", NOTHING)

    assert changed([], page) == [
        "\n",
        "<p>a</p> b ",
        "<hr />",
        "<ul><li><ul><li>c</li></ul></li></ul>",
        '<img alt="d" />e',
    ]
    assert page.shell.html == "<body></body>"


def test_what_mail_clients_alone_read_is_one_block() -> None:
    html = "<body><!--[if mso]><table><![endif]--><p>a</p><p>b</p></body>"

    assert len(blocks_of(html, "body", NOTHING).blocks) == 1
