"""Faults that carriers show: links, gateways and fabrics that are down.

The ports of a node count while it reports; one that was down in its last report counts until something shows
that it works. A link is down when one of its ends is. Peers notice a lost carrier at once, a poll of the
gateway itself seconds later: until then a gateway whose cables are all down counts as isolated unless a
shared fabric shows that it still answers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from backstay.core.diagnosis.faults.fault import Fault, FaultEvidence, FaultKind
from backstay.core.diagnosis.faults.observations import Observations
from backstay.core.diagnosis.faults.probing import GatewayAttachment
from backstay.core.formatting import count, part_of
from backstay.core.model.topology import FORWARDING, Link

MOST = 0.8
"""Share of a fabric's known ports, or of the probes of a gateway, that counts as all but exceptions."""
MIN_LINKS = 3
"""Links that a fabric must have lost; fewer are faults of the links."""
TOGETHER = timedelta(seconds=10)
"""Links lost within this time were lost by one cause."""
CONFIRMED_AFTER = timedelta(seconds=6)
"""Probes have noticed after this time that a gateway stopped to answer."""


@dataclass(frozen=True, slots=True)
class LostLink:
    """A link that is down; `ports`: its ends without carrier."""

    link: Link
    ports: tuple[int, ...]
    since: datetime


def lost_links(seen: Observations) -> dict[int, LostLink]:
    """Link id -> the links of which a reporting node lost the carrier."""
    return _down(seen, seen.down_ports)


def still_lost(seen: Observations, probed: Mapping[int, list[GatewayAttachment]]) -> dict[int, LostLink]:
    """Link id -> links that were down when their node reported last, and that neither probes nor their other
    end show to work."""
    works = {item.link_id for items in probed.values() for item in items if not item.failing}
    return {
        link: item
        for link, item in _down(seen, seen.last_down_ports).items()
        if link not in works and not any(_is_up(seen, port) for port in _ports(item.link))
    }


def _is_up(seen: Observations, port: int) -> bool:
    known = seen.ports.get(port)
    return known is not None and known.is_up is True and seen.topology.ports[port].node_id in seen.reporting


def _down(seen: Observations, down: frozenset[int]) -> dict[int, LostLink]:
    lost = {}
    for link in seen.topology.links.values() if down else ():
        if link.a in down or link.b in down:
            ports = tuple(port for port in (link.a, link.b) if port in down)
            times = [at for port in ports if (at := seen.ports[port].since)]
            lost[link.id] = LostLink(link, ports, min(times, default=seen.now))
    return lost


def isolated_gateways(
    seen: Observations, lost: Mapping[int, LostLink], probed: Mapping[int, list[GatewayAttachment]]
) -> dict[int, Fault]:
    """Node id -> the fault of a gateway, router or switch without any working link."""
    ends = ends_of(seen, lost)
    forwarding = {node for node in ends if seen.topology.nodes[node].kind in FORWARDING}
    found = {}
    for node in sorted(ends & (forwarding | set(seen.gateways))):
        links = seen.data_links(node)
        down = [lost[link.id] for link in links if link.id in lost]
        left = [link for link in links if link.id not in lost]
        if len(links) > 1 or node in seen.gateways:
            confirmations = _dark(seen, node, down, left, probed.get(node, []))
            if confirmations is not None:
                found[node] = _isolated(seen, node, links, down, confirmations)
    return found


def ends_of(seen: Observations, lost: Mapping[int, LostLink]) -> set[int]:
    """Nodes at which lost links end."""
    return {seen.topology.ports[port].node_id for item in lost.values() for port in _ports(item.link)}


def _ports(link: Link) -> tuple[int, ...]:
    return (link.a,) if link.b is None else (link.a, link.b)


def _dark(
    seen: Observations,
    node: int,
    down: list[LostLink],
    left: list[Link],
    probed: Collection[GatewayAttachment],
) -> list[FaultEvidence] | None:
    """Evidence that the links without a lost carrier are useless too; None if one of them may work."""
    if not left:
        return []
    spread = max(item.since for item in down) - min(item.since for item in down)
    if len(down) < 2 or spread > TOGETHER or any(link.b is not None for link in left):
        return None
    fails = {item.link_id: item for item in probed}
    evidence = []
    for link in left:
        probes = fails.get(link.id)
        if probes is None:
            return None
        if not probes.failing:
            if seen.now - max(item.since for item in down) >= CONFIRMED_AFTER:
                return None
            evidence.append(probes.evidence(seen, supports=False))
        else:
            evidence.append(probes.evidence(seen))
    return evidence


