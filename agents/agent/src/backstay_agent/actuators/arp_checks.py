"""Checks desired ARP state against this host, entry by entry, before anything is set: pure.

The kernel itself accepts nearly everything: it truncates a link address that is too long, and keeps a
neighbour on no network of the port or with a group address, which then does not work. These checks are
therefore stricter than the kernel.
"""

from collections.abc import Iterator, Mapping

from backstay_agent.host.kernel.arp_tables import ArpTables
from backstay_agent.host.kernel.port_rows import LinkRow
from backstay_wire import Evidence, NodeArp, PortArp, StaticNeighbour
from backstay_wire.arp import ArpFiles

_ETHERNET_OCTETS = 6
_OUTWEIGHED_BELOW = {
    "ipv4.conf.arp_accept",
    "ipv4.conf.arp_announce",
    "ipv4.conf.arp_filter",
    "ipv4.conf.arp_ignore",
    "ipv4.conf.arp_notify",
    "ipv4.conf.drop_gratuitous_arp",
    "ipv4.conf.proxy_arp",
    "ipv4.conf.proxy_arp_pvlan",
    "ipv6.conf.ndisc_notify",
    "ipv6.conf.proxy_ndp",
}
"""The effective value is the greater one of the port's and that of `all` (linux/inetdevice.h IN_DEV_MAXCONF,
ORCONF)."""
_OUTWEIGHED_ABOVE = {
    "ipv4.conf.arp_evict_nocarrier",
    "ipv4.conf.bc_forwarding",
    "ipv6.conf.ndisc_evict_nocarrier",
}
"""Effective only if both are set (IN_DEV_ANDCONF)."""


def check(wanted: NodeArp, now: ArpTables, everywhere: Mapping[str, int], files: ArpFiles) -> list[Evidence]:
    """One piece of evidence for each impossible item; `everywhere`: the settings of `all`."""
    links = {link.name: link for link in now.links}
    found = [_bad(f"{key}", why) for key in wanted.table if (why := _table_trouble(key, now))]
    for port in wanted.ports:
        if port.port not in links:
            found.append(_bad(f"port {port.port}", "is not there"))
            continue
        found += _port(port, links[port.port], now)
        found += _settings(port, now.settings.get(port.port, {}), everywhere)
    known = {files.config, files.settings}
    return found + [
        _bad(file.path, "is not one of this node's ARP files")
        for file in wanted.files
        if file.path not in known
    ]


def _bad(what: str, why: str) -> Evidence:
    return Evidence(what=what[:1000], ok=False, found=why[:1000])


def _table_trouble(key: str, now: ArpTables) -> str:
    return "" if key in now.table else "exists in the initial network namespace only"


def _port(wanted: PortArp, link: LinkRow, now: ArpTables) -> Iterator[Evidence]:
    if not link.hardware and (wanted.arp is not None or wanted.neighbours):
        yield _bad(f"port {link.name}", "has no link addresses: nothing to resolve on it")
        return
    for neighbour in wanted.neighbours:
        why = _neighbour_trouble(neighbour, link, now)
        if why:
            yield _bad(f"{neighbour.address} {neighbour.mac} on {link.name}", why)


def _neighbour_trouble(neighbour: StaticNeighbour, link: LinkRow, now: ArpTables) -> str:
    octets = bytes.fromhex(neighbour.mac.replace(":", ""))
    address = neighbour.address
    own = now.own.get(link.name, ())
    checks = (
        (2 * len(octets) != len(link.hardware), "is not a link address for this kind of port"),
        (not any(octets), "is not a link address"),
        (len(octets) == _ETHERNET_OCTETS and octets[0] & 1, "is a group address"),
        (octets.hex() == link.hardware, "is this port's own link address"),
        (address.is_multicast or address.is_unspecified or address.is_loopback, "is not a host address"),
        (any(address == item.ip for item in own), "is this node's own address"),
        (
            not address.is_link_local and not any(address in item.network for item in own),
            "is on no network of the port",
        ),
        (
            any(address == item.network.broadcast_address for item in own if item.network.prefixlen < 31),
            "is the network's broadcast address",
        ),
    )
    return next((text for bad, text in checks if bad), "")


def _settings(wanted: PortArp, has: Mapping[str, int], everywhere: Mapping[str, int]) -> Iterator[Evidence]:
    for key, value in wanted.settings.items():
        all_of_them = everywhere.get(key, value)
        if key not in has:
            yield _bad(f"{key} of {wanted.port}", "is not a setting of this kernel")
        elif (key in _OUTWEIGHED_BELOW and all_of_them > value) or (
            key in _OUTWEIGHED_ABOVE and all_of_them < value
        ):
            yield _bad(
                f"{key} = {value} of {wanted.port}",
                f"would have no effect: the setting of `all` is {all_of_them}",
            )
