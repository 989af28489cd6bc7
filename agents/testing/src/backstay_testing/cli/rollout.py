"""Policies, paths, changes, drift and drills of the fake backend's site, built with the API's schemas."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from backstay.api.changes.schemas import ChangeDetail, ChangeNodeOut, PlanOut
from backstay.api.drift.schemas import DriftOut
from backstay.api.drills.schemas import DrillOut
from backstay.api.holds.schemas import HoldOut
from backstay.api.paths.schemas import MoveOut, PathOut
from backstay.api.policies.schemas import PolicyOut, PolicyOutagesOut
from backstay_testing.cli.fake_server import AT

DIGEST = "3f9a0c12be77" + "0" * 52


DIFF = """--- /etc/frr/frr.conf
+++ /etc/frr/frr.conf
@@ -1 +1,2 @@
 hostname sp05
+ip route 0.0.0.0/0 10.0.0.1\t60"""


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
            "is_preconfigured": True, "undetected": [],
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
    values |= more
    for item in (*values["shapes"], *values["checks"]):
        item["node_count"] = len(item["nodes"])
    shapes, waves = len(values["shapes"]), [len(wave) for wave in values["waves"]]
    failures = Counter(impact["verdict"] for impact in values["impacts"])
    counts = {"shapes": shapes, "failures": failures, "waves": waves}
    return PlanOut.model_validate({"is_whole": True, "counts": counts} | values)


def member(node: str, state: Any, **more: Any) -> ChangeNodeOut:
    values = {
        "node": node, "node_id": 5, "wave": 0, "engine": "frr", "state": state, "since": AT, "reason": "",
        "by": "agent", "checks": [{"stage": "applied", "good": 2, "total": 2}], "failed": [],
        "as_before": False, "guard_until": None,
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
        "plan": plan(), "approvals": [], "members": [], "has_all_members": True, "progress": [],
        "restored": None, "history": [],
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
