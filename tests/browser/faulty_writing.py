"""Random edits and faults in the editor of an account's document, and a model of what was written.

Each word that is typed is another one, so that each can be looked for: in what is stored, its revisions, what a page
shows, and what the browser keeps of pages that are closed, which it offers when the document is opened again.

A page's text changes in three ways only:

- by what is typed or deleted in it;
- by a response that says that it was merged: then it is the response's text, to the letter, unless something was typed
  while it came;
- when the document is opened again.

What it loses are words that a person's choice between two versions, here or in another tab, has replaced, or that
"Discard changes" has taken away; the service has them as a revision by then. No word stands in it twice but of blocks
between whose versions somebody has chosen.
"""

import json
import re
import socket
import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random
from secrets import token_hex
from time import sleep
from typing import Any

import httpx

from mdpublish_server.auth.passwords import hash_password
from mdpublish_server.services.accounts import add_key, create_account, sign_in
from mdpublish_server.storage import Database, migrate, open_database
from mdpublish_server.storage.keys import end_sessions
from tests.browser.faulty_line import Line, line_to
from tests.browser.served import PASSWORD
from tests.browsers.windows import Window
from tests.stress.service import KillableService

WORDS = re.compile(r"\bw\d+q\b")

_POLLS, _POLL_SECONDS = 6_000, 0.02
"""A guard against hangs: two minutes, and more on a busy machine."""

# Presses of Save until a text is stored, faults past; two tabs may contest it for some.
_SAVES = 20

_FIRST = "# Plan\n\nw0q stands here already.\n"

# Note what is saved from here on, and what comes back; without a response, the status is 0.
_RECORD = """(() => {
  const { fetch } = window;
  const saves = (window.saves ??= []);
  if (window.isRecorded) return;
  window.isRecorded = true;
  window.fetch = async (path, options) => {
    if (!(options?.body instanceof URLSearchParams && options.body.has("do"))) return fetch(path, options);
    const sides = [...options.body].flatMap(([name, value]) => (name.startsWith("choice-") ? [value] : []));
    const save = { action: options.body.get("do"), sides, status: null, merged: null, content: null };
    saves.push(save);
    try {
      const response = await fetch(path, options);
      const { merged = null, content = null } = await response.clone().json().catch(() => ({}));
      Object.assign(save, { merged, content, status: response.status });
      return response;
    } catch (error) {
      save.status = 0;
      throw error;
    }
  };
})()"""

# What a page shows, and its saves; also of one that asks for a password.
_SEEN = """(() => {
  const conflict = document.querySelector("[data-conflict]");
  return {
    shown: document.querySelector("#content").value,
    says: document.querySelector("[data-saved]")?.textContent ?? "",
    aside: document.querySelector(".aside")?.textContent ?? "",
    isContested: Boolean(conflict && !conflict.hidden),
    isSigningIn: Boolean(document.querySelector("form.signing [name=password]")),
    isSharing: Boolean(document.querySelector("dialog[open]")),
    saves: window.saves ?? [],
  };
})()"""

# Put the caret behind a word, whatever another tab has saved by now.
_PLACE = r"""(at => {
  const { content } = document.forms.workbench.elements;
  const places = [0, ...[...content.value.matchAll(/\S+/g)].map(({ index, 0: { length } }) => index + length)];
  const place = places[Math.floor(at * places.length)];
  content.focus();
  content.setSelectionRange(place, place);
  return { place, shown: content.value };
})(%r)"""

_SELECT = """(() => {
  const { content } = document.forms.workbench.elements;
  content.focus();
  content.setSelectionRange(%d, %d);
})()"""

# Choose a side of each conflict, where it is offered, and save that; returns both versions of each.
_CHOOSE = """(side => {
  const conflict = document.querySelector("[data-conflict]");
  for (const value of ["mine", side]) {
    for (const each of conflict.querySelectorAll(`[value=${value}]`)) each.checked = true;
  }
  const words = (each, version) => [...each.querySelectorAll(`.${version} .words`)].map(line => line.textContent).join(" ");
  const versions = [...conflict.querySelectorAll("fieldset")].map(each => [words(each, "before"), words(each, "after")]);
  conflict.querySelector("[data-mine]").click();
  return versions;
})("%s")"""

