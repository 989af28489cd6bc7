"""Sessions, resolvers, forwarding settings and policy rules of hosts: the newest report of each node."""

from __future__ import annotations

from collections.abc import Sequence

from backstay.telemetry.facts import Facts
from backstay.telemetry.ingest.clock import Correction, moment
from backstay.telemetry.models import HostNetwork
from backstay_wire import HostNetworkReport

_FIELDS = frozenset({"controllers", "resolvers", "ports", "rules"})


def apply_host_networks(
    reports: Sequence[tuple[int, HostNetworkReport]], correction: Correction, _: Facts
) -> None:
    """Take over reports, the oldest first, unless something newer is known."""
    nodes = {node for node, _ in reports}
    rows = HostNetwork.objects.select_for_update().filter(node_id__in=nodes).order_by("node_id")
    known = {row.node_id: row for row in rows}
    for node, report in reports:
        at = moment(correction.ours(report.at))
        row = known.get(node)
        if row is not None and at <= row.at:
            continue
        row = known[node] = row or HostNetwork(node_id=node)
        row.at = at
        for name, value in report.model_dump(mode="json", include=set(_FIELDS)).items():
            setattr(row, name, value)
        row.save()
