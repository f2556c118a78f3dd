"""Public IP addresses, judged by Python's `ipaddress`, which follows IANA's registries, and by the clouds' pages."""

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest

from mdpublish_core.resources.public_ips import is_public_ip

Ip = IPv4Address | IPv6Address

# A block that is not public, and the addresses before and after it that are. Where blocks meet, the next ones.
BLOCKS = [
    ("0.0.0.0/8", "", "1.0.0.0"),
    ("10.0.0.0/8", "9.255.255.255", "11.0.0.0"),
    ("100.64.0.0/10", "100.63.255.255", "100.128.0.0"),
    ("127.0.0.0/8", "126.255.255.255", "128.0.0.0"),
    ("169.254.0.0/16", "169.253.255.255", "169.255.0.0"),
    ("172.16.0.0/12", "172.15.255.255", "172.32.0.0"),
    ("192.0.0.0/24", "191.255.255.255", "192.0.1.0"),
    ("192.0.2.0/24", "192.0.1.255", "192.0.3.0"),
    ("192.88.99.0/24", "192.88.98.255", "192.88.100.0"),
    ("192.168.0.0/16", "192.167.255.255", "192.169.0.0"),
    ("198.18.0.0/15", "198.17.255.255", "198.20.0.0"),
    ("198.51.100.0/24", "198.51.99.255", "198.51.101.0"),
    ("203.0.113.0/24", "203.0.112.255", "203.0.114.0"),
    ("224.0.0.0/4", "223.255.255.255", ""),
    ("240.0.0.0/4", "223.255.255.255", ""),
    # Clouds.
    ("168.63.129.16/32", "168.63.129.15", "168.63.129.17"),
    ("161.26.0.0/16", "161.25.255.255", "161.27.0.0"),
    ("166.8.0.0/14", "166.7.255.255", "166.12.0.0"),
    # IPv6.
    ("::/96", "", "64:ff9b::808:808"),
    ("::ffff:0:0:0/96", "::ffff:8.8.8.8", "64:ff9b::808:808"),
    ("64:ff9b:1::/48", "64:ff9b::808:808", "2000::"),
    ("100::/64", "64:ff9b::808:808", "2000::"),
    ("1fff::/16", "64:ff9b::808:808", "2000::"),
    ("2001::/23", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"),
    ("2001:db8::/32", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"),
    ("2002::/16", "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"),
    ("3fff::/20", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"),
    ("4000::/2", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""),
    ("8000::/1", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""),
    ("fc00::/7", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""),
    ("fe80::/10", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""),
    ("fec0::/10", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""),
    ("ff00::/8", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""),
]


def of(block: str) -> tuple[Ip, Ip, Ip]:
    """Return the first, a middle and the last address of a block."""
    network = ip_network(block)
    return network[0], network[network.num_addresses // 2], network[-1]


@pytest.mark.parametrize(("block", "before", "after"), BLOCKS)
def test_block_ends_where_it_ends(block: str, before: str, after: str) -> None:
    assert not any(map(is_public_ip, of(block)))
    assert all(is_public_ip(ip_address(ip)) for ip in (before, after) if ip)


def samples() -> Iterator[Ip]:
    """The first addresses of 4,096 equal parts of IPv4 and IPv6, the edges of each block, and what is beyond them."""
    yield from (IPv4Address(number << 20) for number in range(1 << 12))
    yield from (IPv6Address(number << 116) for number in range(1 << 12))
    for block, *_ in BLOCKS:
        first, middle, last = of(block)
        yield from (first, middle, last)
        yield from (
            type(ip)(int(ip) + step) for ip, step in ((first, -1), (last, 1)) if 0 <= int(ip) + step <= MAXIMA[type(ip)]
        )


MAXIMA = {IPv4Address: (1 << 32) - 1, IPv6Address: (1 << 128) - 1}


def test_what_python_does_not_call_global_is_not_public() -> None:
    """Python's table grows with its versions; what none of them has is in `BLOCKS`."""
    mapped = ip_network("::ffff:0:0/96")  # judged by the IPv4 address
    assert not [ip for ip in samples() if is_public_ip(ip) and not ip.is_global and ip not in mapped]


def test_only_what_has_a_reason_is_refused_that_python_calls_global() -> None:
    reasons = [ip_network(block) for block, *_ in BLOCKS] + [ip_network("::/3")]
    ips = [ip for ip in samples() if ip.is_global and not is_public_ip(ip)]
    assert not [ip for ip in ips if not any(ip in reason for reason in reasons)]


def forms(ip: IPv4Address) -> dict[str, IPv6Address]:
    """The addresses that embed an IPv4 address, by RFC 4291, 2765, 6052, 8215, 3056, 4380 and 5214."""
    number, site = int(ip), int(IPv6Address("2606:4700::"))
    return {
        "IPv4-compatible": IPv6Address(number),
        "IPv4-mapped": IPv6Address(0xFFFF << 32 | number),
        "IPv4-translated": IPv6Address(0xFFFF << 48 | number),
        "NAT64": IPv6Address(int(IPv6Address("64:ff9b::")) | number),
        "local NAT64": IPv6Address(int(IPv6Address("64:ff9b:1::")) | number),
        "6to4": IPv6Address(0x2002 << 112 | number << 80 | 1),
        "Teredo client": IPv6Address(0x2001_0000 << 96 | 0x0808_0808 << 64 | number ^ 0xFFFF_FFFF),
        "Teredo server": IPv6Address(0x2001_0000 << 96 | number << 64 | 0xF7F7_F7F7),
        "ISATAP": IPv6Address(site | 0x0000_5EFE << 32 | number),
        "ISATAP of a unique address": IPv6Address(site | 0x0200_5EFE << 32 | number),
    }


@pytest.mark.parametrize(
    "ip", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "100.100.100.200", "168.63.129.16", "255.255.255.255"]
)
def test_address_is_judged_by_the_one_in_it(ip: str) -> None:
    assert [name for name, each in forms(IPv4Address(ip)).items() if is_public_ip(each)] == []


def test_forms_in_use_of_a_public_address_are_public() -> None:
    public = [name for name, each in forms(IPv4Address("93.184.215.14")).items() if is_public_ip(each)]
    assert public == ["IPv4-mapped", "NAT64", "ISATAP", "ISATAP of a unique address"]


@pytest.mark.parametrize(
    ("service", "ip"),
    [
        ("metadata of AWS, Azure, Google and others", "169.254.169.254"),
        ("metadata of AWS, IPv6", "fd00:ec2::254"),
        ("credentials of tasks on AWS", "169.254.170.2"),
        ("metadata of Google, IPv6", "fd20:ce::254"),
        ("wire server of Azure", "168.63.129.16"),
        ("metadata of Alibaba", "100.100.100.200"),
        ("metadata of Oracle", "192.0.0.192"),
        ("metadata of Oracle, IPv6", "fd00:c1::a9fe:a9fe"),
        ("metadata of OpenStack, IPv6", "fe80::a9fe:a9fe"),
        ("metadata of Scaleway", "169.254.42.42"),
        ("name servers of IBM", "161.26.0.10"),
        ("private endpoints of IBM", "166.9.38.220"),
    ],
)
def test_cloud_s_service_is_not_public(service: str, ip: str) -> None:
    assert not is_public_ip(ip_address(ip)), service


@pytest.mark.parametrize(
    "ip", ["8.8.8.8", "93.184.215.14", "160.79.104.10", "2606:4700::1111", "2a00:1450:4001:82b::200e"]
)
def test_host_of_the_internet_is_public(ip: str) -> None:
    assert is_public_ip(ip_address(ip))
