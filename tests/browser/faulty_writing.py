"""Random edits and faults in the editor of an account's document, and a model of what was written.

Each word that is typed is another one, so that each can be looked for: in what is stored, its revisions, what a page
shows, and what the browser keeps of pages that are closed, which it offers when the document is opened again.
"""

import re
import socket
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import httpx

from mdpublish_server.auth.passwords import hash_password
from mdpublish_server.services.accounts import add_key, create_account, sign_in
from mdpublish_server.storage import Database, migrate, open_database
from mdpublish_server.storage.keys import end_sessions
from tests.browser.served import PASSWORD
from tests.browser.waiting import wait_until
from tests.stress.service import KillableService

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Dialog, Request

PATIENCE = 120_000
"""Milliseconds; generous for a loaded machine."""

WORDS = re.compile(r"\bw\d+q\b")

# Presses of Save until a text is stored, faults past; two tabs may contest it for some.
_SAVES = 20

_FIRST = "# Plan\n\nw0q stands here already.\n"

# Press a button that leads to a page, if it is enabled.
_PRESS = "button => !button.disabled && (window.isLeft = true) && (button.click(), true)"

# Put the caret behind a word, whatever another tab has saved by now.
_PLACE = r"""at => {
  const { content } = document.forms.workbench.elements;
  const places = [0, ...[...content.value.matchAll(/\S+/g)].map(({ index, 0: { length } }) => index + length)];
  const place = places[Math.floor(at * places.length)];
  content.focus();
  content.setSelectionRange(place, place);
  return place;
}"""

# Choose a side of each conflict, where it is offered, and save that.
_CHOOSE = """side => {
  const conflict = document.querySelector("[data-conflict]");
  for (const value of ["mine", side]) {
    for (const each of conflict.querySelectorAll(`[value=${value}]`)) each.checked = true;
  }
  conflict.querySelector("[data-mine]").click();
}"""

# What closed pages left in this browser of a document, but what is shown.
_LEFT = """async path => {
  const ask = request => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const open = indexedDB.open("mdpublish", 1);
  open.onupgradeneeded = () => open.result.createObjectStore("texts", { keyPath: ["path", "page"] });
  const database = await ask(open);
  const rows = await ask(database.transaction("texts").objectStore("texts").getAll());
  database.close();
  const alive = new Set((await navigator.locks.query()).held.map(lock => lock.name));
  rows.sort((one, other) => other.time - one.time);
  return rows.filter(row => row.path === path).map(row => ({ content: row.text.content, isOpen: alive.has(row.page) }));
}"""


@dataclass(frozen=True, slots=True)
class Site:
    """A service that can be killed, and its database."""

    service: KillableService
    database: Database
    file: Path


@contextmanager
def killable_site(folder: Path) -> Iterator[Site]:
    file = folder / "test.db"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    settings = {"MDPUBLISH_WORKERS": "1", "MDPUBLISH_DOCUMENT_REVISIONS": "1000"}
    service = KillableService(folder, f"sqlite:///{file}", settings=settings, port=port)
    migrate(f"sqlite:///{file}")
    with service.running(), closing(open_database(f"sqlite:///{file}")) as database:
        yield Site(service, database, file)


class Author:
    """An account with one document."""

    def __init__(self, site: Site, email: str, *, is_published: bool) -> None:
        self.service = site.service
        # A test that waited too long is run twice.
        self.email = email = f"{token_hex(4)}-{email}"
        self.written = {"w0q"}
        self._site = site
        self._numbers = count(1)
        now = datetime.now(UTC)
        with site.database.write_transaction() as transaction:
            self._account = create_account(
                transaction, email=email, password_hash=hash_password(PASSWORD), now=now, plan="pro"
            )
            key = add_key(transaction, self._account, name="", now=now).raw
        with httpx.Client(base_url=self.service.url, headers={"Authorization": f"Bearer {key}"}, timeout=60) as client:
            body = {"title": "Plan", "content": _FIRST}
            self.id = client.post("/v1/documents", json=body).json()["id"]
            self.url = ""
            if is_published:
                self.url = client.post(f"/v1/documents/{self.id}/publish", json={}).json()["published_url"]

    @property
    def path(self) -> str:
        return f"/documents/{self.id}"

    def new_word(self) -> str:
        return f"w{next(self._numbers)}q"

    def sign_in(self, context: "BrowserContext") -> None:
        with self._site.database.write_transaction() as transaction:
            session = sign_in(transaction, self._account, now=datetime.now(UTC))
        context.add_cookies([{"name": "session", "value": session, "url": self.service.url}])

    def sign_out_everywhere(self) -> None:
        with self._site.database.write_transaction() as transaction:
            end_sessions(transaction, self._account.id)

    def stored(self) -> str:
        """Return the text as it is edited."""
        copies: list[str] = self._contents("working_copies WHERE discarded_at IS NULL AND document_id = ?")
        return (copies or self._contents("documents WHERE id = ?"))[0]

    def contents(self) -> Iterator[str]:
        """Yield all texts that the service has of the document."""
        yield from self._contents("documents WHERE id = ?")
        yield from self._contents("working_copies WHERE document_id = ?")
        for revision in self._contents("document_revisions WHERE document_id = ?"):
            yield zlib.decompress(revision).decode()

    def read(self) -> set[str]:
        """Return the words that a reader sees."""
        return set(WORDS.findall(httpx.get(self.url, timeout=60, follow_redirects=True).text))

    def _contents(self, rows: str) -> list[Any]:
        with closing(sqlite3.connect(self._site.file, timeout=60)) as database:
            contents = [row[0] for row in database.execute(f"SELECT content FROM {rows}", (self.id,))]
        return [each.replace("\r\n", "\n") if isinstance(each, str) else each for each in contents]


