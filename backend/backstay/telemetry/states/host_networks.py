"""Sessions, resolvers, forwarding settings and policy rules of hosts: the newest report of each node."""

from __future__ import annotations

from collections.abc import Sequence

from backstay.telemetry.facts import Facts
from backstay.telemetry.ingest.clock import Correction
from backstay.telemetry.models import HostNetwork
from backstay.telemetry.states.newest import newer_rows
from backstay_wire import HostNetworkReport

_FIELDS = frozenset({"controllers", "resolvers", "ports", "rules"})


def apply_host_networks(
    reports: Sequence[tuple[int, HostNetworkReport]], correction: Correction, _: Facts
) -> None:
    """Store reports, oldest first, unless newer ones are stored."""
    for row, report in newer_rows(HostNetwork, reports, correction):
        for name, value in report.model_dump(mode="json", include=set(_FIELDS)).items():
            setattr(row, name, value)
        row.save()
