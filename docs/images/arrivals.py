"""Draws the README's first picture: a Markdown file, and what arrives elsewhere.

Only the frames around it, `arrivals.html`, are drawn by hand. The email and the Word file are the command's, the page
is the service's, and Slack's composer holds what `mdpublish copy --to slack` copies.
"""

import subprocess
import sys
import tempfile
from base64 import b64encode
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import escape
from io import BytesIO
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from PIL import Image

from mdpublish_core import parse
from mdpublish_core.writers.slack.composer import slack_composer_html
from tests.interop.libreoffice import FileFormat, save_as

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route, ViewportSize

FRAMES = Path(__file__).with_suffix(".html")

# The commands below the picture convert it, too.
SOURCE = Path(__file__).parents[2] / "tests/docs/samples/release.md"

MAIL_OPTIONS = ("--mail-from", "anna@example.org", "--mail-to", "shop@example.org")

PDF = FileFormat("pdf", "writer_pdf_Export")

PHONE = (384, 612)
"""CSS pixels, as in the frames."""

SCALE = 1.5
"""Pixels of the picture per CSS pixel: its 1,992 are more than twice the width of a README."""

CSS_PIXELS_PER_INCH = 96


def draw(browser: "Browser", url: str, target: Path) -> None:
    """Save the picture as WebP. `url` is the service's."""
    markdown = SOURCE.read_text("utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        mail = message_from_bytes(converted(folder / "release.eml", *MAIL_OPTIONS).read_bytes(), policy=policy.default)
        word = printed(converted(folder / "release.docx"))
    frames = Template(FRAMES.read_text("utf-8")).substitute(
        markdown=escape(markdown.rstrip()),
        sender=mail["From"],
        recipient=mail["To"],
        subject=mail["Subject"],
        mail=escape(shown(mail)),
        phone=data_url("image/png", published(browser, url, markdown)),
        slack=slack_composer_html(parse(markdown)),
        word=data_url("image/png", word),
    )
    page = browser.new_page(device_scale_factor=SCALE)
    page.set_content(frames)
    screenshot = page.locator("main").screenshot(omit_background=True)
    Image.open(BytesIO(screenshot)).save(target, lossless=True, quality=100, method=6)


def converted(target: Path, *options: str) -> Path:
    command = [sys.executable, "-m", "mdpublish_core", "convert", str(SOURCE), "-o", str(target), *options]
    subprocess.run(command, check=True)  # noqa: S603
    return target


def shown(mail: EmailMessage) -> str:
    """Return the email's HTML with its images in place, as mail programs show it."""
    body = mail.get_body(("html",))
    assert body is not None
    html: str = body.get_content()
    for part in mail.walk():
        if part["Content-ID"]:
            image = data_url(part.get_content_type(), part.get_content())
            html = html.replace(f"cid:{part['Content-ID'].strip('<>')}", image)
    return html


def printed(file: Path) -> bytes:
    """Return the first page as PNG, as LibreOffice prints it."""
    (pdf,) = save_as(PDF, [file], file.parent)
    if "√" not in subprocess.check_output(["pdftotext", pdf, "-"], text=True):  # noqa: S603, S607
        sys.exit("LibreOffice printed no formula; on Debian: apt-get install libreoffice-math-nogui")
    dots = str(CSS_PIXELS_PER_INCH * SCALE)
    return subprocess.check_output(["pdftoppm", "-png", "-r", dots, "-singlefile", pdf])  # noqa: S603, S607


def published(browser: "Browser", url: str, markdown: str) -> bytes:
    """Publish the text on the site, and return a picture of the page on a phone."""
    site = browser.new_page()
    site.goto(url)
    site.fill("#content", markdown)
    site.get_by_role("button", name="Publish", exact=True).click()
    link = site.get_by_role("link", name="Open", exact=True).get_attribute("href")
    assert link is not None
    width, height = PHONE
    screen: ViewportSize = {"width": width, "height": height}
    # Its policy allows the page's own style alone.
    page = browser.new_page(viewport=screen, device_scale_factor=SCALE, is_mobile=True, bypass_csp=True)
    page.route(link, wait_for_fonts)
    page.goto(link)
    page.evaluate("document.fonts.ready")
    return page.screenshot()


def wait_for_fonts(route: "Route") -> None:
    """Readers whose fonts come late keep the others; a picture waits for its own."""
    response = route.fetch()
    route.fulfill(response=response, body=response.text().replace("font-display:optional", "font-display:block"))


def data_url(media_type: str, content: bytes) -> str:
    return f"data:{media_type};base64,{b64encode(content).decode()}"
