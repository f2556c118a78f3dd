"""The export: a streamed zip archive of all documents, readable by any program, without leftover files."""

import asyncio
import gc
import io
import os
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.types import ASGIApp, Message, Send

from mdpublish_core import parse, render
from mdpublish_core.readers.markdown.front_matter import MAX_BYTES
from mdpublish_server.errors import RateLimited
from mdpublish_server.services.exports import EVENTS, Exports, FileNames, file_of, new_file
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database, DocumentRecord
from mdpublish_server.validation.validators import validate_description, validate_title
from tests.image_files import PNG
from tests.server.api_requests import create, get, publish, update
from tests.server.browsers import Connect, Member, make_member
from tests.server.conftest import Travel

pytestmark = pytest.mark.anyio

EXPORT = "/account/export"

NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)

DOCUMENT = DocumentRecord(
    id="9f6c1b34-9a53-4c53-8a83-6c1a8f0f2b11",
    account_id="a",
    title="Garden day",
    template_id="swiss",
    theme_mode="light",
    word_count=0,
    created_at=NOW,
    updated_at=NOW,
    content="",
)


@pytest.fixture
def anna(database: Database, client_from: Connect, times: list[datetime]) -> Member:
    return make_member(database, client_from, "anna", now=times[-1], plan="pro", username="anna")


async def export(member: Member) -> dict[str, bytes]:
    """Return the archive's files by name, but the audit log, which `test_audit` reads."""
    response = await member.browser.post(EXPORT)
    assert response.status_code == 200, response.text
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist() if name != EVENTS}


def read(file: bytes) -> tuple[dict[str, Any], bytes]:
    """Return a file's parsed front matter and its content."""
    _, front_matter, content = file.split(b"---\n", 2)
    return yaml.safe_load(front_matter.decode()), content


async def test_export_is_a_zip_file_named_by_the_date(anna: Member) -> None:
    await create(anna.program, title="Garden day", content="x")
    response = await anna.browser.post(EXPORT)
    assert response.headers["content-type"] == "application/zip"
    assert response.headers["content-disposition"] == 'attachment; filename="documents-2026-03-01.zip"'
    assert response.headers["cache-control"] == "no-store"
    assert int(response.headers["content-length"]) == len(response.content)


async def test_empty_account_has_an_empty_export(anna: Member) -> None:
    assert await export(anna) == {}


async def test_front_matter_reports_all_of_a_document(anna: Member) -> None:
    document = await create(
        anna.program,
        title='A "title": #1 \\ – é 🎉 no',
        content="# Hello\r\n\n---\nend",
        template_id="nord",
        folder="At: home",
    )
    url = (await publish(anna.program, document, visibility="public", description="yes", page_width="wide"))[
        "published_url"
    ]
    matches = await get(anna.program, document)

    ((name, file),) = (await export(anna)).items()

    assert name == f"{matches['slug']}.md"
    front_matter, content = read(file)
    assert front_matter == {
        "title": matches["title"],
        "slug": matches["slug"],
        "url": url,
        "published": matches["published_at"],
        "created": matches["created_at"],
        "updated": matches["updated_at"],
        "template": "nord",
        "theme_mode": "light",
        "page_width": "wide",
        "description": "yes",
        "visibility": "public",
        "folder": "At: home",
    }
    assert content == b"# Hello\r\n\n---\nend"


async def test_document_that_was_never_published_has_no_url(anna: Member) -> None:
    await create(anna.program, title="Рецепты", content="x")
    ((name, file),) = (await export(anna)).items()
    assert name == "retsepty.md"
    front_matter, _ = read(file)
    assert list(front_matter) == ["title", "created", "updated", "template", "theme_mode"]


async def test_export_holds_the_accounts_documents_alone(
    anna: Member, database: Database, client_from: Connect, times: list[datetime]
) -> None:
    other = make_member(database, client_from, "other", now=times[-1])
    await create(other.program, title="Theirs", content="secret")
    mine = await create(anna.program, title="Mine", content="x")
    for _ in range(120):
        await create(anna.program, title="Mine", content="x")
    await update(anna.program, mine, content="changed")
    files = await export(anna)
    assert files.pop("revisions/mine/2026-03-01-120000-1.md") == b"x"
    assert len(files) == 121
    assert len({name.lower() for name in files}) == 121
    assert not [file for file in files.values() if b"secret" in file]
    assert files["mine.md"].endswith(b"---\nchanged")


