"""Converts files with LibreOffice (Debian: `libreoffice-writer-nogui`), many per start, with a fresh profile."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

SECONDS = 120
"""Usually one, more on a slow disk."""


class FileFormat(NamedTuple):
    suffix: str
    output_filter: str
    input_filter: str | None = None


# By default it opens HTML in Writer/Web, which has fewer export formats.
_HTML_TEXT_FILTER = "HTML (StarWriter)"

WORD = FileFormat("docx", "MS Word 2007 XML", _HTML_TEXT_FILTER)
PDF = FileFormat("pdf", "writer_pdf_Export", _HTML_TEXT_FILTER)


def save_as(form: FileFormat, sources: Sequence[Path], folder: Path) -> list[Path]:
    """Convert files into `folder`, in order.

    Raises `FileNotFoundError` without LibreOffice, `AssertionError` if an output is missing.
    """
    soffice = shutil.which("soffice")
    if soffice is None:
        raise FileNotFoundError("no soffice on PATH; install LibreOffice Writer (Debian: libreoffice-writer-nogui)")
    options = ["--headless", f"-env:UserInstallation={(folder / 'profile').as_uri()}"]
    if form.input_filter is not None:
        options.append(f"--infilter={form.input_filter}")
    command = [soffice, *options, "--convert-to", f"{form.suffix}:{form.output_filter}", "--outdir", str(folder)]
    run = subprocess.run([*command, *map(str, sources)], capture_output=True, text=True, timeout=SECONDS, check=False)
    targets = [folder / f"{source.stem}.{form.suffix}" for source in sources]
    # LibreOffice may exit with 0 without converting.
    missing = [target.name for target in targets if not target.is_file()]
    assert not missing, f"LibreOffice did not write {missing}: {run.stdout}{run.stderr}"
    return targets
