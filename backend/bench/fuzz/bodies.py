"""Bodies that the service accepts, as the start of hostile ones; most generated ones stop at validation."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

Json = dict[str, Any]


def accepted(site: str, ids: dict[str, list[Any]], fabric: str, nodes: Sequence[str]) -> dict[str, Any]:
    """Operation id -> body; `nodes`: two nodes with ports on the fabric, and two gateways."""
    first, second, *gateways = nodes
    policy = {
        "site": site,
        "name": "fuzzed",
        "nodes": {"names": [first]},
        "prefix": "10.9.7.0/24",
        "gateways": list(gateways),
    }
    plan = {
        "site": site,
        "name": "fuzzed",
        "senders": [first],
        "receivers": [second],
        "matrix": {"kind": "tcp", "duration_s": 5},
    }
    policies = ids.get("failover-policies", [])[:1]
    return {
        "sign_in": {"username": "viewer", "password": "wrong"},
        "hold_node": {"reason": "fuzz", "minutes": 10},
        "acknowledge_incident": {"comment": "seen"},
        "move_path": {"gateway": gateways[-1]},
        "create_failover_policy": policy,
        "update_failover_policy": policy,
        "preview_group": {"site": site, "nodes": {"names": ["*"]}},
        "preview_stripe": {**policy, "gateways": [], "stripe": {"gateways": list(gateways)}},
        "create_arp_policy": {"site": site, "fabric": fabric, "mode": "on"},
        "update_arp_policy": {"site": site, "fabric": fabric},
        "plan_circuits": {"site": site, "groups": [{"name": first, "count": 4}]},
        "hand_over_circuits": {"site": site, "node": gateways[0]},
        "check_extension_node": {"site": site, "node": gateways[0]},
        "create_test_plan": plan,
        "update_test_plan": plan,
        "create_drill": {"policy": policies[0] if policies else 1},
        "create_change": {"site": site, "policies": policies},
        "approve_change": {"digest": "0" * 64},
        "apply_change": {"digest": "0" * 64},
        "roll_back_change": {"reason": "fuzz"},
        "create_enrolment_token": {"site": site, "node": first},
        "import_site_file": {"text": json.dumps({"site": site, "nodes": []}), "dry_run": True},
    }


@dataclass(frozen=True, slots=True)
class Sender:
    """Whose reports the agent's cases contain."""

    node: str
    ports: Sequence[str]
    boot: uuid.UUID


def reports(made: Any, sender: Sender, random: Random) -> Any:
    """A generated batch, mostly of this agent, its device and the present; the rest stays as generated."""
    if not isinstance(made, dict) or not isinstance(made.get("reports"), list):
        return made
    now = time.time_ns()
    made["sent"], made["wire"] = now, 2
    for report in made["reports"]:
        if isinstance(report, dict) and random.random() < 0.9:
            report |= {
                "device": sender.node,
                "at": now,
                "boot": str(sender.boot),
                "seq": random.randrange(1, 2**40),
            }
            if report.get("kind") == "ports" and isinstance(report.get("ports"), list):
                count = len(report["ports"])
                report["ports"] = [sender.ports[number % len(sender.ports)] for number in range(count)]
    return made
