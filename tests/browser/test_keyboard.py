"""Keyboard and screen readers on the workbench: each stop of Tab is visible, focus is kept, results are announced."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.browser.served import Member, Served
from tests.browser.waiting import FRAMES, expect_value

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PLAN = "pro"

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}

# With two notices, of which one has a fix.
MARKDOWN = "# Garden day\n\n[a](foo:bar)\n\n```mermaid\nflowchart LR\n  A --> B[End (really)]\n```\n"

# The focused element: its name, and whether its ring is there, within the window, and not behind something else.
_STOP = """() => {
  const active = document.activeElement;
  if (active === document.body) return null;
  const isFrame = active.tagName === "IFRAME";
  const held = isFrame ? active.parentElement : active.matches(".pick input") ? active.parentElement.querySelector("img") : active;
  const { outlineStyle, outlineWidth } = getComputedStyle(held), box = held.getBoundingClientRect();
  const over = document.elementFromPoint(Math.min(box.x + box.width / 2, innerWidth - 1), Math.min(Math.max(box.y + Math.min(box.height / 2, 20), 0), innerHeight - 1));
  const label = document.getElementById(active.getAttribute("aria-labelledby")) ?? active.labels?.[0] ?? active;
  return {
    name: isFrame ? "preview" : active.getAttribute("aria-label") || label.textContent.trim().split("\\n")[0],
    isSeen: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && box.bottom > 0 && box.top < innerHeight
      && (held.contains(over) || Boolean(over?.contains(held))),
  };
}"""


@contextmanager
def opened(
    chromium: "Browser", service: Served, path: str, *, member: Member | None = None, viewport: dict[str, int] = DESK
) -> Iterator["Page"]:
    with service.sign_in(chromium.new_context(viewport=viewport), member) as context:  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(f"{service.url}{path}")
        yield page


def stops(page: "Page") -> list[str]:
    """Press Tab until the end of the page; return the names of what gets the focus, each once in a row."""
    names: list[str] = []
    while len(names) < 60:
        page.keyboard.press("Tab")
        stop = page.evaluate(_STOP)
        if stop is None:
            return names
        assert stop["isSeen"], f"the focus is not seen on {stop['name']!r}, after {names}"
        if names[-1:] != [stop["name"]]:
            names.append(stop["name"])
    raise AssertionError(f"Tab does not come to an end: {names}")


def contains_sequence(names: list[str], expected: list[str]) -> bool:
    rest = iter(names)
    return all(name in rest for name in expected)


def expect_focused(page: "Page", name: str) -> None:
    expect_value(page, lambda: (page.evaluate(_STOP) or {}).get("name"), name)


PLACES = ["Web page", "Google Docs", "Word", "Slack", "OneNote", "Email", "Teams", "Jira", "Confluence", "Plain text"]
TAKES = ["Copy for Google Docs", "Download .html", "Copy for …", "Publish"]


def test_tab_reaches_every_control_of_the_workbench_in_the_order_that_is_seen(
    chromium: "Browser", service: Served
) -> None:
    with opened(chromium, service, "/") as page:
        page.fill("#content", MARKDOWN)
        page.get_by_role("button", name="Fix").wait_for()
        page.locator(".formatting.is-ready").wait_for()
        page.locator(".masthead a").first.focus()
        names = stops(page)

        tools = ["Heading", "Markdown", "Line 3", "Line 7", "Fix", "Load the sample", "Open a file", "Clear"]
        assert contains_sequence(names, [*tools, *PLACES, "preview", "Template", "Browse", "Light", *TAKES]), names


def test_tab_reaches_the_preview_on_a_phone(chromium: "Browser", service: Served) -> None:
    with opened(chromium, service, "/", viewport=PHONE) as page:
        page.get_by_role("tab", name="Write").focus()
        page.keyboard.press("ArrowRight")
        expect_focused(page, "Preview")
        names = stops(page)

        assert contains_sequence(names, ["Copy for …", *PLACES, "preview", "Template", "Browse", "Light"]), names
        assert "Markdown" not in names


@pytest.mark.parametrize("path", ["/templates/ink/light", "/templates?category=dark&mode=dark"])
def test_tab_is_seen_at_every_stop_of_the_gallery(chromium: "Browser", service: Served, path: str) -> None:
    with opened(chromium, service, path) as page:
        page.evaluate(FRAMES)
        names = stops(page)

        assert contains_sequence(names, ["Write", "Templates", "Light", "Dark"]), names
        assert ("preview" in names) == ("ink" in path)


def test_conflict_is_resolved_by_keyboard_and_leaves_the_focus_in_the_text(
    chromium: "Browser", service: Served, member: Member
) -> None:
    document = service.api_post("/documents", {"content": MARKDOWN, "title": "Garden day"}, member)["id"]
    with opened(chromium, service, f"/documents/{document}", member=member) as page:
        service.api_patch(f"/documents/{document}", {"content": "Theirs"}, member)
        page.focus("#content")
        page.keyboard.type("Mine")
        page.get_by_role("alert").filter(has_text="Another tab").wait_for()
        expect_focused(page, "Markdown")  # typing goes on
        page.focus("#title")
        assert contains_sequence(stops(page), ["Stored", "Save what you chose", "Markdown", *PLACES, "Settings"])
        page.get_by_label("Stored", exact=True).focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.locator("[data-saved]").get_by_text("Saved", exact=False).wait_for()

        expect_focused(page, "Markdown")
    assert service.api_get(f"/documents/{document}", member)["content"].startswith("Mine")


def test_dialog_keeps_the_focus_and_gives_it_back(chromium: "Browser", service: Served) -> None:
    with opened(chromium, service, "/") as page:
        page.get_by_role("button", name="Browse").focus()
        page.keyboard.press("Enter")
        page.get_by_role("dialog").wait_for()
        names = []
        for _ in range(12):
            page.keyboard.press("Tab")
            stop = page.evaluate(_STOP)  # none: the browser's own controls
            assert stop is None or stop["isSeen"], stop
            names += [stop["name"]] if stop else []
        # A browser may stop at the dialog too, which scrolls.
        assert set(names) - {"Template"} == {"Search", "Light", "Gallery", "Done", "Swiss"}
        page.keyboard.press("Escape")

        expect_focused(page, "Browse")


def test_actions_keep_the_focus_and_are_announced(chromium: "Browser", service: Served, member: Member) -> None:
    with opened(chromium, service, "/") as page:
        # The clipboard is not allowed to be written: the copy event is enough.
        for name, status in (
            ("Copy for Google Docs", "Copied. Paste into Google Docs."),
            ("Load the sample", "Loaded the sample."),
        ):
            page.get_by_role("button", name=name).focus()
            page.keyboard.press("Enter")
            page.get_by_role("status").get_by_text(status).wait_for()
            expect_focused(page, name)
        page.fill("#content", MARKDOWN)
        page.get_by_role("status").get_by_text("2 notices below the text").wait_for()
        page.get_by_role("button", name="Clear").press("Enter")
        page.get_by_role("status").get_by_text("Cleared, here and in this browser.").wait_for()
        expect_focused(page, "Markdown")
        page.frame_locator("[name=preview]").get_by_role("heading", name="Launch plan").wait_for()
    with opened(chromium, service, "/documents/new", member=member) as page:
        page.fill("#content", "# By keyboard")
        page.get_by_role("button", name="Save").press("Enter")
        page.get_by_role("status").get_by_text("Saved", exact=True).wait_for()
        expect_focused(page, "Save")
        assert (page.title(), page.get_by_role("heading", level=1).inner_text()) == (
            "By keyboard – mdpublish",
            "By keyboard",
        )
