"""Owns which addresses a hook's request may go to; resolves nothing.

Source: the preface of the contract of Claude Code's hooks. What is on the machine itself may be reached, and what is on
the open net; nothing in between, where services trust whoever can reach them.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

__all__ = ["why_refused"]

_KINDS = {
    "this network": ("0.0.0.0/8", "::/128"),
    "private": ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10", "64:ff9b:1::/48"),
    "shared by a carrier's customers": ("100.64.0.0/10",),
    "link-local, where clouds keep credentials": ("169.254.0.0/16", "fe80::/10"),
    "a cloud's metadata service": ("168.63.129.16/32", "192.0.0.0/24"),
    "multicast": ("224.0.0.0/4", "ff00::/8"),
    "reserved": ("240.0.0.0/4", "100::/64"),
    "an IPv4 address in disguise": ("::ffff:0:0/96", "::ffff:0:0:0/96", "::/96", "2001::/32"),
}

_NETWORKS = [(ip_network(network), kind) for kind, networks in _KINDS.items() for network in networks]

_LOOPBACK6 = IPv6Address("::1")

_CARRIERS = ((IPv6Network("64:ff9b::/96"), 0), (IPv6Network("2002::/16"), 80))
"""IPv6 networks that lead to the IPv4 address that stands so many bits above the end: NAT64 and 6to4."""


def why_refused(address: str) -> str | None:
    """Say what kind of address it is, where no request may go to it.

    Args:
        address: An address as the resolver writes it.

    Returns:
        Words that fit after "is"; None: it may be reached.
    """
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return "no internet address"
    if ip == _LOOPBACK6 or (ip.version == 4 and ip.is_loopback):
        return None
    for network, kind in _NETWORKS:
        if ip in network:
            return kind
    if isinstance(ip, IPv6Address):
        for network, shift in _CARRIERS:
            if ip in network:
                inner = IPv4Address(int(ip) >> shift & 0xFFFFFFFF)
                if inner.is_loopback or why_refused(str(inner)):
                    return f"a way to {inner}"
    return None
