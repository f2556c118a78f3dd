"""No user content runs, makes requests or navigates, wherever it is shown.

By default half of the vectors are tried, each in one way; with `--all-vectors` all in all ways.
"""

import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

import httpx
import pytest
from lxml import etree
from lxml.html import fragment_fromstring

from mdpublish_core import convert
from mdpublish_server.services.workbench import PLACES
from mdpublish_server.settings import read_settings
from mdpublish_server.state import AppState
from mdpublish_server.web.assets import served_scripts
from mdpublish_server.web.public.pages import PublishedPages
from mdpublish_server.web.routes import site_routes
from mdpublish_server.web.site import Site
from tests.browser.vectors.composing import Vector, composed
from tests.browser.vectors.monitored_page import (
    OF_FIGURES,
    OF_FORMS,
    MonitoredPage,
    OpenedResponse,
    monitored_page,
)
from tests.browser.vectors.published import published
from tests.browser.vectors.stage import NAMED, Stage, sent, stage
from tests.local_server import LocalServer, Response, in_thread
from tests.remarks import remark

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

A_PAGE = 200

PATIENT = (30, 300, 3_000, 30_000, 60_000)
"""Milliseconds that a page gets for what must be seen to run, until it is seen."""

DESTINATIONS = ("generic", "email", "google-docs", "word", "onenote", "html")

TITLE, DESCRIPTION = 200, 500


@dataclass(slots=True)
class Tally:
    vectors: set[int] = field(default_factory=set)
    openings: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def all_vectors(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("all_vectors"))


@pytest.fixture(scope="module")
def vectors(all_vectors: bool) -> list[Vector]:
    every = composed()
    every += published(first=len(every) + 1)
    return every if all_vectors else every[::2]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("vectors")) as scene:
        scene.publish("x", title="x", description="x", member=scene.named)
        yield scene


@pytest.fixture(scope="module")
def watch(chromium: "Browser", scene: Stage) -> Iterator[MonitoredPage]:
    with monitored_page(chromium, scene.sheets) as watch:
        yield watch


@pytest.fixture(scope="module")
def tally(request: pytest.FixtureRequest, vectors: list[Vector]) -> Iterator[Tally]:
    """Print counts after the run."""
    tally, began = Tally(), time.monotonic()
    yield tally
    openings = sum(tally.openings.values())
    remark(
        request.config,
        f"vectors: {len(vectors):,} of {len({vector.family for vector in vectors})} families, {len(tally.openings)} "
        f"places, {openings:,} pages opened, {time.monotonic() - began:.0f} s: "
        + ", ".join(f"{place} {number:,}" for place, number in tally.openings.items()),
    )


def batches(vectors: Sequence[Vector]) -> Iterator[Sequence[Vector]]:
    for start in range(0, len(vectors), A_PAGE):
        yield vectors[start : start + A_PAGE]


def sheet(vectors: Sequence[Vector]) -> str:
    """Put each vector in a block quote, so that none swallows the next."""
    parts = []
    for vector in vectors:
        lines = vector.markdown.replace("\r", "\n").split("\n")
        parts.append(f"v{vector.number}:\n\n" + "\n".join(f"> {line}" for line in lines))
    return "\n\n".join(parts)


def packed(vectors: Sequence[Vector], characters: int) -> list[str]:
    """Join vectors to strings of limited length."""
    chunks, chunk = [], ""
    for vector in sorted(vectors, key=lambda vector: (vector.number * 7919) % 100_003):
        if len(chunk) + len(vector.markdown) + 1 > characters:
            chunks.append(chunk)
            chunk = ""
        if len(vector.markdown) < characters:
            chunk = f"{chunk} {vector.markdown}" if chunk else vector.markdown
    return [*chunks, chunk]


