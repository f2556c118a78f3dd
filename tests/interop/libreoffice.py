"""Runs LibreOffice, which reads a file and saves it as another; one start takes many files.

Needs the program `soffice` with Writer; on Debian, `libreoffice-writer-nogui` has it. Each start has a profile of its own,
so that neither the user's settings nor a second start play a part.
"""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

SECONDS = 120
"""For one start of LibreOffice: about one in practice, more where it makes its first profile on a slow disk."""


class FileFormat(NamedTuple):
    """What LibreOffice is asked for: a file's ending, the filter that saves it, and one that reads if not any will do."""

    suffix: str
    output_filter: str
    input_filter: str | None = None


# Without the filter's name, LibreOffice reads HTML as a web page of Writer/Web, which saves fewer kinds of files.
_HTML_TEXT_FILTER = "HTML (StarWriter)"

OPEN_DOCUMENT = FileFormat("fodt", "OpenDocument Text Flat XML")
WORD = FileFormat("docx", "MS Word 2007 XML", _HTML_TEXT_FILTER)
PDF = FileFormat("pdf", "writer_pdf_Export", _HTML_TEXT_FILTER)


def save_as(form: FileFormat, sources: Sequence[Path], folder: Path) -> list[Path]:
    """Save files in another form, into `folder`; return the new files in the order of their sources.

    Raises `FileNotFoundError` where LibreOffice is not installed, `AssertionError` where it saved less than it was given.
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
    # LibreOffice may end with status 0 although it converted nothing.
    missing = [target.name for target in targets if not target.is_file()]
    assert not missing, f"LibreOffice did not write {missing}: {run.stdout}{run.stderr}"
    return targets
