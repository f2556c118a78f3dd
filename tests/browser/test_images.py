"""Uploaded images on a page: nothing moves while they load, and a browser takes the variant that it needs."""

from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Opener
from tests.browser.layout_shift import SHIFT
from tests.browser.screenshots import publish_screenshots
from tests.browser.served import Served
from tests.browser.waiting import FRAMES, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

# Lazy images load as if they were scrolled to; scrolling would hide that something moves.
LOAD_ALL = "document.querySelectorAll('img').forEach(image => image.loading = 'eager')"
ALL_LOADED = "[...document.images].every(image => image.complete && image.naturalWidth)"

STRIP = "document.querySelectorAll('img').forEach(image => ['width', 'height'].forEach(each => image.removeAttribute(each)))"

SHOWN = """[...document.images].map(image => [image.currentSrc, image.getBoundingClientRect().width,
  image.getBoundingClientRect().height, image.naturalWidth / image.naturalHeight])"""


@pytest.fixture(scope="module")
def url(service: Served) -> str:
    return str(publish_screenshots(service, service.open_account("images@example.org", plan="pro"))["published_url"])


def load(page: "Page", url: str, *, strips: bool = False) -> float:
    """Let the images arrive when the text is shown, and return by how much the layout shifts."""
    waiting: list[Route] = []
    is_painted = False

    def hold(route: "Route") -> None:
        if is_painted:
            route.continue_()
        else:
            waiting.append(route)

    page.route("**/i/*", hold)
    page.goto(url, wait_until="domcontentloaded")
    if strips:
        page.evaluate(STRIP)
    page.evaluate(FRAMES)
    is_painted = True
    for route in waiting:
        route.continue_()
    page.evaluate(LOAD_ALL)
    # `wait_for_function` needs a page that allows `eval`.
    wait_until(page, lambda: page.evaluate(ALL_LOADED))
    page.evaluate(FRAMES)
    return float(page.evaluate(SHIFT))


@pytest.mark.parametrize(
    ("width", "scale", "variant"), [(360, 1, "-640.webp"), (1280, 2, "-1280.webp"), (1280, 3, ".png")]
)
def test_page_of_ten_screenshots_does_not_move(
    open_page: Opener, url: str, width: int, scale: int, variant: str
) -> None:
    page = open_page(width=width, device_scale_factor=scale)
    assert load(page, url) == 0
    for source, shown, height, proportion in page.evaluate(SHOWN):
        assert source.endswith(variant)
        assert shown <= width
        assert shown / height == pytest.approx(proportion, rel=0.01)


def test_images_say_their_size_and_only_the_first_is_loaded_at_once(open_page: Opener, url: str) -> None:
    page = open_page(width=1280)
    page.goto(url)
    images = page.locator("img").evaluate_all(
        "each => each.map(e => [e.width > 0, e.height > 0, e.loading, e.srcset !== ''])"
    )
    assert images == [[True, True, "auto", True]] + [[True, True, "lazy", True]] * 9
    assert page.locator("figcaption").count() == 10


def test_page_without_the_sizes_would_move(open_page: Opener, url: str) -> None:
    assert load(open_page(width=1280), url, strips=True) > 0