def inspect(
    watch: MonitoredPage,
    tally: Tally,
    place: str,
    response: OpenedResponse,
    *,
    elements: frozenset[str] | None = OF_FORMS | OF_FIGURES,
    expected: Sequence[Vector] = (),
) -> None:
    """Open a response with and without its policy."""
    for policy in (True, False):
        tally.openings[place] += 1
        seen = watch.open(response, policy=policy, elements=elements)
        under = "under its policy" if policy else "without its policy"
        tally.findings += [f"{place}, {under}: {finding}" for finding in seen.findings]
        lost = [vector.number for vector in expected if f"v{vector.number}:" not in seen.visible_text]
        tally.findings += [f"{place}: v{number} is not there, so something swallowed it" for number in lost]


def reported(tally: Tally) -> str:
    kinds = {finding[:80]: finding for finding in reversed(tally.findings)}
    tally.findings = []
    return "\n".join(reversed(kinds.values()))


def test_there_are_thousands_of_vectors_and_each_is_another(vectors: list[Vector]) -> None:
    assert len(vectors) >= 5_000
    assert len({vector.markdown for vector in vectors}) == len(vectors) == len({vector.number for vector in vectors})


# Published pages, with vectors as content, title and description.

PUBLISHED = ("/p/…", "/u/…/…", "/d/…")


def publish(scene: Stage, place: str, content: str, *, title: str, description: str) -> str:
    if place == "/p/…":
        return scene.publish_demo(content, title=title)
    member = scene.named if place == "/u/…/…" else scene.nameless
    return scene.publish(content, title=title, description=description, member=member)


def test_nothing_runs_in_published_pages(
    vectors: list[Vector], scene: Stage, watch: MonitoredPage, tally: Tally, all_vectors: bool
) -> None:
    titles, descriptions = packed(vectors, TITLE), packed(vectors, DESCRIPTION)
    for number, batch in enumerate(batches(vectors)):
        content, title, description = sheet(batch), titles[number], descriptions[number]
        places = PUBLISHED if all_vectors else PUBLISHED[number % 3 : number % 3 + 1]
        for place in places:
            path = publish(scene, place, content, title=title, description=description)
            inspect(watch, tally, place, scene.get(path), expected=batch)

    assert reported(tally) == ""


def test_nothing_runs_in_heads(
    vectors: list[Vector], scene: Stage, watch: MonitoredPage, tally: Tally, all_vectors: bool
) -> None:
    titles, descriptions = packed(vectors, TITLE), packed(vectors, DESCRIPTION)
    count = len(titles) if all_vectors else 25
    document_id = scene.api_post("/documents", {"title": "x", "content": "x"}, scene.named).json()["id"]
    path = httpx.URL(scene.api_post(f"/documents/{document_id}/publish", {}, scene.named).json()["published_url"]).path
    for number in range(count):
        title, description = titles[-1 - number], descriptions[-1 - number % len(descriptions)]
        changed = scene.client.patch(
            f"{scene.url}/v1/documents/{document_id}",
            json=sent({"title": title, "description": description}),
            headers={"Authorization": f"Bearer {scene.named.key}"},
        )
        assert changed.status_code == 200, changed.text
        inspect(watch, tally, "title and description", scene.get(path))

    assert reported(tally) == ""


# Figures, with vectors as labels, URLs, titles and formula text.

IN_FIGURES = 25
"""Vectors per page: each is rendered four times in the page's three seconds."""


def figures(vector: Vector) -> str:
    """Put a vector in all author-controlled places of figures and formulas."""
    label = " ".join(vector.markdown.split())
    quoted = label.replace("\\", "\\\\").replace('"', '\\"')
    entities = label.replace("#", "#35;").replace('"', "#quot;")
    braces = label.replace("\\", "").translate(str.maketrans("", "", "{}$%#&_^~"))
    title = label.replace('"', "'")
    return f"""\
```mermaid title="v{vector.number}: {title}" alt="{title}"
flowchart LR
  a["v{vector.number}: {entities}"] -- "{entities}" --> b
  click a href "{title}" "{title}"
```

```mermaid
sequenceDiagram
  a->>b: {label}
```

```dot
digraph {{ a [label="v{vector.number}: {quoted}", URL="{quoted}", tooltip="{quoted}"]; a -> b [label=<{label}>, edgeURL="{quoted}"] }}
```

$$
\\text{{v{vector.number}: {braces}}} \\href{{{braces}}}{{x}}
$$
"""


