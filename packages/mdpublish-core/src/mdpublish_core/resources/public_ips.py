"""IP addresses of the Internet: what a URL that a stranger wrote may lead to.

A table of our own: that of `ipaddress` is as old as Python, without clouds and some forms of IPv4 in IPv6.
"""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_network

from mdpublish_core.data_files import read_table

_NOT_PUBLIC = tuple(ip_network(row[0]) for row in read_table(__file__, "public_ips.tsv"))

# Another way to write an IPv4 address (RFC 4291), and to reach it (RFC 6052).
_IPV4_MAPPED, _NAT64 = IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96")

_ISATAP = 0x5EFE  # RFC 5214: before the IPv4 address, with or without the bit `u`


def is_public_ip(ip: IPv4Address | IPv6Address) -> bool:
    """Tell whether an address belongs to the Internet, as does the IPv4 address that it stands for."""
    if isinstance(ip, IPv6Address):
        embedded = IPv4Address(int(ip) & 0xFFFF_FFFF)
        if ip in _IPV4_MAPPED or ip in _NAT64:
            return is_public_ip(embedded)
        if int(ip) >> 32 & 0xFDFF_FFFF == _ISATAP and not is_public_ip(embedded):
            return False
    return not any(ip in network for network in _NOT_PUBLIC)
