"""ARP changes in the database: planned, blocked, applied, confirmed, rolled back, drifted, restored."""

from __future__ import annotations

from datetime import timedelta

import pytest

from backstay.accounts.models import Agent
from backstay.api.agent.desired import desired as desired_of
from backstay.core.errors import Conflict, Invalid, Refused
from backstay.rollout import drift
from backstay.rollout.arp_status import FabricArpStatus, fabric_arp_statuses
from backstay.rollout.changes import services
from backstay.rollout.changes.services import ChangeProposal
from backstay.rollout.models import Change, Drift, Intended
from backstay.rollout.plans.arp_plan_inputs import ArpPlanInputs
from backstay.rollout.plans.plan_inputs import PlanInputs
from backstay.rollout.plans.services import staleness
from backstay.rollout.policy_protection import ensure_arp_removable
from backstay.rollout.tests.arp_complex import FABRIC, FILES, ArpComplex
from backstay.rollout.tests.cluster import Cluster
from backstay.telemetry.models import ArpState, Event


@pytest.fixture
def arp(db: None) -> ArpComplex:
    cluster = Cluster.make(3)
    cluster.world.describe()
    complex_ = ArpComplex(cluster)
    complex_.hand_over()
    return complex_


def status(arp: ArpComplex) -> FabricArpStatus:
    topology = PlanInputs(arp.site, arp.cluster.now).topology
    return fabric_arp_statuses(arp.site, topology, [arp.fabric.pk], arp.cluster.now)[arp.fabric.pk]


def failed(arp: ArpComplex, change: Change) -> dict[str, str]:
    checks = arp.cluster.plan(change).document["checks"]
    return {check["check"]: check["text"] for check in checks if check["level"] == "failed"}


def test_arp_off_is_one_wave_with_manual_device_steps(arp: ArpComplex) -> None:
    change = arp.propose(arp.policy())
    plan = arp.cluster.plan(change)
    assert not plan.blocked, failed(arp, change)
    assert (plan.nodes, plan.waves) == (4, 1)
    assert plan.document["arp"]["at_once"] is True
    (shape,) = plan.document["arp"]["shapes"]
    assert {"port": "css0", "what": "ARP", "before": "on", "after": "off"} in shape["differences"]
    (hand,) = plan.document["arp"]["hand_overs"]
    assert (hand["node"], hand["done"], len(hand["entries"])) == ("grf1", True, 4)
    assignment = next(iter(plan.assignments.values()))
    assert assignment["routing"] is None
    assert {probe["address"] for probe in assignment["probes"]} >= {"10.1.0.15", "10.1.0.16"}


def test_assignment_is_valid_on_the_wire(arp: ArpComplex) -> None:
    change = arp.cluster.begin(arp.approved(arp.policy(settings={"ipv4.conf.arp_ignore": 1})))
    agent = Agent.objects.get(host__name="sp01", host__site=arp.site)
    reported = desired_of(agent)
    (assignment,) = reported.changes
    assert assignment.routing is None
    assert assignment.arp is not None
    (port,) = assignment.arp.ports
    assert (port.port, port.arp, port.settings) == ("css0", False, {"ipv4.conf.arp_ignore": 1})
    assert assignment.arp.revision == assignment.revision == change.revision
    assert assignment.arp_base == ArpState.objects.get(node__name="sp01").digest
    assert reported.arp_files is not None
    assert [file.path for file in assignment.arp.files] == [FILES["config"], FILES["settings"]]
    assert "link set dev css0 arp off\n" in assignment.arp.files[0].text


def test_wrong_address_and_live_extension_node_block(arp: ArpComplex) -> None:
    policy = arp.policy()
    arp.address("sp02", "10.1.0.77")
    assert "sp02 has host part 77" in failed(arp, arp.propose(policy))["address_rule"]
    arp.address("sp02", "10.1.0.2")
    arp.address("grf1", "10.1.0.200")
    assert "all switch interfaces or on none" in failed(arp, arp.propose(policy))["extension_node"]


def test_address_mismatch_blocks_arp_off_until_corrected(arp: ArpComplex) -> None:
    policy = arp.policy()
    right = arp.propose(policy)
    for name in arp.names:
        arp.runs(name, f"{arp.places[name][0]}/16")
    assert staleness(right, arp.cluster.plan(right), PlanInputs(arp.site, arp.cluster.now)) == ""
    arp.runs("sp03", "10.1.0.77/16")
    assert staleness(right, arp.cluster.plan(right), PlanInputs(arp.site, arp.cluster.now)) == (
        "Changed since planning: the running addresses."
    )
    wrong = arp.propose(policy)
    text = failed(arp, wrong)
    assert (
        "sp03 has 10.1.0.77 on css0, the site file assigns 10.1.0.3: host part 77 minus"
        in text["address_rule"]
    )
    assert set(text) == {"address_rule", "running_address"}
    entries = {item["address"] for item in arp.cluster.plan(wrong).document["arp"]["entries"]}
    assert "10.1.0.2" in entries
    assert not entries & {"10.1.0.3", "10.1.0.77"}
    arp.runs("sp03", "10.1.0.3/16")
    services.plan_again(wrong.pk, arp.cluster.actor(), arp.cluster.now)
    assert not arp.cluster.plan(wrong).blocked