def test_nothing_runs_in_figures(
    vectors: list[Vector], scene: Stage, watch: MonitoredPage, tally: Tally, all_vectors: bool
) -> None:
    tried = vectors if all_vectors else vectors[::60]
    for start in range(0, len(tried), IN_FIGURES):
        batch = tried[start : start + IN_FIGURES]
        path = scene.publish_demo("\n".join(map(figures, batch)), title="x")
        inspect(watch, tally, "figures", scene.get(path), expected=batch)

    assert reported(tally) == ""


# Other pages with user content. `{page}` is a published page's path.

SHOWN_TO_ALL = (f"/u/{NAMED}", "/report?page={page}")
SHOWN_TO_MEMBERS = (
    "/account",
    "/documents/{document}/access",
    "/documents",
    "/documents?q=x",
    "/documents?sort=title",
    "/documents/several?document={document}",
    "/documents/several?do=delete&document={document}",
    "/documents/new",
    "/documents/{document}",
    "/documents/{document}/preview",
    "/documents/{document}/changes",
    "/documents/{document}/delete",
    "/documents/deleted",
    "/account/apps",
    "/account/keys",
    "/account/sessions",
    "/account/activity",
    "/account/settings",
    "/account/delete",
)
REVISION = "/documents/{document}/revisions/{number}"
SHOWN_OF_REVISIONS = ("/documents/{document}/revisions", REVISION, f"{REVISION}/comparison", f"{REVISION}/preview")
SHOWN_TO_OPERATORS = ("/operator/reports", "/operator/reports/{document}", "/operator/invitations")
_FOR_PROGRAMS_ELEMENTS = """
feed id title updated link author name uri generator entry published
summary content urlset url loc lastmod
"""
FOR_PROGRAMS_ELEMENTS = frozenset(_FOR_PROGRAMS_ELEMENTS.split())
FOR_PROGRAMS = (f"/u/{NAMED}/feed.atom", "/sitemap.xml")

# Routes without user content, or opened by other tests here.
_OTHERS = """
/robots.txt /llms.txt /fonts/{name} /sitemap-{number}.xml /static/site.css /static/frame.css /static/favicon.svg
/copy/{token} /download/{token} /operator/reports/{id}/source
/static/gallery.css /static/thumbnails/{name} /static/samples.json /templates/thumbnails.json /templates/compare
/templates/{template_id}/{theme_mode}/example /templates/{template_id}/{theme_mode}/specimen /workbench /preview /preview/sample /preview/excerpt /copy /download.md /download.html /download.txt
/published/{identifier}
/static/workbench.css /static/comparison.css /static/api-reference.css /social.png /docs /download.docx /download.eml /download.adf
/signup/sent /forgot/sent /templates /templates/{template_id}/{theme_mode} /report/thanks /signout /
/report /signin /signup /forgot /signup/{token} /confirm/{token}
/reset/{token} /claim/{token} /claim/{token}/sent /claim/{token}/delete /claim/{token}/edit
/account/export /account/documents /documents/{id}/restore /documents/{id}/erase /documents/{id}/changes/restore /documents/{id}/publish /documents/{id}/unpublish /documents/{id}/copy
/documents/{id}/duplicate
/documents/{id}/download.md /documents/{id}/download.html /documents/{id}/download.docx /documents/{id}/download.eml /documents/{id}/download.adf
/documents/{id}/download.txt
/documents/{id}/revisions/{number}/restore /documents/{id}/revisions/{number}/name
/signin/code /account/second-factor /account/second-factor/codes /account/second-factor/remove
/account/keys/{id}/revoke /account/settings/username /account/settings/language /account/settings/password /account/sessions/{id}/end /account/sessions/signout
/operator/invitations/{id}/revoke
/operator/reports/{document_id}/source /u/{username}/{slug}.png /d/{slug}.png
/p/{identifier}.png /u/{username}/{slug} /d/{slug} /p/{identifier} /u/{username}/{slug}.md /d/{slug}.md
/p/{identifier}.md /u/{username}/{slug}.pdf /d/{slug}.pdf /p/{identifier}.pdf
/read /read/sent /read/{token} /documents/{id}/access/link /documents/{id}/access/revoke
/documents/{id}/download.pdf /download.pdf
/i/{name} /repair /documents/{id}/repair /authorize /account/apps/{id}/disconnect /import
"""
OTHERS = frozenset(_OTHERS.split()) | {f"/static/{name}" for name in served_scripts()}


