"""A state machine of documents, their pages and images: what visitors see is what the table of the security model says.

The model is that table alone: it knows nothing of the service's code.
"""

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from mdpublish_server.app import make_app
from mdpublish_server.auth.authentication import secret_hash
from mdpublish_server.conversion import Converter
from mdpublish_server.settings import read_settings
from mdpublish_server.state import make_state
from mdpublish_server.storage import ReaderSession, open_database
from mdpublish_server.storage.readers import READER_SESSION
from tests.image_files import saved
from tests.server.apps import App, serving
from tests.server.browsers import make_member
from tests.server.private_pages import PASSWORD, READER, path_of, unlock

MINUTE = timedelta(minutes=1)
"""So short that no session and no app's token ends meanwhile."""
MARKER = "Hefeteig"
DOCUMENTS = st.integers(0, 1)
SHOWN = st.sampled_from([(), (0,), (1,), (0, 1)])
"""The numbers of the images that a text shows."""
OPTIONS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "visibility": st.sampled_from(["link", "public", "specific"]),
        "readers": st.sampled_from([[], [READER], ["@example.com"], ["other@example.net"]]),
        "password": st.sampled_from([PASSWORD, None]),
        "ends": st.booleans(),
        "show_source": st.booleans(),
    },
)
VISITORS = ("stranger", "account", "reader", "friend", "owner")


@dataclass(slots=True)
class Model:
    """A document as its owner left it."""

    id: str = ""
    url: str = ""
    images: tuple[int, ...] = ()
    is_published: bool = False
    is_trashed: bool = False
    was_published: bool = False
    visibility: str = "link"
    readers: list[str] = field(default_factory=list)
    password: int = 0
    """Counts the passwords that were set; 0 for none."""
    end: datetime | None = None
    show_source: bool = False

    @property
    def is_private(self) -> bool:
        return self.visibility == "specific" or self.password > 0

    @property
    def lists_reader(self) -> bool:
        return READER in self.readers or "@example.com" in self.readers


