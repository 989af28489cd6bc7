"""Checks across a site file's items: names, references, addresses, gateways.

Invalid items still count as existing, so that an error is not reported again by every reference to the item.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from django.conf import settings

from backstay.inventory.site_file.circuits import check as circuits_check
from backstay.inventory.site_file.errors import Path, SiteFileError
from backstay.inventory.site_file.extension import check as extension_check
from backstay.inventory.site_file.failure_groups import KnownComponents
from backstay.inventory.site_file.failure_groups import check as shared_risks_check
from backstay.inventory.site_file.paths import forbidden
from backstay.inventory.site_file.schema import NodeItem, PolicyItem, PortItem
from backstay.inventory.site_file.sources import REMOTE, InfinibandItem, NoticesItem
from backstay.inventory.site_file.stripes import return_column, return_paths, stripe_column, stripes
from backstay.inventory.site_file.types import Address, Network
from backstay.inventory.site_file.values import PolicyIntent, SiteFile

SELF = "self"


class _Names:
    """The names in the file, including those of invalid items."""

    def __init__(self, site: SiteFile) -> None:
        self.fabrics = _raw_names(site.head.fabrics)
        broken = self.fabrics - {fabric.name for fabric in site.fabrics.values()}
        self.infiniband = broken | {
            fabric.name for fabric in site.fabrics.values() if fabric.kind == "infiniband"
        }
        self.nodes = _raw_names(site.head.nodes)
        self.by_name = {node.name: node for node in site.nodes.values()}
        self.ports = {f"{node.name}:{port.name}": port for node in site.nodes.values() for port in node.ports}


def cross_check(site: SiteFile) -> list[SiteFileError]:
    """Every error between items; fills `site.intents` with the policies, patterns resolved."""
    names = _Names(site)
    found = [
        *_duplicates(site),
        *_rates(site),
        *_ports(site, names),
        *_collection(site, names),
        *_intervals(site),
        *_guids(site),
        *_links(site, names),
        *_policies(site, names),
        *_circuits(site, names),
        *_extensions(site),
        *_shared_risks(site, names),
        *forbidden(site.nodes, settings.SITE_PATHS),
    ]
    return [site.located.error(path, expected) for path, expected in found]


Found = Iterator[tuple[Path, str]]


def _duplicates(site: SiteFile) -> Found:
    for key, values in (
        ("fabrics", site.head.fabrics),
        ("nodes", site.head.nodes),
        ("failover_policies", site.head.failover_policies),
        ("traffic_shapes", site.head.traffic_shapes),
        ("circuits", site.head.circuits),
        ("shared_risks", site.head.shared_risks),
    ):
        yield from _repeated(values, (key,))
    for index, node in site.nodes.items():
        ports: list[object] = [{"name": port.name} for port in node.ports]
        yield from _repeated(ports, ("nodes", index, "ports"))


def _repeated(values: list[object], at: Path) -> Found:
    seen: set[str] = set()
    for index, value in enumerate(values):
        name = _raw_name(value)
        if name in seen:
            yield (*at, index, "name"), f"a unique name; {name} is already used above"
        if name:
            seen.add(name)


def _rates(site: SiteFile) -> Found:
    for index, fabric in site.fabrics.items():
        if fabric.usable_rate and fabric.usable_rate > fabric.media_rate:
            yield ("fabrics", index, "usable_rate"), "at most the media_rate"


def _ports(site: SiteFile, names: _Names) -> Found:
    owners: dict[tuple[str, Address], str] = {}
    for index, node in site.nodes.items():
        for slot, port in enumerate(node.ports):
            at: Path = ("nodes", index, "ports", slot)
            if port.management == (port.fabric is not None):
                yield at, "either fabric or management: true"
            if port.fabric is not None and port.fabric not in names.fabrics:
                yield (*at, "fabric"), f"one of the fabrics {_listed(names.fabrics)}"
            for number, interface in enumerate(port.addresses):
                network = "" if port.management else port.fabric or ""
                owner = owners.setdefault((network, interface.ip), f"{node.name}:{port.name}")
                if owner != f"{node.name}:{port.name}":
                    yield (*at, "addresses", number), f"a unique address; {owner} has {interface.ip}"


def _collection(site: SiteFile, names: _Names) -> Found:
    for index, node in site.nodes.items():
        at: Path = ("nodes", index)
        yield from _agent(node, at, names)
        kinds: set[str] = set()
        for number, source in enumerate(node.sources):
            if source.kind in kinds:
                yield (*at, "sources", number, "kind"), f"at most one {source.kind} source per node"
            kinds.add(source.kind)
            if source.kind not in REMOTE and node.agent not in {SELF, node.name, None}:
                yield (
                    (*at, "sources", number, "kind"),
                    f"agent: self, because {source.kind} is read on the host",
                )
            if isinstance(source, InfinibandItem) and source.fabric not in names.infiniband:
                known = _listed(names.infiniband)
                yield (*at, "sources", number, "fabric"), f"a fabric of kind infiniband: {known}"
        if node.routing is not None and node.agent not in {SELF, node.name}:
            yield (*at, "routing"), "agent: self, because routes are changed on the host"
        yield from _arp(node, at)
        if {"snmp", "ssh"} <= kinds:
            yield (*at, "sources"), "either snmp or ssh: both describe the same ports"


def _arp(node: NodeItem, at: Path) -> Found:
    if node.arp is None:
        return
    if node.agent not in {SELF, node.name}:
        yield (*at, "arp"), "agent: self, because ARP is changed on the host"
    if node.arp.config == node.arp.settings:
        yield (*at, "arp", "settings"), f"another file than config, {node.arp.config}"
    if node.routing is not None and node.routing.config in {node.arp.config, node.arp.settings}:
        yield (*at, "arp"), f"other files than that of its routes, {node.routing.config}"


def _intervals(site: SiteFile) -> Found:
    for index, node in site.nodes.items():
        for place, source in enumerate(node.sources):
            if isinstance(source, NoticesItem) or (source.interval_s or 0) <= site.head.interval_s:
                continue
            expected = (
                f"at most the site's {site.head.interval_s:g}: a device is not reporting after two of these"
            )
            yield ("nodes", index, "sources", place, "interval_s"), expected


def _guids(site: SiteFile) -> Found:
    owners: dict[str, str] = {}
    for index, node in site.nodes.items():
        owner = owners.setdefault(node.guid, node.name) if node.guid else node.name
        if owner != node.name:
            yield ("nodes", index, "guid"), f"a unique GUID; {owner} has {node.guid}"


def _agent(node: NodeItem, at: Path, names: _Names) -> Found:
    if node.agent is None:
        if node.sources:
            yield (*at, "agent"), "the collector of the sources: self, or the name of a node with agent: self"
        return
    if node.agent in {SELF, node.name}:
        return
    if node.agent not in names.nodes:
        yield (*at, "agent"), "self, or the name of a node of this file"
    elif node.agent in names.by_name and names.by_name[node.agent].agent not in {SELF, node.agent}:
        yield (*at, "agent"), f"a node with agent: self; {node.agent} has none"


def _links(site: SiteFile, names: _Names) -> Found:
    used: dict[str, int] = {}
    for index, link in site.links.items():
        ends: list[PortItem] = []
        for side, end in (("a", link.a), ("b", link.b)):
            path: Path = ("links", index, side)
            port = names.ports.get(end)
            if port is None:
                if end.partition(":")[0] not in names.nodes - names.by_name.keys():
                    yield path, f"node:port of a port in this file; there is no {end}"
                continue
            if end in used:
                where = "this link" if used[end] == index else f"link {used[end] + 1}"
                yield path, f"an unused port; {end} is in {where}"
            used[end] = index
            if port.management:
                yield path, "a port on a fabric, not on the management network"
            ends.append(port)
        if len({port.fabric for port in ends}) > 1:
            yield ("links", index), f"two ports on one fabric, not {ends[0].fabric} and {ends[1].fabric}"


def _shared_risks(site: SiteFile, names: _Names) -> Found:
    linked = {end for link in site.links.values() for end in (link.a, link.b)}
    known = KnownComponents(
        nodes=names.nodes,
        invalid_nodes=names.nodes - names.by_name.keys(),
        ports=names.ports,
        fabrics=names.fabrics,
        media={port.fabric for end, port in names.ports.items() if port.fabric and end not in linked},
    )
    return shared_risks_check(site.shared_risks, known)


def _circuits(site: SiteFile, names: _Names) -> Found:
    kinds = {fabric.name: fabric.kind for fabric in site.fabrics.values()}
    links = {end: far for link in site.links.values() for end, far in ((link.a, link.b), (link.b, link.a))}
    shapes = _raw_names(site.head.traffic_shapes)
    return circuits_check(site.circuits, shapes, names.ports, kinds, links)


def _extensions(site: SiteFile) -> Found:
    return extension_check(site.nodes, {fabric.name: fabric.kind for fabric in site.fabrics.values()})


def _policies(site: SiteFile, names: _Names) -> Found:
    for index, policy in site.policies.items():
        at: Path = ("failover_policies", index)
        nodes: list[str] = []
        for number, pattern in enumerate(policy.nodes):
            matched = [name for name in names.by_name if fnmatchcase(name, pattern) and name not in nodes]
            nodes += matched
            if not any(fnmatchcase(name, pattern) for name in names.nodes):
                yield (*at, "nodes", number), "a name or pattern that matches a node of this file"
        yield from _gateways(policy, nodes, at, names)
        if policy.target and policy.target.version != policy.prefix.version:
            yield (*at, "target"), f"an IPv{policy.prefix.version} address, like the prefix"
        yield from stripes(policy, at, names.by_name)
        yield from return_paths(policy, at, names.nodes)
        site.intents.append(_intent(policy, nodes))


def _gateways(policy: PolicyItem, nodes: list[str], at: Path, names: _Names) -> Found:
    for number, name in enumerate(policy.gateways):
        path: Path = (*at, "gateways", number)
        if name not in names.nodes:
            yield path, "the name of a node of this file"
        if name in policy.gateways[:number]:
            yield path, f"each gateway once; {name} is already listed"
        if name in nodes:
            yield path, f"a gateway that is not a node of the policy; {name} is one"
        if name not in names.by_name:
            continue
        gateway = names.by_name[name]
        lost = [node for node in nodes if node != name and not _reaches(names.by_name[node], gateway, policy)]
        if lost:
            yield (
                path,
                (
                    f"a gateway with an IPv{policy.prefix.version} address in a network on a fabric that it"
                    f" shares with every node of the policy; {name} has none with {_listed(set(lost))}"
                ),
            )


def _reaches(node: NodeItem, gateway: NodeItem, policy: PolicyItem) -> bool:
    """Whether both are on-link: in one network of the prefix's family, on one fabric."""
    return bool(_networks(node, policy.prefix.version) & _networks(gateway, policy.prefix.version))


def _networks(node: NodeItem, version: int) -> set[tuple[str, Network]]:
    return {
        (port.fabric, interface.network)
        for port in node.ports
        if port.fabric
        for interface in port.addresses
        if interface.version == version
    }


def _intent(policy: PolicyItem, nodes: list[str]) -> PolicyIntent:
    return PolicyIntent(
        name=policy.name,
        prefix=str(policy.prefix),
        nodes=nodes,
        gateways=list(policy.gateways),
        detection=policy.detection,
        target=str(policy.target) if policy.target else None,
        probe_interval_ms=policy.probe_interval_ms,
        note=policy.note,
        stripe=stripe_column(policy),
        return_path=return_column(policy),
        is_deployed=policy.deployed,
    )


def _raw_name(value: object) -> str | None:
    name = value.get("name") if isinstance(value, dict) else None
    return name if isinstance(name, str) else None


def _raw_names(values: list[object]) -> set[str]:
    return {name for name in map(_raw_name, values) if name}


def _listed(names: set[str]) -> str:
    """At most eight names, in order."""
    shown = sorted(names)[:8]
    return ", ".join(shown) + (f" and {len(names) - 8} more" if len(names) > 8 else "") or "(there are none)"
