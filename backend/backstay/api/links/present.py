"""Links, their loads and evidence, for clients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from backstay.api.http.urls import fabric_url, link_url, node_url
from backstay.api.links.schemas import (
    CapacityStepOut,
    Conflict,
    DirectionBaseline,
    Evidence,
    HistoryGapOut,
    LinkBaseline,
    LinkEnd,
    LinkHistory,
    LinkKind,
    LinkOut,
)
from backstay.api.links.schemas import Load as LoadShape
from backstay.core.model.history import Capacity, PortHistory, rounded
from backstay.core.model.load import Load
from backstay.core.model.state import NOT_MEASURED, LinkState, OpenIncidents, PortView, link_state, seconds
from backstay.core.model.topology import Link
from backstay.core.rollups.baselines import Baseline

if TYPE_CHECKING:
    from backstay.alerts.selectors.site_snapshot import SiteSnapshot


def load_out(load: Load | None) -> LoadShape | None:
    """One direction's load."""
    if load is None:
        return None
    return LoadShape(
        bps=load.bps,
        utilisation=load.utilisation,
        peak_bps=load.peak_bps,
        at=load.at,
        fresh=load.fresh,
    )


WELL = [PortView(name="", oper_up=True, admin_up=True, since=None, fresh=True)]
"""Fast path for the ports of nearly every link; the texts contain no port name."""


def kind_of(link: Link) -> LinkKind:
    """A shared medium, a circuit, or a plain link."""
    if link.b is None:
        return "medium"
    return "circuit" if link.circuit else "link"


def link_status(snapshot: SiteSnapshot, link: Link, troubles: Mapping[int, OpenIncidents]) -> LinkState:
    """The link's state and carrier: the same on the map, in lists and on its page."""
    trouble = troubles.get(link.id, OpenIncidents())
    ports = WELL if snapshot.is_well(link) else snapshot.link_ports(link)
    unreachable = snapshot.unreachable_ends(link)
    return link_state(ports, snapshot.loads[link.id], trouble, snapshot.now, unreachable=unreachable)


def past_link_status(snapshot: SiteSnapshot, link: Link, troubles: Mapping[int, OpenIncidents]) -> LinkState:
    """The same at a past moment."""
    status = link_status(snapshot, link, troubles)
    return status if status.carrier != "unknown" else replace(status, text=NOT_MEASURED)


@dataclass(frozen=True, slots=True)
class Proof:
    """Rows of evidence by link, and when each source last reported."""

    rows: Mapping[int, tuple[bool, list[Any], list[Any]]]
    """Link id -> (declared, evidence, conflicts)."""
    last_reported: Mapping[tuple[str, int], datetime]
    imported_at: datetime

    def declared(self, link: int) -> bool:
        """Whether the site file has it."""
        return self.rows[link][0] if link in self.rows else True

    def evidence(self, link: int) -> list[Evidence]:
        """Sources that report the link."""
        return [Evidence(**row, at=self._at(row)) for row in self._evidence(link, 1)]

    def conflicts(self, link: int) -> list[Conflict]:
        """Sources that report another link."""
        return [self._conflict(row) for row in self._evidence(link, 2)]

    def _conflict(self, row: Mapping[str, Any]) -> Conflict:
        known = {name: value for name, value in row.items() if name != "says"}
        return Conflict(**known, reported_link=row["says"], at=self._at(row))

    def _evidence(self, link: int, column: Literal[1, 2]) -> list[Any]:
        return self.rows[link][column] if link in self.rows else []

    def _at(self, row: Mapping[str, Any]) -> Any:
        if row["node_id"] is None:
            return self.imported_at
        return self.last_reported.get((row["source"], row["node_id"]), row["since"])


