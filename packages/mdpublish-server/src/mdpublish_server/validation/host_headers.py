"""The header `Host`, as RFC 9112, section 3.2, requires it."""

import re
from collections.abc import Iterable
from ipaddress import IPv6Address

# RFC 3986, sections 3.2.2 and 3.2.3; the addresses in brackets are checked apart.
_HOST = re.compile(
    rb"(?:\[(?P<ipv6>[0-9A-Fa-f:.]+)\]"
    rb"|\[[Vv][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+\]"
    rb"|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)"
    rb"(?::[0-9]*)?"
)


def host_problem(headers: Iterable[tuple[bytes, bytes]], http_version: str) -> str | None:
    """Return what is wrong with the `Host` of a request, for its client; names of `headers` are in lower case."""
    values = [value for name, value in headers if name == b"host"]
    if len(values) > 1:
        return f"A request must have one Host header (got {len(values)})"
    if not values:
        return None if http_version == "1.0" else "An HTTP/1.1 request must have a Host header"
    if not _is_host(values[0].strip(b" \t")):
        return "The Host header must be a host name or an IP address, with or without a port"
    return None


def _is_host(value: bytes) -> bool:
    if (matched := _HOST.fullmatch(value)) is None or matched["ipv6"] is None:
        return matched is not None
    try:
        IPv6Address(matched["ipv6"].decode())
    except ValueError:
        return False
    return True
