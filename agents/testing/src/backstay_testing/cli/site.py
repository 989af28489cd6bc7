"""The data of the fake backend; every response is built with the API's schemas."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from backstay.api.changes.schemas import ChangeDetail, ChangeNodeOut, CheckOut, PlanOut
from backstay.api.clocks.schemas import ClockIncident, ClockOut, ClockStep
from backstay.api.drift.schemas import DriftOut
from backstay.api.drills.schemas import DrillOut
from backstay.api.events.schemas import EventGroupOut, EventGroupPageOut, EventOut
from backstay.api.extension_nodes.schemas import (
    ExtensionAttribute,
    ExtensionCheckOut,
    ExtensionOut,
    ExtensionProposal,
    ExtensionStep,
    ExtensionValue,
)
from backstay.api.holds.schemas import HoldOut
from backstay.api.incidents.schemas import IncidentDetail, IncidentEvidence
from backstay.api.links.schemas import LinkOut
from backstay.api.neighbours.schemas import (
    DuplicateMac,
    DuplicateOut,
    HoldingOut,
    NeighbourHistory,
    NeighbourTable,
    TableIncident,
)
from backstay.api.nodes.schemas import NodeOut
from backstay.api.overview.schemas import Overview, OverviewItem, OverviewTile
from backstay.api.paths.schemas import MoveOut, PathOut
from backstay.api.policies.schemas import PolicyOut, PolicyOutagesOut
from backstay.api.saved_state.schemas import SavedItem, SavedNode
from backstay.api.session.schemas import Person
from backstay.api.sites.schemas import SiteListed, SiteOut
from backstay_testing.cli.fake_server import Asked
from backstay_testing.cli.throughput import throughput

DEFINE = ExtensionStep(
    command="endefnode",
    text="Define the extension node in the SDR.",
    values=[ExtensionValue(name="node_number", value="16")],
)


def extension_node(**more: Any) -> ExtensionOut:
    """An extension node whose router has a wrong switch node number."""
    text = "Switch node number is 3 on the router and shall be 15: packets go to another port."
    wrong = ExtensionAttribute(
        key="switch_number", title="Switch node number", sdr="DependentNode.switch_node_number",
        object="ibmSPDepSwNodeNumber", intended="15", reported="3", verdict="differs", text=text, severe=True,
    )  # fmt: skip
    values = {
        "id": 4, "name": "grf1", "port": "gt000", "fabric": "sp-switch", "state": "critical",
        "state_text": "Switch node number is 3", "place": "frame 1 slot 16", "node_number": 16,
        "switch_node_number": 15, "address": "10.1.0.16/24", "arp": True, "arp_source": "9 nodes run it so",
        "reported_at": None, "age_s": None, "attributes": [wrong], "checks": [], "steps": [DEFINE],
        "undo": [], "incident_id": None, "url": "/extension-nodes/4",
    }  # fmt: skip
    return ExtensionOut.model_validate(values | more)


def extension_check(**more: Any) -> ExtensionCheckOut:
    """The check of a gateway that can be attached."""
    given = ExtensionProposal(
        frame=1, slot=16, node_number=16, switch_node_number=15, address="10.1.0.16/24", host_offset=1,
        max_link_packet=65520, reasons={},
    )  # fmt: skip
    values = {
        "node": "grf2", "fabric": "sp-switch", "arp": True, "arp_source": "9 nodes run it so",
        "attachable": True, "ports": [], "proposal": given, "steps": [DEFINE], "undo": [],
        "checks": [CheckOut(check="node_number", level="passed", text="Node number 16 is nobody else's.")],
        "site_file": "  - name: grf2\n",
    }  # fmt: skip
    return ExtensionCheckOut.model_validate(values | more)


AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
DIGEST = "3f9a0c12be77" + "0" * 52


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
        ("GET", "/clocks"): [clock(), clock(node="sp01", source="agent", offset_s=0.004, wrong=False)],
        ("GET", "/incidents"): [incident()],
        ("GET", "/incidents/7"): incident(),
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
        held_nodes=0,
    )


def incident(**more: Any) -> IncidentDetail:
    """A gateway that is unreachable although it reports."""
    fields: dict[str, Any] = {
        "id": 7, "name": "grf1", "kind": "gateway_unreachable", "state": "critical", "phase": "open",
        "title": "grf1 is unreachable: 7 paths rerouted to atmgw, 3 dead", "detail": "Check its console.",
        "direction": None, "since": AT, "last_seen": AT, "resolved_at": None, "age_s": 40.0,
        "acknowledged_by": None, "acknowledged_at": None, "comment": "", "node_id": 5, "link_id": None,
        "path_ids": [1, 2], "cause_id": None, "effects": 6, "dead_paths": [1], "rerouted_paths": [2],
        "standby_paths": [], "runbook": "docs/runbooks/gateway-unreachable.md", "value": None,
        "threshold": None, "url": "/incidents/7", "objects": [],
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


def node(name: str, *, cleared_by: str = "") -> NodeOut:
    """A node that was released; `cleared_by`: who cleared that."""
    text = f"{name} was released on the node by root: sp-default."
    released = {
        "state": "released",
        "scope": "policies",
        "policies": ["sp-default"],
        "since": AT,
        "by": "root",
    }
    values = dict.fromkeys(NodeOut.model_fields) | {
        "id": 5, "name": name, "title": "", "kind": "host", "role": "compute", "state": "ok",
        "state_text": "ok", "url": "/nodes/5", "sys_name": "", "sys_descr": "", "clock_text": "",
        "labels": {}, "engine": "kernel", "reporting": "reporting",
        "hold": None, "management": {**released, "text": text, "cleared_by": cleared_by},
    }  # fmt: skip
    return NodeOut.model_validate(values)


def nodes(asked: Asked) -> list[NodeOut]:
    """One node, or one gateway."""
    return [gateway("grf1")] if "gateway" in asked.query else [node("sp01")]


def gateway(name: str, **more: Any) -> NodeOut:
    """A gateway that no node reaches."""
    role = {
        "role": "unreachable", "text": "unreachable: standby dead for 7 paths", "reachability": "unreachable",
        "answering": 0, "silent": 7, "uses": {"standby_dead": 7},
    }  # fmt: skip
    return NodeOut.model_validate({**node(name).model_dump(), "gateway": role, "management": None, **more})


def link(name: str, **more: Any) -> LinkOut:
    """A link of a dead path."""
    load = {"bps": 5_000_000, "utilisation": 0.1, "peak_bps": None, "at": AT, "fresh": True}
    end = {"node": "grf1", "node_id": 9, "port": "ga030", "port_id": 1, "url": "/devices/9"}
    values = {
        "id": 1, "name": name, "kind": "link", "circuit": "", "fabric": "atm-oc12", "media_rate": 622_080_000,
        "usable_rate": 53_800_000, "mtu": 9180, "source": end, "target": end, "state": "critical",
        "state_text": "up, 10 % used", "carrier": "up", "since": AT, "age_s": 1.0, "carries": "dead",
        "forward": load, "back": None, "declared": True, "evidence": [], "conflicts": [], "incidents": 1,
        "url": "/links/1",
    }  # fmt: skip
    return LinkOut.model_validate(values | more)


def hold(state: Any, **more: Any) -> HoldOut:
    values = {
        "id": 9, "node": "sp01", "node_id": 5, "text": "held until 12:30 UTC by ada", "origin": "backend",
        "by": "ada", "reason": "card swap", "seconds": 1800.0, "at": AT, "until": AT + timedelta(minutes=30),
        "ended_by": "", "detail": "", "can_end": True,
    }  # fmt: skip
    return HoldOut.model_validate({"state": state, **values, **more})


def move(state: Any, **more: Any) -> MoveOut:
    values = {"gateway": "atmgw", "seconds": 600, "at": AT, "until": None, "returning": False, "by": "ada"}
    values |= {"reason": "", "detail": "", "drill_id": None}
    return MoveOut.model_validate({"id": 5, "state": state, **values, **more})


def path(ident: int, node: str, active: str = "grf1", **more: Any) -> PathOut:
    values = {
        "id": ident, "name": f"{node} to 0.0.0.0/0", "policy": "sp-default", "policy_id": 3, "node": node,
        "node_id": ident, "prefix": "0.0.0.0/0", "active": active, "preferred": "grf1",
        "on_fallback": active != "grf1", "state": "ok" if active == "grf1" else "warning",
        "state_text": f"by {active}", "end_to_end": "working",
        "placement": "preferred" if active == "grf1" else "fallback", "standby": "verified",
        "since": AT, "age_s": 125, "target": None, "target_alive": None,
        "rtt_ms": 0.412, "detection": "checker", "switches_24h": 0, "switches_7d": 0, "fallback_24h_s": 0,
        "last_outage_ms": 148, "last_outage_at": AT, "failback": None, "standby_dead": [],
        "last_outage": {
            "id": 1, "start": AT, "end": AT + timedelta(milliseconds=148), "duration_ms": 148,
            "text": "148 ms", "cause": "switch", "cause_text": "gateway switch", "measured_by": "probes",
            "measure_text": "probes every 50 ms, ±50 ms", "uncertainty_ms": 50,
        },
        "last_decision": None, "managed": True, "released": "",
        "engine": "frr", "deployed": True, "in_force": True, "saved": "yes",
        "move": None, "hold": None, "hops": [], "links": [], "standby_links": [], "url": "/paths",
        "gateways": [
            {"name": name, "node_id": 9, "order": place, "active": name == active, "alive": True,
             "since": AT, "rtt_ms": 0.4, "standby": None if name == active else "verified",
             "use": "active" if name == active else "standby_verified"}
            for place, name in enumerate(("grf1", "atmgw"))
        ],
    }  # fmt: skip
    return PathOut.model_validate(values | more)


def policy(ident: int = 3, name: str = "sp-default") -> PolicyOut:
    return PolicyOut.model_validate(
        {
            "id": ident, "name": name, "site": "argonne", "prefix": "0.0.0.0/0",
            "gateways": ["grf1", "atmgw"], "detection": "checker", "target": None, "probe_interval_ms": 50,
            "nodes": ["sp01", "sp02"], "note": "", "origin": "file", "group": {}, "timers": {},
            "stripe": None, "return_path": None, "deployed": True, "url": "/policies/3",
            "progress": {"managed": 2, "not_managed": [], "confirmed": 1, "outdated": 0,
                         "text": "1 of 2 nodes"},
        }
    )  # fmt: skip


def policy_outages(by: Literal["day", "month"] = "day") -> PolicyOutagesOut:
    def item(day: int, **more: Any) -> dict[str, Any]:
        start = datetime(2026, 11, day, tzinfo=UTC)
        none = {
            "outages": 0,
            "paths": 0,
            "ongoing": 0,
            "outage_s": 0,
            "worst_s": 0,
            "worst_node": "",
            "worst_text": "",
        }
        return {"start": start, "end": start + timedelta(days=1), "observed_s": 172_800, **none, **more}

    lost = {
        "outages": 2,
        "paths": 2,
        "outage_s": 20.65,
        "worst_s": 20.35,
        "worst_node": "sp01",
        "worst_text": "sp01, 20.35 s",
    }
    items = [
        item(19, observed_s=0, text="no data"),
        item(20, text="no outage"),
        item(21, text="20.65 s on 2 paths", **lost),
    ]
    return PolicyOutagesOut.model_validate(
        {"policy_id": 3, "policy": "sp-default", "by": by, "timezone": "UTC", "items": items,
         "outage_s": 20.65, "observed_s": 345_600, "text": "20.65 s in 2 outages"}
    )  # fmt: skip


DIFF = """--- /etc/frr/frr.conf
+++ /etc/frr/frr.conf
@@ -1 +1,2 @@
 hostname sp05