async def test_revisions_are_in_a_folder_as_they_were(anna: Member, travel: Travel) -> None:
    contents = ["---\ntitle: Mine\n---\r\nGrüezi", "two", "three"]
    document = await create(anna.program, title="Garden day", content=contents[0])
    other = await create(anna.program, title="Garden day", content="other")
    for content in contents[1:]:
        travel(timedelta(days=1))
        await update(anna.program, document, content=content)
    await update(anna.program, other, content="another")
    files = await export(anna)
    assert {name: file for name, file in files.items() if "/" in name} == {
        "revisions/garden-day-2/2026-03-01-120000-1.md": contents[0].encode(),
        "revisions/garden-day-2/2026-03-02-120000-2.md": b"two",
        "revisions/garden-day/2026-03-01-120000-1.md": b"other",
    }
    assert sorted(set(files) - {name for name in files if "/" in name}) == ["garden-day-2.md", "garden-day.md"]


# Strings that YAML parses as another type if unquoted.
@example("no")
@example("null")
@example("~")
@example("1e3")
@example("2026-03-01")
@example("- a: b # c")
@example("---")
@example("\u0085\u2028\u2029\ufeff\ufffe\uffff\x7f\x9f")
@example('"\\"')
@example("😀")
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_content_is_read_back_exactly(markdown: str) -> None:
    document = replace(DOCUMENT, title=markdown, description=markdown, content=markdown)
    file = file_of(document, username=None, public_url="https://pages.example.org")
    mark = b"\xef\xbb\xbf" if markdown.startswith("\ufeff") else b""
    head, separator, content = file.removeprefix(mark).partition(b"\n---\n")
    assert separator
    front_matter = yaml.safe_load(head.removeprefix(b"---\n").decode())
    assert (front_matter["title"], front_matter["description"]) == (markdown, markdown)
    assert mark + content == markdown.encode()