# Press a button of this name, if there is one that is seen and enabled, and return what is shown; `isHere` goes with
# the page.
_PRESS = """(name => {
  const buttons = [...document.querySelectorAll("button")];
  const found = buttons.find(each => (each.ariaLabel ?? each.textContent.trim()) === name && each.checkVisibility());
  if (!found || found.disabled) return false;
  window.isHere = true;
  const shown = document.querySelector("#content").value;
  found.click();
  return { shown };
})("%s")"""

_SIGN_IN = """(([email, password]) => {
  window.isHere = true;
  document.querySelector("[name=email]").value = email;
  document.querySelector("[name=password]").value = password;
  document.querySelector("form.signing button").click();
})(%s)"""

# What the browser keeps of a document, the newest first, and how many of its pages are open.
_LOCAL = """(async path => {
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
  const kept = rows.filter(row => row.path === path);
  return { rows: kept.map(row => ({ content: row.text.content, isOpen: alive.has(row.page) })), open: alive.size };
})("%s")"""


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
        self.replaced = set[str]()
        """What a choice or "Discard changes" has taken out of the text; it may leave any page, and is a revision."""
        self.doubled = set[str]()
        """What blocks have of which a version was chosen: the other may stay beside it, as a block of its own."""
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

    def new_session(self) -> str:
        with self._site.database.write_transaction() as transaction:
            return sign_in(transaction, self._account, now=datetime.now(UTC))

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
        return words_of(httpx.get(self.url, timeout=60, follow_redirects=True).text)

    def _contents(self, rows: str) -> list[Any]:
        with closing(sqlite3.connect(self._site.file, timeout=60)) as database:
            contents = [row[0] for row in database.execute(f"SELECT content FROM {rows}", (self.id,))]
        return [each.replace("\r\n", "\n") if isinstance(each, str) else each for each in contents]


class Device:
    """A browser that the author is signed in with, behind a line of its own."""

    def __init__(self, author: Author, window: Window, line: Line) -> None:
        self.author = author
        self.window = window
        self.line = line
        self.open_pages = 0
        line.path = author.path
        self.sign_in()

    def sign_in(self) -> None:
        self.window.sign_in(self.line.url, self.author.new_session())


@contextmanager
def device_of(author: Author, window: Window) -> Iterator[Device]:
    with line_to(author.service.url) as line:
        yield Device(author, window, line)