+ip route 0.0.0.0/0 10.0.0.1\t60"""


def plan(*, blocked: bool = False, **more: Any) -> PlanOut:
    difference = {"prefix": "0.0.0.0/0", "before": ["grf1 (1)"], "after": ["grf1 (60)", "atmgw (70)"]}
    file = {"path": "/etc/frr/frr.conf", "diff": DIFF, "after": "hostname sp05\n"}
    values: dict[str, Any] = {
        "made_at": AT, "digest": DIGEST, "stale": False, "blocked": blocked,
        "summary": "2 nodes, 1 shape; 1 check passed, 1 warning", "waves": [["sp05"], ["sp06"]],
        "shapes": [{"nodes": ["sp05", "sp06"], "engine": "frr", "differences": [difference],
                    "files": [file]}],
        "checks": [
            {"check": "loops", "level": "passed", "text": "none", "nodes": []},
            {"check": "on_link", "level": "failed" if blocked else "warning", "text": "grf1 is far",
             "nodes": ["sp05"]},
        ],
        "impacts": [
            {"failure": f"grf{number}", "kind": "node", "id": 9, "verdict": verdict, "text": "2 nodes move",
             "cut_off": [], "looping": [], "moved": ["sp05"], "links": [], "seconds": 0.15}
            for number, verdict in ((1, "saturates"), (2, "holds"))
        ],
    }  # fmt: skip
    return PlanOut.model_validate(values | more)


def member(node: str, state: Any, **more: Any) -> ChangeNodeOut:
    values = {
        "node": node, "node_id": 5, "wave": 0, "engine": "frr", "state": state, "since": AT, "reason": "",
        "by": "agent", "evidence": [], "before": "", "after": "", "guard_until": None,
    }  # fmt: skip
    return ChangeNodeOut.model_validate(values | more)


def change(state: Any, **more: Any) -> ChangeDetail:
    values: dict[str, Any] = {
        "id": 42, "name": "#42", "kind": "policies", "title": "SP", "reason": "", "ticket": "NET-1",
        "state": state, "state_text": state.replace("_", " "), "since": AT, "age_s": 20, "author": "ada",
        "site": "argonne", "policies": ["sp-default"], "nodes": 2, "confirmed": 0,
        "wave": 0 if state in {"rolling", "confirming"} else None, "waves": 2,
        "confirm_by": AT + timedelta(seconds=93) if state == "confirming" else None,
        "may": ["confirm", "roll_back"] if state == "confirming" else [], "may_not": {}, "url": "/changes/42",
        "plan": plan(), "approvals": [], "members": [], "history": [],
    }  # fmt: skip
    return ChangeDetail.model_validate(values | more)


def drift(node: str, **more: Any) -> DriftOut:
    values = {
        "node": node, "node_id": 5, "engine": "frr", "state": "warning", "since": AT, "age_s": 3,
        "running_differs": True, "saved_differs": False, "reboot": True, "on_fallback": False,
        "text": "It runs atmgw.", "intended_by": 42, "url": "/drift",
        "items": [{"what": "0.0.0.0/0", "kind": "route", "intended": "grf1", "running": "atmgw",
                   "saved": "grf1", "reboot": True, "on_fallback": False, "text": ""}],
    }  # fmt: skip
    return DriftOut.model_validate(values | more)


def drill(state: Any, **more: Any) -> DrillOut:
    values: dict[str, Any] = {
        "id": 7, "name": "#7", "site": "argonne", "policy": "sp-default", "policy_id": 3, "gateway": "",
        "nodes": [], "state": state, "state_text": state, "since": AT, "age_s": 3, "author": "ada",
        "cancelled_by": "", "may_cancel": True, "reason": "", "at": AT, "seconds": 30, "every_days": None,
        "refused_because": [], "worst_outage_ms": 151.2, "fallback_bps": 12_500_000,
        "fallback_utilisation": 0.4, "url": "/drills/7",
        "members": [{"node": "sp01", "node_id": 1, "path_id": 1, "gateway": "atmgw", "moved_at": AT,
                     "state": "returned", "detail": "", "outage_out_ms": 151.2, "outage_back_ms": 2,
                     "rtt_ms": 0.5}],
    }  # fmt: skip
    return DrillOut.model_validate(values | more)


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


def neighbour_table(**more: Any) -> NeighbourTable:
    """A port whose table is flooded."""
    flood = TableIncident(id=9, title="grf1:gh010: broadcasts of onyx1:hip0", severity="warning", url="/")
    values = {
        "node": "grf1", "node_id": 4, "port": "gh010", "fabric": "hippi", "state": "warning", "at": AT,
        "age_s": 1.0, "ipv4": 812, "ipv6": 0, "permanent": 1, "incomplete": 0, "capacity_ipv4": 1024,
        "capacity_ipv6": None, "share": 0.793, "device_share": 0.8, "growth_per_s": 40.0,
        "broadcasts_per_s": 300.0, "top_mac": "02:00:00:00:00:99", "top_mac_entries": 800,
        "top_owner": "onyx1:hip0", "talker": "02:00:00:00:00:99", "talker_share": 1.0,
        "talker_owner": "onyx1:hip0", "recent": [], "incidents": [flood], "url": "/devices/4",
    }  # fmt: skip
    return NeighbourTable.model_validate(values | more)


def duplicate() -> DuplicateOut:
    """A duplicate address."""
    macs = [
        DuplicateMac(mac=f"02:00:00:00:00:0{number}", owner=owner, since=AT, nodes=[f"sp0{number}:css0"])
        for number, owner in ((1, "sp07:css0"), (2, ""))
    ]
    return DuplicateOut(
        address="10.1.0.7", fabric="sp-switch", since=AT, age_s=90.0, macs=macs, incident=None
    )


def holdings() -> NeighbourHistory:
    """The owners of an address."""
    before = HoldingOut(
        node="sp01",
        node_id=1,
        port="css0",
        mac="02:00:00:00:00:01",
        owner="sp07:css0",
        since=AT - timedelta(hours=2),
        until=AT,
    )
    now = before.model_copy(update={"mac": "02:00:00:00:00:02", "owner": "", "since": AT, "until": None})
    return NeighbourHistory(address="10.1.0.7", at=None, kept_days=7, items=[now, before])


def arp_fabric(running: str) -> dict[str, Any]:
    """The switch with an ARP policy and its nodes' running state."""
    policy = {
        "id": 7, "name": "sp-switch", "site": "argonne", "fabric": "sp-switch", "confirmed": 0, "url": "/arp",
        "mode": "off", "settings": {}, "ports": [], "table": {}, "note": "", "state": "unknown",
        "state_text": "not deployed",
    }  # fmt: skip
    state = "critical" if running == "mixed" else "ok"
    return {
        "fabric": "sp-switch", "kind": "sp_switch", "declared": "on", "running": running, "state": state,
        "state_text": f"ARP is {running}", "policy": policy, "title": "SP Switch", "url": "/arp", "text": "",
    }  # fmt: skip