def test_nothing_runs_where_pages_are_listed(
    scene: Stage, vectors: list[Vector], watch: MonitoredPage, tally: Tally
) -> None:
    path, document = scene.paths[0], scene.documents[0]
    for number, details in enumerate(packed(vectors, 2_000)[:15]):
        page = [path for path in scene.paths if path.startswith(f"/u/{NAMED}")][number % len(scene.documents)]
        scene.post("/report", {"page": page, "reason": "other", "details": details, "email": ""})
    for number, name in enumerate(packed(vectors, 100)[:2]):
        scene.post("/account/keys", {"name": name}, member=scene.named)
        inspect(watch, tally, f"new key {number}", scene.get("/account/keys", member=scene.named))
    for template in SHOWN_TO_ALL:
        inspect(watch, tally, template, scene.get(template.format(page=path)))
    for template in (*SHOWN_TO_MEMBERS, *SHOWN_TO_OPERATORS):
        response = scene.get(template.format(document=document), member=scene.named)
        assert response.status == 200, template
        inspect(watch, tally, template, response)

    assert reported(tally) == ""


def test_nothing_runs_in_revisions(
    vectors: list[Vector], scene: Stage, watch: MonitoredPage, tally: Tally, all_vectors: bool
) -> None:
    every = list(batches(vectors))
    for before, after in pairwise(every if all_vectors else every[::12]):
        title = packed(before, 200)[0]
        created = scene.api_post("/documents", {"content": sheet(before), "title": title}, scene.named)
        document = created.json()["id"]
        headers = {"Authorization": f"Bearer {scene.named.key}"}
        changes = sent({"content": sheet(after)})
        edited = scene.client.patch(f"{scene.url}/v1/documents/{document}", json=changes, headers=headers)
        assert (created.status_code, edited.status_code) == (201, 200)
        for template in SHOWN_OF_REVISIONS:
            response = scene.get(template.format(document=document, number=1), member=scene.named)
            assert response.status == 200, template
            inspect(watch, tally, template, response)

    assert reported(tally) == ""


def test_nothing_runs_in_what_programs_read(scene: Stage, watch: MonitoredPage, tally: Tally) -> None:
    for path in FOR_PROGRAMS:
        response = scene.get(path)
        elements = list(etree.fromstring(response.body).iter())
        assert {etree.QName(element).localname for element in elements} <= FOR_PROGRAMS_ELEMENTS
        for content in (element.text or "" for element in elements if element.tag.endswith("}content")):
            written = list(fragment_fromstring(content, create_parent=True).iter())
            assert not {"script", "style", "iframe", "object", "form", "svg"} & {each.tag for each in written}
            assert not [name for each in written for name in each.attrib if name == "style" or name.startswith("on")]
            urls = [each.get(name) for each in written for name in ("href", "src") if name in each.attrib]
            assert [url for url in urls if not url.startswith(("http://", "https://", "mailto:", "tel:"))] == []
        assert response.headers["x-content-type-options"] == "nosniff"
        inspect(watch, tally, path, response, elements=None)
    for path in [path for path in scene.paths if not path.startswith("/p/")][:10]:
        source = scene.get(f"{path}.md")
        assert source.headers["content-type"].startswith("text/markdown")
        assert source.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in source.headers["content-security-policy"]

    assert reported(tally) == ""


