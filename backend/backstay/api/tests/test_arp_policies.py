"""ARP policies over the API: stored, shown with the running state, checked by the address rule, planned as a
change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from backstay.alerts import services
from backstay.api.tests.world import bearer, person
from backstay.core.roles import Role
from backstay.policy.models import ArpPolicy
from backstay.rollout.tests.arp_complex import FABRIC, ArpComplex
from backstay.rollout.tests.cluster import Cluster
from backstay.telemetry.models import Event

BODY: dict[str, Any] = {
    "site": "argonne",
    "fabric": FABRIC,
    "mode": "off",
    "settings": {"ipv4.conf.arp_ignore": 1},
    "ports": [],
    "table": {},
    "note": "as the SDR says",
}


class Api:
    """Calls as a user."""

    def __init__(self, client: Client, role: Role) -> None:
        self._client = client
        self._headers = bearer(person(f"a-{role.value}", role, "argonne"))

    def __call__(self, method: str, path: str, status: int, body: Any = None) -> Any:
        more = {} if body is None else {"data": body, "content_type": "application/json"}
        reply = getattr(self._client, method)(f"/api/v1/{path}", headers=self._headers, **more)
        assert reply.status_code == status, reply.content
        return reply.json() if reply.content else None


@pytest.fixture
def arp(db: None) -> ArpComplex:
    cluster = Cluster.make(3)
    cluster.world.describe()
    complex_ = ArpComplex(cluster)
    complex_.hand_over()
    return complex_


def test_policy_is_stored_shown_planned_and_removed(arp: ArpComplex, client: Client) -> None:
    api = Api(client, Role.OPERATOR)
    made = api("post", "arp-policies", 201, BODY)
    assert (made["name"], made["managed"], made["not_managed"]) == (FABRIC, 4, ["grf1"])
    assert made["state_text"] == "not deployed"
    assert api("post", "arp-policies", 409, BODY)["code"] == "conflict"
    changed = api("put", f"arp-policies/{made['id']}", 200, {**BODY, "settings": {}})
    assert changed["settings"] == {}
    change = api("post", "changes", 201, {"site": "argonne", "kind": "arp", "arp_policies": [made["id"]]})
    assert change["arp_policies"] == [FABRIC]
    assert change["title"] == f"Deploy the ARP policy of {FABRIC}"
    assert change["plan"]["arp"]["at_once"] is True
    assert {member["engine"] for member in change["members"]} == {None}
    listed = api("get", f"changes?site=argonne&fabric={FABRIC}", 200)
    assert [item["id"] for item in listed["items"]] == [change["id"]]
    api("delete", f"arp-policies/{made['id']}", 204)
    assert not ArpPolicy.objects.exists()
    kinds = Event.objects.filter(kind__startswith="arp_policy.").order_by("pk")
    assert [kind.kind.partition(".")[2] for kind in kinds] == ["created", "changed", "deleted"]


def test_invalid_policy_is_reported_by_field(arp: ArpComplex, client: Client) -> None:
    api = Api(client, Role.OPERATOR)
    assert set(api("post", "arp-policies", 400, {**BODY, "fabric": "none"})["fields"]) == {"fabric"}
    wrong = {**BODY, "settings": {"ipv4.conf.arp_ignore": 9}, "table": {"ipv4.gc_thresh9": 1}}
    assert set(api("post", "arp-policies", 400, wrong)["fields"]) == {"settings", "table"}
    Api(client, Role.VIEWER)("post", "arp-policies", 403, BODY)


def test_running_and_intended_state_are_shown_and_incident_clears_when_equal(
    client: Client, db: None
) -> None:
    cluster = Cluster.make(3, now=datetime.now(UTC).replace(microsecond=0) - timedelta(seconds=1))
    arp, api = ArpComplex(cluster), Api(client, Role.OPERATOR)
    made = api("post", "arp-policies", 201, BODY)
    assert made["address_mismatches"] == []
    arp.report_arp("sp03", arp=False)
    arp.runs("sp03", "10.1.0.77/16")
    (mismatch,) = api("get", f"arp-policies/{made['id']}", 200)["address_mismatches"]
    assert (mismatch["node"], mismatch["port"]) == ("sp03", "css0")
    assert (mismatch["intended"], mismatch["running"]) == (["10.1.0.3"], ["10.1.0.77"])
    (fabric,) = api("get", f"arp-policies/fabrics?fabric={FABRIC}", 200)["items"]
    assert (fabric["state"], fabric["address_mismatches"]) == ("critical", [mismatch])
    texts = "sp03 has 10.1.0.77 on css0, the site file assigns 10.1.0.3"
    assert fabric["policy"]["state_text"].startswith(texts)
    first = api("get", f"arp-policies/rule?fabric={FABRIC}", 200)["lines"][0]
    assert (first["verdict"], first["difference"], first["node"]) == ("address_mismatch", 75, "sp03")
    assert (first["address"], first["running"]) == ("10.1.0.3", "10.1.0.77")

    def shown() -> Any:
        return api("get", "incidents?site=argonne&kind=address_mismatch&phase=open", 200)["items"]

    services.run_round(cluster.now)
    assert not shown(), "an address that is just being changed is none"
    cluster.world.forward(10)
    arp.runs("sp03", "10.1.0.77/16")
    services.run_round(cluster.now)
    (incident,) = shown()
    assert incident["title"] == texts
    assert (incident["state"], incident["name"]) == ("critical", "sp03:css0")
    assert "Host part 77 minus switch node number 2 is 75, and 1 for the others" in incident["detail"]
    services.run_round(cluster.now + timedelta(seconds=120))
    assert shown(), "nobody knows what a silent node runs"
    arp.runs("sp03", "10.1.0.3/16")
    services.run_round(cluster.now)
    assert not shown()
    assert api("get", f"arp-policies/{made['id']}", 200)["address_mismatches"] == []


def test_mixed_fabric_lists_its_nodes(arp: ArpComplex, client: Client) -> None:
    arp.report_arp("sp02", arp=False)
    answer = Api(client, Role.VIEWER)("get", "arp-policies/fabrics", 200)
    rows = {row["fabric"]: row for row in answer["items"]}
    switch = rows[FABRIC]
    assert (switch["running"], switch["state"]) == ("mixed", "critical")
    assert switch["off"] == ["sp02"]
    assert switch["unknown"] == ["grf1"]
    assert "ARP is off only on sp02" in switch["state_text"]
    assert rows["hippi"]["running"] == "unknown"


def test_rule_lists_violating_nodes_first(arp: ArpComplex, client: Client) -> None:
    api = Api(client, Role.VIEWER)
    fine = api("get", f"arp-policies/rule?fabric={FABRIC}", 200)
    assert (fine["constant"], fine["broken"], fine["applies"]) == (1, 0, True)
    arp.address("sp02", "10.1.0.77")
    answer = api("get", f"arp-policies/rule?fabric={FABRIC}", 200)
    assert answer["broken"] == 1
    assert (answer["lines"][0]["node"], answer["lines"][0]["difference"]) == ("sp02", 76)
    api("get", "arp-policies/rule?fabric=nowhere", 404)
    settings = {item["name"]: item for item in api("get", "arp-policies/settings", 200)}
    assert settings["ipv4.gc_thresh3"]["scope"] == "node"


def test_drift_of_a_node_with_only_arp_intended_is_listed(arp: ArpComplex, client: Client) -> None:
    change = arp.in_force(arp.policy())
    arp.as_planned(change, "atmgw", arp=True)
    (row,) = Api(client, Role.VIEWER)("get", "drift?site=argonne", 200)["items"]
    assert (row["node"], row["engine"], row["intended_by"]) == ("atmgw", None, change.pk)
    assert row["items"][0]["kind"] == "arp"
