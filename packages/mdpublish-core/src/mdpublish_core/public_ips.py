"""IP addresses of the Internet: what a URL that a stranger wrote may lead to."""

from ipaddress import IPv4Address, IPv6Address, ip_network

# NAT64, in all networks and in one (RFC 6052, RFC 8215), 6to4, Teredo.
_NAT64, _LOCAL_NAT64, *_OTHERS = map(ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"))


def is_public_ip(ip: IPv4Address | IPv6Address) -> bool:
    """Tell whether an address belongs to the Internet, as does the IPv4 address that it stands for."""
    if isinstance(ip, IPv6Address):
        embedded = ip.ipv4_mapped or ip.sixtofour or (ip.teredo and ip.teredo[1])
        if ip in _NAT64:
            embedded = IPv4Address(int(ip) & 0xFFFFFFFF)
        if embedded:
            return is_public_ip(embedded)
    return ip.is_global and not ip.is_multicast and ip not in _LOCAL_NAT64


def is_translated_ip(ip: IPv4Address | IPv6Address) -> bool:
    """Tell whether a gateway makes an IPv4 address of it, which may be a private one."""
    return any(ip in each for each in (_NAT64, _LOCAL_NAT64, *_OTHERS))
