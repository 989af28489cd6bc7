"""Site `cern`: fabrics, networks, machines and their numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from ipaddress import IPv4Address, IPv4Interface, IPv4Network

from backstay_lab.blueprint import End, FabricSpec, HopSpec
from backstay_lab.sites.parts import CircuitSpec, on

RINGS = 4
MAX_SERVERS = 16
FEWS = 3
SWITCH, SWITCH_SIZE = "hippi-switch", 16
FIRST_PORT = 8
"""The crossbar's lower port numbers are used by its agent's own interfaces (IF-MIB ifIndex)."""
FIBRE_NS = 100_000
"""Round trip over 10 km of fibre."""
CHANNEL_RATE = 800_000_000
SYSTEM_NS = 3_000_000
"""Round trip of a full packet and its acknowledgement, including the machines: the effective system latency
that the paper derives from 20 MB/s per stream (below its figure 4).
"""
GIGAROUTER_SPACING_NS = 200_000
"""5,000 packets a second: the limit of the GigaRouter's HIPPI card that the paper found."""

HIPPI = FabricSpec(
    name="hippi",
    title="HIPPI 16 x 16 crossbar",
    kind="hippi",
    media_rate=CHANNEL_RATE,
    usable_rate=CHANNEL_RATE,
    mtu=65280,
    if_type=47,
    wiring="tun",
    arp="none",
)
SERIAL = replace(HIPPI, name="hippi-serial", title="Serial HIPPI, 10 km to the North Area")
FDDI = FabricSpec(
    name="core-fddi",
    title="CORE FDDI",
    kind="fddi",
    media_rate=100_000_000,
    usable_rate=98_000_000,
    mtu=4352,
    if_type=15,
    shared=True,
)
NA48_FDDI = replace(FDDI, name="na48-fddi", title="NA48's parallel FDDI rings", shared=False)
ULTRANET = FabricSpec(
    name="ultranet",
    title="UltraNet",
    kind="ultranet",
    media_rate=98_000_000,
    usable_rate=98_000_000,  # 12,280 kB/s, the most that the paper measured
    mtu=16384,
    if_type=53,
    shared=True,
)
SP = FabricSpec(
    name="sp-switch",
    title="SP-2 High Performance Switch",
    kind="sp_switch",
    media_rate=320_000_000,
    usable_rate=320_000_000,
    mtu=65520,
    if_type=53,
    shared=True,
)

HIPPI_NET = IPv4Network("10.2.0.0/24")
RINGS_NET = IPv4Network("10.3.0.0/24")
CORE_NET = IPv4Network("10.3.1.0/24")
ULTRA_NET = IPv4Network("10.4.0.0/24")
NA48_NET = IPv4Network("10.5.0.0/24")
SP_NET = IPv4Network("10.1.0.0/24")
SERVICE_NET = IPv4Network("10.9.0.0/24")
GIGASWITCH, GIGASWITCH_HOST = "gigaswitch", 1


@dataclass(frozen=True)
class Machine:
    """A machine on HIPPI. `number` is its host part on all its networks."""

    name: str
    title: str
    number: int
    fddi: str = ""
    """Its port on CORE FDDI."""
    ultranet: str = ""

    @property
    def service(self) -> IPv4Address:
        """Its address for traffic, on any path."""
        return on(SERVICE_NET, self.number).ip

    @property
    def hippi(self) -> IPv4Interface:
        return on(HIPPI_NET, self.number)

    def over_hippi(self, port: str = "hip0") -> HopSpec:
        """Its HIPPI side as a next hop."""
        return HopSpec(self.name, self.hippi.ip, port)

    def over_core(self, port: str) -> HopSpec:
        """Its CORE FDDI side as a next hop."""
        return HopSpec(self.name, on(CORE_NET, self.number).ip, port)


SHIFTS = tuple(
    Machine(f"shift{number}", "SGI Challenge", number, fddi="xpi0", ultranet="ultra0")
    for number in (2, 3, 7, 8)
)
CS2 = Machine("cerncs2", "Meiko CS-2", 32, fddi="fddi0")
USERS = (*SHIFTS, CS2)
SP041 = Machine("sp041", "SP-2 node, HIPPI gateway of cernsp", 41, fddi="fi0")
SP023 = Machine("sp023", "SP-2 node, tape server of cernsp", 23, fddi="fi0")
GR1 = Machine("gr1", "GigaRouter 1, HIPPI to the tape servers' rings", 101)
GR2 = Machine("gr2", "GigaRouter 2, North Area", 102)
ON_HIPPI = (*USERS, SP041, GR1, GR2)
"""Machines in the order of the crossbar's ports."""
CARD = "gh000"


def ring(number: int) -> FabricSpec:
    """One of the tape servers' rings, from 1."""
    return replace(FDDI, name=f"fddi-ring-{number}", title=f"FDDI ring {number} of the tape servers")


def ring_net(number: int) -> IPv4Network:
    """A ring's subnet, from 1: the GigaRouter has its first address, the GigaSwitch its second."""
    return tuple(RINGS_NET.subnets(new_prefix=26))[number - 1]


@dataclass(frozen=True)
class Server:
    """A DLT tape server by its number, from 0."""

    number: int

    @property
    def name(self) -> str:
        return f"dlt{self.number + 1:02}"

    @property
    def ring(self) -> int:
        return self.number % RINGS + 1

    @property
    def address(self) -> IPv4Interface:
        return on(ring_net(self.ring), 10 + self.number // RINGS)


def few(number: int) -> CircuitSpec:
    """The ring of a front-end workstation, from 1."""
    net = IPv4Network((NA48_NET.network_address + 4 * (number - 1), 30))
    return CircuitSpec(NA48_FDDI, net, End("gr2", f"gf0{number}0"), End(f"few{number}", "fta0"))


FEW_RINGS = tuple(few(number) for number in range(1, FEWS + 1))