class Access(RuleBasedStateMachine):
    """Takes what a test has from `context`: the shared converter, a migrated database, and a new folder."""

    def __init__(self, context: Callable[[], tuple[Converter, Path, Path]]) -> None:
        super().__init__()
        converter, migrated, folder = context()
        self.runner = asyncio.Runner()
        self.times = [datetime.fromisoformat("2026-03-01T12:00:00+00:00")]
        url = f"sqlite:///{shutil.copy(migrated, folder / 'test.db')}"
        rates = {f"MDPUBLISH_{plan}_RATE_LIMIT": "100000" for plan in ("FREE", "PRO")}
        settings = {"MDPUBLISH_DATABASE_URL": url, "MDPUBLISH_IMAGE_STORE": str(folder / "images"), **rates}
        self.database = open_database(url)
        self.state = make_state(
            read_settings(settings), database=self.database, converter=converter, clock=lambda: self.times[-1]
        )
        self.app = make_app(self.state)
        self.visitors = {name: self.browser("127.0.0.1") for name in VISITORS}
        self.owner = make_member(self.database, self.browser, "berta", now=self.now, plan="pro", username="berta")
        other = make_member(self.database, self.browser, "carl", now=self.now)
        self.visitors |= {"owner": self.owner.browser, "account": other.browser}
        self.documents = [Model(), Model()]
        self.restricted: set[int] = set()
        self.passwords = 0
        self.proofs: dict[str, int] = {}
        self.is_reader = False
        self.tokens: dict[str, str] = {}

    @property
    def now(self) -> datetime:
        return self.times[-1]

    def browser(self, ip: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, client=(ip, 50000))
        return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000")

    def send(self, method: str, path: str, json: object = None, **headers: str) -> httpx.Response:
        return self.runner.run(self.owner.program.request(method, path, json=json, headers=headers))

    def teardown(self) -> None:
        self.runner.close()
        self.database.close()

    @initialize()
    def upload_and_connect(self) -> None:
        self.images = []
        for color in ("red", "blue"):
            image = saved(_image(color), "PNG")
            response = self.runner.run(self.owner.program.post("/v1/images", content=image))
            self.images.append(str(response.json()["url"]))
        for scope in ("documents.write", "publish"):
            self.tokens[scope] = self.runner.run(self.connected(scope))

    async def connected(self, scope: str) -> str:
        async with serving(self.state) as app:
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as program:
                person = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000")
                person.cookies.set("session", self.owner.token)
                return str((await App(program, person).connect([scope]))["access_token"])

    # What the owner does

    @rule(number=DOCUMENTS, images=SHOWN, options=OPTIONS, is_published=st.booleans())
    def write(self, number: int, images: tuple[int, ...], options: dict[str, Any], is_published: bool) -> None:
        """Create a document, published or not, or replace its text."""
        document = self.documents[number]
        if document.id:
            if not document.is_trashed:
                assert self.send(
                    "PATCH", f"/v1/documents/{document.id}", {"content": self.content_with(images)}
                ).is_success
                document.images = images
                self.note_page(document)
        elif is_published:
            body = {"content": self.content_with(images), "title": MARKER, **self.sent(options)}
            created = self.send("POST", "/v1/documents/publish", body).json()
            self.documents[number] = document = Model(id=created["id"], images=images)
            self.apply(document, options, url=created["published_url"])
        else:
            created = self.send("POST", "/v1/documents", {"content": self.content_with(images), "title": MARKER}).json()
            self.documents[number] = Model(id=created["id"], images=images)

    @rule(number=DOCUMENTS, options=OPTIONS)
    def publish(self, number: int, options: dict[str, Any]) -> None:
        document = self.documents[number]
        # In a POST, null is as if left out.
        options = {
            name: value for name, value in options.items() if value is not None and (name, value) != ("ends", False)
        }
        if document.id and not document.is_trashed:
            response = self.send("POST", f"/v1/documents/{document.id}/publish", self.sent(options))
            if self.has_ended(document) and "ends" not in options:
                assert response.status_code == 400
            else:
                assert response.is_success, response.text
                self.apply(document, options, url=response.json()["published_url"])

    @rule(number=DOCUMENTS, options=OPTIONS)
    def change(self, number: int, options: dict[str, Any]) -> None:
        document = self.documents[number]
        if document.id and not document.is_trashed:
            response = self.send("PATCH", f"/v1/documents/{document.id}", self.sent(options))
            assert response.is_success, response.text
            self.apply(document, options, url=document.url if document.is_published else "")

    @rule(number=DOCUMENTS)
    def unpublish(self, number: int) -> None:
        document = self.documents[number]
        if document.id and not document.is_trashed:
            assert self.send("DELETE", f"/v1/documents/{document.id}/publish").is_success
            self.end_page(document)

    @rule(number=DOCUMENTS)
    def delete(self, number: int) -> None:
        document = self.documents[number]
        if document.id and not document.is_trashed:
            assert self.send("DELETE", f"/v1/documents/{document.id}").is_success
            self.end_page(document)
            self.documents[number] = Model(url=document.url)

    @rule(number=DOCUMENTS)
    def move_to_trash_or_back(self, number: int) -> None:
        document = self.documents[number]
        if document.id:
            action = "restore" if document.is_trashed else "delete"
            response = self.runner.run(self.owner.browser.post(f"/documents/{document.id}/{action}"))
            assert response.status_code == 303, response.text
            document.is_trashed = not document.is_trashed
            if document.is_trashed:
                document.was_published = document.is_published
                self.end_page(document)
            elif document.was_published and not self.has_ended(document):
                document.is_published = True
                self.note_page(document)

    @rule()
    def wait(self) -> None:
        self.times.append(self.now + 2 * MINUTE)

    # What others do

    @rule(number=DOCUMENTS)
    def prove(self, number: int) -> None:
        """Type the password of a page, which somebody has told."""
        document = self.documents[number]
        response = self.runner.run(unlock(self.visitors["friend"], document.url or "/d/none"))
        if self.is_live(document) and document.visibility != "specific" and document.password:
            assert response.status_code == 303, response.text
            self.proofs[document.id] = document.password

    @rule()
    def begin_to_read(self) -> None:
        """Begin a session with a listed address, as after a mail."""
        if not self.is_reader:
            token = str(uuid4())
            session = ReaderSession(
                id=str(uuid4()),
                token_hash=secret_hash(token),
                account_id=self.owner.account.id,
                email=READER,
                expires_at=self.now + timedelta(days=30),
            )
            with self.database.write_transaction() as transaction:
                READER_SESSION.add(transaction, session)
            self.visitors["reader"].cookies.set("reader", token)
            self.is_reader = True

    @rule(number=DOCUMENTS, scope=st.sampled_from(["documents.write", "publish"]), options=OPTIONS)
    def app_widens(self, number: int, scope: str, options: dict[str, Any]) -> None:
        """An app with one scope neither publishes what it may not read, nor changes who reads."""
        document = self.documents[number]
        if not document.id or document.is_trashed:
            return
        headers = {"Authorization": f"Bearer {self.tokens[scope]}"}
        changes = {"visibility": "link" if document.visibility != "link" else "public", "password": None, **options}
        sent = self.sent(changes)
        patched = self.send("PATCH", f"/v1/documents/{document.id}", sent, **headers)
        assert patched.status_code == 403, patched.text
        published = self.send("POST", f"/v1/documents/{document.id}/publish", sent, **headers)
        assert published.status_code == 403, published.text

    # The model

    def content_with(self, images: tuple[int, ...]) -> str:
        return f"# {MARKER}\n\n{MARKER} " + " ".join(f"![a]({self.images[each]})" for each in images)

    def sent(self, options: dict[str, Any]) -> dict[str, Any]:
        end = (self.now + MINUTE).isoformat() if options.get("ends") else None
        times = {"expires_at": end} if "ends" in options else {}
        return {name: value for name, value in options.items() if name != "ends"} | times

    def apply(self, document: Model, options: dict[str, Any], *, url: str) -> None:
        listed = document.lists_reader
        for name in ("visibility", "readers", "show_source"):
            setattr(document, name, options.get(name, getattr(document, name)))
        if "password" in options:
            self.passwords += 1
            document.password = self.passwords if options["password"] else 0
        if "ends" in options:
            document.end = self.now + MINUTE if options["ends"] else None
        if listed and not document.lists_reader:
            self.is_reader = False
        if url:
            document.url, document.is_published = url, True
        self.note_page(document)

    def note_page(self, document: Model) -> None:
        if document.is_published and (document.is_private or document.end is not None):
            self.restricted |= set(document.images)

    def end_page(self, document: Model) -> None:
        if document.is_published:
            self.restricted |= set(document.images)
        document.is_published = False

    def has_ended(self, document: Model) -> bool:
        return document.end is not None and self.now >= document.end

    def is_live(self, document: Model) -> bool:
        return document.is_published and not document.is_trashed and not self.has_ended(document)

    def sees(self, visitor: str, document: Model) -> bool:
        if not self.is_live(document):
            return False
        if visitor == "owner":
            return True
        is_listed = visitor == "reader" and self.is_reader and document.lists_reader
        if document.visibility == "specific" and not is_listed:
            return False
        return not document.password or (visitor == "friend" and self.proofs.get(document.id) == document.password)

    # What must be true after every step

    def seen(self, visitor: str, path: str) -> httpx.Response:
        return self.runner.run(self.visitors[visitor].get(path))

    @invariant()
    def pages_and_sources_are_shown_to_whom_they_are_for(self) -> None:
        for document in self.documents:
            for visitor in VISITORS if document.url else ():
                path = path_of(document.url)
                page, source = self.seen(visitor, path), self.seen(visitor, f"{path}.md")
                is_shown = self.sees(visitor, document)
                assert (MARKER in page.text) is is_shown, (visitor, document, page.status_code)
                assert (MARKER in source.text) is (is_shown and document.show_source), (visitor, document)
                if document.is_private and is_shown:
                    assert page.headers["cache-control"] == "private, no-store"
                if not self.is_live(document):
                    has_ended = document.is_published and self.has_ended(document)
                    assert page.status_code == (410 if has_ended else 404)
                    assert self.seen(visitor, f"{path}.png").status_code in {404, 410}

    @invariant()
    def lists_name_public_pages_alone(self) -> None:
        listed = [each for each in self.documents if self.is_live(each) and each.visibility == "public"]
        listed = [each for each in listed if not each.is_private and each.end is None]
        for path in ("/u/berta", "/u/berta/feed.atom", "/sitemap.xml"):
            shown = self.seen("stranger", path).text
            for document in filter(lambda each: each.url, self.documents):
                assert (f"{path_of(document.url)}<" in shown or f'{path_of(document.url)}"' in shown) is (
                    document in listed
                ), (path, document)

    @invariant()
    def images_are_shown_with_their_pages(self) -> None:
        for number, url in enumerate(getattr(self, "images", ())):
            showing = [each for each in self.documents if number in each.images and self.is_live(each)]
            is_open = number not in self.restricted or any(not each.is_private for each in showing)
            for visitor in VISITORS:
                image = self.seen(visitor, path_of(url))
                is_shown = is_open or visitor == "owner" or any(self.sees(visitor, each) for each in showing)
                assert image.status_code == (200 if is_shown else 404), (visitor, number, self.documents)
                if is_shown:
                    cache_control = "public, max-age=3600" if is_open else "private, no-store"
                    assert image.headers["cache-control"] == cache_control


def _image(color: str) -> Any:
    from PIL import Image

    return Image.new("RGB", (4, 4), color)