def arp_rule() -> dict[str, Any]:
    """The address rule, violated by one of two nodes."""
    lines = [
        {
            "node": name, "port": "css0", "running": "", "address": f"10.1.0.{part}", "host_part": part,
            "switch_node_number": number,
            "difference": part - number, "verdict": verdict, "text": f"{name} is described in a sentence.",
        }
        for name, part, number, verdict in (("sp02", 77, 1, "breaks"), ("sp01", 1, 0, "obeys"))
    ]  # fmt: skip
    return {
        "fabric": "sp-switch",
        "kind": "sp_switch",
        "constant": 1,
        "broken": 1,
        "applies": True,
        "text": "1 of 2 does not follow the rule: with ARP off it would be unreachable.",
        "lines": lines,
    }


def clock(
    *, node: str = "grf1", source: str = "hrSystemDate", offset_s: float = -2_678_400.0, wrong: bool = True
) -> ClockOut:
    """One clock; a wrong one stepped back a month at its reboot."""
    text = "clock went back 31 d at its reboot"
    return ClockOut(
        node=node,
        node_id=9,
        source=source,
        explanation="",
        against="backend",
        state="critical" if wrong else "ok",
        text="31 d behind" if wrong else "in sync",
        offset_s=offset_s,
        error_s=0.51,
        at=AT,
        age_s=2,
        drift_ppm=None if wrong else 12.4,
        drift_error_ppm=None if wrong else 3.1,
        step=ClockStep(at=AT, by_s=offset_s, at_reboot=True, text=text) if wrong else None,
        recent=[],
        incident=ClockIncident(id=7, title=f"{node}: clock 31 d behind", severity="critical", url="")
        if wrong
        else None,
        url="",
    )


def saved(node: str, *, differs: bool = False) -> SavedNode:
    """A node whose MTU is saved or unsaved."""
    mtu = SavedItem(
        port="css0",
        what="mtu",
        running="65520",
        saved="1500" if differs else "65520",
        verdict="differs" if differs else "saved",
    )
    text = (
        "1 setting of its ports would change at a reboot."
        if differs
        else "The running state of all its ports is saved."
    )
    return SavedNode(
        node=node,
        node_id=1,
        state="warning" if differs else "ok",
        text=text,
        files=["/etc/network/interfaces"],
        items=[mtu],
        reported=[],
        reminders=[],
        url="/devices/1",
    )


def by_hand(node: str) -> SavedNode:
    """A router with unreadable state."""
    return SavedNode(
        node=node,
        node_id=9,
        state="unknown",
        text="The saved state cannot be read.",
        files=[],
        items=[],
        reported=["last operation of its backup group: done"],
        reminders=["Then save its configuration with grwrite and read it back."],
        url="/devices/9",
    )
