"""Plans in the database: document, assignments, staleness, restore and adoption."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.db.models import F
from pydantic import TypeAdapter
from pytest_django import DjangoDbBlocker

from backstay.api.tests.world import kept
from backstay.inventory.models import Port, Site
from backstay.policy.models import FailoverPolicy
from backstay.rollout.models import Change, Intended
from backstay.rollout.plans import plan_document, services
from backstay.rollout.plans.plan_inputs import PlanInputs
from backstay.rollout.tests.cluster import BOOT_FILE, TWO, Cluster
from backstay_wire import ChangeProbe, HostNetworkReport, NodeRouting, RouteReport


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cluster]:
    with kept(django_db_blocker):
        cluster = Cluster.make()
        cluster.world.describe()
        cluster.world.all_paths()
        cluster.world.sample()
        yield cluster


@pytest.fixture
def cluster(made: Cluster, db: None) -> Cluster:
    return made.copy()


def stale(cluster: Cluster, change: Change) -> str:
    change = cluster.fresh(change)
    return services.staleness(change, cluster.plan(change), PlanInputs(change.site, cluster.now))


def test_plan_lists_equal_changes_once(cluster: Cluster) -> None:
    plan = cluster.plan(cluster.propose())
    assert not plan.blocked, [item for item in plan.document["checks"] if item["level"] == "failed"]
    assert [sorted(shape["nodes"]) for shape in plan.document["shapes"]] == [cluster.names]
    shape = plan.document["shapes"][0]
    assert shape["differences"] == [
        {
            "prefix": "0.0.0.0/0",
            "before": [],
            "after": ["via grf1 10.1.0.16 pref 60", "via atmgw 10.1.0.15 pref 70"],
        }
    ]
    assert f"--- {BOOT_FILE} (now)" in shape["files"][0]["diff"]
    assert "+# BEGIN backstay sp-default 0.0.0.0/0" in shape["files"][0]["diff"]
    assert plan.document["summary"].startswith("4 nodes, 1 shape; ")
    assert sorted(name for wave in plan.document["waves"] for name in wave) == cluster.names
    assert len(plan.document["waves"][0]) == 1


def test_assignments_are_in_wire_format(cluster: Cluster) -> None:
    plan = cluster.plan(cluster.propose())
    assert len(plan.assignments) == 4
    for assignment in plan.assignments.values():
        routing = NodeRouting.model_validate(assignment["routing"])
        assert [hop.gateway for hop in routing.routes[0].hops] == ["grf1", "atmgw"]
        assert routing.files[0].text == assignment["routing"]["files"][0]["text"]
        names = [probe.name for probe in TypeAdapter(list[ChangeProbe]).validate_python(assignment["probes"])]
        assert names == [
            "10.9.0.1",
            "grf1 at 10.1.0.16",
            "10.9.0.1 through grf1",
            "atmgw at 10.1.0.15",
            "10.9.0.1 through atmgw",
        ]


def test_dead_standby_is_not_probed(cluster: Cluster) -> None:
    alive = {"grf1": True, "atmgw": False}
    cluster.world.forward()
    cluster.world.report([cluster.world.path("sp01", "sp-default", "grf1", alive=alive)])
    plan = cluster.plan(cluster.propose(nodes=["sp01"]))
    (assignment,) = plan.assignments.values()
    names = [probe["name"] for probe in assignment["probes"]]
    assert names == ["10.9.0.1", "grf1 at 10.1.0.16", "10.9.0.1 through grf1"]
    warned = [item["check"] for item in plan.document["checks"] if item["level"] == "warning"]
    assert "standby_dead" in warned


def test_impacts_have_names_and_numbers(cluster: Cluster) -> None:
    impacts = {item["failure"]: item for item in cluster.plan(cluster.propose()).document["impacts"]}
    assert impacts["nothing"]["kind"] == "none"
    lost = impacts["grf1"]
    assert (lost["verdict"], sorted(lost["moved"])) == ("holds", cluster.names)
    assert "would fail over to another gateway within 300 ms" in lost["text"]
    assert any(link["name"] == "atmgw:at0-router:at1" for link in lost["links"]), lost["links"]


def test_long_lists_of_impacts_are_cut_and_what_is_omitted_is_counted(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {item["failure"]: item for item in cluster.plan(cluster.propose()).document["impacts"]}
    assert not any(item["omitted"] for item in whole.values())
    limits = replace(plan_document.Limits(), names=2, links=0)
    monkeypatch.setattr(services, "bounded", lambda make: make(limits))
    monkeypatch.setattr(plan_document, "LEAST", 1)
    for cut in cluster.plan(cluster.propose()).document["impacts"]:
        full = whole[cut["failure"]]
        for name in ("cut_off", "looping", "moved", "links"):
            assert cut[name] == full[name][:1]
            assert cut["omitted"].get(name, 0) == max(len(full[name]) - 1, 0)


def test_the_most_severe_impacts_and_the_most_common_files_are_kept(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = cluster.plan(cluster.propose()).document
    limits = replace(plan_document.Limits(), impacts=4, findings=1, listed=1, text=0)
    monkeypatch.setattr(services, "bounded", lambda make: make(limits))
    cut = cluster.plan(cluster.propose()).document
    assert cut["impacts"][0]["kind"] == "none"
    assert len(cut["impacts"]) == 4
    assert cut["impacts_omitted"] == len(whole["impacts"]) - 4
    severity = ["loops", "cuts_off", "saturates", "holds"]
    left = [item for item in whole["impacts"] if item not in cut["impacts"]]
    worst = min(severity.index(item["verdict"]) for item in left)
    assert max(severity.index(item["verdict"]) for item in cut["impacts"][1:]) <= worst
    for shape, full in zip(cut["shapes"], whole["shapes"], strict=True):
        assert (shape["files"], shape["files_omitted"]) == ([], len(full["files"]))
        assert shape["nodes"] == full["nodes"], "nodes are never left out"
    assert cut["waves"] == whole["waves"]


def test_gateway_load_is_divided_by_sent_traffic(cluster: Cluster) -> None:
    """The nodes send 20 Mb/s, half of it to each other: 10 Mb/s enter the gateway."""
    cluster.world.forward()
    cluster.world.all_paths()
    quiet = {name: {"css0": (0.0, 0.0)} for name in cluster.names}
    loud = {"sp01": {"css0": (0.0, 15e6)}, "sp02": {"css0": (0.0, 5e6)}}
    cluster.world.sample({**quiet, **loud, "grf1": {"gt000": (10e6, 0.0)}})
    observation = PlanInputs(cluster.world.site, cluster.now).observation(())
    demand = {name: observation.demand[cluster.world.node(name).pk] for name in ("sp01", "sp02", "sp03")}
    assert {name: round(out, -3) for name, (out, _) in demand.items()} == {
        "sp01": 7_500_000,
        "sp02": 2_500_000,
        "sp03": 0,
    }
    assert observation.alive[cluster.world.node("sp01").pk, cluster.world.node("atmgw").pk] is True


def test_node_without_management_network_keeps_its_default_route(cluster: Cluster) -> None:
    wanted = (PlanInputs(cluster.world.site, cluster.now).policies[cluster.policy.pk],)
    found = PlanInputs(cluster.world.site, cluster.now).observation(wanted).controller
    routes = found[cluster.world.node("sp01").pk]
    assert [(route.policy, str(route.prefix)) for route in routes] == [("sp-default", "0.0.0.0/0")]
    Port.objects.create(node=cluster.world.node("sp01"), name="en0", management=True)
    found = PlanInputs(cluster.world.site, cluster.now).observation(wanted).controller
    assert cluster.world.node("sp01").pk not in found


def test_change_for_some_nodes_excludes_the_others(cluster: Cluster) -> None:
    plan = cluster.plan(cluster.propose(nodes=["sp02", "sp03"]))
    assert sorted(name for wave in plan.document["waves"] for name in wave) == ["sp02", "sp03"]
    assert {assignment["wave"] for assignment in plan.assignments.values()} == {0, 1}


def test_node_without_engine_blocks(cluster: Cluster) -> None:
    node = cluster.world.node("sp03")
    node.routing = {}
    node.save()
    plan = cluster.plan(cluster.propose())
    assert plan.blocked
    failed = [item["text"] for item in plan.document["checks"] if item["level"] == "failed"]
    assert any("sp03" in text and "routing:" in text for text in failed), failed


def test_stale_plan_names_the_changed_input(cluster: Cluster) -> None:
    change = cluster.propose()
    cluster.world.forward(30)
    cluster.world.sample()
    assert stale(cluster, change) == "", "loads never stand still"
    cluster.report_routing("sp03", TWO)
    assert stale(cluster, change).startswith("Changed since planning: the running or saved state of sp03")
    cluster.report_routing("sp03")
    assert stale(cluster, change) == "", "it is as it was planned from"
    FailoverPolicy.objects.filter(pk=cluster.policy.pk).update(target="10.9.0.2")
    assert "the policies" in stale(cluster, change).lower()
    Site.objects.filter(pk=cluster.world.site.pk).update(wave_limit=3)
    assert "the wave limit" in stale(cluster, change)


def test_other_nodes_make_no_plan_stale(cluster: Cluster) -> None:
    cluster.report_routing("sp02", TWO)
    deployed, adopted = cluster.propose(nodes=["sp01", "sp02"]), cluster.propose("adopt", ["sp02"])
    other = cluster.world.node("sp03")
    routing = cluster.plan(cluster.propose()).assignments[str(other.pk)]["routing"]
    Intended.objects.create(node=other, revision=1, routing=routing, at=cluster.now)
    cluster.report_routing("sp03", TWO)
    assert (stale(cluster, deployed), stale(cluster, adopted)) == ("", "")
    cluster.report_routing("sp01", TWO)
    assert stale(cluster, deployed) == "Changed since planning: the running or saved state of sp01."
    assert stale(cluster, adopted) == ""
    cluster.report_routing("sp02")
    assert "the running or saved state of sp02" in stale(cluster, adopted)


def test_change_elsewhere_in_the_topology_makes_no_plan_stale(cluster: Cluster) -> None:
    change = cluster.propose(nodes=["sp01"])
    Port.objects.create(node=cluster.world.node("sp03"), name="en0", management=True)
    Site.objects.filter(pk=cluster.world.site.pk).update(version=F("version") + 1)
    assert stale(cluster, change) == ""
    Port.objects.create(node=cluster.world.node("grf1"), name="en0", management=True)
    Site.objects.filter(pk=cluster.world.site.pk).update(version=F("version") + 1)
    assert stale(cluster, change) == "Changed since planning: the topology of its nodes."


def test_restore_plans_the_confirmed_state(cluster: Cluster) -> None:
    bring_about(cluster)
    cluster.report_routing("sp02", (("10.1.0.15", 60),))
    plan = cluster.plan(cluster.propose("restore", ["sp02"]))
    assert not plan.blocked
    (shape,) = plan.document["shapes"]
    assert shape["nodes"] == ["sp02"]
    assert shape["differences"][0]["before"] == ["via atmgw 10.1.0.15 pref 60"]
    assert shape["differences"][0]["after"][0] == "via grf1 10.1.0.16 pref 60"
    (assignment,) = plan.assignments.values()
    assert assignment["earlier"]["revision"] == 1


def test_restore_without_drift_changes_nothing(cluster: Cluster) -> None:
    bring_about(cluster)
    plan = cluster.plan(cluster.propose("restore", ["sp02"]))
    assert plan.document["summary"].startswith("No changes; ")
    assert plan.assignments == {}


def test_changed_probe_interval_is_a_change(cluster: Cluster) -> None:
    bring_about(cluster)
    FailoverPolicy.objects.filter(pk=cluster.policy.pk).update(probe_interval_ms=20)
    (shape,) = cluster.plan(cluster.propose()).document["shapes"]
    assert shape["nodes"] == cluster.names
    assert shape["files"] == []
    assert shape["differences"][0]["before"][-1].startswith("checker 50 ms x 3 to 10.9.0.1")
    assert shape["differences"][0]["after"][-1].startswith("checker 20 ms x 3 to 10.9.0.1")


def test_adoption_takes_the_running_state_without_file_changes(cluster: Cluster) -> None:
    cluster.report_routing("sp01", (("10.1.0.15", 60), ("10.1.0.16", 90)))
    plan = cluster.plan(cluster.propose("adopt", ["sp01"]))
    assert not plan.blocked, plan.document["checks"]
    (shape,) = plan.document["shapes"]
    assert shape["files"] == []
    assert shape["differences"] == [
        {
            "prefix": "0.0.0.0/0",
            "before": [],
            "after": ["via atmgw 10.1.0.15 pref 60", "via grf1 10.1.0.16 pref 90"],
        }
    ]
    assert plan.document["summary"].startswith("1 node, 1 shape, none modified; ")


def test_unknown_next_hop_cannot_be_adopted(cluster: Cluster) -> None:
    cluster.report_routing("sp01", (("10.1.0.99", 60),))
    plan = cluster.plan(cluster.propose("adopt", ["sp01"]))
    assert plan.blocked
    texts = [item["text"] for item in plan.document["checks"] if item["check"] == "adoptable"]
    assert texts == [
        "sp01 cannot be adopted: its next hop 10.1.0.99 for 0.0.0.0/0 belongs to no node of the site."
    ]


def bring_about(cluster: Cluster) -> None:
    """Deploy the policy everywhere: intended, running and saved state are equal."""
    change = cluster.propose()
    for ident, assignment in cluster.plan(change).assignments.items():
        Intended.objects.create(
            node_id=int(ident), revision=1, routing=assignment["routing"], change=change, at=cluster.now
        )
        name = assigned_node(cluster, ident)
        cluster.report_routing(name, TWO, assignment["routing"]["files"][0]["text"])


def assigned_node(cluster: Cluster, ident: str) -> str:
    return str(cluster.world.site.nodes.values_list("name", flat=True).get(pk=int(ident)))


def network(cluster: Cluster, name: str, **values: object) -> HostNetworkReport:
    """The agent reaches 10.255.0.1 from its management port."""
    report = {
        "controllers": [{"address": "10.255.0.1", "source": "10.255.0.18"}],
        "resolvers": ["127.0.0.53"],
        "ports": [
            {
                "port": "css0",
                "forwards_ipv4": name == "atmgw",
                "forwards_ipv6": False,
                "rp_filter": 0,
            }
        ],
        "rules": [],
        **values,
    }
    return HostNetworkReport.model_validate({**cluster.world._head(name), **report})


def main_table(cluster: Cluster, name: str, *routes: tuple[str, str | None, str]) -> RouteReport:
    """The whole main table: (prefix, via, port)."""
    found = [
        {"prefix": prefix, "protocol": "kernel", "next_hops": [{"via": via, "port": port}]}
        for prefix, via, port in routes
    ]
    return RouteReport.model_validate({**cluster.world._head(name), "complete": True, "routes": found})


def failed(cluster: Cluster, check: str, level: str = "failed") -> list[str]:
    plan = cluster.plan(cluster.propose(nodes=["sp01"]))
    return [
        item["text"] for item in plan.document["checks"] if (item["check"], item["level"]) == (check, level)
    ]


@pytest.mark.parametrize("prefix", ["10.255.0.1/32", "10.255.0.0/24"])
def test_policy_that_captures_the_controller_is_refused(cluster: Cluster, prefix: str) -> None:
    sessions = main_table(cluster, "sp01", ("10.255.0.0/24", None, "en0"), ("10.1.0.0/16", None, "css0"))
    cluster.world.report([network(cluster, "sp01"), sessions])
    FailoverPolicy.objects.filter(pk=cluster.policy.pk).update(prefix=prefix, target=None)
    (text, *_) = failed(cluster, "controller")
    assert text.startswith(f"sp01 would lose the controller: sp-default sends {prefix} via grf1")
    assert "the controller 10.255.0.1" in text


def test_gateway_settings_and_routes_come_from_its_own_agent(cluster: Cluster) -> None:
    cluster.world.report([network(cluster, "sp01"), network(cluster, "atmgw")])
    table = (("10.1.0.0/16", None, "css0"), ("10.9.0.0/24", "10.3.0.10", "at0"))
    cluster.world.report([main_table(cluster, "atmgw", *table)])
    unproven = failed(cluster, "gateway_forwards", "warning")
    assert not [text for text in unproven if text.startswith("Unproven: whether atmgw")]
    off = [{"port": "css0", "forwards_ipv4": False, "forwards_ipv6": False, "rp_filter": 0}]
    cluster.world.forward(1)
    cluster.world.report([network(cluster, "atmgw", ports=off)])
    (text,) = failed(cluster, "gateway_forwards")
    assert "IPv4 forwarding is off on atmgw:css0" in text
    cluster.world.forward(1)
    cluster.world.report([network(cluster, "atmgw"), main_table(cluster, "atmgw", *table[:1])])
    (text,) = failed(cluster, "gateway_forwards")
    assert "atmgw has no route to 10.9.0.1" in text


def test_policy_rules_of_a_node_are_refused(cluster: Cluster) -> None:
    rule = {"family": 4, "priority": 100, "source": "10.1.0.0/16", "action": "lookup 100"}
    cluster.world.report([network(cluster, "sp01", rules=[rule])])
    (text,) = failed(cluster, "table_choice")
    assert text.startswith("sp01 uses policy routing (rule 100: from 10.1.0.0/16 lookup 100)")
