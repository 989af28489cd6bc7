"""Port tables of the devices that one batch describes: read together, written where they differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from backstay.telemetry import store
from backstay.telemetry.facts import Facts, PortChanged
from backstay.telemetry.layouts import port_ids
from backstay.telemetry.models import PortState
from backstay_wire import DeviceReport
from backstay_wire import PortState as WirePort

_COLUMNS = {
    "if_index": "index",
    "if_type": "if_type",
    "speed": "speed",
    "mtu": "mtu",
    "admin_up": "admin_up",
    "oper_up": "oper_up",
    "mac": "mac",
    "alias": "alias",
    "addresses": "addresses",
}
"""Column -> field of the report."""
_WRITTEN = [*_COLUMNS, "told_with", "since", "at"]
_REPEATED = """
UPDATE telemetry_portstate AS state SET at = told.at
FROM unnest(%s::bigint[], %s::timestamptz[]) AS told (port_id, at)
WHERE state.port_id = told.port_id RETURNING state.port_id
"""


class PortTables:
    """What is known of the ports of some nodes. `take` changes it here, `write` in the database."""

    def __init__(self, reports: Iterable[tuple[int, DeviceReport]]) -> None:
        """The nodes whose reports these are; ports that nobody declared are made. TooManyPortsError."""
        named: dict[int, list[str]] = {}
        for node, report in reports:
            named.setdefault(node, []).extend(port.name for port in report.ports)
        self._ids = port_ids(named)
        self._known: dict[int, dict[int, PortState]] = {node: {} for node in named}
        node_of = {port: node for node, ports in self._ids.items() for port in ports.values()}
        for state in PortState.objects.filter(port__node_id__in=named):
            self._known[node_of[state.port_id]][state.port_id] = state
        self._changed: dict[int, PortState] = {}
        self._repeated: dict[int, PortState] = {}

    def take(self, node: int, ports: Sequence[WirePort], at: datetime, facts: Facts) -> None:
        """Take over the ports that one collector tells of.

        A device may have several: its kernel and its InfiniBand adapters. Of what is not in this report only
        those are gone that were told together with what is; a report of no port at all means all of them.
        """
        known, ids = self._known[node], self._ids[node]
        told = {ids[port.name]: port for port in ports}
        together = {known[port].told_with for port in told if port in known}
        gone = [
            state
            for port, state in known.items()
            if port not in told and (not told or state.told_with in together)
        ]
        told_with = min(told, default=0)
        for ident, port in told.items():
            state = known.get(ident)
            if state is None:
                state = known[ident] = PortState(port_id=ident, since=at)
            elif state.oper_up != port.oper_up:
                facts.ports.append(PortChanged(node, ident, port.name, port.oper_up, at))
                state.since = at
            state.at = at
            self._take_one(state, port, told_with)
        self._vanish(node, gone, (at, told_with), facts)

    def _take_one(self, state: PortState, port: WirePort, told_with: int) -> None:
        if state.told_with != told_with or _differs(state, port):
            state.told_with = told_with
            for column, name in _COLUMNS.items():
                setattr(state, column, getattr(port, name))
            self._changed[state.port_id] = state
        else:
            self._repeated[state.port_id] = state

    def _vanish(self, node: int, gone: Iterable[PortState], head: tuple[datetime, int], facts: Facts) -> None:
        """A port that the device no longer has is down: pulled out, renamed, or its driver is gone."""
        at, told_with = head
        fallen = {state.port_id: state for state in gone if state.oper_up}
        names = _names(self._ids[node], fallen)
        for ident, state in fallen.items():
            facts.ports.append(PortChanged(node, ident, names[ident], False, at))
            state.oper_up = state.admin_up = False
            state.since = state.at = at
            state.told_with = told_with
            self._changed[ident] = state

    def write(self) -> None:
        """Store what differs, and of the rest when it was told again."""
        changed = [self._changed[port] for port in sorted(self._changed)]
        if changed:
            PortState.objects.bulk_create(
                changed, update_conflicts=True, unique_fields=["port"], update_fields=_WRITTEN
            )
        repeated = sorted(self._repeated.keys() - self._changed.keys())
        if repeated:
            store.query(_REPEATED, [repeated, [self._repeated[port].at for port in repeated]])


def _differs(state: PortState, port: WirePort) -> bool:
    return any(getattr(state, column) != getattr(port, name) for column, name in _COLUMNS.items())


def _names(ids: Mapping[str, int], wanted: Mapping[int, object]) -> dict[int, str]:
    return {port: name for name, port in ids.items() if port in wanted} if wanted else {}
