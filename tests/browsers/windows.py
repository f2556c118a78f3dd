"""One window in each of three engines, with what tests do in it: by mouse and keys as a person has them.

Chromium is driven by Playwright; Firefox and WebKit take the commands of WebDriver (W3C), Firefox over Marionette.
"""

import json
import shutil
import socket
import subprocess
import warnings
from abc import ABC, abstractmethod
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from copy import copy
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

import httpx

from tests.chromium import ARGUMENTS, launched
from tests.desktop import desktop
from tests.running import wait_until

if TYPE_CHECKING:
    # The session `tests` collects these tests without the drivers installed.
    from marionette_driver.marionette import Marionette
    from playwright.sync_api import Browser, BrowserContext, Dialog

PATIENCE = 120
"""Seconds that a driver waits for a command: a guard against hangs, which judges nothing."""

_POLLS = 4_000

PRESS = 60
"""Milliseconds for which a person's finger holds a mouse's button."""

MINI_BROWSER = Path("/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser")

# Of Playwright's names, as WebDriver writes them.
_KEYS = {
    "Backspace": "\ue003",
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Shift": "\ue008",
    "Control": "\ue009",
    "Alt": "\ue00a",
    "Escape": "\ue00c",
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}

# The middle of the first that is seen, in px of the window; a name in quotation marks is what a button or link says.
_PLACE = """(() => {
  const [frame, name] = [%s, %s];
  const view = frame ? document.querySelector(frame).contentWindow : window;
  const all = name.startsWith('"')
    ? [...view.document.querySelectorAll("button, a, summary, [role=tab], label, option")].filter((each) => each.textContent.replace(/\\s+/g, " ").trim() === JSON.parse(name) || each.ariaLabel === JSON.parse(name))
    : [...view.document.querySelectorAll(name)];
  const seen = all.find((each) => each.checkVisibility({ visibilityProperty: true }) && each.getClientRects().length);
  if (!seen) return null;
  let box = seen.getBoundingClientRect();
  if (box.top < 0 || box.bottom > view.innerHeight || box.left < 0 || box.right > view.innerWidth) seen.scrollIntoView({ block: "center", behavior: "instant" });
  box = seen.getBoundingClientRect();
  if (frame) document.querySelector(frame).scrollIntoView({ block: "nearest", behavior: "instant" });
  const outer = frame ? document.querySelector(frame).getBoundingClientRect() : { left: 0, top: 0 };
  return [outer.left + box.left + Math.min(box.width, view.innerWidth - box.left) / 2, outer.top + box.top + Math.min(box.height, view.innerHeight - box.top) / 2];
})()"""


