"""HTML to PDF with WeasyPrint, in a worker process; no other module imports it.

It recurses over boxes, so it runs in a thread with a large stack. Only `data:` URLs are read: the page has its images in it.
"""

import mimetypes
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout, suppress
from io import StringIO
from typing import Any

_STACK_BYTES = 1 << 28
_MAX_FRAMES = 30_000

# Importing it would read the system's lists, which a confined process may not.
mimetypes.knownfiles.clear()

_problem: Exception | None = None
try:
    # It prints advice where a library is missing; `doctor` has better.
    with redirect_stdout(StringIO()):
        import weasyprint
        from weasyprint.text.fonts import FontConfiguration, fontconfig
        from weasyprint.urls import URLFetcher
except (ImportError, OSError) as error:
    _problem = error


def _load(_payload: bytes) -> bytes:
    """Return WeasyPrint's version. Raises what importing it raised."""
    if _problem is not None:
        raise _problem
    return weasyprint.__version__.encode()


def _print(payload: bytes) -> bytes:
    results: list[bytes | BaseException] = []

    def run() -> None:
        try:
            results.append(_pdf(payload.decode()))
        except BaseException as error:  # noqa: BLE001  (raised in the main thread)
            results.append(error)

    threading.stack_size(_STACK_BYTES)
    sys.setrecursionlimit(_MAX_FRAMES)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if isinstance(results[0], BaseException):
        raise results[0]
    return results[0]


def _pdf(html: str) -> bytes:
    page = weasyprint.HTML(
        # Without a base, an import in a stylesheet raises.
        string=html,
        base_url="about:blank",
        url_fetcher=URLFetcher(allowed_protocols={"data"}),
    )
    content: bytes = page.write_pdf(
        font_config=_fonts(), finisher=_complete_tags, pdf_variant="pdf/ua-1", presentational_hints=True
    )
    return content


def _fonts() -> Any:
    """Return the installed fonts and those of this package, which have the last word where none is installed."""
    from mdpublish_core.errors import MissingExtra
    from mdpublish_core.figures.fonts import face_styles, font_path

    fonts = FontConfiguration()
    files = [style.path for face in ("Roboto", "STIX Two Text", "JetBrains Mono") for style in face_styles()[face]]
    with suppress(MissingExtra):
        files.append(font_path())
    for file in files:
        fontconfig.FcConfigAppFontAddFile(fonts._config, str(file).encode())  # noqa: SLF001  (no other way without copies)
    return fonts


def _complete_tags(_document: object, pdf: Any) -> None:
    """Say of each header cell whether it heads a column or a row: PDF/UA-1, 7.5."""
    elements = {each.reference: each for each in pdf.objects if isinstance(each, dict) and "S" in each}
    for cell in elements.values():
        if cell["S"] == "/TH" and "A" in cell:
            part = elements.get(elements[cell["P"]]["P"], {})
            cell["A"]["Scope"] = "/Row" if part.get("S") == "/TBody" else "/Column"


JOBS: Mapping[str, Callable[[bytes], bytes]] = {"load": _load, "render": _print}
