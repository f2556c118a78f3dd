"""Concepts: what words mean, in eleven languages, read from `concepts.txt`."""

from pathlib import Path

_FILE = Path(__file__).with_name("concepts.txt")


def read_concepts() -> dict[str, tuple[str, ...]]:
    """Return each concept's words and phrases, in the notation of `phrases`."""
    concepts: dict[str, list[str]] = {}
    entries: list[str] = []
    for line in _FILE.read_text("utf-8").splitlines():
        if line.startswith("["):
            entries = concepts.setdefault(line.strip("[]"), [])
        elif not line.startswith("#"):
            entries += (entry.replace("_", " ") for entry in line.split())
    return {name: tuple(dict.fromkeys(entries)) for name, entries in concepts.items()}