class Window(ABC):
    name: str
    leaving: type[Exception]
    """What the driver raises for a script whose page is left."""

    @abstractmethod
    def open(self, url: str) -> None:
        """Load a page, until its `load` event."""

    @abstractmethod
    def evaluate(self, expression: str) -> Any:
        """Return a JavaScript expression's value, awaited if it is a promise."""

    @abstractmethod
    def move(self, x: float, y: float, *, clicks: int = 0) -> None:
        """Move the mouse to a place of the window, and click there."""

    @abstractmethod
    def wheel(self, down: int) -> None:
        """Turn the mouse's wheel where the mouse is."""

    @abstractmethod
    def press(self, keys: str) -> None:
        """Press a key, or some at once, such as `Control+Shift+v`."""

    def undo(self) -> None:
        self.press("Control+z")

    @abstractmethod
    def type(self, words: str) -> None:
        """Type characters, one by one."""

    def compose(self, *stages: str, chosen: str | None = None) -> None:
        """Type as a keyboard for Japanese does, over what it has composed, which stays open if nothing is chosen.

        WebKit's driver has no such keyboard.
        """
        raise NotImplementedError

    @abstractmethod
    def screenshot(self) -> bytes:
        """Return what is seen as PNG."""

    def tab(self) -> "Window":
        """Open another tab of this browser; WebKit is not asked for any."""
        raise NotImplementedError

    def leave(self, *, runs_handlers: bool) -> None:
        """Close this tab; a page that is asked may ask in turn, and is left nevertheless."""
        raise NotImplementedError

    @abstractmethod
    def size(self, width: int, height: int = 800) -> None: ...

    @abstractmethod
    def prefer(self, scheme: str) -> None:
        """Choose `light` or `dark` as a person does for all pages."""

    @abstractmethod
    def sign_in(self, url: str, session: str) -> None: ...

    def paper(self) -> bytes:
        """Return the page printed, as PDF; WebKit's driver cannot."""
        raise NotImplementedError

    def forget(self, url: str) -> None:
        """Sign out, and lose what the site kept in the browser."""
        self.size(1280)
        self.open(f"{url}/nothing-is-here")
        self.evaluate("(localStorage.clear(), sessionStorage.clear())")
        self._forget_cookies()

    @abstractmethod
    def _forget_cookies(self) -> None: ...

    @abstractmethod
    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Press the mouse at one place and release it at another."""

    def wait(self, expression: str, *, otherwise: str = "") -> Any:
        """Wait until an expression is true, and return it."""
        for _ in range(_POLLS):
            if value := self._now(expression):
                return value
            sleep(0.03)
        raise TimeoutError(f"{self.name}: never {otherwise or expression}")

    def _now(self, expression: str) -> Any:
        """Return a value, or nothing while another page is loaded."""
        with suppress(self.leaving):
            return self.evaluate(f"(() => {{ try {{ return {expression} }} catch {{ return null }} }})()")
        return None

    def place(self, name: str, frame: str = "") -> tuple[float, float]:
        script = _PLACE % (json.dumps(frame), json.dumps(name))
        self.wait(f"{script} !== null", otherwise=f"{name} seen")
        x, y = self.evaluate(script)
        return x, y

    def click(self, name: str, *, frame: str = "", clicks: int = 1) -> None:
        """Click on what a selector finds, or on what `"says this"`, in quotation marks."""
        self.move(*self._still(name, frame), clicks=clicks)

    def _still(self, name: str, frame: str) -> tuple[float, float]:
        """Return a place once the page has been drawn and it stays: until then, a browser may drop what is pressed."""
        last = None
        while (now := self.place(name, frame)) != last:
            last = now
            with suppress(self.leaving):
                self.settle()
        return now

    def settle(self) -> None:
        """Wait until what was changed has been laid out, and observers were called."""
        self.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(1)))))"
        )


class Chromium(Window):
    name = "chromium"

    def __init__(self, context: "BrowserContext") -> None:
        from playwright.sync_api import Error

        self.leaving = Error
        self._context = context
        self._page = context.new_page()
        self._page.on("dialog", _leave_page)
        self._keyboard = context.new_cdp_session(self._page)

    def tab(self) -> Window:
        return Chromium(self._context)

    def leave(self, *, runs_handlers: bool) -> None:
        with self._page.expect_event("close"):
            self._page.close(run_before_unload=runs_handlers)

    def open(self, url: str) -> None:
        self._page.goto(url)

    def evaluate(self, expression: str) -> Any:
        return self._page.evaluate(expression)

    def move(self, x: float, y: float, *, clicks: int = 0) -> None:
        self._page.mouse.move(x, y)
        if clicks:
            self._page.mouse.click(x, y, click_count=clicks, delay=PRESS)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        # Playwright would wait for scripts in each frame, also where none is allowed.
        protocol = self._context.new_cdp_session(self._page)
        for kind, (x, y) in (("mousePressed", start), *(("mouseMoved", each) for each in between(start, end))):
            protocol.send("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})
        self._page.wait_for_timeout(PRESS)
        x, y = end
        released = {"type": "mouseReleased", "x": x, "y": y, "button": "left", "clickCount": 1}
        protocol.send("Input.dispatchMouseEvent", released)
        protocol.detach()

    def wheel(self, down: int) -> None:
        self._page.mouse.wheel(0, down)

    def press(self, keys: str) -> None:
        self._page.keyboard.press(keys)

    def type(self, words: str) -> None:
        self._page.keyboard.type(words)

    def compose(self, *stages: str, chosen: str | None = None) -> None:
        for stage in stages:
            process = {"type": "rawKeyDown", "key": "Process", "windowsVirtualKeyCode": 229}
            self._keyboard.send("Input.dispatchKeyEvent", process)
            self._composed(stage)
        if chosen == "":
            self._composed("")
        elif chosen is not None:
            self._keyboard.send("Input.insertText", {"text": chosen})

    def _composed(self, stage: str) -> None:
        caret = {"selectionStart": len(stage), "selectionEnd": len(stage)}
        self._keyboard.send("Input.imeSetComposition", {"text": stage, **caret})

    def screenshot(self) -> bytes:
        return self._page.screenshot()

    def size(self, width: int, height: int = 800) -> None:
        self._page.set_viewport_size({"width": width, "height": height})

    def prefer(self, scheme: str) -> None:
        self._page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")

    def sign_in(self, url: str, session: str) -> None:
        self._context.add_cookies([{"name": "session", "value": session, "url": url}])

    def _forget_cookies(self) -> None:
        self._context.clear_cookies()

    def paper(self) -> bytes:
        return self._page.pdf()


def _leave_page(dialog: "Dialog") -> None:
    if dialog.type == "beforeunload":
        dialog.accept()
    else:
        dialog.dismiss()


_DOWN, _UP = {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}
_HOLD = {"type": "pause", "duration": PRESS}


def between(start: tuple[float, float], end: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Yield five places that lead from one to another."""
    for part in range(1, 6):
        yield start[0] + (end[0] - start[0]) * part / 5, start[1] + (end[1] - start[1]) * part / 5


