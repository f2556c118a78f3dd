"""Brands that phishing imitates, other hosts, and words of hosts, read from `hosts.toml`."""

import tomllib
from pathlib import Path

_LISTS: dict[str, str] = tomllib.loads(Path(__file__).with_name("hosts.toml").read_text("utf-8"))

BRANDS = {
    brand: tuple(domains.split())
    for brand, _, domains in (line.partition(":") for line in _LISTS["brands"].splitlines())
}
DISTINCT = frozenset(BRANDS).difference(_LISTS["ordinary-brands"].split())
"""Brands that are not ordinary words, so that a similar host is an imitation."""

COMMON_HOSTS, SHARED_SUFFIXES, LURES, CHEAP_ENDINGS, FREE_HOSTS, SHORTENERS = (
    frozenset(_LISTS[name].split())
    for name in ("common-hosts", "shared-suffixes", "lures", "cheap-endings", "free-hosts", "shorteners")
)
LONG_LURES = tuple(_LISTS["long-lures"].split())
