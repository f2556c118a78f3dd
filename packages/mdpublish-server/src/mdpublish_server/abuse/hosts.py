"""Hosts: where a URL leads, parsed as browsers do, and which brand it imitates."""

import re
import unicodedata
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import unquote

from mdpublish_core.hosting.inspection import is_public_ip
from mdpublish_server.abuse.brands import BRANDS, COMMON_HOSTS, DISTINCT, LONG_LURES, LURES, SHARED_SUFFIXES
from mdpublish_server.abuse.normalize import normalize

# Characters that browsers ignore in a URL, and other invisible ones.
_IGNORED = re.compile(r"[\x00-\x20\x7f-\xa0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]+")
_SCHEME = re.compile(r"[a-z][a-z0-9+.\-]{0,30}:", re.IGNORECASE)
Ip = IPv4Address | IPv6Address

_WEB = frozenset({"http", "https", "ftp", ""})

_MAX_URL_CHARACTERS = 2_000

_MAX_HOST_CHARACTERS = 253  # RFC 1035

_OWNERS = {
    domain: frozenset(brand for brand, homes in BRANDS.items() if domain in homes)
    for domain in {domain for homes in BRANDS.values() for domain in homes}
}

_MIN_BRAND_CHARACTERS = min(map(len, BRANDS))
_MAX_IMITATION_CHARACTERS = 2 * max(map(len, BRANDS))

_NUMBER = re.compile(r"0x[0-9a-f]{0,16}|[0-9]{1,20}")
_PORT = re.compile(r":[0-9]*$")