def _to(x: float, y: float) -> dict[str, Any]:
    return {"type": "pointerMove", "duration": 0, "origin": "viewport", "x": max(0, round(x)), "y": round(y)}


class Driven(Window):
    """By WebDriver's commands."""

    _mouse = (0, 0)

    @abstractmethod
    def _send(self, command: str, body: Mapping[str, Any]) -> Any: ...

    def open(self, url: str) -> None:
        self._send("Navigate", {"url": url})

    def evaluate(self, expression: str) -> Any:
        return self._send("ExecuteScript", {"script": f"return ({expression})", "args": []})

    def move(self, x: float, y: float, *, clicks: int = 0) -> None:
        self._mouse = (round(x), round(y))
        # From somewhere, so that the mouse moves and enters.
        steps = [_to(self._mouse[0] - 3, self._mouse[1]), _to(*self._mouse)]
        self._act("pointer", steps + clicks * [_DOWN, _HOLD, _UP], parameters={"pointerType": "mouse"})

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        moves = [_to(*each) for each in between(start, end)]
        steps = [_to(*start), _DOWN, *moves, _HOLD, _UP]
        self._act("pointer", steps, parameters={"pointerType": "mouse"})

    def wheel(self, down: int) -> None:
        x, y = self._mouse
        step = {"type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": down, "duration": 0, "origin": "viewport"}
        self._act("wheel", [step])

    def press(self, keys: str) -> None:
        values = [_KEYS.get(key, key) for key in keys.split("+")]
        self._act(
            "key",
            [{"type": "keyDown", "value": value} for value in values]
            + [{"type": "keyUp", "value": value} for value in reversed(values)],
        )

    def type(self, words: str) -> None:
        values = ["\ue007" if each == "\n" else each for each in words]
        self._act("key", [{"type": kind, "value": value} for value in values for kind in ("keyDown", "keyUp")])

    def _act(self, kind: str, steps: Sequence[Mapping[str, Any]], **others: Any) -> None:
        self._send("PerformActions", {"actions": [{"type": kind, "id": kind, "actions": steps, **others}]})

    def sign_in(self, url: str, session: str) -> None:
        self.open(f"{url}/about")
        self._send("AddCookie", {"cookie": {"name": "session", "value": session, "path": "/", "httpOnly": True}})

    def _forget_cookies(self) -> None:
        self._send("DeleteAllCookies", {})

    def screenshot(self) -> bytes:
        return b64decode(self._send("TakeScreenshot", {"full": False}))


# As Firefox's own tests do; the Enter that ends a composition is the keyboard's.
_COMPOSE = """
  const [stages, chosen] = arguments;
  const composer = window.composer ??= Cc["@mozilla.org/text-input-processor;1"].createInstance(Ci.nsITextInputProcessor);
  if (!composer.beginInputTransactionForTests(window)) throw new Error("no keyboard");
  const key = (name) => new KeyboardEvent("", { key: name, code: "", keyCode: 229 });
  for (const stage of stages) {
    composer.setPendingCompositionString(stage);
    if (stage) composer.appendClauseToPendingComposition(stage.length, composer.ATTR_RAW_CLAUSE);
    composer.setCaretInPendingComposition(stage.length);
    composer.flushPendingComposition(key("Process"));
  }
  if (chosen === "") composer.cancelComposition(key("Escape"));
  else if (chosen !== null) composer.commitCompositionWith(chosen, key("Enter"));
"""


