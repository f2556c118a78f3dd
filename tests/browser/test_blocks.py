"""The preview in blocks is what the whole page is, after any edits; and its reader stays where they are."""

import random
from typing import TYPE_CHECKING

import pytest

from tests.browser.served import Served
from tests.browser.test_workbench import landing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PARTS = (
    "# Plan",
    "## Plan",
    "## Roses",
    "One word and **two**, `three` and [four](https://example.org).",
    "A note.[^1] Another.[^n]",
    "[^1]: The first.",
    "[^n]: The *second*.",
    "---",
    "- a\n- b\n  - c\n\n  d",
    "3. one\n4. two",
    "- [ ] to do\n- [x] done",
    "> [!NOTE]\n> Read this.",
    "| a | b |\n|---|--:|\n| 1 | 2 |",
    "```python\nprint(1)\n```",
    "```mermaid\nflowchart LR\n  A --> B\n```",
    "$$\nx^2\n$$\n\nand $y$",
    "<div>\n\nwithin\n\n</div>",
    "<details open>\n<summary>More</summary>\n\nhidden\n\n</details>",
    "```",
    "<div>",
    "שלום לכולם",
    "![a > b](https://example.org/a.png)",
)

CHANGES = 8

# The frame's page without the corner that the editor watches, beside the one that the service makes without a script.
_DIFFERENCE = """async () => {
  const form = document.getElementById("workbench");
  const fields = new URLSearchParams(new FormData(form));
  fields.set("place", form.querySelector("[data-stage]").dataset.stage);
  const response = await fetch("/preview", { method: "POST", body: fields });
  const whole = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const link of whole.querySelectorAll(":is(a, area)[href]:not([href^='#'])")) link.setAttribute("target", "_blank");
  const shown = form.querySelector("[name=preview]").contentDocument;
  const pages = [shown.cloneNode(true), whole].map(({ documentElement: page }) => (page.normalize(), page.querySelector("mdpublish-corner")?.remove(), page));
  for (const page of pages) for (const each of [...page.childNodes]) each.nodeType === Node.TEXT_NODE && each.remove();
  if (pages[0].isEqualNode(pages[1])) return null;
  const [ours, theirs] = pages.map(({ outerHTML }) => outerHTML);
  let at = 0;
  while (ours[at] === theirs[at] && at < ours.length) at += 1;
  return [ours, theirs].map((html) => html.slice(Math.max(0, at - 80), at + 200));
}"""


def write(page: "Page", markdown: str) -> None:
    """Wait for what the markdown ends with, too."""
    with page.expect_response("**/preview"):
        page.locator("#content").fill(markdown)
    page.frame_locator("[name=preview]").get_by_text(markdown.rsplit("\n\n", maxsplit=1)[-1].strip()).last.wait_for(
        state="attached"
    )
    page.locator("[data-stage][aria-busy=false]").wait_for()


@pytest.mark.parametrize("place", ["Web page", "Email"])
@pytest.mark.parametrize("seed", [1, 2])
def test_frame_is_the_whole_page_after_edits(chromium: "Browser", service: Served, place: str, seed: int) -> None:
    choice = random.Random(f"{place} {seed}")
    parts = [choice.choice(PARTS) for _ in range(12)]
    with landing(chromium, service) as page:
        page.locator(".formatting.is-ready").wait_for()
        write(page, "\n\n".join([*parts, "End."]))
        page.get_by_role("button", name=place, exact=True).click()
        page.locator("[data-stage][aria-busy=false]").wait_for()
        for number in range(CHANGES):
            start = choice.randrange(len(parts) + 1)
            inserted = [choice.choice(PARTS).replace("word", f"word {number}") for _ in range(choice.randrange(3))]
            parts[start : start + choice.randrange(3)] = [*inserted, *parts[start : start + choice.randrange(2)]]
            markdown = "\n\n".join([*parts, f"End {number}."])
            if number == CHANGES // 2 and place == "Web page":
                with page.expect_response("**/preview"):
                    page.get_by_label("Dark").check()
                page.locator("[data-stage][aria-busy=false]").wait_for()
            write(page, markdown)

            difference = page.evaluate(_DIFFERENCE)
            assert not difference, "\n".join(map(repr, difference))


def test_element_of_a_changed_block_stays(chromium: "Browser", service: Served) -> None:
    with landing(chromium, service) as page:
        page.locator(".formatting.is-ready").wait_for()
        markdown = "# Plan\n\n" + "".join(f"Part {number} of it.\n\n" for number in range(60))
        write(page, f"{markdown}End.")
        page.evaluate(
            "before = [...document.querySelector('[name=preview]').contentDocument.querySelector('main').children]"
        )
        write(page, markdown.replace("30 of", "30 **of**[^1]") + "[^1]: Note.\n\nThe end.")

        assert page.evaluate("before.length > 60 && before.every(each => each.isConnected)")
        assert page.frame_locator("[name=preview]").locator("main > p strong").inner_text() == "of"