class Tab:
    """A page with the document, and the text that it must show."""

    def __init__(self, device: Device, random: Random) -> None:
        self.device = device
        self.author = device.author
        self.random = random
        # The text as the service sent it, while nothing was typed.
        self._sent = ""
        self.content = ""
        # How many of the responses that were merged are accounted for.
        self._known_merges = 0
        # Otherwise, what another tab saves joins what this one shows.
        self.is_alone = True
        self.open()

    def open(self, *, uses_copy: bool = True) -> None:
        """Open the document; `uses_copy`: use a text that the browser kept and offers."""
        self.window = self.device.window.tab()
        self.device.open_pages += 1
        self._go(uses_copy=uses_copy)

    def _go(self, *, uses_copy: bool) -> None:
        self.window.open(f"{self.device.line.url}{self.author.path}")
        self._arrive(uses_copy=uses_copy)

    def _arrive(self, *, uses_copy: bool) -> None:
        self.window.wait("document.querySelector('.aside')")
        self._record()
        # A page that is closed holds its lock until it is gone.
        self._wait(lambda: self._local_rows()["open"] <= self.device.open_pages, "a closed page is not gone")
        left = [row["content"] for row in self._local_rows()["rows"] if not row["isOpen"]]
        if left and left[0] != self.shown():
            self.window.wait("document.querySelector('.aside button')")
            if uses_copy and self.window.evaluate(_PRESS % "Use it"):
                self._wait(lambda: "here it is" in self._seen()["aside"], "what was kept is not used")
        self.content = self.shown()
        first = "document.querySelector('#content').defaultValue"
        is_stored = self.window.evaluate("document.querySelector('#workbench').dataset.autosave") == "stored"
        self._sent = self.window.evaluate(first) if is_stored else ""

    def _record(self) -> None:
        self.window.evaluate(_RECORD)
        self._known_merges = 0

    def shown(self) -> str:
        shown: str = self._seen()["shown"]
        return shown

    def type(self) -> None:
        """Type a word between two others."""
        word = self.author.new_word()
        at = self.window.evaluate(_PLACE % self.random.random())
        place, shown = at["place"], at["shown"]
        self._take_in(shown)
        self._sent = ""
        self.window.type(f" {word} ")
        self.author.written.add(word)
        self.content = f"{shown[:place]} {word} {shown[place:]}"
        self._take_in(self.shown(), is_typing=True)

    def delete(self) -> None:
        """Delete a word, on purpose."""
        words = list(WORDS.finditer(self.content))
        if len(words) > 1:
            word = self.random.choice(words)
            self.window.evaluate(_SELECT % word.span())
            self._sent = ""
            self.window.press("Backspace")
            self.content = self.content[: word.start()] + self.content[word.end() :]
            self.author.written.discard(word[0])

    def pause(self) -> None:
        sleep(self.random.randrange(1500) / 1000)

    def save(self) -> None:
        """Press the button, and sign in where the page asks for it."""
        before = len(self._seen()["saves"])

        def is_sent() -> bool:
            # Before the button is pressed, or by what was on its way.
            seen = self._seen()
            if seen["isSigningIn"] or len(seen["saves"]) > before:
                return True
            if seen["isContested"]:
                self._choose("mine")
            return False

        # As Ctrl+S does: the button is hidden while the text is saved, and disabled as soon as it is contested.
        self.window.evaluate("document.querySelector('.doing > [value=save]').click()")
        self._wait(is_sent, "Save was pressed and nothing is sent")
        self._rest()
        # Signed out, the page asks for the password, after the response.
        saves = self._seen()["saves"]
        if any(each["status"] == 401 and each["action"] == "save" for each in saves[before:]):
            self.window.wait("document.querySelector('form.signing [name=password]')")
        if not self._seen()["isSigningIn"]:
            return
        assert self.shown() == self.content
        self.device.line.mend()
        self.window.evaluate(_SIGN_IN % json.dumps([self.author.email, PASSWORD]))
        self.window.wait("!window.isHere && document.querySelector('#workbench')")
        if self.is_contested():
            self._record()
        else:
            self._arrive(uses_copy=False)

    def is_contested(self) -> bool:
        return bool(self._seen()["isContested"])

    def choose(self) -> None:
        """Choose one of both versions of the same blocks, or both; what is not chosen becomes a revision."""
        # Of an earlier choice, which may be on its way again.
        self._rest()
        before = len(self._seen()["saves"])
        side = self.random.choice(("mine", "theirs", "both"))
        self._choose(side)
        self._wait(lambda: any(side in each["sides"] for each in self._seen()["saves"][before:]), "nothing is sent")
        self._rest()
        # Refused or lost, it is sent again, and takes effect then.
        self._wait(
            lambda: (now := self._seen())["says"] == "Not saved" or not now["isContested"], "the choice takes long"
        )
        self.check()

    def _choose(self, side: str) -> None:
        for versions in self.window.evaluate(_CHOOSE % side):
            stored, mine = map(words_of, versions)
            self.author.replaced |= {"mine": stored - mine, "theirs": mine - stored}.get(side, set())
            self.author.doubled |= stored | mine

    def reload(self) -> None:
        self._go(uses_copy=self.random.random() < 0.7)

    def publish(self) -> str | None:
        """Publish the changes, if the page shows some; return the text that readers see then."""
        before = len(self._seen()["saves"])
        pressed = self.window.evaluate(_PRESS % "Publish changes")
        if not pressed:
            return None
        self._take_in(pressed["shown"])
        self._rest()
        sent = [each for each in self._seen()["saves"][before:] if each["action"] == "publish"]
        if not sent or sent[-1]["status"] != 200:
            # Contested, or merged with what another tab has saved: that is shown first.
            self.check()
            return None
        self._wait(lambda: self._seen()["isSharing"], "published, and nothing is shared")
        assert sent[-1]["content"] == self.content, f"published is another text than was shown; {self.state()}"
        self.check()
        self.window.press("Escape")
        self._wait(lambda: not self._seen()["isSharing"], "the panel stays")
        return self.content

    def discard(self) -> None:
        """Discard the changes, and undo that."""
        self.check()
        if not self.window.evaluate(_PRESS % "More"):
            return
        # Undo restores these words, unless another tab saves before.
        self.author.replaced |= self.author.written - self.author.read()
        if self.window.evaluate(_PRESS % "Discard changes"):
            self._follow()
            if self.window.evaluate("location.search") == "?done=discarded":
                # Where another browser has saved meanwhile, that is the text, and nothing is to be undone.
                if self.window.evaluate(_PRESS % "Undo"):
                    self._follow()
                self._arrive(uses_copy=False)
            else:
                self._record()
                self.check()
        else:
            self.window.press("Escape")

    def _follow(self) -> None:
        """Wait for the page that a button leads to."""
        self.window.wait("!window.isHere && document.querySelector('.aside')")

    def crash(self) -> None:
        """Close the page without a question, once the browser keeps what the service has not.

        Another tab may have replaced what this one showed or saved; whether each word is left, the end of the run says.
        """

        def is_safe() -> bool:
            safe = (self._sent, self.author.stored(), *self.local())
            return self.content in safe or self._seen()["says"].startswith("Saved")

        self._wait(is_safe, "neither the service nor the browser keeps the text")
        self._close(runs_handlers=False)

    def leave(self) -> None:
        """Close the page at once; if the browser asks, the person leaves nevertheless."""
        self._close(runs_handlers=True)

    def _close(self, *, runs_handlers: bool) -> None:
        self.window.leave(runs_handlers=runs_handlers)
        self.device.open_pages -= 1

    def local(self) -> list[str]:
        """Return what the browser keeps."""
        return [row["content"] for row in self._local_rows()["rows"]]

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
        self._take_in(self.shown())

    def _take_in(self, shown: str, *, is_typing: bool = False) -> None:
        """Require that a text of this page is the former one, or came by a merge and has all that the former one had."""
        if shown == self.content:
            return
        assert not self.is_alone, f"the page shows another text; {self.state()}"
        merged = [each["content"] for each in self._seen()["saves"] if each["merged"]]
        news = merged[self._known_merges :]
        assert shown in news or (is_typing and news), f"shown is what nobody has written or merged; {self.state()}"
        self._known_merges += news.index(shown) + 1 if shown in news else 0
        lost = words_of(self.content) - words_of(shown)
        assert lost <= self.author.replaced, f"the page does not show {lost - self.author.replaced}; {self.state()}"
        if lost:
            lost -= words_of("\n".join(self.author.contents()))
        assert not lost, f"neither the page nor the service has {lost}; {self.state()}"
        doubled = {word for word, number in Counter(WORDS.findall(shown)).items() if number > 1}
        assert doubled <= self.author.doubled, f"twice: {doubled - self.author.doubled}; {self.state()}"
        self.content = shown

    def state(self) -> str:
        """Describe the page for a message."""
        seen = self._seen()
        shown = [self.content, seen.pop("shown"), self.author.stored()]
        return f"written, shown, stored: {shown}; kept: {self.local()}; {seen}"

    def _seen(self) -> dict[str, Any]:
        seen: dict[str, Any] = self.window.wait(_SEEN)
        return seen

    def _rest(self) -> None:
        """Wait until nothing is on its way; a refused save may be sent again, to be merged."""

        def is_at_rest() -> bool:
            seen = self._seen()
            return not seen["says"].startswith("Saving") and all(each["status"] is not None for each in seen["saves"])

        self._wait(is_at_rest, "a save takes long")

    def _wait(self, holds: Callable[[], object], what: str) -> None:
        for _ in range(_POLLS):
            if holds():
                return
            sleep(_POLL_SECONDS)
        raise AssertionError(f"{what}, not within {_POLLS:,} polls; {self.state()}")

    def _local_rows(self) -> dict[str, Any]:
        rows: dict[str, Any] = self.window.evaluate(_LOCAL % self.author.path)
        return rows


def check_all(tabs: Sequence[Tab]) -> None:
    """Check all tabs of an author. A word that all tabs show and the service has stored does not count as replaced."""
    for tab in tabs:
        tab.check()
    author = tabs[0].author
    # A choice that was refused is sent again.
    if author.replaced and not any(tab.is_contested() for tab in tabs):
        author.replaced -= words_of(author.stored()).intersection(*(words_of(tab.content) for tab in tabs))


def words_of(content: str) -> set[str]:
    return set(WORDS.findall(content))
