"""The page of `mdpublish arrivals`, used as a person uses it: copied, pasted, ticked, and saved."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from mdpublish_core import parse
from mdpublish_core.cli import main
from mdpublish_core.cli.arrivals import read_places
from mdpublish_core.writers.clipboard import render_for_clipboard

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PASTED = """() => new Promise(resolve => {
    addEventListener("paste", event => resolve(["text/html", "text/plain"].map(kind => event.clipboardData.getData(kind))), {once: true});
})"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("arrivals")
    result = CliRunner().invoke(main, ["arrivals", str(folder)])
    assert result.exit_code == 0, result.output
    return folder


@pytest.fixture
def page(chromium: "Browser", folder: Path) -> Iterator["Page"]:
    with chromium.new_context(offline=True) as context:
        page = context.new_page()
        page.goto((folder / "index.html").as_uri())
        yield page


def test_each_button_copies_what_the_command_copies(page: "Page", folder: Path) -> None:
    document = parse((folder / "specimens.md").read_text("utf-8"))
    for place in read_places():
        section = page.locator(f"#{place.name}")
        if place.kind == "open":
            assert (folder / place.subject).stat().st_size > 1_000
            assert section.get_by_role("button", name="Copy").count() == 0
            continue
        section.get_by_role("button", name="Copy").click()
        assert section.get_by_role("button", name="Copied").is_visible()
        page.evaluate(f"void (window.pasted = ({PASTED})())")
        page.keyboard.press("Control+V")
        html, plain_text = page.evaluate("window.pasted")
        expected, _ = render_for_clipboard(document, place.subject)
        assert html == expected.html, place.name
        assert plain_text == expected.plain_text, place.name


def test_ticks_are_kept_and_saved_as_a_table(page: "Page", tmp_path: Path) -> None:
    word = page.locator("#word")
    word.get_by_role("button", name="Tick all").click()
    word.get_by_label("6. Code").uncheck()
    word.get_by_label("Program and version").fill("Word\t16.9")
    word.get_by_label("Date").fill("2026-12-01")
    word.get_by_label("Remark").fill("no <colors>")
    assert word.get_by_label("7. Table").is_checked()
    page.reload()

    expect(word.get_by_label("7. Table")).to_be_checked()
    assert not word.get_by_label("6. Code").is_checked()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save arrivals.tsv").click()
    download.value.save_as(tmp_path / "arrivals.tsv")
    assert (tmp_path / "arrivals.tsv").read_text("utf-8") == (
        "place\tversion\tdate\tmissing\tremark\nword\tWord 16.9\t2026-12-01\t6. Code\tno <colors>\n"
    )
    assert page.locator("#count").inner_text().startswith("1 of ")


def test_two_tabs_overwrite_nothing_of_each_other(page: "Page") -> None:
    other = page.context.new_page()
    other.goto(page.url)
    page.locator("#word").get_by_label("7. Table").check()
    expect(other.locator("#word").get_by_label("7. Table")).to_be_checked()
    other.locator("#slack").get_by_label("6. Code").check()
    expect(page.locator("#slack").get_by_label("6. Code")).to_be_checked()
    expect(page.locator("#word").get_by_label("7. Table")).to_be_checked()
