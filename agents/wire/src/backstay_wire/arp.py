"""How a node shall resolve addresses on its ports: ARP on or off, static entries, settings, boot files.

`arp` off is the port's flag IFF_NOARP (netdevice(7)). The kernel keeps one flag for both families: where it
is set neither ARP (RFC 826) nor neighbour discovery (RFC 4861) is spoken, so that IPv6 neighbours need static
entries too. Changing it empties the port's whole neighbour table, permanent entries included (arp(7);
net/ipv4/arp.c `arp_netdev_event`, net/ipv6/ndisc.c `ndisc_netdev_event`), and so does switching the port off.

Settings are those of the kernel's ip-sysctl document, by the key `FAMILY.TREE.NAME`; a port's is below
/proc/sys/net/FAMILY/TREE/PORT/NAME. Nothing outside of these lists is ever written.
"""

from ipaddress import IPv4Address, IPv6Address
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, IPvAnyAddress, model_validator

from backstay_wire.base import Message, Name
from backstay_wire.report import ReportBase
from backstay_wire.routing import AbsolutePath, Digest, FileIntent, SavedFile

_INT_MAX = 2**31 - 1
_DAY_MS = 86_400_000
_DAY_S = 86_400
MAX_NEIGHBOURS = 16_384
"""Static entries of one port."""

_NEIGHBOUR_SETTINGS: dict[str, tuple[int, int]] = {
    "anycast_delay": (0, 100_000),
    "app_solicit": (0, 100),
    "base_reachable_time_ms": (1_000, _DAY_MS),
    "delay_first_probe_time": (0, _DAY_S),
    "gc_stale_time": (0, _DAY_S),
    "interval_probe_time_ms": (1, _DAY_MS),
    "locktime": (0, 100_000),
    "mcast_resolicit": (0, 100),
    "mcast_solicit": (0, 100),
    "proxy_delay": (0, 100_000),
    "proxy_qlen": (0, 100_000),
    "retrans_time_ms": (1, _DAY_MS),
    "ucast_solicit": (0, 100),
    "unres_qlen_bytes": (0, _INT_MAX),
}
"""Of both families. `_ms`: milliseconds; `_time`: seconds; `locktime`, `*_delay`: hundredths of a second."""

SETTINGS: dict[str, tuple[int, int]] = {
    "ipv4.conf.arp_accept": (0, 2),
    "ipv4.conf.arp_announce": (0, 2),
    "ipv4.conf.arp_evict_nocarrier": (0, 1),
    "ipv4.conf.arp_filter": (0, 1),
    "ipv4.conf.arp_ignore": (0, 8),
    "ipv4.conf.arp_notify": (0, 1),
    "ipv4.conf.bc_forwarding": (0, 1),
    "ipv4.conf.drop_gratuitous_arp": (0, 1),
    "ipv4.conf.proxy_arp": (0, 1),
    "ipv4.conf.proxy_arp_pvlan": (0, 1),
    **{f"ipv4.neigh.{name}": bounds for name, bounds in _NEIGHBOUR_SETTINGS.items()},
    "ipv6.conf.accept_untracked_na": (0, 2),
    "ipv6.conf.drop_unsolicited_na": (0, 1),
    "ipv6.conf.ndisc_evict_nocarrier": (0, 1),
    "ipv6.conf.ndisc_notify": (0, 1),
    "ipv6.conf.proxy_ndp": (0, 1),
    **{f"ipv6.neigh.{name}": bounds for name, bounds in _NEIGHBOUR_SETTINGS.items()},
}
"""Settings of one port, with the least and the greatest value that may be asked for.

Not every kernel has each: `arp_evict_nocarrier` and its like came with Linux 5.16, `accept_untracked_na`
with 5.19. One that is not there is refused by name."""

TABLE_SETTINGS: dict[str, tuple[int, int]] = {
    f"{family}.gc_thresh{number}": (0, _INT_MAX) for family in ("ipv4", "ipv6") for number in (1, 2, 3)
}
"""Bounds of the neighbour tables of a whole host: /proc/sys/net/FAMILY/neigh/default/NAME.

The kernel keeps one table for all network namespaces and shows its bounds in the initial one alone
(net/core/neighbour.c): in any other they are neither reported nor accepted."""


