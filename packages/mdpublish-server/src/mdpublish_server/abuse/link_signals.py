"""Signals of a link: from its URL, and from its text."""

import re
import tomllib
from collections.abc import Set as AbstractSet
from pathlib import Path

from mdpublish_server.abuse import hosts
from mdpublish_server.abuse.brands import CHEAP_ENDINGS, DISTINCT, FREE_HOSTS, SHORTENERS
from mdpublish_server.abuse.extraction import Link
from mdpublish_server.abuse.normalize import normalize

_SHOWN_CHARACTERS = 300

_PATTERNS = {
    name: re.compile(expression)
    for name, expression in tomllib.loads(Path(__file__).with_name("links.toml").read_text("utf-8")).items()
}


def link_signals(link: Link, *, is_request: bool) -> AbstractSet[str]:
    """Return a link's signals; `is_request` if its text asks the reader to do something."""
    target = hosts.parse_target(link.url)
    if target.scheme in {"javascript", "vbscript", "data"}:
        return {"script-link"} if _is_executable(target) else set()
    if not target.host:
        return {"contact-link"} if target.scheme in {"mailto", "tel", "sms", "tg", "whatsapp"} else set()
    host = target.host
    signals = set(_host_signals(host))
    if _is_disguise(target):
        signals.add("userinfo-link")
    if "away" in signals and _PATTERNS["program"].search(target.rest.lower()):
        signals.add("program-link")
    if _PATTERNS["trap-path"].search(target.rest.lower()):
        signals.add("trap-path")
    signals |= _disguise_signals(normalize(link.shown[:_SHOWN_CHARACTERS]), host, away="away" in signals)
    if is_request and "away" in signals:
        signals.add("lure-link")
    return signals


def _is_executable(target: hosts.LinkTarget) -> bool:
    """Tell whether a `data:` or script URL runs a program or shows a page."""
    if target.scheme == "data":
        kind = target.rest[:40].lower()
        return "html" in kind or "svg" in kind or "xml" in kind or "javascript" in kind
    return _PATTERNS["harmless-script"].fullmatch(target.rest.lower()) is None


def _host_signals(host: str) -> set[str]:
    if (ip := hosts.ip_of(host)) is not None:
        signals = {"away"} if hosts.is_unknown_ip(ip) else set()
        if hosts.is_obfuscated_ip(host, ip):
            signals.add("odd-ip-link")
        elif signals:
            signals.add("ip-link")
        return signals
    is_known = hosts.is_common(host) or bool(hosts.brands_of(host)) or hosts.is_official(host)
    signals = {"known-link"} if is_known else set()
    if not is_known and not _is_local(host):
        signals = _signals_of_unknown(host)
    if hosts.imitated_brand(host) or hosts.mixes_scripts(host):
        signals.add("look-alike-link")
    if hosts.abused_brand(host):
        signals.add("brand-host")
    return signals


def _signals_of_unknown(host: str) -> set[str]:
    ending = ".".join(host.split(".")[-2:])
    signals = {
        "away": True,
        "lure-host": hosts.has_lure(host),
        "hyphen-host": "-" in hosts.registrable(host).partition(".")[0],
        "cheap-host": ending.rpartition(".")[2] in CHEAP_ENDINGS,
        "free-host": ending in FREE_HOSTS,
        "short-link": ending in SHORTENERS,
        "service-host": host.count(".") == 2 and _PATTERNS["service-host"].match(host) is not None,
    }
    return {signal for signal, is_there in signals.items() if is_there}


def _is_disguise(target: hosts.LinkTarget) -> bool:
    """Tell whether the userinfo looks like a host."""
    user = normalize(target.user.partition(":")[0])
    return ("." in user.strip(".") and "@" not in user) or any(brand in user for brand in DISTINCT if user)


def _is_local(host: str) -> bool:
    return "." not in host or host.endswith((".local", ".localhost", ".internal", ".lan"))


def _disguise_signals(shown: str, host: str, *, away: bool) -> set[str]:
    """Compare the host that a link shows with the one it leads to."""
    if not (match := _PATTERNS["shown-host"].search(shown)):
        return set()
    seen = match[2].removeprefix("www.")
    if hosts.registrable(seen) == hosts.registrable(host) or hosts.is_common(host):
        return set()
    if owners := hosts.owners_of(seen):
        return set() if owners & hosts.brands_of(host) else {"disguised-brand"}
    return {"disguised-link"} if match[1] and match.start() == 0 and away else set()
