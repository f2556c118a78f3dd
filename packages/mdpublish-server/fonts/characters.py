"""The characters that fonts are subset to, as `characters.toml` describes them."""

from pathlib import Path
from tomllib import loads
from typing import Any

_SETS: dict[str, dict[str, Any]] = loads(Path(__file__).with_name("characters.toml").read_text("utf-8"))


def characters(name: str) -> frozenset[int]:
    """Return the code points of a set."""
    codes = set(map(ord, _SETS[name].get("others", "")))
    for written in _SETS[name]["ranges"]:
        first, last = (int(end, 16) for end in written.split("-"))
        codes.update(range(first, last + 1))
    return frozenset(codes)