# Documentation addresses (RFC 5737), used in place of public ones.
_EXAMPLES = tuple(ip_network(network) for network in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"))
_OFFICIAL = re.compile(
    r"\.(?:gov|mil|edu|gov\.[a-z]{2}|gob\.[a-z]{2}|gouv\.fr|gub\.uy|go\.(?:id|jp|kr)|europa\.eu|bund\.de|admin\.ch)$"
)
# Public DNS resolvers.
_KNOWN_IPS = frozenset({"1.1.1.1", "1.0.0.1", "8.8.8.8", "8.8.4.4", "9.9.9.9", "208.67.222.222", "208.67.220.220"})

_ALIKE = str.maketrans("0134578", "oieastb")
_ALIKE_OF_L = str.maketrans("01345780", "oleastbo")
_PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"))


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """A parsed URL: lowercase scheme, userinfo, host, and the rest."""

    scheme: str
    user: str
    host: str
    rest: str


def parse_target(url: str) -> LinkTarget:
    """Parse a URL; relative ones have no host."""
    cleaned = _IGNORED.sub("", url[:_MAX_URL_CHARACTERS])
    match = _SCHEME.match(cleaned)
    scheme = match[0][:-1].lower() if match else ""
    if scheme not in _WEB:
        return LinkTarget(scheme, "", "", cleaned[len(scheme) + 1 :])
    # Browsers treat backslashes as slashes, and accept any number of either.
    rest = (cleaned[match.end() :] if match else cleaned).replace("\\", "/")
    if not match and not rest.startswith("//"):
        return LinkTarget("", "", "", rest)
    authority = re.split(r"[/?#]", rest.lstrip("/"), maxsplit=1)
    user, _, host = authority[0].rpartition("@")
    host = unicodedata.normalize("NFKC", unquote(host)[: _MAX_HOST_CHARACTERS + 7]).lower()
    host = _PORT.sub("", host).strip(".").replace("\u3002", ".")
    return LinkTarget(scheme, unquote(user), host, authority[1] if len(authority) > 1 else "")


def registrable(host: str) -> str:
    """Return the registrable domain: two labels, or three below a shared suffix."""
    labels = host.split(".")
    length = 3 if ".".join(labels[-2:]) in SHARED_SUFFIXES else 2
    return ".".join(labels[-length:])


def ip_of(host: str) -> Ip | None:
    """Return the IP address that a host is, in any notation; None for a name."""
    if host.startswith("["):
        host = host.strip("[]")
    elif not host[-1:].isdigit() and "0x" not in host:
        return None
    try:
        return ip_address(host)
    except ValueError:
        return _obfuscated_ip(host)


def is_obfuscated_ip(host: str, ip: Ip) -> bool:
    """Tell whether an IPv4 address is in octal, hexadecimal or one number; loopback never is."""
    if ip.version != 4 or ip.is_loopback or ip.is_unspecified:
        return False
    parts = host.split(".")
    return len(parts) != 4 or any(len(part) > 1 and part[0] == "0" for part in parts)


def is_unknown_ip(ip: Ip) -> bool:
    """Tell whether an address is public or a documentation one, and not a well-known resolver's."""
    return (is_public_ip(ip) or any(ip in network for network in _EXAMPLES)) and str(ip) not in _KNOWN_IPS


def owners_of(host: str) -> frozenset[str]:
    """Return the brands that own a domain."""
    return _OWNERS.get(registrable(host), frozenset())


def brands_of(host: str) -> frozenset[str]:
    """Return the owners, including brands' country domains."""
    domain = registrable(host)
    name = domain.partition(".")[0]
    if name in BRANDS and _is_country(domain):
        return _OWNERS.get(domain, frozenset()) | {name}
    return _OWNERS.get(domain, frozenset())


def is_common(host: str) -> bool:
    return registrable(host) in COMMON_HOSTS or ".".join(host.split(".")[-2:]) in {"github.io", "readthedocs.io"}


def imitated_brand(host: str) -> str | None:
    for label in _decoded(host):
        imitable = DISTINCT if label.isascii() else BRANDS
        for part in label.split("-"):
            if _MIN_BRAND_CHARACTERS <= len(part) <= _MAX_IMITATION_CHARACTERS and part not in BRANDS:
                for reading in _readings(part):
                    if reading in imitable:
                        return reading
    return None


def mixes_scripts(host: str) -> bool:
    """Tell whether a label mixes Latin letters with a script that has look-alikes of them."""
    for label in _decoded(host):
        if label.isascii():
            continue
        scripts = {unicodedata.name(character, "").partition(" ")[0] for character in label if character.isalpha()}
        if len(scripts & {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"}) > 1:
            return True
    return False


def abused_brand(host: str) -> str | None:
    """Return the brand in a host that is not its own, next to a lure."""
    labels = host.split(".")
    for brand in BRANDS:
        if brand not in host or brand in brands_of(host):
            continue
        if any(".".join(labels[:-2]).endswith(domain) or f"{domain}." in host for domain in BRANDS[brand]):
            return brand
        words = {word for label in labels for word in label.split("-")}
        rest = host.replace(brand, "-")
        lures = words & LURES or any(lure in rest for lure in LONG_LURES)
        if lures and brand in DISTINCT | words and not is_common(host):
            return brand
    return None


def is_official(host: str) -> bool:
    """Tell whether a host is a government's or university's by its suffix."""
    return _OFFICIAL.search(host) is not None


def has_lure(host: str) -> bool:
    words = [word for label in host.split(".")[:-1] for word in label.split("-")]
    return len(words) > 1 and not LURES.isdisjoint(words)


def _is_country(domain: str) -> bool:
    ending = domain.partition(".")[2]
    return ending in SHARED_SUFFIXES or (
        len(ending) == 2 and ending not in {"cc", "ml", "tk", "ga", "cf", "gq", "ru", "ws"}
    )


def _decoded(host: str) -> list[str]:
    """Return the labels but the last, punycode decoded."""
    return [_from_punycode(label) for label in host.split(".")[:-1]]


def _from_punycode(label: str) -> str:
    if not label.startswith("xn--") or len(label) > 63:
        return label
    try:
        return label[4:].encode("ascii").decode("punycode").lower()
    except (UnicodeError, ValueError):
        return label


def _readings(part: str) -> set[str]:
    normalized = normalize(part)
    readings = {normalized}
    if not normalized.isalpha():
        readings |= {normalized.translate(_ALIKE), normalized.translate(_ALIKE_OF_L)}
    for pair, replacement in _PAIRS:
        if pair in normalized:
            readings |= {reading.replace(pair, replacement) for reading in readings}
    return readings


def _obfuscated_ip(host: str) -> IPv4Address | None:
    """Parse an IPv4 address as browsers do: one to four numbers, the last filling the rest."""
    parts = host.split(".")
    if len(parts) > 4 or not all(_NUMBER.fullmatch(part) for part in parts):
        return None
    try:
        numbers = [_number(part) for part in parts]
        value = numbers[-1]
        for index, number in enumerate(numbers[:-1]):
            value += number << 8 * (3 - index)
        return IPv4Address(value)
    except ValueError:
        return None


def _number(part: str) -> int:
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    return int(part, 8 if len(part) > 1 and part[0] == "0" else 10)