IMAGES = (
    "<script>{run}</script>",
    '<script href="data:text/javascript,{run}"/>',
    '<rect width="9" height="9" onload="{run}" onclick="{run}"/>',
    '<a href="javascript:{run}"><rect width="9" height="9"/></a>',
    '<a xlink:href="java&#10;script:{run}"><text y="9">a</text></a>',
    '<foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml" onload="{run}"/></foreignObject>',
    '<set attributeName="onload" to="{run}"/><animate attributeName="href" values="javascript:{run}"/>',
    "<image href=\"data:image/svg+xml,&lt;svg xmlns='http://www.w3.org/2000/svg' onload='{run}'/&gt;\"/>",
    "<use href=\"data:image/svg+xml,&lt;svg id='x' xmlns='http://www.w3.org/2000/svg' onload='{run}'/&gt;#x\"/>",
    "<style>@import 'https://attacker.example/x.css'; rect {{ fill: url(https://attacker.example/x.svg#a) }}</style>",
)


@pytest.mark.parametrize("start", ["", '<?xml-stylesheet href="data:text/css,*"?>', "<!DOCTYPE svg [<!ENTITY x 'y'>]>"])
def test_nothing_runs_in_uploaded_images(scene: Stage, watch: MonitoredPage, tally: Tally, start: str) -> None:
    run = "document.documentElement.ownerDocument.defaultView.alert(1)"
    headers = {"Authorization": f"Bearer {scene.named.key}", "Content-Type": "image/svg+xml"}
    attributes = f'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9" onload="{run}"'
    for inner in IMAGES:
        svg = f"{start}<svg {attributes}>{inner.format(run=run)}</svg>"
        response = scene.client.post(f"{scene.url}/v1/images", content=svg.encode(), headers=headers)
        assert response.status_code in (201, 400), response.text
        if response.status_code == 201:
            path = urlsplit(response.json()["url"]).path
            inspect(watch, tally, path, scene.get(path), elements=None)

    assert reported(tally) == ""


def test_every_place_that_shows_something_is_in_these_tables(scene: Stage) -> None:
    settings = read_settings({"MDPUBLISH_PUBLIC_URL": scene.url})
    state = AppState(settings)
    site = Site(settings)
    public, accounts = site_routes(state, site, PublishedPages(state.page_server, site, state.settings))
    paths = {**public, **accounts}
    tables = (*SHOWN_TO_ALL, *SHOWN_TO_MEMBERS, *SHOWN_OF_REVISIONS, *SHOWN_TO_OPERATORS, *FOR_PROGRAMS)
    looked_at = {
        path.partition("?")[0].replace(f"/u/{NAMED}", "/u/{username}").replace("{document}", "{id}") for path in tables
    }

    assert {path.replace("{document_id}", "{id}") for path in paths} - looked_at - OTHERS == set()


# Forms show rejected values again.


