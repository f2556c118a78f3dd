"""Intents, signals made of signals that occur together, kinds of abuse, and names of signals; from `intents.toml`."""

import tomllib
from pathlib import Path

PROXIMITY_WORDS = 12
"""About a sentence."""

_TABLES: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("intents.toml").read_text("utf-8"))


def _rows(name: str) -> list[tuple[str, str]]:
    """Return each row's name and its needs, with the groups' signals."""
    rows = (line.partition(":") for line in _TABLES["intents"][name].splitlines())
    return [(intent, needs.strip().format_map(_TABLES["groups"])) for intent, _, needs in rows]


NEAR = {intent: tuple(needs.split("; ")) for intent, needs in _rows("near")}
TOGETHER = dict(_rows("together"))
KINDS = tuple(_rows("kinds"))
LINK_SIGNALS, CONTACT_SIGNALS, _FURTHER_SIGNALS, ASKING = (
    tuple(_TABLES["signals"][name].split()) for name in ("links", "contacts", "page", "asking")
)
PAGE_SIGNALS = CONTACT_SIGNALS + _FURTHER_SIGNALS
