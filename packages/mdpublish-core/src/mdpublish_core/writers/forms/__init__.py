"""The forms that constructs can have in each output, of the files beside this one."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent

Forms = Mapping[str, Sequence[str]]
"""Forms of each construct, the usual one first."""


@lru_cache(maxsize=32)
def forms_in(name: str) -> Forms:
    """Return the forms of a file of this folder, over those of the output it is `like`; nothing without a file."""
    written = dict(_read(FOLDER / f"{name}.toml"))
    like = written.pop("like", "")
    forms = {construct: (each,) if isinstance(each, str) else tuple(each) for construct, each in written.items()}
    return {**forms_in(like), **forms} if like else forms


@lru_cache(maxsize=1)
def words() -> Mapping[str, Mapping[str, Any]]:
    """Return the tables of `words.toml`."""
    return _read(FOLDER / "words.toml")


def _read(file: Path) -> Mapping[str, Any]:
    from tomllib import loads

    return loads(file.read_text("utf-8")) if file.exists() else {}
