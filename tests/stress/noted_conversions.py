"""Notes which process converted which document; worker processes import it."""

import os
from collections import Counter
from pathlib import Path

from mdpublish_core.resources.url_rewriters import Url

PREFIX = "/document/"


def note(folder: Path, url: Url) -> str:
    """Rewrite no URL; add the document's number to a file of the process."""
    if url.url.startswith(PREFIX):
        with (folder / str(os.getpid())).open("a") as file:
            file.write(url.url.removeprefix(PREFIX) + "\n")
    return url.url


def unchanged(url: Url) -> str:
    return url.url


def conversions(folder: Path) -> dict[int, Counter[int]]:
    """Return how often each process converted each document."""
    return {int(file.name): Counter(map(int, file.read_text().split())) for file in folder.iterdir()}