def _isolated(
    seen: Observations, node: int, links: list[Link], down: list[LostLink], more: list[FaultEvidence]
) -> Fault:
    since = max(item.since for item in down)
    evidence = [_carrier(seen, port) for item in down for port in item.ports]
    if seen.is_polled(node) and node in seen.reporting:
        evidence.append(
            FaultEvidence(
                "report",
                f"{seen.name(node)} still reports over its management port",
                seen.reported_at.get(node),
                seen.reporter(node),
            )
        )
    return Fault(
        kind=FaultKind.GATEWAY_ISOLATED,
        subject=seen.name(node),
        since=since,
        node_id=node,
        links=tuple(link.id for link in links),
        nodes=(node,),
        evidence=tuple(evidence + more),
    )


def _carrier(seen: Observations, port: int) -> FaultEvidence:
    known, node = seen.ports[port], seen.topology.ports[port].node_id
    text = "has no carrier" if known.is_enabled else "is administratively down"
    text = text if node in seen.reporting else f"{text}, as reported last"
    source = seen.carrier_source(node)
    return FaultEvidence(source, f"{seen.port_name(port)} {text}", known.since, seen.reporter(node))


def dark_fabrics(
    seen: Observations, lost: Mapping[int, LostLink], isolated: Collection[int]
) -> dict[int, Fault]:
    """Fabric id -> the fault of a fabric on which all or most ports lost the carrier."""
    down: dict[int, list[LostLink]] = {}
    for item in lost.values():
        if not _is_at(seen, item.link, isolated):
            down.setdefault(item.link.fabric_id, []).append(item)
    down = {fabric: items for fabric, items in down.items() if len(items) >= MIN_LINKS}
    known = dict.fromkeys(down, 0)
    for link in seen.topology.links.values() if down else ():
        if link.fabric_id in known and not _is_at(seen, link, isolated):
            known[link.fabric_id] += link.id in lost or _is_known(seen, link)
    return {
        fabric: _dark_fabric(seen, fabric, items, known[fabric])
        for fabric, items in sorted(down.items())
        if len(items) >= MOST * known[fabric]
    }


def _is_at(seen: Observations, link: Link, nodes: Collection[int]) -> bool:
    """Whether the link ends at one of these nodes."""
    return bool(nodes) and any(seen.topology.ports[port].node_id in nodes for port in _ports(link))


def _is_known(seen: Observations, link: Link) -> bool:
    return any(
        seen.topology.ports[port].node_id in seen.reporting and port in seen.ports for port in _ports(link)
    )


def _dark_fabric(seen: Observations, fabric: int, items: list[LostLink], known: int) -> Fault:
    ports = sorted({port for item in items for port in item.ports})
    times = sorted(item.since for item in items)
    first = [_carrier(seen, port) for port in ports[:8]]
    text = f"{part_of(len(items), known, 'link')} that report have no carrier"
    summary = FaultEvidence(
        "carrier", text, times[-1], seen.names(seen.topology.ports[port].node_id for port in ports)
    )
    working = known - len(items)
    if working:
        against = f"{count(working, 'link')} of {seen.topology.fabrics[fabric].name} still has carrier"
        first.append(FaultEvidence("carrier", against, seen.now, "", supports=False))
    return Fault(
        kind=FaultKind.FABRIC_DOWN,
        subject=seen.topology.fabrics[fabric].name,
        since=times[len(times) // 2],
        fabric_id=fabric,
        links=tuple(sorted(item.link.id for item in items)),
        evidence=(summary, *first),
    )


def links_down(seen: Observations, lost: Mapping[int, LostLink], explained: Collection[int]) -> list[Fault]:
    """One fault per link that no wider fault explains."""
    return [
        Fault(
            kind=FaultKind.LINK_DOWN,
            subject=seen.link_name(item.link),
            since=item.since,
            link_id=item.link.id,
            links=(item.link.id,),
            evidence=link_evidence(seen, item),
        )
        for _, item in sorted(lost.items())
        if item.link.id not in explained
    ]


def link_evidence(seen: Observations, item: LostLink) -> tuple[FaultEvidence, ...]:
    """What both ends of a lost link report."""
    evidence = []
    for port in _ports(item.link):
        known, node = seen.ports.get(port), seen.topology.ports[port].node_id
        if port in item.ports:
            evidence.append(_carrier(seen, port))
        elif known is not None and known.is_up and node in seen.reporting:
            source = seen.carrier_source(node)
            text = f"{seen.port_name(port)} has carrier"
            evidence.append(FaultEvidence(source, text, known.since, seen.reporter(node), supports=False))
    return tuple(evidence)