LINES = st.sampled_from(
    [
        *("title: Old", "template: paper", "template_id: nord", "slug: old", "description: Old", "page_width: full"),
        *('"title": Old', "title: Old: a", "description: >-", "  folded", "created: 2020", "theme_mode: dark"),
        *(
            "lang: de",
            "extensions: breaks",
            "tags:",
            "- a",
            "list: [a,",
            "]",
            "# a comment",
            "# title: x",
            "",
            "author: Me",
        ),
        *("---", "...", "Text *a*", "a: &b c", "[a]: b", "> q", "    code", "\ufeff", "# H", "* * *"),
    ]
)
CONTENTS = st.builds(
    lambda mark, opening, lines, end: mark + end.join([*opening, *lines, ""]),
    st.sampled_from(["", "\ufeff"]),
    st.sampled_from([(), ("---",), ("---", "author: Me"), ("--- ",)]),
    st.lists(LINES, max_size=14),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
"""Texts with and without front matter."""

EXPORTED_KEYS = frozenset(
    {"title", "slug", "url", "published", "created", "updated", "template", "template_id", "theme_mode"}
    | {"page_width", "description", "visibility"}
)


@example("---\nauthor: Me\n\n# a comment\ntitle: Old\n\ntags: []\n---\n", "T", None)
@example("---\ntitle: Old\n# a comment\n\ndescription: Old\n---\nText\n", "T", None)
@example("---\n" + "k: v\n" * 300 + "---\n", "T", None)
@example(
    '+++\ntitle = "Old"\ntags = ["a",\n  "b"]\n# note\n\n[params]\ntitle = "Of a table"\n+++\n\nText\n', 'A "b"', None
)
@example("\ufeff+++\r\n# first\r\n\"slug\" = 'old'\r\nx = 1\r\n+++\r\nText\r\n", "T", "D")
@example("+++\na.b = 1\n+++\nText\n", "T", None)
@example("+++\nno front matter\n+++\nText\n", "T", None)
@given(CONTENTS, st.text(max_size=200).map(validate_title), st.none() | st.text(max_size=200).map(validate_description))
def test_exported_file_converts_to_the_same_document(content: str, title: str, description: str | None) -> None:
    document = replace(DOCUMENT, title=title, description=description, content=content, template_id="mono")
    file = file_of(document, username=None, public_url="https://pages.example.org").decode()

    exported, stored = parse(file), parse(content)
    for destination in ("html", "plain-text"):
        shown = [render(each, to=destination, template="swiss").text for each in (exported, stored)]
        assert shown[0] == shown[1]
    assert exported.front_matter["title"] == title
    assert exported.front_matter.get("description") == description
    assert (exported.front_matter["template"], exported.front_matter["theme_mode"]) == ("mono", DOCUMENT.theme_mode)
    others = {key: value for key, value in stored.front_matter.items() if key not in EXPORTED_KEYS}
    assert {key: value for key, value in exported.front_matter.items() if key not in EXPORTED_KEYS} == others
    assert (
        file_of(replace(document, content=file), username=None, public_url="https://pages.example.org") == file.encode()
    )


def test_front_matter_of_the_author_is_kept_line_by_line() -> None:
    content = "---\r\ntitle: Old\r\n# mine\r\nfolder: b\r\ntags:\r\n- a\r\n---\r\n\r\nText\r\n"
    file = file_of(replace(DOCUMENT, title="New", content=content), username=None, public_url="https://a.example")

    assert file.startswith(b'---\ntitle: "New"\n')
    assert file.endswith(b"\n# mine\r\nfolder: b\r\ntags:\r\n- a\r\n---\n\r\nText\r\n")


@pytest.mark.parametrize("value", ["title = 1\n", "title = 1\nother = 2\n"])
def test_toml_with_what_looks_like_a_key_in_a_value_is_exported_as_it_is(value: str) -> None:
    content = f'+++\nx = """\n{value}"""\n+++\n\n# Text\n'
    assert (
        file_of(replace(DOCUMENT, content=content), username=None, public_url="https://a.example") == content.encode()
    )


def test_front_matter_near_its_limit_is_exported_as_it_is() -> None:
    content = f"---\ntitle: Old\nlong: {'a' * (MAX_BYTES - 30)}\n---\nText\n"
    assert parse(content).front_matter["title"] == "Old"

    assert file_of(replace(DOCUMENT, title="New", content=content), username=None, public_url="https://a.example") == (
        content.encode()
    )


async def test_imported_file_gives_the_same_document(anna: Member) -> None:
    content = "---\ntitle: Old\nlang: de\nextensions: breaks\n---\n# H\n\na\nb\n"
    document = await create(anna.program, content=content)
    await publish(anna.program, document, description="About it", page_width="wide")
    await update(anna.program, document, title="New: a title", theme_mode="dark")
    ((_, file),) = (await export(anna)).items()

    imported = await create(anna.program, content=file.decode())
    before, after = await get(anna.program, document), await get(anna.program, imported)
    names = ("title", "template_id", "theme_mode", "description", "page_width", "word_count")
    assert [after[key] for key in names] == [before[key] for key in names]
    assert (
        render(parse(after["content"])).html
        == render(parse(before["content"]), template=before["template_id"], theme_mode="dark").html
    )


# The second kind gives file names that Windows rejects or that traverse paths.
SLUGS = st.from_regex(r"\A(con|prn|aux|nul|com1|lpt9|a-2|abc|[a-z0-9]{3,60})\Z")
TITLES = st.one_of(
    st.text(max_size=200), st.sampled_from(["CON", "con.txt", "../../etc/passwd", "a/b", "a\\b", "C:", "\x00", ".", ""])
)


@given(st.lists(st.tuples(st.one_of(st.none(), SLUGS), TITLES), max_size=40))
def test_names_are_taken_by_every_system_and_never_twice(documents: list[tuple[str | None, str]]) -> None:
    names = FileNames()
    given_names = [names.name_of(replace(DOCUMENT, slug=slug, title=title)) for slug, title in documents]
    assert len({name.lower() for name in given_names}) == len(given_names)
    for name in given_names:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*\.md", name)
        assert len(name) <= 100
        assert not re.fullmatch(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])\.md", name)


def test_ten_thousand_documents_of_one_title_are_named_at_once() -> None:
    names = FileNames()
    for number in range(5_000):
        names.name_of(replace(DOCUMENT, slug=f"untitled-{number}"))
    for _ in range(5_000):
        names.name_of(replace(DOCUMENT, slug=None, title="Untitled"))
    assert names.name_of(DOCUMENT) == "garden-day.md"


@pytest.mark.parametrize("environment", [{"MDPUBLISH_PRO_RATE_LIMIT": "1"}])
async def test_exports_are_limited_by_the_plans_rate(anna: Member, travel: Travel) -> None:
    await export(anna)
    refused = await anna.browser.post(EXPORT)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
    travel(timedelta(seconds=1))
    await export(anna)


async def test_export_costs_no_request_of_the_month(anna: Member) -> None:
    await export(anna)
    assert (await anna.program.get("/v1/usage")).json()["used"] == 0


async def test_one_export_at_a_time_for_each_account(
    anna: Member, database: Database, client_from: Connect, times: list[datetime], state: AppState
) -> None:
    other = make_member(database, client_from, "other", now=times[-1])
    exports = Exports(database, state.images, public_url="https://pages.example.org")
    with exports.exclusive(anna.account):
        with pytest.raises(RateLimited), exports.exclusive(anna.account):
            pass
        with exports.exclusive(other.account):
            pass
    with exports.exclusive(anna.account):
        pass