def test_stale_running_addresses_are_ignored(arp: ArpComplex) -> None:
    arp.runs("sp03", "10.1.0.77/16")
    later = arp.cluster.now + timedelta(seconds=60)
    topology = PlanInputs(arp.site, later).topology
    assert ArpPlanInputs(arp.site, topology, arp.cluster.now).mismatches
    assert not ArpPlanInputs(arp.site, topology, later).mismatches


def test_disabled_port_has_no_mismatch(arp: ArpComplex) -> None:
    arp.runs("sp03", on=False)
    assert not ArpPlanInputs(
        arp.site, PlanInputs(arp.site, arp.cluster.now).topology, arp.cluster.now
    ).mismatches


def test_collector_without_addresses_reports_no_mismatch(arp: ArpComplex) -> None:
    arp.cluster.world.describe()
    assert not ArpPlanInputs(
        arp.site, PlanInputs(arp.site, arp.cluster.now).topology, arp.cluster.now
    ).mismatches


def test_deployed_policy_stays_deployed_on_address_mismatch(arp: ArpComplex) -> None:
    policy = arp.policy()
    arp.in_force(policy)
    arp.runs("sp03", "10.1.0.77/16")
    stands = status(arp)
    assert [member.name for member in stands.mismatched] == ["sp03"]
    assert stands.progress is not None
    assert (stands.progress.confirmed, stands.progress.outdated) == (4, 0)


def test_standby_with_address_mismatch_blocks_its_routes(arp: ArpComplex) -> None:
    before = arp.cluster.propose()
    arp.runs("atmgw", "10.1.0.20/16")
    now = PlanInputs(arp.site, arp.cluster.now)
    assert (
        staleness(before, arp.cluster.plan(before), now) == "Changed since planning: the running addresses."
    )
    change = arp.cluster.propose()
    assert arp.cluster.plan(change).blocked
    assert failed(arp, change)["known_address"].startswith(
        "atmgw does not have 10.1.0.15: it runs 10.1.0.20 on css0. sp01, sp02 and sp03 would use it"
    )
    arp.runs("atmgw", "10.1.0.15/16")
    services.plan_again(change.pk, arp.cluster.actor(), arp.cluster.now)
    assert "known_address" not in failed(arp, change)


def test_device_without_entry_blocks_until_it_is_present(arp: ArpComplex) -> None:
    arp.hand_over(but=["sp03"])
    change = arp.propose(arp.policy())
    assert "10.1.0.3 missing" in failed(arp, change)["handed_over"]
    arp.hand_over()
    services.plan_again(change.pk, arp.cluster.actor(), arp.cluster.now)
    assert not arp.cluster.plan(change).blocked


def test_confirmed_arp_is_intended_and_routing_is_kept(arp: ArpComplex) -> None:
    node = arp.cluster.world.node("sp01")
    routing = {"engine": {"kind": "kernel", "config": "/x"}, "routes": [], "files": [], "revision": 1}
    Intended.objects.create(node=node, revision=1, routing=routing, at=arp.cluster.now)
    change = arp.in_force(arp.policy())
    assert arp.cluster.fresh(change).state == "done"
    kept = Intended.objects.get(node=node)
    assert kept.routing == routing
    assert kept.arp is not None
    assert kept.arp["revision"] == change.revision
    assert Intended.objects.get(node__name="sp02").routing is None
    reported = desired_of(Agent.objects.get(host=arp.cluster.world.node("sp02")))
    assert reported.arp is not None
    assert reported.routing is None
    assert not Drift.objects.filter(node__name="sp02").exists()


def test_rollback_of_one_node_rolls_back_all(arp: ArpComplex) -> None:
    change = arp.cluster.begin(arp.approved(arp.policy()))
    change = arp.cluster.report_phase(change, "prepared", *arp.names)
    change = arp.cluster.report_phase(change, "applied", *arp.names[1:])
    change = arp.cluster.report_phase(
        change, "rolled_back", arp.names[0], reason="sp02 at 10.1.0.2 is silent"
    )
    assert {arp.cluster.asked(name)[0] for name in arp.names[1:]} == {"roll_back"}
    change = arp.cluster.report_phase(change, "rolled_back", *arp.names[1:])
    assert change.state == "rolled_back"
    assert not Intended.objects.exists()


