"""Links: the signs that an address gives by itself, or with the text that is shown for it."""

import re
from collections.abc import Set as AbstractSet

from mdpublish_server.policies.scanner.brands import DISTINCT
from mdpublish_server.policies.scanner.folding import fold
from mdpublish_server.policies.scanner.hosts import (
    Address,
    abused_brand,
    brands_at_home,
    imitated,
    ip_of,
    is_common,
    is_odd_ip,
    is_official,
    is_public_ip,
    lures,
    mixes_scripts,
    owners_of,
    read_address,
    registrable,
)
from mdpublish_server.policies.scanner.reading import Link

LINK_SIGNS = (
    "away",
    "brand-host",
    "disguised-brand",
    "disguised-link",
    "hyphen-host",
    "ip-link",
    "known-link",
    "look-alike-link",
    "lure-host",
    "lure-link",
    "odd-ip-link",
    "program-link",
    "script-link",
    "trap-path",
    "userinfo-link",
)
"""Every sign that `signs_of` gives; `away` is a link that leaves the page for a host that is nobody's we know."""

_SHOWN_CHARACTERS = 300
"""Of a link's text that are looked at."""

_SHOWN_HOST = re.compile(r"(https?:/{0,2})?((?:[a-z0-9][a-z0-9\-]{0,62}\.){1,5}[a-z]{2,10})(?![a-z0-9\-])")

_HARMLESS_SCRIPT = re.compile(r"(?:void\(?0?\)?)?;?")
_PROGRAM = re.compile(
    r"\.(?:exe|scr|apk|msi|bat|cmd|vbs|js|jar|hta|dmg|iso|img|lnk|docm|xlsm|zip|rar|7z|mobileconfig)$"
)
_TRAP_PATH = re.compile(
    r"log-?in|log-?on|sign-?in|verif|secure|account|wallet|webscr|update|claim|confirm|unlock"
    r"|cancel|refund|renew|redeem|/(?:sso|owa|pay|kyc|connect|install|acceso|acesso|accedi|anmeld|connexion|giris|masuk|wejscie|vhod)"
)


def signs_of(link: Link, *, act: bool) -> AbstractSet[str]:
    """Return the signs that a link gives; `act` tells that its text asks the reader to do something."""
    address = read_address(link.url)
    if address.scheme in {"javascript", "vbscript", "data"}:
        return {"script-link"} if _runs(address) else set()
    if not address.host:
        return set()
    host = address.host
    signs = set(_signs_of_host(host))
    if _is_disguise(address):
        signs.add("userinfo-link")
    if "away" in signs and _PROGRAM.search(address.rest.lower()):
        signs.add("program-link")
    if _TRAP_PATH.search(address.rest.lower()):
        signs.add("trap-path")
    signs |= _shows_another(fold(link.shown[:_SHOWN_CHARACTERS]), host, away="away" in signs)
    if act and "away" in signs:
        signs.add("lure-link")
    return signs


def _runs(address: Address) -> bool:
    """Tell whether an address is a program or a page by itself."""
    if address.scheme == "data":
        kind = address.rest[:40].lower()
        return "html" in kind or "svg" in kind or "xml" in kind or "javascript" in kind
    return _HARMLESS_SCRIPT.fullmatch(address.rest.lower()) is None


def _signs_of_host(host: str) -> set[str]:
    ip = ip_of(host)
    if ip is not None:
        signs = {"away"} if is_public_ip(ip) else set()
        if is_odd_ip(host, ip):
            signs.add("odd-ip-link")
        elif signs:
            signs.add("ip-link")
        return signs
    signs = {"away"} if _is_away(host) else set()
    if is_common(host) or brands_at_home(host) or is_official(host):
        signs.add("known-link")
    if "away" in signs and lures(host):
        signs.add("lure-host")
    if "away" in signs and "-" in registrable(host).partition(".")[0]:
        signs.add("hyphen-host")
    if imitated(host) or mixes_scripts(host):
        signs.add("look-alike-link")
    if abused_brand(host):
        signs.add("brand-host")
    return signs


def _is_disguise(address: Address) -> bool:
    """Tell whether what stands before an `@` looks like the host that the link leads to."""
    user = fold(address.user.partition(":")[0])
    return ("." in user.strip(".") and "@" not in user) or any(brand in user for brand in DISTINCT if user)


def _is_away(host: str) -> bool:
    if "." not in host or host.endswith((".local", ".localhost", ".internal", ".lan")):
        return False
    return not is_common(host) and not brands_at_home(host) and not is_official(host)


def _shows_another(shown: str, host: str, *, away: bool) -> set[str]:
    """Return whether a link's text is an address, or a known company's host, of another owner than the link's."""
    match = _SHOWN_HOST.search(shown)
    if not match:
        return set()
    seen = match[2].removeprefix("www.")
    if registrable(seen) == registrable(host) or is_common(host):
        return set()
    owners = owners_of(seen)
    if owners:
        return set() if owners & brands_at_home(host) else {"disguised-brand"}
    return {"disguised-link"} if match[1] and match.start() == 0 and away else set()
