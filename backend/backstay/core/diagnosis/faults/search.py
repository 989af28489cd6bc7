"""`find_faults`: from observations to the smallest set of root causes that explains them.

Order: carriers, then probes, then end-to-end results, then reports. A later step only considers what the
earlier ones do not explain. The result depends on the observations alone, and each step is linear in ports
and paths.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from backstay.core.diagnosis.faults import carrier, forwarding, impact, probing, reporting
from backstay.core.diagnosis.faults.fault import Fault, FaultKind
from backstay.core.diagnosis.faults.observations import Observations

_RANK = {kind: place for place, kind in enumerate(FaultKind)}


def find_faults(seen: Observations) -> tuple[Fault, ...]:
    """All faults, the most general kind first, then by object."""
    lost = carrier.lost_links(seen)
    probed = probing.attachments(seen, lost, seen.probed) if seen.last_down_ports else _probed(seen, lost)
    lost = carrier.still_lost(seen, probed) | lost
    isolated = carrier.isolated_gateways(seen, lost, probed)
    fabrics = carrier.dark_fabrics(seen, lost, isolated)
    isolated = {node: fault for node, fault in isolated.items() if not _is_of_fabrics(fault, lost, fabrics)}
    explained = {item.link.id for item in lost.values() if item.link.fabric_id in fabrics}
    explained |= {link for fault in isolated.values() for link in fault.links}
    links = carrier.links_down(seen, lost, explained)
    known = [*isolated.values(), *fabrics.values(), *links]
    known += _without_carrier(seen, known, probed, frozenset(lost))
    known += reporting.silent_nodes(seen, {node for fault in known for node in fault.nodes})
    standbys = impact.dead_standbys(seen, known)
    found = [*impact.with_paths(seen, known), *standbys] if known else standbys
    return tuple(sorted(found, key=_order))


def _probed(
    seen: Observations, lost: Mapping[int, carrier.LostLink]
) -> dict[int, list[probing.GatewayAttachment]]:
    """The attachments of gateways at lost links, or to which a probe failed; of all if one of them fails.

    Nothing else is read of the others: they answer every probe.
    """
    failed = {node for path in seen.unhealthy for node, one in path.probes.items() if one.is_alive is False}
    wanted = failed | (carrier.ends_of(seen, lost) & seen.probed)
    probed = probing.attachments(seen, lost, wanted) if wanted else {}
    is_failing = any(item.failing for items in probed.values() for item in items)
    return probing.attachments(seen, lost, seen.probed) if is_failing else probed


def _is_of_fabrics(fault: Fault, lost: Mapping[int, carrier.LostLink], fabrics: Collection[int]) -> bool:
    """Whether a gateway lost only links of fabrics that are down."""
    return all(lost[link].link.fabric_id in fabrics for link in fault.links if link in lost)


def _without_carrier(
    seen: Observations,
    known: list[Fault],
    probed: Mapping[int, list[probing.GatewayAttachment]],
    lost: frozenset[int],
) -> list[Fault]:
    """Fabrics and gateways that carry nothing although their links are up."""
    nodes = frozenset(fault.node_id for fault in known if fault.node_id is not None)
    fabrics = frozenset(fault.fabric_id for fault in known if fault.fabric_id is not None)
    silent = probing.silent_fabrics(seen, probed, probing.Broken(lost, nodes, fabrics))
    broken = probing.Broken(lost, nodes, fabrics | silent.keys())
    found = [*silent.values(), *probing.unreachable_gateways(seen, probed, broken)]
    blamed = nodes | {fault.node_id for fault in found}
    suspects = [gateway for gateway in seen.gateways if gateway not in blamed]
    breaks = impact.BreakIndex([*known, *found]).breaks
    return found + forwarding.gateways_not_forwarding(seen, suspects, breaks)


def _order(fault: Fault) -> tuple[int, int, int, int]:
    return (
        _RANK[fault.kind],
        fault.node_id or 0,
        fault.link_id or 0,
        fault.fabric_id or 0,
    )
