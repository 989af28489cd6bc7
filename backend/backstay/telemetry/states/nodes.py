"""Routing, ARP state and host network of nodes: one row per node, with its newest report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from backstay.telemetry import state_evidence
from backstay.telemetry.facts import ArpSeen, Facts, RoutingSeen
from backstay.telemetry.ingest.clock import Correction, moment
from backstay.telemetry.models import ArpState, HostNetwork, RoutingState
from backstay.telemetry.states import report_digests
from backstay.telemetry.states.saved_ports import judge_nodes
from backstay_wire import ArpReport, HostNetworkReport, RoutingReport

Row = TypeVar("Row", ArpState, HostNetwork, RoutingState)
Reported = TypeVar("Reported", ArpReport, HostNetworkReport, RoutingReport)

_ROUTING_FIELDS = {"revision", "digest", "engine", "alive", "detail", "routes", "files"}
_ARP_FIELDS = {"revision", "digest", "ports", "table", "files"}
_NETWORK_FIELDS = {"controllers", "resolvers", "ports", "rules"}


def apply_routings(
    reports: Sequence[tuple[int, RoutingReport]], correction: Correction, facts: Facts
) -> None:
    """Store running and saved state, oldest first, unless newer state is stored."""
    edited: set[int] = set()
    for row, report in _newer_rows(RoutingState, reports, correction):
        _save_changed(row, report.model_dump(mode="json", include=_ROUTING_FIELDS), edited)
        facts.routings.append(RoutingSeen(row.node_id, row.at))
    judge_nodes(edited)


def apply_arps(reports: Sequence[tuple[int, ArpReport]], correction: Correction, facts: Facts) -> None:
    """Store running and saved state, oldest first, unless newer state is stored."""
    edited: set[int] = set()
    before, after = [], []
    for row, report in _newer_rows(ArpState, reports, correction):
        before += _arp_ports(row)
        _save_changed(row, report.model_dump(mode="json", include=_ARP_FIELDS), edited)
        after += _arp_ports(row)
        facts.arps.append(ArpSeen(row.node_id, row.at))
    judge_nodes(edited)
    if before != after and facts.site_id:
        state_evidence.judge_arp(facts.site_id)


def _arp_ports(row: ArpState) -> list[tuple[int, str, bool]]:
    return [(row.node_id, port["port"], bool(port["arp"])) for port in row.ports]


def apply_host_networks(
    reports: Sequence[tuple[int, HostNetworkReport]], correction: Correction, _: Facts
) -> None:
    """Store reports, oldest first, unless newer ones are stored; few statements for any number of nodes."""
    digests = {
        node: report_digests.digest(report.model_dump_json(include=_NETWORK_FIELDS))
        for node, report in report_digests.single(reports).items()
    }
    times = {node: moment(correction.ours(report.at)) for node, report in reports}
    repeated = report_digests.repeated(report_digests.HOST_NETWORKS, digests, times)
    news = [(node, report) for node, report in reports if node not in repeated]
    if not news:
        return
    changed: dict[int, HostNetwork] = {}
    for row, report in _newer_rows(HostNetwork, news, correction):
        for name, value in report.model_dump(mode="json", include=_NETWORK_FIELDS).items():
            setattr(row, name, value)
        row.digest = digests.get(row.node_id)
        changed[row.node_id] = row
    HostNetwork.objects.bulk_create(
        [changed[node] for node in sorted(changed)],
        update_conflicts=True,
        unique_fields=["node"],
        update_fields=["at", "digest", *sorted(_NETWORK_FIELDS)],
    )


def _newer_rows(
    model: type[Row], reports: Sequence[tuple[int, Reported]], correction: Correction
) -> Iterator[tuple[Row, Reported]]:
    """Locked rows with their newer reports, oldest first. `at` is set; the caller saves."""
    nodes = {node for node, _ in reports}
    rows = model.objects.select_for_update().filter(node_id__in=nodes).order_by("node_id")
    known = {row.node_id: row for row in rows}
    for node, report in reports:
        at = moment(correction.ours(report.at))
        row = known.get(node)
        if row is not None and at <= row.at:
            continue
        row = known[node] = row or model(node_id=node)
        row.at = at
        yield row, report


def _save_changed(row: ArpState | RoutingState, values: Mapping[str, Any], edited: set[int]) -> None:
    """Save all values if one differs, otherwise only the time of the report.

    Adds the node to `edited` if its boot files differ.
    """
    if row.pk is not None and all(getattr(row, name) == value for name, value in values.items()):
        row.save(update_fields=["at"])
        return
    if row.files != values["files"]:
        edited.add(row.node_id)
    row.changed_at = row.at
    for name, value in values.items():
        setattr(row, name, value)
    row.save()