def echoes(scene: Stage, vector: Vector) -> Iterator[tuple[str, OpenedResponse]]:
    payload = vector.markdown
    page = scene.paths[0]
    member = scene.named
    demo = {"content": "x", "template_id": "swiss", "theme_mode": "light", "nonce": "", "place": "page"}
    for name in demo:
        yield f"/ ({name})", scene.post("/", {**demo, "template_id": "", name: payload})
        for path in ("/preview", "/workbench", "/templates", "/templates/ink/light", "/templates/compare"):
            yield f"{path} ({name})", scene.post(path, {**demo, name: payload})
    report = {"page": page, "reason": "", "details": "x", "email": ""}
    for name in report:
        yield f"/report ({name})", scene.post("/report", {**report, name: payload})
    account = {"email": "a@b", "password": "x", "username": "x", "next": "/"}
    for path in ("/signup", "/signin", "/forgot"):
        for name in account:
            yield f"{path} ({name})", scene.post(path, {**account, name: payload})
    for path, name in (
        ("/account/keys", "name"),
        ("/account/settings/username", "username"),
        ("/account/settings/language", "language"),
        ("/account/second-factor/remove", "code"),
        ("/signin/code", "code"),
    ):
        yield f"{path} ({name})", scene.post(path, {name: payload}, member=member)
    yield from echoes_of_lists(scene, payload)
    names = ("page", "next", "done", "error", "q", "template_id", "theme_mode", "category", "mode")
    for path in ("/", "/templates", "/signin", "/signup", "/report", "/documents", "/operator/reports"):
        query = "&".join(f"{name}={quote(payload.encode('utf-8', 'replace'))}" for name in names)
        yield f"{path}?…", scene.get(f"{path}?{query}", member=member)
    document = {
        "title": "x",
        "content": "x",
        "description": "x",
        "folder": "x",
        "revision": "0",
        "nonce": "x",
    }
    for name in (*document, "slug", "visibility", "readers", "expires_at"):
        fields = {**document, name: payload}
        yield f"/documents/new ({name})", scene.post("/documents/new", fields, member=member)
        yield f"/documents/… ({name})", scene.post(f"/documents/{scene.documents[0]}", fields, member=member)
        yield f"/documents/… ({name}), signed out", scene.post(f"/documents/{scene.documents[0]}", fields)
        access = f"/documents/{scene.documents[0]}/access"
        yield f"/documents/…/access ({name})", scene.post(access, {"visibility": "x", name: payload}, member=member)
    written = quote(payload.encode("utf-8", "replace"), safe="")
    for path in (
        "/{}",
        "/p/{}",
        "/d/{}",
        "/u/{}",
        "/u/x/{}",
        "/reset/{}",
        "/confirm/{}",
        "/claim/{}",
        "/operator/reports/{}",
    ):
        yield path.format("…"), scene.get(path.format(written), member=member)


def echoes_of_lists(scene: Stage, payload: str) -> Iterator[tuple[str, OpenedResponse]]:
    member, shown = scene.named, quote(payload.encode("utf-8", "replace"))
    for name in ("do", "new", "to", "folder", "document", "cursor", "sort"):
        chosen = {"do": "move", "to": "", "document": scene.documents[0], name: payload}
        yield f"/documents/several ({name})", scene.post("/documents/several", chosen, member=member)
    yield "/documents?folder=…", scene.get(f"/documents?folder={shown}", member=member)


def test_nothing_runs_where_input_is_shown_again(
    vectors: list[Vector], scene: Stage, watch: MonitoredPage, tally: Tally, all_vectors: bool
) -> None:
    chosen = [vector for vector in vectors if vector.family in ("breakouts", "templates")]
    for vector in chosen if all_vectors else chosen[7:8]:
        for place, response in echoes(scene, vector):
            assert response.status < 500, (place, vector)
            if response.body:
                inspect(watch, tally, place, response)

    assert reported(tally) == ""


def test_nothing_runs_in_previews_and_texts_shown_again(
    vectors: list[Vector], scene: Stage, watch: MonitoredPage, tally: Tally, all_vectors: bool
) -> None:
    every = list(batches(vectors))
    form = {"template_id": "swiss", "theme_mode": "light"}
    for batch in every if all_vectors else every[::8]:
        content = sheet(batch)
        for place in PLACES:
            frame = scene.post("/preview", {**form, "content": content, "place": place})
            # Word's HTML has elements of its own; another test looks at it.
            elements = None if place == "word" else OF_FORMS | OF_FIGURES
            inspect(watch, tally, f"/preview ({place})", frame, elements=elements)
        inspect(watch, tally, "/ (text again)", scene.post("/", {**form, "content": content, "template_id": "x"}))
        for path in ("/workbench", "/templates/ink/dark", "/templates/compare"):
            inspect(watch, tally, f"{path} (text again)", scene.post(path, {**form, "content": content}))

    assert reported(tally) == ""