class Tab:
    """A page with the document, and the text that it must show."""

    def __init__(self, author: Author, context: "BrowserContext", random: Random) -> None:
        self.author = author
        self.random = random
        self._context = context
        self._saves: list[Request] = []
        # With a response or without: Playwright waits for a response without a limit.
        self._ended: list[Request] = []
        # The text as the service sent it, while nothing was typed.
        self._sent = ""
        self.content = ""
        # Otherwise, what another tab saves joins what this one shows.
        self.is_alone = True
        self.open()

    def open(self, *, uses_copy: bool = True) -> None:
        """Open the document; `uses_copy`: use a text that the browser kept and offers."""
        self.page = self._context.new_page()
        self.page.on("dialog", _accept)
        self.page.on("request", self._note)
        self.page.on("response", lambda response: self._end(response.request))
        self.page.on("requestfailed", self._end)
        self.page.goto(f"{self.author.service.url}{self.author.path}")
        self._arrive(uses_copy=uses_copy)

    def _arrive(self, *, uses_copy: bool) -> None:
        self.page.locator(".aside").wait_for(state="attached")
        left = [row["content"] for row in self._rows() if not row["isOpen"]]
        if left and left[0] != self.shown():
            self.page.locator(".aside button").first.wait_for()
            use = self.page.get_by_role("button", name="Use it")
            if use.is_visible() and uses_copy:
                use.click()
                self.page.get_by_text("here it is").wait_for()
        self.content = self.shown()
        is_stored = self.page.get_attribute("#workbench", "data-autosave") == "stored"
        self._sent = self.page.locator("#content").evaluate("each => each.defaultValue") if is_stored else ""

    def shown(self) -> str:
        return self.page.input_value("#content")

    def type(self) -> None:
        """Type a word between two others."""
        word = self.author.new_word()
        place = self.page.evaluate(_PLACE, self.random.random())
        self._sent = ""
        self.page.keyboard.type(f" {word} ")
        self.content = f"{self.content[:place]} {word} {self.content[place:]}"
        self.author.written.add(word)

    def delete(self) -> None:
        """Delete a word, on purpose."""
        words = list(WORDS.finditer(self.content))
        if len(words) > 1:
            word = self.random.choice(words)
            self._select(word.start(), word.end())
            self._sent = ""
            self.page.keyboard.press("Backspace")
            self.content = self.content[: word.start()] + self.content[word.end() :]
            self.author.written.discard(word[0])

    def pause(self) -> None:
        self.page.wait_for_timeout(self.random.randrange(1500))

    def save(self) -> None:
        """Press the button, and sign in where the page asks for it."""
        before = len(self._saves)

        def is_sent() -> bool:
            # Before the button is pressed, or by what was on its way.
            if len(self._saves) == before and self.is_contested():
                self.page.evaluate(_CHOOSE, "mine")
            return len(self._saves) > before

        # As Ctrl+S does: the button is hidden while the text is saved, and disabled as soon as it is contested.
        self.page.locator(".doing > [value=save]").evaluate("button => button.click()")
        self._wait(is_sent, "Save was pressed and nothing is sent")
        sent = self._saves[-1]
        self._wait(lambda: sent in self._ended, "Save was sent and nothing comes back")
        self._rest()
        response = sent.response()
        if response is not None and response.status == 401:
            self.page.get_by_role("heading", name="Sign in to save your text").wait_for()
            assert self.shown() == self.content
            self._context.unroute_all()
            self.page.fill("[name=email]", self.author.email)
            self.page.fill("[name=password]", PASSWORD)
            self.page.get_by_role("button", name="Sign in and save").click()
            self.page.locator("#workbench").wait_for()
            if not self.is_contested():
                self._arrive(uses_copy=False)

    def is_contested(self) -> bool:
        return self.page.locator("[data-conflict]").is_visible()

    def choose(self) -> None:
        """Choose one of both versions of the same blocks, or both; what is not chosen becomes a revision."""
        # Of an earlier choice, which may be on its way again.
        self._rest()
        before = len(self._saves)
        side = self.random.choice(("mine", "theirs", "both"))
        self.page.evaluate(_CHOOSE, side)
        self._wait(
            lambda: any(f"={side}" in (each.post_data or "") for each in self._saves[before:]), "nothing is sent"
        )
        self._rest()
        # Refused or lost, it is sent again, and takes effect then.
        status = self.page.locator("[data-saved]")
        self._wait(lambda: not self.is_contested() or status.inner_text() == "Not saved", "the choice takes long")
        self.content = self.shown()

    def reload(self) -> None:
        self.page.reload()
        self._arrive(uses_copy=self.random.random() < 0.7)

    def publish(self) -> bool:
        """Publish the changes, if the page shows some; return whether readers see them."""
        button = self.page.get_by_role("button", name="Publish changes")
        if not button.is_visible() or not button.evaluate("button => !button.disabled && (button.click(), true)"):
            return False
        panel = self.page.get_by_role("dialog")
        # Another tab may have saved since: a contested text is not published.
        self._wait(lambda: panel.is_visible() or self.is_contested(), "Publish was pressed and nothing comes back")
        if self.is_contested():
            return False
        self.check()
        self.page.keyboard.press("Escape")
        return True

    def discard(self) -> None:
        """Discard the changes, and undo that."""
        menu = self.page.get_by_role("button", name="More", exact=True)
        if not menu.is_visible():
            return
        menu.click()
        if self._press("Discard changes", "discarded"):
            with self.page.expect_navigation():
                self.page.get_by_role("button", name="Undo").click()
            self._arrive(uses_copy=False)
        else:
            self.page.keyboard.press("Escape")

    def _press(self, name: str, done: str) -> bool:
        """Press a button that leads to a page; return whether that has done it, rather than show a conflict."""
        button = self.page.get_by_role("button", name=name)
        # As above, of a contested text.
        if not button.is_visible() or not button.evaluate(_PRESS):
            return False
        self.page.wait_for_function("() => !window.isLeft")
        self.page.locator(".aside").wait_for(state="attached")
        return self.page.url.endswith(f"?done={done}")

    def crash(self) -> None:
        """Close the page without a question, once the browser keeps what the service has not.

        Another tab may have replaced what this one showed or saved; whether each word is left, the end of the run says.
        """
        status = self.page.locator("[data-saved]")

        def is_safe() -> bool:
            return self.content in (self._sent, self.author.stored(), *self.local()) or status.inner_text().startswith(
                "Saved"
            )

        self._wait(is_safe, "neither the service nor the browser keeps the text")
        self.page.close(run_before_unload=False)

    def leave(self) -> None:
        """Close the page at once; if the browser asks, the person leaves nevertheless."""
        with self.page.expect_event("close"):
            self.page.close(run_before_unload=True)

    def local(self) -> list[str]:
        """Return what the browser keeps."""
        return [row["content"] for row in self._rows()]

    def settle(self) -> None:
        """Press Save until the text is stored."""
        for _ in range(_SAVES):
            self.check()
            if self.author.stored() == self.content:
                return
            self.save()
        raise AssertionError(f"not stored after Save was pressed {_SAVES} times; {self.state()}")

    def check(self) -> None:
        """Require what was written here, and take in what was merged with it."""
        shown = self.shown()
        if self.is_alone:
            assert shown == self.content, f"the page shows another text; {self.state()}"
        lost = set(WORDS.findall(self.content)) - set(WORDS.findall(shown))
        # What was chosen in another tab may replace lines that this one has saved: they are a revision.
        if lost:
            lost -= set(WORDS.findall("\n".join(self.author.contents())))
        assert not lost, f"the page does not show {lost}; {self.state()}"
        self.content = shown

    def state(self) -> str:
        """Describe the page for a message."""
        says = self.page.locator("[data-saved], .aside").all_inner_texts()
        shown = [self.content, self.shown(), self.author.stored()]
        return f"says {says}, contested: {self.is_contested()}; written, shown, stored: {shown}; kept: {self.local()}"

    def _rest(self) -> None:
        """Wait until nothing is on its way; a refused save may be sent again, to be merged."""
        is_said = "() => !document.querySelector('[data-saved]')?.textContent.startsWith('Saving')"
        self._wait(lambda: set(self._saves) <= set(self._ended) and self.page.evaluate(is_said), "a save takes long")

    def _wait(self, holds: Callable[[], bool], what: str) -> None:
        try:
            wait_until(self.page, holds)
        except AssertionError as error:
            raise AssertionError(f"{what}, {error}; {self.state()}") from None

    def _note(self, request: "Request") -> None:
        if request.method == "POST" and "do=save" in (request.post_data or ""):
            self._saves.append(request)

    def _end(self, request: "Request") -> None:
        self._ended.append(request)

    def _rows(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.page.evaluate(_LEFT, self.author.path)
        return rows

    def _select(self, start: int, end: int) -> None:
        self.page.evaluate(
            """([start, end]) => {
              const { content } = document.forms.workbench.elements;
              content.focus();
              content.setSelectionRange(start, end);
            }""",
            [start, end],
        )


def _accept(dialog: "Dialog") -> None:
    dialog.accept()
