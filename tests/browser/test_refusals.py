"""A document whose service refuses to save it: the text stays in the browser, and is saved once it can be."""

from typing import TYPE_CHECKING

import pytest

from tests.browser.served import Member, Served
from tests.browser.test_documents import await_saved, create
from tests.browser.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Route

pytestmark = pytest.mark.browser

REFUSALS = pytest.mark.parametrize(
    ("status", "code", "message"),
    [(429, "rate_limited", "Too many requests"), (503, "service_unavailable", "The service is busy")],
)

TYPED = "# Typed in vain\n"


def refuse(page: "Page", path: str, error: dict[str, object], *, retry_after: int, times: int | None = None) -> None:
    def respond(route: "Route") -> None:
        route.fulfill(
            status=int(str(error["status"])), json={"error": error}, headers={"Retry-After": f"{retry_after}"}
        )

    page.route(f"**{path}", respond, times=times)


def await_stored_once_reopened(context: "BrowserContext", service: Served, member: Member, path: str) -> None:
    """Open the document again after its page was closed, which may have saved the text at the last moment."""
    page = context.new_page()
    page.goto(f"{service.url}{path}")
    page.wait_for_function("typed => document.forms.workbench.elements.content.value === typed", arg=TYPED)
    while service.api_get(path, member)["content"] != TYPED:
        page.wait_for_timeout(50)


@REFUSALS
def test_refused_text_is_sent_again_by_itself(
    context: "BrowserContext", service: Served, member: Member, status: int, code: str, message: str
) -> None:
    path, page = create(service, member), context.new_page()
    page.goto(f"{service.url}{path}")
    refuse(page, path, {"code": code, "message": message, "status": status}, retry_after=1, times=1)
    with page.expect_response(lambda response: response.status == status):
        page.fill("#content", TYPED)
    await_saved(page)

    assert service.api_get(path, member)["content"] == TYPED


@REFUSALS
def test_refused_text_survives_the_page(
    context: "BrowserContext", service: Served, member: Member, status: int, code: str, message: str
) -> None:
    path, page = create(service, member), context.new_page()
    page.goto(f"{service.url}{path}")
    # Longer than the test.
    refuse(page, path, {"code": code, "message": message, "status": status}, retry_after=86_400)
    page.fill("#content", TYPED)
    await_saved(page, f"Not saved. {message}.")
    page.close(run_before_unload=False)

    await_stored_once_reopened(context, service, member, path)


def test_text_typed_after_the_session_ended_survives_the_page(
    context: "BrowserContext", service: Served, member: Member
) -> None:
    path, page = create(service, member), context.new_page()
    page.goto(f"{service.url}{path}")
    context.clear_cookies()
    page.fill("#content", TYPED)
    await_saved(page, "Not saved. You are signed out; sign in to save your text.")
    page.close(run_before_unload=False)
    service.sign_in(context, member)

    await_stored_once_reopened(context, service, member, path)


def test_kept_text_takes_the_place_of_another_that_becomes_a_revision(
    context: "BrowserContext", service: Served, member: Member
) -> None:
    path, page, other = create(service, member), context.new_page(), context.new_page()
    page.goto(f"{service.url}{path}")
    context.clear_cookies()
    page.fill("#content", TYPED)
    await_saved(page, "Not saved. You are signed out; sign in to save your text.")
    service.sign_in(context, member)
    other.goto(f"{service.url}{path}")
    for content in ("# Autosaved once\n", "# Autosaved twice\n"):
        with other.expect_response(lambda response: response.request.method == "POST" and response.url.endswith(path)):
            other.fill("#content", content)
        await_saved(other)
    page.close(run_before_unload=False)
    other.reload()
    other.get_by_role("heading", name="Both changed the same lines").wait_for()
    other.get_by_label("Yours", exact=True).check()
    with other.expect_response(lambda response: response.request.method == "POST" and response.url.endswith(path)):
        other.get_by_role("button", name="Save what you chose").click()
    wait_until(other, lambda: service.api_get(path, member)["content"] == TYPED)
    other.goto(f"{service.url}{path}/revisions")
    other.locator(".rows h2 a").first.click()

    assert other.get_by_label("Markdown", exact=True).input_value() == "# Autosaved twice\n"
