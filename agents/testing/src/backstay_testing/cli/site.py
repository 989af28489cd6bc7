"""The fake backend's answers: overview, incidents and events here, the rest from its modules."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from backstay.api.events.schemas import EventGroupOut, EventGroupPageOut, EventOut
from backstay.api.incidents.schemas import IncidentDetail, IncidentEvidence, IncidentSummary
from backstay.api.maintenance_windows.schemas import (
    CalendarFeedOut,
    CalendarFileOut,
    MaintenanceWindowDetail,
    NewCalendarFeedOut,
)
from backstay.api.overview.schemas import Overview, OverviewItem, OverviewTile
from backstay.api.session.schemas import Person
from backstay.api.sites.schemas import SiteListed, SiteOut
from backstay.api.wallboards.schemas import NewWallboardOut
from backstay_testing.cli.blocking import hold_time_model
from backstay_testing.cli.capacity import (
    fallbacks,
    forecast_chart,
    forecasts,
    single_failures,
    track_record,
    what_if,
)
from backstay_testing.cli.fake_server import AT
from backstay_testing.cli.network import (
    TIMEOUT,
    arp_fabric,
    arp_rule,
    by_hand,
    clock,
    collector,
    device_metric,
    duplicate,
    extension_check,
    extension_node,
    history_export,
    holdings,
    link,
    neighbour_table,
    node,
    nodes,
    recording,
    saved,
)
from backstay_testing.cli.notifications import notifications
from backstay_testing.cli.rollout import change, drill, hold, move, path, policy, policy_outages
from backstay_testing.cli.rules import rule_answers
from backstay_testing.cli.throughput import throughput


def furnished() -> dict[tuple[str, str], Any]:
    """A site with a policy, two paths, a change, a drift and a drill."""
    site = SiteListed(
        id=1,
        name="argonne",
        title="Argonne",
        interval_s=1,
        rate_scale=0.1,
        imported_at=AT,
        last_reported_at=AT,
        confirming=0,
    )
    return {
        ("GET", "/session"): Person(username="ada", name="Ada", role="operator", csrf_token=""),
        ("GET", "/sites"): [site],
        ("GET", "/overview"): overview(),
        ("GET", "/paths"): [path(1, "sp01"), path(2, "sp02", active="atmgw"), path(3, "sp03")],
        ("GET", "/paths/1"): path(1, "sp01", move=move("moved")),
        ("POST", "/paths/1/move"): created(move("waiting")),
        ("DELETE", "/paths/1/move"): move("returned"),
        ("GET", "/failover-policies"): [policy()],
        ("GET", "/failover-policies/3/outages"): policy_outages(),
        ("GET", "/arp-policies/fabrics"): [
            arp_fabric("on"),
            {**arp_fabric("mixed"), "fabric": "hippi"},
        ],
        ("GET", "/arp-policies/rule"): arp_rule(),
        **rule_answers(),
        ("GET", "/exports"): [history_export(), history_export(id=6), history_export(id=7)],
        ("POST", "/exports"): created(history_export(state="queued", text="Waiting for a worker.")),
        ("GET", "/exports/5"): history_export(),
        ("GET", "/exports/5/download"): (200, b"a,b\r\n1,2\r"),
        ("DELETE", "/exports/5"): (204, b""),
        ("POST", "/nodes/5/recordings"): created(recording(state="asked", download=None)),
        ("GET", "/nodes/5/recordings"): [recording()],
        ("GET", "/recordings/3"): recording(),
        ("GET", "/changes"): [],
        ("POST", "/changes"): created(change("planned")),
        ("GET", "/changes/42"): change("planned"),
        **{
            ("POST", f"/changes/42/{verb}"): change("planned")
            for verb in ("plan", "approve", "apply", "confirm", "roll-back", "discard", "undo")
        },
        ("DELETE", "/failover-policies/3"): change("planned"),
        ("GET", "/drift"): [],
        ("GET", "/circuits"): [],
        **notifications(),
        ("GET", "/circuits/history"): [],
        ("POST", "/circuits/plan"): {
            "members": 3,
            "pairs": 3,
            "capacity": 39936,
            "limits": "",
            "sizes": [],
            "advised": "full",
            "advice": "",
            "planned": 0,
            "circuits": [],
            "device": None,
            "text": "",
        },
        ("GET", "/drills"): [drill("passed")],
        ("POST", "/drills"): created(drill("running")),
        ("GET", "/drills/7"): drill("passed"),
        ("DELETE", "/drills/7"): drill("cancelled"),
        ("GET", "/neighbours/tables"): [neighbour_table()],
        ("GET", "/neighbours/duplicates"): [duplicate()],
        ("GET", "/neighbours/history"): holdings(),
        ("GET", "/models/hippi"): hold_time_model(),
        ("GET", "/capacity/n-1"): single_failures(),
        ("GET", "/capacity/what-if"): what_if(),
        ("GET", "/capacity/track-record"): track_record(),
        ("GET", "/capacity/forecast"): forecasts(),
        ("GET", "/capacity/forecast/1"): forecast_chart(0),
        ("GET", "/capacity/forecast/2"): forecast_chart(1),
        ("GET", "/clocks"): [clock(), clock(node="sp01", source="agent", offset_s=0.004, wrong=False)],
        ("GET", "/nodes/5/metrics"): [device_metric(), device_metric("syslog", value=0, state="ok")],
        ("GET", "/nodes/5/collectors"): [collector(), collector("snmp-metrics", **TIMEOUT)],
        ("GET", "/incidents"): [incident()],
        ("GET", "/incidents/7"): incident(),
        **incident_actions(),
        ("GET", "/saved-state"): [saved("sp01", differs=True), saved("sp02"), by_hand("grf1")],
        ("GET", "/extension-nodes"): [extension_node()],
        ("POST", "/extension-nodes/check"): extension_check(),
        ("GET", "/events"): [event(2), event(1)],
        ("GET", "/events/groups"): EventGroupPageOut(
            items=[event_group()], next=None, total=3, grouped_since=None
        ),
        **throughput(),
        ("GET", "/nodes"): nodes,
        ("GET", "/links"): [link("grf1:ga030-origin1:at0"), link("grf1:ga031-router:at0", carrier="down")],
        ("POST", "/nodes/5/manage-again"): node("sp01", cleared_by="ada"),
        ("GET", "/holds"): [hold("held")],
        ("POST", "/nodes/5/hold"): created(hold("waiting")),
        ("DELETE", "/nodes/5/hold"): hold("ending"),
    }


def incident_actions() -> dict[tuple[str, str], Any]:
    """What people do with incidents, and maintenance windows."""
    window = maintenance_window()
    feed = {"id": 4, "name": "on-call", "site": "argonne", "author": "ada", "created_at": AT}
    event = {"uid": "a", "name": "Backup", "zone": "UTC", "rule": "", "upcoming": []}
    file = {"events": [event], "problems": [], "created": 1, "changed": 0}
    summary = {"count": 3, "digest": "d" * 32, "snoozed": 1, "in_maintenance": 0, "suppressed": 0}
    return {
        ("GET", "/incidents/summary"): IncidentSummary.model_validate(summary),
        ("POST", "/incidents/bulk"): {"changed": 3, "unchanged": 0},
        ("POST", "/incidents/7/acknowledge"): incident(phase="acknowledged"),
        ("POST", "/incidents/7/snooze"): incident(snoozed_until=AT + timedelta(hours=2)),
        ("POST", "/incidents/7/assign"): incident(owner="ada"),
        ("POST", "/incidents/7/comments"): incident(),
        ("GET", "/maintenance-windows"): [window],
        ("GET", "/maintenance-windows/3"): window,
        ("POST", "/maintenance-windows"): created(window),
        ("POST", "/maintenance-windows/3/end"): window,
        ("DELETE", "/maintenance-windows/3"): (204, None),
        ("POST", "/maintenance-windows/import"): CalendarFileOut.model_validate(file),
        ("GET", "/calendar-feeds"): [CalendarFeedOut.model_validate(feed)],
        ("POST", "/calendar-feeds"): created(
            NewCalendarFeedOut.model_validate(feed | {"path": "/api/v1/calendars/secret.ics"})
        ),
        ("DELETE", "/calendar-feeds/4"): (204, None),
        **wallboard_actions(),
    }


def wallboard(**more: Any) -> NewWallboardOut:
    """A wallboard whose link has just been made."""
    values = {
        "id": 6,
        "name": "hall",
        "site": "argonne",
        "pages": ["overview", "map"],
        "seconds": 20,
        "theme": "dark",
        "text_size": "normal",
        "state": "active",
        "expires_at": None,
        "created_by": "ada",
        "created_at": AT,
        "changed_at": AT,
        "used_at": None,
        "revoked_at": None,
        "path": "/wall#bsw_secret",
    }
    return NewWallboardOut.model_validate(values | more)


def wallboard_actions() -> dict[tuple[str, str], Any]:
    """Wallboard 6 and what people do with it."""
    return {
        ("GET", "/wallboards"): [wallboard()],
        ("GET", "/wallboards/6"): wallboard(),
        ("POST", "/wallboards"): created(wallboard()),
        ("PUT", "/wallboards/6"): wallboard(),
        ("POST", "/wallboards/6/renew"): wallboard(),
        ("POST", "/wallboards/6/revoke"): wallboard(state="revoked", revoked_at=AT),
    }


def maintenance_window(**more: Any) -> MaintenanceWindowDetail:
    """A window about grf1 that takes place now."""
    fields: dict[str, Any] = {
        "id": 3, "name": "new cables", "site": "argonne", "state": "active", "since": AT, "age_s": 60.0,
        "reason": "", "starts_at": AT, "duration_s": 3600, "zone": "Europe/Zurich",
        "rule": "FREQ=WEEKLY;BYDAY=SU", "excluded": [], "added": [],
        "begins_at": AT, "ends_at": AT + timedelta(hours=1),
        "mutes_notifications": True, "pauses_rules": False, "pauses_tests": True,
        "targets": [{"kind": "node", "id": 5, "name": "grf1", "url": "/devices/5"}], "author": "ada",
        "created_at": AT, "changed_at": AT, "url": "/maintenance/3",
        "upcoming": [{"begins_at": AT, "ends_at": AT + timedelta(hours=1)}], "everything": False,
        "nodes": 1, "links": 4, "paths": 10,
    }  # fmt: skip
    return MaintenanceWindowDetail(**(fields | more))


def created(answer: Any) -> tuple[int, Any]:
    """A response with the status of a created object."""
    return 201, answer.model_dump(mode="json")


def overview(broken: int = 0, confirm_by: datetime | None = None) -> Overview:
    item = OverviewItem(
        title="Change #42: SP", detail="waits", state="warning", since=AT, confirm_by=confirm_by, url="/",
        refusal="You authored this change; another approver is required.",
    )  # fmt: skip
    failover = OverviewItem(
        title="grf1 failed over", detail="7 paths rerouted to atmgw, restored", state="ok", since=AT,
        until=AT + timedelta(seconds=52), url="/incidents/5",
    )  # fmt: skip
    return Overview(
        site=SiteOut(id=1, name="argonne", title="Argonne", interval_s=1, rate_scale=0.1, imported_at=AT),
        nodes_total=14,
        at=AT + timedelta(seconds=10),
        headline="Eight paths, all on grf1.",
        tiles=[
            OverviewTile(
                kind="problems",
                total=broken,
                items=[item] * broken,
                url="/",
                as_of=AT,
                lag="The alert rules were last evaluated 12 s ago." if broken else "",
            ),
            OverviewTile(kind="awaiting_confirmation", total=1, items=[item], url="/", as_of=AT, lag=""),
            OverviewTile(kind="recent_changes", total=1, items=[failover], url="/events", as_of=AT, lag=""),
        ],
        top_links=[],
        policies=[],
        paths_total=8,
        paths_on_fallback=1,
        paths_dead=0,
        paths_unknown=0,
        open_incidents=broken,
        root_causes=broken,
        awaiting=1,
        failed_deliveries=0,
        evaluation_late_s=None,
        held_nodes=0,
        fallbacks=fallbacks(),
    )


def incident(**more: Any) -> IncidentDetail:
    """A gateway that is unreachable although it reports."""
    fields: dict[str, Any] = {
        "id": 7, "name": "grf1", "kind": "gateway_unreachable", "state": "critical", "phase": "open",
        "title": "grf1 is unreachable: 3 paths dead, 7 rerouted to atmgw", "detail": "Check its console.",
        "direction": None, "since": AT, "last_seen": AT, "resolved_at": None, "age_s": 40.0,
        "acknowledged_by": None, "acknowledged_at": None, "comment": "", "node_id": 5, "link_id": None,
        "path_ids": [1, 2], "cause_id": None, "effects": 6, "dead_paths": [1], "rerouted_paths": [2],
        "standby_paths": [], "runbook": "docs/runbooks/gateway-unreachable.md", "value": None,
        "threshold": None, "url": "/incidents/7", "objects": [], "owner": None, "snoozed_until": None,
        "snoozed_by": None, "muted": None, "occurrences": 1, "flapping_since": None, "quiet_since": None,
        "resolves_at": None, "comments": [],
        "charts": {
            "start": AT, "end": None, "metrics": [], "link_ids": [], "paths": [], "clock": None,
            "direction": None, "threshold": None, "more": 0,
        },
    }  # fmt: skip
    evidence = [
        IncidentEvidence(
            source="probe", label="Probe", text="4 of 4 nodes on sp-switch get no answer from grf1",
            at=AT, age_s=3.0, by="sp01, sp02", supports=True,
        ),
        IncidentEvidence(
            source="report", label="Reports", text="grf1 reports", at=AT, age_s=2.0, by="mgmt1",
            supports=False,
        ),
    ]  # fmt: skip
    return IncidentDetail(**{**fields, "evidence": evidence, **more})


def event(ident: int, **more: Any) -> EventOut:
    values = {
        "id": ident, "kind": "path.switched", "name": "sp01", "state": "warning", "age_s": 1, "node": "sp01",
        "since": AT + timedelta(seconds=ident), "message": f"sp01 switched, event {ident}", "node_id": 1,
        "link_id": None, "incident_id": None, "data": {}, "url": "/events",
    }  # fmt: skip
    return EventOut.model_validate(values | more)


def event_group(**more: Any) -> EventGroupOut:
    """A failover that is over."""
    values = {
        "key": "incident:5", "title": "grf1 failed over", "state": "ok", "start": AT,
        "detail": "7 paths rerouted to atmgw, at most 300 ms lost, restored",
        "end": AT + timedelta(seconds=52), "first_at": AT, "last_at": AT + timedelta(seconds=52),
        "events": 14, "kinds": ["path.switched"],
        "paths": 7, "rerouted": 7, "dead": 0, "affected": 0, "outage_ms": 300.0,
        "incident_id": 5, "url": "/incidents/5",
    }  # fmt: skip
    return EventGroupOut.model_validate(values | more)
