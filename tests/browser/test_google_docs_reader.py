"""Lexical, an editor that reads Google Docs' clipboard, understands tasks and short math of `google-docs`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import convert
from tests.browser.conftest import Opener
from tests.corpora.npm import PackagedFile, fetch_all

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.browser

VERSION = "0.30.0"
URL = "http://lexical.test/"
READER = Path(__file__).with_name("lexical.js").read_text("utf-8")

# Of `Lexical….prod.mjs`.
HASHES = {
    "lexical": "2d3df706e1820f4e624b16c0cad90a05c34622cbbe0a49000836f1a1417f68f4",
    "@lexical/clipboard": "06b197d63b3da16688908302e154a3fdb42041dc61a5169d697617472bd9b6bd",
    "@lexical/html": "67ae91f12387e6de6970db1bd334b8f0e47559e44570f461b6fb79246f1e78db",
    "@lexical/link": "c421ed0a59202221fd333f543fd8edf55b697ffc128d08a34225a2bdbb7b2912",
    "@lexical/list": "4035d45b1e8d5649faacd90cbf4144be6a0353fa6af081f6ab90998eb013d5e5",
    "@lexical/markdown": "0699a2d81d06074df1e3bf08814c03f47ae7e7ac79c0effd3a301a815849e25f",
    "@lexical/rich-text": "8e472f179fe2007470598453862864ef7c99b2d1d08b2aad98df8af1b6432fbc",
    "@lexical/selection": "7ce9c68caa3f351790c4dc443bde8d452687d7374086b3ccb6148ac74f70b99b",
    "@lexical/utils": "18ac02ce51ba74bc898654aa0361ad42f720236a78c27dfe511fa488fd08ff8e",
}

# Docs has no code blocks on its clipboard, and `@lexical/code` needs a highlighter.
CODE = "data:text/javascript,export class CodeNode {}; export const $createCodeNode = 0, $isCodeNode = () => false;"


def packaged(package: str) -> PackagedFile:
    name = "".join(part.title() for part in package.removeprefix("@lexical/").removeprefix("lexical").split("-"))
    return PackagedFile(package=package, version=VERSION, path=f"Lexical{name}.prod.mjs", sha256=HASHES[package])


@pytest.fixture(scope="module")
def modules() -> dict[str, bytes]:
    return dict(zip(HASHES, fetch_all(map(packaged, HASHES)), strict=True))


def understood(open_page: Opener, modules: dict[str, bytes], markdown: str) -> str:
    """What the reader understands of the output, in Markdown."""
    import_map = {"imports": {"@lexical/code": CODE, **{name: f"{URL}{name}" for name in modules}}}

    def fulfill(route: "Route") -> None:
        name = route.request.url.removeprefix(URL)
        if name:
            route.fulfill(body=modules[name], content_type="text/javascript")
        else:
            page = f"<!DOCTYPE html><link rel=icon href=data:,><script type=importmap>{json.dumps(import_map)}</script>"
            route.fulfill(body=page, content_type="text/html")

    page = open_page()
    page.route(f"{URL}**", fulfill)
    page.goto(URL)
    result = page.evaluate(READER, convert(markdown, to="google-docs").html)
    assert isinstance(result, str)
    return result


def test_tasks_are_read_as_tasks_without_images(open_page: Opener, modules: dict[str, bytes]) -> None:
    markdown = "- [ ] to do\n- [x] done *now*\n    - [ ] nested"

    assert understood(open_page, modules, markdown) == markdown


def test_short_math_is_read_as_text(open_page: Opener, modules: dict[str, bytes]) -> None:
    markdown = "Let $x^2$, $a_i$, $\\alpha$, $O(n \\log n)$, $x \\in \\mathbb{R}$; but $\\frac12$."

    assert understood(open_page, modules, markdown).replace("\u00a0", " ") == (
        "Let *x*^2^, *a*~i~, *α*, *O*(*n* log *n*), *x* ∈ ℝ; but ![1/2](image)."
    )