def within(bounds: dict[str, tuple[int, int]], settings: dict[str, int]) -> dict[str, int]:
    """The settings. Raises ValueError for one that is not listed, or out of its bounds."""
    for key, value in settings.items():
        if key not in bounds:
            raise ValueError(f"{key} is no setting that is managed")
        least, greatest = bounds[key]
        if not least <= value <= greatest:
            raise ValueError(f"{key} = {value} is not within {least} to {greatest}")
    return settings


PortSettings = Annotated[dict[str, int], AfterValidator(lambda found: within(SETTINGS, found))]
TableSettings = Annotated[dict[str, int], AfterValidator(lambda found: within(TABLE_SETTINGS, found))]
Mac = Annotated[str, Field(pattern=r"^[0-9a-f]{2}(:[0-9a-f]{2}){0,31}$")]
"""A link address in lower case: 6 octets of Ethernet, 20 of IPoIB (RFC 4391); 32 at most (MAX_ADDR_LEN)."""


class StaticNeighbour(Message):
    """One permanent entry: not learnt and never aged out (NUD_PERMANENT)."""

    address: IPvAnyAddress
    mac: Mac


class PortArp(Message):
    """What is intended for one port."""

    port: Name
    arp: bool | None
    """None: not ours; the flag stays as it is, entries are added and none is taken away."""
    settings: PortSettings = {}
    neighbours: Annotated[list[StaticNeighbour], Field(max_length=MAX_NEIGHBOURS)] = []
    """Where `arp` is ours these are all: permanent entries that are not among them are taken away. Where ARP
    is on they are first made ordinary ones, so that traffic continues while they are learnt again."""

    @model_validator(mode="after")
    def _one_entry_an_address(self) -> Self:
        seen: set[IPv4Address | IPv6Address] = set()
        for neighbour in self.neighbours:
            if neighbour.address in seen:
                raise ValueError(f"{neighbour.address} is listed twice on {self.port}")
            seen.add(neighbour.address)
        return self


class NodeArp(Message):
    """All of a node's intended address resolution."""

    revision: Annotated[int, Field(ge=0)]
    """The change's fencing number; a node never goes back to a lower one."""
    ports: Annotated[list[PortArp], Field(max_length=4096)]
    table: TableSettings = {}
    files: Annotated[list[FileIntent], Field(max_length=4)] = []


class ArpFiles(Message):
    """What a managed node reads at boot."""

    config: AbsolutePath
    """An `ip -batch` text: `link set dev PORT arp off`, `neigh replace ... nud permanent`."""
    settings: AbsolutePath
    """A sysctl.d(5) text."""


class RunningPortArp(Message):
    """One port as it is."""

    port: Name
    arp: bool
    """False: IFF_NOARP is set, as it always is on ports without link addresses (TUN, PPP)."""
    mac: Annotated[str, Field(max_length=128)] = ""
    """The port's own link address; empty: it has none, and nothing is to be resolved."""
    settings: Annotated[dict[str, int], Field(max_length=128)]
    """Those of `SETTINGS` that this kernel has: the port's own values. The kernel combines some of them with
    the tree's `all` (ip-sysctl): where that would outweigh the port's, a plan is refused when prepared."""
    neighbours: Annotated[list[StaticNeighbour], Field(max_length=MAX_NEIGHBOURS)] = []
    """The permanent ones."""


class ArpReport(ReportBase):
    """What a node runs and has saved, of every port but loopback: on any change, and each minute."""

    kind: Literal["arp"] = "arp"
    revision: Annotated[int, Field(ge=0)]
    """Of the intent that was confirmed here last; 0: never managed."""
    digest: Digest
    """Of the files, the table's bounds and of every port that has an address: flag, link address, settings,
    permanent entries. A plan names the one that it was made from (`ChangeAssignment.arp_base`)."""
    ports: Annotated[list[RunningPortArp], Field(max_length=4096)]
    table: Annotated[dict[str, int], Field(max_length=16)] = {}
    """Empty outside of the initial network namespace."""
    files: Annotated[list[SavedFile], Field(max_length=4)] = []