def link_out(
    snapshot: SiteSnapshot, link: Link, troubles: Mapping[int, OpenIncidents], proof: Proof | None
) -> LinkOut:
    """A link in a list or on its page; `proof` None: at a past moment, of which no evidence is kept."""
    status = (link_status if proof else past_link_status)(snapshot, link, troubles)
    fabric = snapshot.topology.fabrics[link.fabric_id]
    forward, back = snapshot.loads[link.id]
    received = [load.at for load in (forward, back) if load is not None]
    return LinkOut(
        id=link.id,
        name=snapshot.link_name(link),
        kind=kind_of(link),
        circuit=link.circuit,
        fabric=fabric.name,
        media_rate=fabric.media_rate,
        usable_rate=fabric.usable_rate,
        mtu=fabric.mtu,
        source=_end(snapshot, link.a),
        target=_far_end(snapshot, link),
        state=status.state,
        state_text=status.text,
        carrier=status.carrier,
        since=link_since(snapshot, link),
        age_s=None if proof is None else seconds(snapshot.now, max(received, default=None)),
        carries=snapshot.carries.get(link.id, "none"),
        forward=load_out(forward),
        back=load_out(back),
        declared=None if proof is None else proof.declared(link.id),
        evidence=[] if proof is None else proof.evidence(link.id),
        conflicts=[] if proof is None else proof.conflicts(link.id),
        incidents=troubles.get(link.id, OpenIncidents()).total,
        url=link_url(link.id),
    )


def _end(snapshot: SiteSnapshot, port_id: int) -> LinkEnd:
    port = snapshot.topology.ports[port_id]
    node = snapshot.topology.nodes[port.node_id]
    return LinkEnd(node=node.name, node_id=node.id, port=port.name, port_id=port.id, url=node_url(node.id))


def _far_end(snapshot: SiteSnapshot, link: Link) -> LinkEnd:
    if link.b is not None:
        return _end(snapshot, link.b)
    fabric = snapshot.topology.fabrics[link.fabric_id]
    return LinkEnd(node=fabric.name, node_id=None, port=None, port_id=None, url=fabric_url(fabric.id))


def link_since(snapshot: SiteSnapshot, link: Link) -> datetime | None:
    """Start of the current state: a link is up since its later end is."""
    ends = [end for end in snapshot.link_ports(link) if end.since is not None]
    down = [end.since for end in ends if end.oper_up is False and end.since is not None]
    return min(down) if down else max((end.since for end in ends if end.since is not None), default=None)


def history_out(
    history: PortHistory,
    capacity: Capacity,
    measured_at: str,
    baselines: tuple[Baseline, Baseline] | None,
    *,
    at_source: bool,
) -> LinkHistory:
    """A link's history from one end's counters, `baselines` in and out; forward is what the source sends."""
    bins = history.bins
    forward, back = (bins.outward, bins.inward) if at_source else (bins.inward, bins.outward)
    return LinkHistory(
        usable_rate=capacity.now,
        capacity=[CapacityStepOut(start=step.start, usable_rate=step.usable_rate) for step in capacity.steps],
        step_s=bins.step_s,
        at=bins.at,
        forward_mean=forward.mean,
        forward_max=forward.max,
        back_mean=back.mean,
        back_max=back.max,
        forward_p95=forward.p95,
        back_p95=back.p95,
        measured_at=measured_at,
        resets=bins.resets,
        level=history.level,
        coverage=bins.coverage,
        p95_exact=history.is_p95_exact,
        gaps=[HistoryGapOut(start=gap.start, end=gap.end, text=gap.text) for gap in history.gaps],
        baseline=None if baselines is None else _baseline_out(*baselines, at_source=at_source),
    )


def _baseline_out(inward: Baseline, outward: Baseline, *, at_source: bool) -> LinkBaseline:
    forward, back = (outward, inward) if at_source else (inward, outward)
    return LinkBaseline(forward=_direction_out(forward), back=_direction_out(back))


def _direction_out(found: Baseline) -> DirectionBaseline:
    return DirectionBaseline(
        median=rounded(found.median),
        low=rounded(found.low),
        high=rounded(found.high),
        weeks=found.weeks.tolist(),
    )