def test_nothing_runs_where_a_demo_is_shown_to_its_owner(
    vectors: list[Vector], scene: Stage, watch: MonitoredPage, tally: Tally, all_vectors: bool
) -> None:
    elements = OF_FORMS | {"figcaption", "figure", "path", "svg"}
    every = list(batches(vectors))
    for batch in every if all_vectors else every[::8]:
        form = {"content": sheet(batch), "template_id": "swiss", "theme_mode": "light", "nonce": ""}
        after = scene.post("/", form)
        if after.status == 303:
            inspect(watch, tally, "/published/…", scene.get(after.headers["location"]), elements=elements)
        created = scene.api_post("/demo/publish", {"content": form["content"], "title": batch[0].markdown[:200]})
        if created.status_code == 201:
            path = httpx.URL(created.json()["claim_url"]).path
            for shown in (path, f"{path}/delete"):
                inspect(watch, tally, "/claim/…", scene.get(shown), elements=elements)
            refused = scene.post(path, {"email": batch[0].markdown, "password": "x"})
            inspect(watch, tally, "/claim/… (email)", refused, elements=elements)

    assert reported(tally) == ""


def test_slugs_and_usernames_are_refused_and_returned_as_data(
    vectors: list[Vector], scene: Stage, watch: MonitoredPage, tally: Tally, all_vectors: bool
) -> None:
    document = scene.documents[0]
    for number, vector in enumerate(vectors if all_vectors else vectors[::10]):
        refused = scene.api_post(f"/documents/{document}/publish", {"slug": vector.markdown}, scene.named)
        # Some naughty strings are valid slugs.
        is_one = re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", vector.markdown) and 3 <= len(vector.markdown) <= 60
        assert refused.status_code == (200 if is_one else 400), vector
        assert refused.headers["content-type"].startswith("application/json")
        assert refused.headers["x-content-type-options"] == "nosniff"
        if number % 100 == 0:
            response = OpenedResponse(
                url=f"{scene.url}/v1/slug",
                body=refused.content,
                headers=dict(refused.headers),
                status=refused.status_code,
            )
            inspect(watch, tally, "JSON", response, elements=None)

    assert reported(tally) == ""


# Output for other programs, without a policy.


def test_nothing_runs_in_what_is_pasted_and_mailed(
    vectors: list[Vector], watch: MonitoredPage, tally: Tally, all_vectors: bool
) -> None:
    for number, batch in enumerate(batches(vectors)):
        for destination in DESTINATIONS if all_vectors else [DESTINATIONS[number % len(DESTINATIONS)]]:
            parts = [
                f"<section><p>v{vector.number}:</p>{convert(vector.markdown, to=destination).text}</section>"
                for vector in batch
            ]
            body = "<!DOCTYPE html><html><head><title>x</title></head><body>" + "\n".join(parts)
            seen = watch.open(html(body), policy=False, elements=OF_FIGURES | {"o:p"}, mutate=True)
            tally.openings[destination] += 1
            tally.findings += [f"{destination}: {finding}" for finding in seen.findings]
            lost = [vector.number for vector in batch if f"v{vector.number}:" not in seen.visible_text]
            tally.findings += [f"{destination}: v{number} is not there" for number in lost]

    assert reported(tally) == ""


def html(body: str, url: str = "http://served.example/") -> OpenedResponse:
    return OpenedResponse(
        url=url, body=body.encode("utf-8", "replace"), headers={"Content-Type": "text/html; charset=utf-8"}
    )


@pytest.fixture
def careless() -> Iterator[str]:
    """Serve requests' content unescaped."""

    page = b"<!DOCTYPE html><title>x</title><p><img src=x onerror=__ran(7)>"
    headers = {"Content-Type": "text/html", "Content-Security-Policy": "default-src 'none'"}
    with in_thread(LocalServer(lambda _: Response(page, headers=headers))) as server:
        yield f"{server.url}/"


