"""Address resolution of a node's ports: ARP on or off, static entries, settings, boot files.

`arp` off is the port's flag IFF_NOARP (netdevice(7)). The kernel keeps one flag for both families: a port
with the flag uses neither ARP (RFC 826) nor neighbour discovery (RFC 4861), so IPv6 neighbours need static
entries too. Changing the flag empties the port's whole neighbour table, permanent entries included (arp(7);
net/ipv4/arp.c `arp_netdev_event`, net/ipv6/ndisc.c `ndisc_netdev_event`). Switching the port off does the
same.

Settings are those of the kernel's ip-sysctl document, with the key `FAMILY.TREE.NAME`; a port's setting is
/proc/sys/net/FAMILY/TREE/PORT/NAME. The agent never writes a setting that is not listed here.
"""

from ipaddress import IPv4Address, IPv6Address
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, IPvAnyAddress, model_validator

from backstay_wire.base import Message, Name
from backstay_wire.engines import AbsolutePath
from backstay_wire.path_rules import CONFIGURATION
from backstay_wire.report import ReportBase
from backstay_wire.routing import Digest, FileIntent, SavedFile

_INT_MAX = 2**31 - 1
_DAY_MS = 86_400_000
_DAY_S = 86_400
MAX_NEIGHBOURS = 16_384
"""Maximum number of static entries on one port."""

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
"""For both families. `_ms`: milliseconds; `_time`: seconds; `locktime`, `*_delay`: hundredths of a second."""

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
"""Settings of one port: minimum and maximum value accepted.

Not every kernel has every setting: `arp_evict_nocarrier` and similar ones came with Linux 5.16,
`accept_untracked_na` with 5.19. An error names a setting that the kernel lacks.
"""

TABLE_SETTINGS: dict[str, tuple[int, int]] = {
    f"{family}.gc_thresh{number}": (0, _INT_MAX) for family in ("ipv4", "ipv6") for number in (1, 2, 3)
}
"""Limits of a host's neighbour tables: /proc/sys/net/FAMILY/neigh/default/NAME.

The kernel keeps one table for all network namespaces and exposes its limits in the initial namespace only
(net/core/neighbour.c): other namespaces neither report nor accept them.
"""


def within(bounds: dict[str, tuple[int, int]], settings: dict[str, int]) -> dict[str, int]:
    """Validate settings. Raises ValueError for one that is not listed or is out of bounds."""
    for key, value in settings.items():
        if key not in bounds:
            raise ValueError(f"{key} is not a managed setting")
        least, greatest = bounds[key]
        if not least <= value <= greatest:
            raise ValueError(f"{key} = {value} is not within {least} to {greatest}")
    return settings


PortSettings = Annotated[dict[str, int], AfterValidator(lambda found: within(SETTINGS, found))]
TableSettings = Annotated[dict[str, int], AfterValidator(lambda found: within(TABLE_SETTINGS, found))]
Mac = Annotated[str, Field(pattern=r"^[0-9a-f]{2}(:[0-9a-f]{2}){0,31}$")]
"""A link address in lower case: 6 octets for Ethernet, 20 for IPoIB (RFC 4391); at most 32 (MAX_ADDR_LEN)."""


class StaticNeighbour(Message):
    """One permanent entry: not learnt, never aged out (NUD_PERMANENT)."""

    address: IPvAnyAddress
    mac: Mac


class PortArp(Message):
    """Desired state of one port."""

    port: Name
    arp: bool | None
    """None: not managed; the flag stays unchanged, entries are added and none is removed."""
    settings: PortSettings = {}
    neighbours: Annotated[list[StaticNeighbour], Field(max_length=MAX_NEIGHBOURS)] = []
    """If `arp` is managed this list is complete: permanent entries that are not in it are removed. If ARP is
    on, the agent first turns them into ordinary entries, so that traffic continues while they are learnt
    again."""

    @model_validator(mode="after")
    def _one_entry_an_address(self) -> Self:
        seen: set[IPv4Address | IPv6Address] = set()
        for neighbour in self.neighbours:
            if neighbour.address in seen:
                raise ValueError(f"{neighbour.address} is listed twice on {self.port}")
            seen.add(neighbour.address)
        return self


class NodeArp(Message):
    """Desired address resolution of a node."""

    revision: Annotated[int, Field(ge=0)]
    """Fencing number of the change; a node rejects a lower one."""
    ports: Annotated[list[PortArp], Field(max_length=4096)]
    table: TableSettings = {}
    files: Annotated[list[FileIntent], Field(max_length=4)] = []


class ArpFiles(Message):
    """Files that a managed node reads at boot."""

    config: Annotated[AbsolutePath, CONFIGURATION]
    """An `ip -batch` file: `link set dev PORT arp off`, `neigh replace ... nud permanent`."""
    settings: Annotated[AbsolutePath, CONFIGURATION]
    """A sysctl.d(5) file."""


class RunningPortArp(Message):
    """Running state of one port."""

    port: Name
    arp: bool
    """False: IFF_NOARP is set. It is always set on ports without link addresses (TUN, PPP)."""
    mac: Annotated[str, Field(max_length=128)] = ""
    """The port's own link address; empty: none, and no address resolution."""
    settings: Annotated[dict[str, int], Field(max_length=128)]
    """The port's own values of those `SETTINGS` that this kernel has. The kernel combines some of them with
    the tree's `all` (ip-sysctl): the prepare phase refuses a plan if `all` would override the port's value.
    """
    neighbours: Annotated[list[StaticNeighbour], Field(max_length=MAX_NEIGHBOURS)] = []
    """Permanent entries."""


class ArpReport(ReportBase):
    """Running and saved state of all ports except loopback: sent on any change, and once a minute."""

    kind: Literal["arp"] = "arp"
    revision: Annotated[int, Field(ge=0)]
    """Revision of the desired state confirmed last; 0: never managed."""
    digest: Digest
    """Digest of the files, the table limits and every port that has an address: flag, link address, settings,
    permanent entries. A plan carries the digest it was computed from (`ChangeAssignment.arp_base`)."""
    ports: Annotated[list[RunningPortArp], Field(max_length=4096)]
    table: Annotated[dict[str, int], Field(max_length=16)] = {}
    """Empty outside the initial network namespace."""
    files: Annotated[list[SavedFile], Field(max_length=4)] = []
