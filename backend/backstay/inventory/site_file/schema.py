"""The site file's schema, one model per item.

Checks of single items are here, checks across items in `checks.py`. docs/site-file.md documents the format.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, StringConstraints

from backstay.core.model.arp import DeclaredArp
from backstay.core.model.policy import Balance
from backstay.core.model.search import RiskKind
from backstay.inventory.site_file.engines import RoutingItem
from backstay.inventory.site_file.node_keys import ArpItem, ExtensionItem
from backstay.inventory.site_file.sources import SourceItem
from backstay.inventory.site_file.types import (
    UNPRINTABLE,
    Address,
    EndName,
    Interface,
    Item,
    Keyword,
    Network,
    NodeName,
    PortName,
    Printable,
    Rate,
    Seconds,
    Slug,
    Title,
    read_address,
    read_guid,
    read_interface,
    read_network,
    read_retention,
    read_switch,
)


class FabricItem(Item):
    """One network technology instance."""

    name: Slug
    title: Title = ""
    kind: Literal["sp_switch", "hippi", "atm", "ethernet", "fddi", "ultranet", "infiniband"]
    media_rate: Rate
    usable_rate: Rate | None = None
    mtu: Annotated[int, Field(ge=68, le=4_194_304)] = 1500
    arp: Annotated[DeclaredArp, BeforeValidator(read_switch)] = "on"


class PortItem(Item):
    """One attachment of a node."""

    name: PortName
    fabric: Slug | None = None
    management: bool = False
    addresses: Annotated[
        list[Annotated[Interface, PlainValidator(read_interface)]], Field(max_length=256)
    ] = []


class NodeItem(Item):
    """Anything with ports."""

    name: NodeName
    title: Title = ""
    kind: Literal["host", "switch", "router", "gateway"]
    role: Keyword | None = None
    node_number: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    switch_node_number: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    guid: Annotated[str, PlainValidator(read_guid)] = ""
    labels: Annotated[dict[Keyword, Title], Field(max_length=64)] = {}
    agent: NodeName | None = None
    sources: Annotated[list[SourceItem], Field(max_length=16)] = []
    routing: RoutingItem | None = None
    arp: ArpItem | None = None
    extension: ExtensionItem | None = None
    ports: Annotated[list[PortItem], Field(max_length=4096)] = []


class LinkItem(Item):
    """A link between two ports."""

    a: EndName
    b: EndName
    circuit: Annotated[str, StringConstraints(max_length=64, pattern=Printable)] = ""


class StripeItem(Item):
    """The policy's gateways share its nodes; they have no order."""

    backups: Annotated[int, Field(ge=0, le=15)] = 1
    balance: Balance = "count"
    weights: dict[NodeName, Annotated[float, Field(gt=0, lt=1e9, strict=False)]] = {}
    by_label: Annotated[str, StringConstraints(max_length=64, pattern=Printable)] = ""


class ReturnItem(Item):
    """Routers that reach the nodes' network through the same gateways."""

    routers: Annotated[list[NodeName], Field(min_length=1, max_length=16)]
    prefix: Annotated[Network, PlainValidator(read_network)]
    target: Annotated[Address, PlainValidator(read_address)] | None = None


class PolicyItem(Item):
    """Gateways for nodes and one prefix: in order of preference, or as a stripe."""

    name: Slug
    nodes: Annotated[
        list[Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9*?\[\]._-]{1,128}$")]], Field(min_length=1)
    ]
    prefix: Annotated[Network, PlainValidator(read_network)]
    gateways: Annotated[list[NodeName], Field(min_length=1, max_length=16)]
    detection: Literal["checker", "bfd", "protocol"]
    target: Annotated[Address, PlainValidator(read_address)] | None = None
    probe_interval_ms: Annotated[int, Field(ge=10, le=10_000)] = 50
    note: Annotated[str, StringConstraints(max_length=2000)] = ""
    stripe: StripeItem | None = None
    return_path: ReturnItem | None = None
    deployed: bool = True


class SharedRiskItem(Item):
    """Components that fail together."""

    name: Slug
    kind: RiskKind
    members: Annotated[
        list[Annotated[str, StringConstraints(pattern=rf"^(node|link|fabric):[^{UNPRINTABLE}]{{1,257}}$")]],
        Field(min_length=1, max_length=1000),
    ]


class SiteItem(Item):
    """The head of the file; its lists are validated item by item, so that an invalid item hides no other."""

    site: Slug
    title: Title = ""
    interval_s: Seconds = 30.0
    rate_scale: Annotated[float, Field(gt=0, le=1)] = 1.0
    second_person: bool = False
    wave_limit: Annotated[int, Field(ge=1, le=10_000)] = 200
    retention: Annotated[dict[str, int], AfterValidator(read_retention)] = {}
    fabrics: Annotated[list[object], Field(max_length=64)] = []
    nodes: Annotated[list[object], Field(max_length=10_000)] = []
    links: Annotated[list[object], Field(max_length=100_000)] = []
    failover_policies: Annotated[list[object], Field(max_length=1000)] = []
    traffic_shapes: Annotated[list[object], Field(max_length=1000)] = []
    circuits: Annotated[list[object], Field(max_length=20_000)] = []
    shared_risks: Annotated[list[object], Field(max_length=1000)] = []
    rules: Annotated[list[object], Field(max_length=5000)] = []
    metric_limits: Annotated[list[object], Field(max_length=200)] = []