class Firefox(Driven):
    name = "firefox"

    def __init__(self, driver: "Marionette") -> None:
        from marionette_driver.errors import MarionetteException

        self._driver, self.leaving = driver, MarionetteException
        # Without a screen, it takes the mouse for none: here, it is fine and hovers.
        for devices in ("primary", "all"):
            driver.set_pref(f"ui.{devices}PointerCapabilities", 6)
        driver.timeout.script = PATIENCE
        # Which of its tabs has what is sent; all of them know.
        self._front = [driver.current_window_handle]
        self._handle = self._front[0]
        self.size(1280)

    def tab(self) -> Window:
        self._come_to_front()
        other = copy(self)
        other._handle = self._driver.open(type="tab", focus=True)["handle"]
        return other

    def leave(self, *, runs_handlers: bool) -> None:
        self._come_to_front()
        if not runs_handlers:
            self._driver.close()
        else:
            with self._driver.using_context("chrome"):
                self._driver.execute_script("gBrowser.removeTab(gBrowser.selectedTab)")
            wait_until(self._is_left)
        self._front[:] = []

    def _is_left(self) -> bool:
        with suppress(self.leaving):
            self._driver.switch_to_alert().accept()
        return self._handle not in self._driver.window_handles

    def _come_to_front(self) -> None:
        if self._front != [self._handle]:
            self._driver.switch_to_window(self._handle, focus=True)
            self._front[:] = [self._handle]

    def _send(self, command: str, body: Mapping[str, Any]) -> Any:
        self._come_to_front()
        value = self._driver._send_message(f"WebDriver:{command}", {**body, "sandbox": None})
        return value["value"] if isinstance(value, dict) and set(value) == {"value"} else value

    def size(self, width: int, height: int = 800) -> None:
        # A window cannot be as narrow as a phone, what it shows can.
        with self._driver.using_context("chrome"):
            self._driver.execute_script(
                """const { style } = gBrowser.selectedBrowser.parentElement;
                   [style.width, style.maxWidth, style.height, style.maxHeight, style.flex] =
                     [`${arguments[0]}px`, `${arguments[0]}px`, `${arguments[1]}px`, `${arguments[1]}px`, "none"];""",
                script_args=(width, height),
            )
        self.wait(f"innerWidth === {width} && innerHeight === {height}")

    def compose(self, *stages: str, chosen: str | None = None) -> None:
        with self._driver.using_context("chrome"):
            self._driver.execute_script(_COMPOSE, script_args=(stages, chosen))
        # The page has it from another process, and keys by another way.
        self.settle()

    def prefer(self, scheme: str) -> None:
        self._driver.set_pref("layout.css.prefers-color-scheme.content-override", 0 if scheme == "dark" else 1)

    def paper(self) -> bytes:
        return b64decode(self._send("Print", {}))


