"""IP addresses of the Internet: what a URL that a stranger wrote may lead to.

A table of our own: that of `ipaddress` is as old as Python, without clouds and some forms of IPv4 in IPv6.
"""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_network

_NOT_PUBLIC = tuple(
    ip_network(network)
    for network in (
        # IANA's IPv4 Special-Purpose Address Registry (RFC 6890), but for what is globally reachable.
        "0.0.0.0/8",  # RFC 791: this network, and this computer
        "10.0.0.0/8",  # RFC 1918: private
        "100.64.0.0/10",  # RFC 6598: shared by a provider's customers; Alibaba's metadata at 100.100.100.200
        "127.0.0.0/8",  # RFC 1122: this computer
        "169.254.0.0/16",  # RFC 3927: this link; most clouds' metadata at 169.254.169.254
        "172.16.0.0/12",  # RFC 1918
        "192.0.0.0/24",  # RFC 6890: protocols, the reachable ones by the nearest gateway; Oracle's metadata at 192.0.0.192
        "192.0.2.0/24",  # RFC 5737: documentation
        "192.88.99.0/24",  # RFC 7526: the nearest relay of 6to4
        "192.168.0.0/16",  # RFC 1918
        "198.18.0.0/15",  # RFC 2544: benchmarks
        "198.51.100.0/24",  # RFC 5737
        "203.0.113.0/24",  # RFC 5737
        "224.0.0.0/4",  # RFC 5771: multicast
        "240.0.0.0/4",  # RFC 1112: reserved
        # Public by number, and answered by the cloud inside of its networks.
        "168.63.129.16/32",  # https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
        "161.26.0.0/16",  # https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc
        "166.8.0.0/14",  # the same page
        # All but 2000::/3, the unicast addresses that IANA assigns (RFC 4291): this computer, IPv4-compatible and
        # IPv4-translated addresses, local NAT64 (RFC 8215), private (RFC 4193), link and site (RFC 3879), multicast.
        *("::/3", "4000::/2", "8000::/1"),
        # IANA's IPv6 Special-Purpose Address Registry.
        "2001::/23",  # RFC 2928: protocols and hashes, and Teredo (RFC 4380), which has two IPv4 addresses inside
        "2001:db8::/32",  # RFC 3849: documentation
        "2002::/16",  # RFC 3056: 6to4, which has an IPv4 address inside, and is retired (RFC 7526)
        "3fff::/20",  # RFC 9637: documentation
    )
)

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