def test_manually_enabled_arp_is_drift_until_reverted(arp: ArpComplex) -> None:
    change = arp.in_force(arp.policy())
    assert not Drift.objects.exists()
    arp.as_planned(change, "sp02", arp=True)
    row = Drift.objects.get()
    assert (row.node.name, row.running_differs, row.saved_differs, row.reboot) == ("sp02", True, False, True)
    assert row.items[0]["text"].endswith("A reboot would make it off.")
    stands = status(arp)
    assert stands.mixed
    assert stands.on == ("sp02",)
    assert "on, but off is intended" in Event.objects.get(kind="drift.appeared").message
    arp.as_planned(change, "sp02")
    drift.due(arp.cluster.now)
    assert not Drift.objects.exists()


def test_unsaved_state_is_reported_and_restored(arp: ArpComplex) -> None:
    change = arp.in_force(arp.policy())
    arp.as_planned(change, "sp03", files=[])
    row = Drift.objects.get()
    assert (row.running_differs, row.saved_differs, row.reboot) == (False, True, True)
    again = services.propose(
        arp.site, arp.cluster.actor(), ChangeProposal("restore", nodes=["sp03"]), arp.cluster.now
    )
    plan = arp.cluster.plan(again)
    assert not plan.blocked, failed(arp, again)
    assert [assignment["routing"] for assignment in plan.assignments.values()] == [None]
    assert plan.document["waves"] == [["sp03"]]


def test_plan_is_stale_after_a_change_of_running_state(arp: ArpComplex) -> None:
    change = arp.propose(arp.policy())
    plan = arp.cluster.plan(change)
    assert staleness(change, plan, PlanInputs(arp.site, arp.cluster.now)) == ""
    arp.report_arp("sp01", arp=False)
    assert staleness(change, plan, PlanInputs(arp.site, arp.cluster.now)) == (
        "Changed since planning: the running or saved ARP state of sp01."
    )


def test_deployed_policy_cannot_be_deleted_until_unmanaged(arp: ArpComplex) -> None:
    policy = arp.policy(settings={"ipv4.conf.arp_ignore": 1}, mode="unmanaged")
    arp.in_force(policy)
    with pytest.raises(Refused, match="It is deployed on 4 nodes"):
        ensure_arp_removable(policy)
    policy.settings = {}
    policy.save()
    change = arp.in_force(policy)
    assert change.state == "done"
    ensure_arp_removable(policy)


def test_undo_of_an_arp_change_restores_the_state_before_on_all_nodes(arp: ArpComplex) -> None:
    policy = arp.policy()
    first = arp.in_force(policy)
    with pytest.raises(Refused, match="the ARP state before the change was not managed"):
        services.undo(first.pk, arp.cluster.actor(), arp.cluster.now)
    before = dict(Intended.objects.values_list("node__name", "arp"))
    policy.mode = "on"
    policy.save()
    second = arp.in_force(policy)
    back = services.undo(second.pk, arp.cluster.actor(), arp.cluster.now)
    plan = arp.cluster.plan(back)
    assert not plan.blocked, failed(arp, back)
    assert [sorted(wave) for wave in plan.document["waves"]] == [sorted(arp.names)]
    for assignment in plan.assignments.values():
        assert assignment["routing"] is None
    planned = {ident: item["arp"]["fabrics"] for ident, item in plan.assignments.items()}
    expected = {
        str(arp.cluster.world.node(name).pk): stored["fabrics"] for name, stored in before.items() if stored
    }
    assert planned == expected


@pytest.mark.parametrize(
    ("kind", "more", "texts"),
    [
        ("arp", {}, "at least one ARP policy"),
        ("arp", {"arp_policies": [10**9]}, "has no ARP policy"),
        ("arp", {"nodes": ["sp01"], "own": True}, "covers its whole fabric"),
        ("restore", {"nodes": ["sp01"], "own": True}, "change of kind arp"),
    ],
)
def test_invalid_change_is_refused(arp: ArpComplex, kind: str, more: dict[str, object], texts: str) -> None:
    own = [arp.policy().pk] if more.pop("own", False) else more.pop("arp_policies", [])
    proposal = ChangeProposal(kind, nodes=more.get("nodes", []), arp_policies=own)  # type: ignore[arg-type]
    with pytest.raises(Invalid, match=texts):
        services.propose(arp.site, arp.cluster.actor(), proposal, arp.cluster.now)


def test_fabric_has_one_policy_with_known_settings(arp: ArpComplex) -> None:
    with pytest.raises(Invalid) as refused:
        arp.policy(settings={"ipv4.conf.rp_filter": 1, "ipv4.conf.arp_ignore": 99})
    assert set(refused.value.fields) == {"settings"}
    with pytest.raises(Invalid):
        arp.policy(ports=[{"pattern": "css0; rm", "settings": {}}])
    arp.policy()
    with pytest.raises(Conflict, match=f"{FABRIC} already has an ARP policy"):
        arp.policy()