class WebKit(Driven):
    name = "webkit"
    leaving = RuntimeError

    def __init__(self, driver: httpx.Client) -> None:
        self._driver = driver
        self._beside = (0, 0)
        self._session = ""
        self._scheme = ""
        self.prefer("light")

    def prefer(self, scheme: str) -> None:
        # WebKit takes the color scheme as an argument when it starts.
        if scheme == self._scheme:
            return
        self.close()
        self._scheme = scheme
        arguments = ["--automation", *(["--dark-mode"] if scheme == "dark" else [])]
        options = {"binary": str(MINI_BROWSER), "args": arguments}
        capabilities = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._session = "/session/" + self._request("POST", "/session", {"capabilities": capabilities})["sessionId"]
        self.size(1280)

    def _request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        response = self._driver.request(method, path, json=body)
        value = response.json()["value"]
        if not response.is_success:
            raise self.leaving(value)
        return value

    def _send(self, command: str, body: Mapping[str, Any]) -> Any:
        method, path = _COMMANDS[command]
        return self._request(method, self._session + path, body if method == "POST" else None)

    def wheel(self, down: int) -> None:
        super().wheel(down)
        # It sends the difference from the last one.
        self._request("DELETE", f"{self._session}/actions")

    def screenshot(self) -> bytes:
        # It takes one of the next frame, which a page that stands still never has.
        self.evaluate("void document.body.animate({ opacity: [1, 0.99] }, { duration: 500, iterations: Infinity })")
        screenshot = super().screenshot()
        self.evaluate("document.body.getAnimations().forEach((each) => each.cancel())")
        return screenshot

    def undo(self) -> None:
        # MiniBrowser has no key for it, also in a field without scripts.
        self.evaluate("document.execCommand('undo')")

    def close(self) -> None:
        if self._session:
            self._request("DELETE", self._session)
        self._session = ""

    def size(self, width: int, height: int = 800) -> None:
        while (inner := self._resize(width, height)) != [width, height]:
            self._beside = (self._beside[0] + width - inner[0], self._beside[1] + height - inner[1])

    def _resize(self, width: int, height: int) -> Any:
        wide, high = self._beside
        self._request("POST", f"{self._session}/window/rect", {"width": width + wide, "height": height + high})
        self.settle()
        return self.evaluate("[innerWidth, innerHeight]")


_COMMANDS = {
    "Navigate": ("POST", "/url"),
    "ExecuteScript": ("POST", "/execute/sync"),
    "PerformActions": ("POST", "/actions"),
    "AddCookie": ("POST", "/cookie"),
    "DeleteAllCookies": ("DELETE", "/cookie"),
    "TakeScreenshot": ("GET", "/screenshot"),
}


@contextmanager
def chromium(_: Path) -> Iterator[Window]:
    with launched(ARGUMENTS) as browser:
        yield new_chromium(browser)


def new_chromium(browser: "Browser") -> Window:
    """Open a window that shares nothing with others."""
    return Chromium(browser.new_context(viewport={"width": 1280, "height": 800}))


@contextmanager
def firefox(folder: Path) -> Iterator[Window]:
    path = shutil.which("firefox-esr")
    assert path is not None, "no firefox-esr on PATH; install it (Debian: firefox-esr)"
    with warnings.catch_warnings():
        # The driver has old escape sequences, and leaves the sockets open with which it asks for Firefox.
        warnings.simplefilter("ignore")
        from marionette_driver.marionette import Marionette

        # Port 0 is a free one: other processes of tests have a Firefox, too.
        driver = Marionette(bin=path, headless=True, port=0, gecko_log=str(folder / "gecko.log"))
        driver.start_session()
    yield Firefox(driver)
    driver.quit()
    driver.cleanup()
    # Else its destructor does it again, when nothing can be imported.
    driver.instance = None


@contextmanager
def webkit(folder: Path) -> Iterator[Window]:
    path = shutil.which("WebKitWebDriver")
    assert path is not None, "no WebKitWebDriver on PATH; install it (Debian: webkit2gtk-driver)"
    # It cannot choose a port.
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    style = folder / "gtk-3.0/gtk.css"
    style.parent.mkdir()
    # Else the window could not be as narrow as a phone.
    style.write_text("* { min-width: 0; min-height: 0; padding: 0; margin: 0; border: 0; font-size: 1px }")
    variables = {
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
        "LIBGL_ALWAYS_SOFTWARE": "1",
        "NO_AT_BRIDGE": "1",
        "XDG_CONFIG_HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "XDG_CACHE_HOME": str(folder),
    }
    with (
        desktop() as environment,
        subprocess.Popen([path, f"--port={port}"], env={**environment, **variables}) as process,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=2 * PATIENCE) as client,
    ):
        try:
            wait_until(lambda: _is_ready(client))
            window = WebKit(client)
            yield window
            window.close()
        finally:
            process.terminate()


def _is_ready(client: httpx.Client) -> bool:
    try:
        return client.get("/status").is_success
    except httpx.TransportError:
        return False


ENGINES: Mapping[str, Callable[[Path], AbstractContextManager[Window]]] = {
    "chromium": chromium,
    "firefox": firefox,
    "webkit": webkit,
}
"""Each takes a folder of its own."""
