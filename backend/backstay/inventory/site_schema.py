"""The site file's shapes, one model an item, and the units in which operators write.

What one item can say by itself is checked here; what needs two items is in `site_checks.py`. The format is
described for people in docs/site-file.md.
"""

from __future__ import annotations

import re
from decimal import Decimal
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, IPv6Network
from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    SecretStr,
    StringConstraints,
)
from pydantic_core import PydanticCustomError

Address = IPv4Address | IPv6Address
Interface = IPv4Interface | IPv6Interface
Network = IPv4Network | IPv6Network

_RATE = re.compile(r"(\d+(?:\.\d+)?) ?([kMG]?)(?:b/s|bit/s|bps)")
_POWER = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9}
MAX_RATE = 10**15


def mistaken(expected: str) -> PydanticCustomError:
    """A mistake whose text says what was expected."""
    return PydanticCustomError("expected", "{expected}", {"expected": expected})


def rate(value: object) -> int:
    """bit/s of `155.52 Mb/s`; powers of ten, as carriers and RFC 2863's ifHighSpeed count."""
    match = _RATE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise mistaken("a rate in bits per second with its unit, such as 155.52 Mb/s, 800 Mb/s or 10 Gb/s")
    bits = Decimal(match[1]) * _POWER[match[2]]
    if not 0 < bits <= MAX_RATE:
        raise mistaken("a rate above 0 and at most 1000000 Gb/s")
    return int(bits)


def _interface(value: object) -> Interface:
    if isinstance(value, str) and "/" in value:
        for kind in (IPv4Interface, IPv6Interface):
            try:
                return kind(value)
            except ValueError:
                continue
    raise mistaken("an IP address with prefix length, such as 10.1.0.1/24")


def _address(value: object) -> Address:
    for kind in (IPv4Address, IPv6Address):
        try:
            return kind(value) if isinstance(value, str) else kind("")
        except ValueError:
            continue
    raise mistaken("an IP address, such as 10.9.0.1")


def _network(value: object) -> Network:
    for kind in (IPv4Network, IPv6Network):
        try:
            return kind(value) if isinstance(value, str) else kind("")
        except ValueError:
            continue
    raise mistaken("a network whose host bits are zero, such as 0.0.0.0/0 or 10.1.0.0/24")


def _switch(value: object) -> object:
    """YAML 1.1 reads a bare `on` or `off` as a truth value."""
    return {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value


Slug = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,50}$")]
NodeName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
Printable = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
PortName = Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=Printable)]
Title = Annotated[str, StringConstraints(max_length=200, pattern=Printable)]
Word = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
Rate = Annotated[int, PlainValidator(rate)]
Seconds = Annotated[float, Field(gt=0, le=3600)]
Secret = Annotated[SecretStr, Field(min_length=1, max_length=256)]
EndName = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}:[^\x00-\x1f\x7f]{1,128}$")
]


class Item(BaseModel):
    """Base: unknown keys are mistakes, and numbers are not taken for text or the other way round."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class FabricItem(Item):
    """One network technology instance."""

    name: Slug
    title: Title = ""
    kind: Literal["sp_switch", "hippi", "atm", "ethernet", "fddi", "ultranet", "infiniband"]
    media_rate: Rate
    usable_rate: Rate | None = None
    mtu: Annotated[int, Field(ge=68, le=4_194_304)] = 1500
    arp: Annotated[Literal["on", "off", "none"], BeforeValidator(_switch)] = "on"


class AccessV2c(Item):
    """SNMPv2c: a community."""

    version: Literal["2c"]
    community: Secret


class AccessV3(Item):
    """SNMPv3 authPriv (RFC 3414); keys have at least eight characters, as its section 11.2 wants."""

    version: Literal["3"]
    user: Annotated[str, StringConstraints(min_length=1, max_length=32)]
    auth_protocol: Literal["SHA-1", "SHA-256", "SHA-512"] = "SHA-256"
    auth_key: Annotated[SecretStr, Field(min_length=8, max_length=256)]
    priv_protocol: Literal["AES-128", "AES-256"] = "AES-128"
    priv_key: Annotated[SecretStr, Field(min_length=8, max_length=256)]


class LinuxItem(Item):
    """The agent's own kernel."""

    kind: Literal["linux"]
    interval_s: Seconds | None = None


class BirdItem(Item):
    """A BIRD daemon beside the agent."""

    kind: Literal["bird"]
    interval_s: Seconds | None = None
    socket: Annotated[str, StringConstraints(max_length=107, pattern=r"^/[^\x00-\x1f]+$")]
    """sun_path holds 108 octets (unix(7))."""


class SnmpItem(Item):
    """A device polled over SNMP."""

    kind: Literal["snmp"]
    interval_s: Seconds | None = None
    address: Annotated[Address, PlainValidator(_address)]
    port: Annotated[int, Field(ge=1, le=65535)] = 161
    timeout_s: Annotated[float, Field(gt=0, le=30)] = 1.0
    retries: Annotated[int, Field(ge=0, le=5)] = 1
    access: Annotated[AccessV2c | AccessV3, Field(discriminator="version")]


SourceItem = Annotated[LinuxItem | BirdItem | SnmpItem, Field(discriminator="kind")]


class PortItem(Item):
    """One attachment of a node."""

    name: PortName
    fabric: Slug | None = None
    management: bool = False
    addresses: Annotated[list[Annotated[Interface, PlainValidator(_interface)]], Field(max_length=256)] = []


class NodeItem(Item):
    """Anything with ports."""

    name: NodeName
    title: Title = ""
    kind: Literal["host", "switch", "router", "gateway"]
    role: Word | None = None
    node_number: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    switch_node_number: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    labels: Annotated[dict[Word, Title], Field(max_length=64)] = {}
    agent: NodeName | None = None
    sources: Annotated[list[SourceItem], Field(max_length=8)] = []
    ports: Annotated[list[PortItem], Field(max_length=4096)] = []


class LinkItem(Item):
    """Two ports joined."""

    a: EndName
    b: EndName
    circuit: Annotated[str, StringConstraints(max_length=64, pattern=Printable)] = ""


class PolicyItem(Item):
    """Gateways in order of preference for some nodes and one prefix."""

    name: Slug
    nodes: Annotated[
        list[Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9*?\[\]._-]{1,128}$")]], Field(min_length=1)
    ]
    prefix: Annotated[Network, PlainValidator(_network)]
    gateways: Annotated[list[NodeName], Field(min_length=1, max_length=16)]
    detection: Literal["checker", "bfd", "protocol"]
    target: Annotated[Address, PlainValidator(_address)] | None = None
    probe_interval_ms: Annotated[int, Field(ge=10, le=10_000)] = 50
    note: Annotated[str, StringConstraints(max_length=2000)] = ""


class SiteItem(Item):
    """The head of the file; its lists are validated item by item, so that one bad item hides no other."""

    site: Slug
    title: Title = ""
    interval_s: Seconds = 30.0
    rate_scale: Annotated[float, Field(gt=0, le=1)] = 1.0
    fabrics: Annotated[list[object], Field(max_length=64)] = []
    nodes: Annotated[list[object], Field(max_length=10_000)] = []
    links: Annotated[list[object], Field(max_length=100_000)] = []
    failover_policies: Annotated[list[object], Field(max_length=1000)] = []