def open_files() -> list[str]:
    """Return this process's open, unlinked files."""
    gc.collect()
    links = Path("/proc/self/fd")
    matches = []
    for link in links.iterdir():
        try:
            target = str(link.readlink())
        except FileNotFoundError:
            continue
        if "(deleted)" in target and "/tmp" in target and "memfd" not in target:
            matches.append(target)
    return matches


@pytest.fixture
def no_file_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Fails if temporary files remain, on disk or open."""
    import tempfile

    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    before = len(open_files())
    yield folder
    assert list(folder.iterdir()) == []
    assert len(open_files()) == before


async def requested(app: ASGIApp, member: Member, *, leaves_after: int) -> list[Message]:
    """Request the export over ASGI; the client disconnects after this many messages of the response."""
    sent: list[Message] = []
    gone = asyncio.Event()
    if leaves_after == 0:
        gone.set()

    async def send(message: Message) -> None:
        if len(sent) >= leaves_after:
            gone.set()
            raise OSError("the client is gone")
        sent.append(message)

    try:
        await request_export(app, member, send=send, gone=gone)
    except OSError as error:
        assert "the client is gone" in str(error)  # noqa: PT017
    return sent


async def request_export(app: ASGIApp, member: Member, *, send: Send, gone: asyncio.Event) -> None:
    """Request the export; the client disconnects when `gone` is set."""

    async def receive() -> Message:
        await gone.wait()
        return {"type": "http.disconnect"}

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": EXPORT,
        "raw_path": EXPORT.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1:8000"), (b"cookie", f"session={member.token}".encode())],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8000),
        "state": {},
    }
    await app(scope, receive, send)


async def test_second_export_of_an_account_is_reported_to_wait(app: ASGIApp, anna: Member) -> None:
    await create(anna.program, content="x")
    begun, over = asyncio.Event(), asyncio.Event()

    async def slow(_message: Message) -> None:
        begun.set()
        await over.wait()

    first = asyncio.create_task(request_export(app, anna, send=slow, gone=over))
    await begun.wait()
    refused = await anna.browser.post(EXPORT)
    over.set()
    await first

    assert (refused.status_code, refused.headers["retry-after"]) == (429, "10")
    assert "already running; retry when it has finished" in refused.text
    # A new export may start now.
    assert len(await export(anna)) == 1


@pytest.mark.parametrize("leaves_after", [0, 1, 2, 3])
async def test_nothing_is_left_when_the_client_goes_away(
    app: ASGIApp, anna: Member, no_file_left: Path, leaves_after: int
) -> None:
    for number in range(12):
        await create(anna.program, content=os.urandom(60_000).hex()[: 100_000 + number])
    assert no_file_left.exists()
    sent = await requested(app, anna, leaves_after=leaves_after)
    assert len(sent) == leaves_after
    assert len(await export(anna)) == 12


async def test_export_that_nobody_wants_any_more_is_given_up(anna: Member, database: Database, state: AppState) -> None:
    for _ in range(41):
        await create(anna.program, content="x")
    responses = iter((True, False))

    async def is_connected() -> bool:
        return next(responses)

    with new_file() as file:
        exports = Exports(database, state.images, public_url="https://pages.example.org")
        assert not await exports.write(anna.account, file, is_connected=is_connected)
        with zipfile.ZipFile(file) as archive:
            assert len(archive.namelist()) == 20


async def test_full_disk_is_reported_and_leaves_nothing(anna: Member, monkeypatch: pytest.MonkeyPatch) -> None:
    await create(anna.program, content="x")
    monkeypatch.setattr("mdpublish_server.web.account.exports.new_file", lambda: open("/dev/full", "w+b", buffering=0))  # noqa: SIM115, PTH123
    response = await anna.browser.post(EXPORT)
    assert (response.status_code, response.headers["retry-after"]) == (503, "60")
    assert "The export cannot be created right now" in response.text
    monkeypatch.undo()
    assert len(await export(anna)) == 1


def test_file_of_an_export_has_no_name(no_file_left: Path) -> None:
    with new_file() as file:
        file.write(b"x")
        assert list(no_file_left.iterdir()) == []


async def test_images_are_in_a_folder_by_the_names_in_their_urls(anna: Member, state: AppState) -> None:
    urls = [(await anna.program.post("/v1/images", content=PNG)).json()["url"] for _ in range(2)]
    await create(anna.program, content=f"![]({urls[0]})")
    await state.images.store.delete(urls[1].rpartition("/")[2])
    files = await export(anna)
    names = [name for name in files if name.startswith("images/")]
    assert names == [f"images/{urls[0].rpartition('/')[2]}"]