def test_what_a_careless_server_shows_is_seen(chromium: "Browser", careless: str) -> None:
    response = httpx.get(careless)
    opened = OpenedResponse(url=careless, body=response.content, headers=dict(response.headers))
    with monitored_page(chromium) as watch:
        free = watch.open(opened, policy=False)
        bound = watch.open(opened, policy=True)

    assert 7 in free.numbers
    assert any(finding.startswith("attribute onerror") for finding in free.findings)
    assert bound.numbers == set()
    assert any("Content Security Policy" in finding for finding in bound.findings)


@pytest.mark.parametrize(
    ("body", "finding"),
    [
        ("<script>__ran(1)</script>", "ran 1"),
        ("<script>alert(1)</script>", "ran alert(1)"),
        ("<details ontoggle=__ran(1)>x</details>", "ran 1"),
        ("<p onanimationend=__ran(1)>x", "ran 1"),
        ("<style>p{background:url(//hit.example/1)}</style><p>x", "asked for 1"),
        ("<link rel=stylesheet href=//hit.example/1>", "asked for 1"),
        ("<link rel=preload as=font href=//hit.example/1 crossorigin>", "asked for 1"),
        ("<link rel=preload as=font href=/fonts/x.woff2 crossorigin>", "link"),
        (
            "<style>@font-face{font-family:x;src:url(/fonts/x.woff2)}p{font-family:x}</style><p>x",
            "asked for http://served",
        ),
        ("<iframe src=//hit.example/1></iframe>", "asked for 1"),
        ("<meta http-equiv=refresh content='0;url=//hit.example/1'>", "asked for 1"),
        ("<a href=' java\tscript:__ran(1)'>x</a>", "address of javascript:"),
        ("<form action=https://hit.example/1></form>", "form to elsewhere"),
        ("<form id=f name=querySelectorAll></form>", "document.querySelectorAll is an element"),
        ("<svg></svg>", "element svg"),
        ("<p style='background:url(x)'>x", "style"),
        ("<script>x(</script>", "error: "),
        ("<script>open('//hit.example/1')</script>", "ran open("),
    ],
)
def test_each_kind_of_finding_is_seen(chromium: "Browser", body: str, finding: str) -> None:
    response = html(f"<!DOCTYPE html><title>x</title>{body}")
    with monitored_page(chromium) as watch:
        for milliseconds in PATIENT:
            seen = watch.open(response, policy=False, elements=OF_FORMS, milliseconds=milliseconds)
            if any(each.startswith(finding) for each in seen.findings):
                break

    assert any(each.startswith(finding) for each in seen.findings), seen.findings


def test_shown_images_and_links_are_no_findings(chromium: "Browser") -> None:
    body = "<img src=//hit.example/1#x alt=x><a href=https://hit.example/2>x</a><a href=mailto:x@y.example>x</a>"
    with monitored_page(chromium) as watch:
        seen = watch.open(html(f"<!DOCTYPE html><title>x</title>{body}"), policy=False)

    assert seen.findings == []


def test_a_third_of_the_vectors_run_where_nothing_stops_them(
    vectors: list[Vector], chromium: "Browser", request: pytest.FixtureRequest
) -> None:
    """The others are for other browsers, or need careless processing."""
    chosen = [
        vector for vector in vectors if vector.family in ("handlers", "elements", "breakouts", "mutations", "markdown")
    ]
    chosen = chosen[::40]
    ran: set[int] = set()
    with monitored_page(chromium) as watch:
        for milliseconds in PATIENT:
            for batch in batches(chosen):
                frames = "".join(f'<iframe srcdoc="{escape(vector.markdown)}"></iframe>' for vector in batch)
                page = html(f"<!DOCTYPE html><title>x</title>{frames}")
                ran |= watch.open(page, policy=False, milliseconds=milliseconds).numbers
            if len(ran) >= len(chosen) / 3:
                break

    ran &= {vector.number for vector in chosen}
    remark(request.config, f"vectors that run where nothing stops them: {len(ran):,} of {len(chosen):,}")
    assert len(ran) >= len(chosen) / 3
