"""Traffic that no path delivers under a failure."""

from __future__ import annotations

from collections.abc import Iterator

from backstay.core.planning.whatif.failure_effect import FailureEffect
from backstay.core.planning.whatif.fallback_verdict import StoppedTraffic
from backstay.core.planning.whatif.traffic_flows import TrafficFlows
from backstay.core.planning.whatif.traffic_matrix import TrafficMatrix


def undelivered_bps(traffic: TrafficFlows, matrix: TrafficMatrix, effect: FailureEffect) -> int:
    """Bit/s in both directions, of whichever nodes."""
    lost = {at for at in traffic.failures.undelivered if at not in effect.choices}
    lost.update(at for at, choice in effect.choices.items() if not choice.beyond.delivered)
    bps = sum(matrix.totals[at] for at in lost)
    for at, place, choice in effect.members:
        burden = matrix.burdens[at]
        if not choice.beyond.delivered and at not in lost and not burden.answers:
            bps += burden.out[place] + burden.back[place]
    return round(bps)


def stopped_traffic(
    traffic: TrafficFlows, matrix: TrafficMatrix, effect: FailureEffect
) -> Iterator[StoppedTraffic]:
    """Of nodes that are not cut off themselves, with destinations that are."""
    found: dict[tuple[int, ...], float] = {}
    for at, choice in effect.choices.items():
        if choice.beyond.delivered or not traffic.failures.intact[at].beyond.delivered:
            continue
        hosts = traffic.hosts_of(at)
        found[hosts] = found.get(hosts, 0.0) + _lost(traffic, matrix, effect, at)
    for hosts, bps in found.items():
        if round(bps):
            yield StoppedTraffic(hosts, round(bps))


def _lost(traffic: TrafficFlows, matrix: TrafficMatrix, effect: FailureEffect, at: int) -> float:
    burden, members = matrix.burdens[at], traffic.failures.flows[at].members
    if burden.answers:
        return sum(bps for node, bps in burden.answers.items() if node not in effect.cut_off)
    both = zip(members, burden.out, burden.back, strict=True)
    return sum(out + back for member, out, back in both if member.node not in effect.cut_off)
