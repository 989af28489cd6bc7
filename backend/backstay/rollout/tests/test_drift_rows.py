"""Drift in the database: appears with a manual edit, disappears when it is reverted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backstay.alerts import services as alerts
from backstay.alerts.evaluation import evaluate_triggered
from backstay.alerts.models import Incident
from backstay.core import rendering
from backstay.inventory.models import Node
from backstay.rollout import drift, wire_codec
from backstay.rollout.models import Application, Change, Drift, Intended
from backstay.rollout.tests.cluster import BOOT_FILE, TWO, Cluster
from backstay.rollout.tests.in_force import FLIPPED, bring_about
from backstay.telemetry.models import Event, RoutingState

pytestmark = pytest.mark.usefixtures("shown_at_once")


@pytest.fixture
def saved(cluster: Cluster) -> dict[str, str]:
    return bring_about(cluster)


def kinds(cluster: Cluster) -> list[str]:
    rows = Event.objects.filter(site=cluster.world.site, kind__startswith="drift.").order_by("pk")
    return list(rows.values_list("kind", flat=True))


def test_node_in_intended_state_has_no_drift(cluster: Cluster, saved: dict[str, str]) -> None:
    assert not Drift.objects.exists()
    assert Intended.objects.filter(judged_at=None).count() == 0


def test_edited_boot_file_is_drift_until_restored(cluster: Cluster, saved: dict[str, str]) -> None:
    cluster.report_routing("sp02", TWO, "route add default via 10.1.0.99 dev css0\n")
    row = Drift.objects.get()
    assert (row.node.name, row.saved_differs, row.running_differs, row.reboot) == ("sp02", True, False, True)
    assert "10.1.0.99" in row.items[0]["saved"]
    event = Event.objects.get(kind="drift.appeared")
    assert event.message.startswith("sp02: ")
    assert event.severity == "warning"
    alerts.run_round(cluster.now)
    incident = Incident.objects.get(rule__kind="drift")
    assert incident.title == "sp02: saved configuration differs from the intended one for 0.0.0.0/0"
    (item,) = incident.evidence
    assert (item["source"], item["by"], "10.1.0.99" in item["text"]) == ("report", "sp02", True)
    assert item["at"] == RoutingState.objects.get(node__name="sp02").at.isoformat()
    since = row.since
    cluster.report_routing("sp02", TWO, "route add default via 10.1.0.98 dev css0\n")
    assert Drift.objects.get().since == since
    cluster.report_routing("sp02", TWO, saved["sp02"])
    assert not Drift.objects.exists()
    assert kinds(cluster) == ["drift.appeared", "drift.gone"]
    alerts.run_round(cluster.now)
    incident.refresh_from_db()
    assert incident.phase == "resolved"


def test_manually_changed_route_is_drift_reverted_by_reboot(cluster: Cluster, saved: dict[str, str]) -> None:
    cluster.report_routing("sp01", (("10.1.0.77", 60),))
    row = Drift.objects.get()
    assert (row.running_differs, row.saved_differs, row.reboot) == (True, False, True)
    assert [event.node.name for event in Event.objects.filter(kind="drift.appeared") if event.node] == [
        "sp01"
    ]


def test_checker_on_fallback_is_not_drift_but_changes_on_reboot(
    cluster: Cluster, saved: dict[str, str]
) -> None:
    cluster.report_routing("sp01", FLIPPED)
    row = Drift.objects.get()
    assert (row.running_differs, row.saved_differs, row.reboot) == (False, False, True)
    assert row.items[0]["on_fallback"]
    assert kinds(cluster) == []
    alerts.run_round(cluster.now)
    assert not Incident.objects.filter(rule__kind="drift").exists()


def test_gated_on_fallback_is_a_row_without_drift(cluster: Cluster, saved: dict[str, str]) -> None:
    node = cluster.world.node("sp01")
    node.routing = {"engine": "gated", "config": BOOT_FILE}
    node.save()
    row = Intended.objects.get(node=node)
    assert row.routing is not None
    row.routing["engine"]["kind"] = "gated"
    row.save()
    turned = boot_file_led_by(node, "atmgw")
    cluster.report_routing("sp01", FLIPPED, turned, engine="gated")
    drifted = Drift.objects.get()
    (item,) = drifted.items
    assert item["kind"] == "route", item["text"]
    assert (item["on_fallback"], item["file_on_fallback"]) == (True, True)
    assert (drifted.running_differs, drifted.saved_differs, drifted.reboot) == (False, False, False)
    cluster.report_routing("sp01", TWO, turned, engine="gated")
    drifted = Drift.objects.get()
    assert [item["file_on_fallback"] for item in drifted.items] == [False]
    assert (drifted.running_differs, drifted.saved_differs, drifted.reboot) == (False, True, True)


def boot_file_led_by(node: Node, gateway: str) -> str:
    """The file that the node's checker writes with this gateway first."""
    row = Intended.objects.get(node=node)
    assert row.routing is not None
    ids = dict(Node.objects.filter(site=node.site).values_list("name", "pk"))
    intended = wire_codec.decode_routing(node, row.routing, ids)
    led = tuple(route.led_by(gateway) for route in intended.routes)
    return rendering.render(replace(intended, routes=led), "")


def test_node_is_not_compared_during_a_change(cluster: Cluster, saved: dict[str, str]) -> None:
    change = cluster.propose()
    change.state = "rolling"
    change.save()
    Application.objects.create(change=change, node=cluster.world.node("sp01"), wave=0, state="applying")
    cluster.report_routing("sp01", (("10.1.0.77", 60),))
    drift.due(cluster.world.forward(5))
    assert not Drift.objects.exists()
    change.state = "failed"
    change.save()
    drift.due(cluster.world.forward(1))
    assert Drift.objects.get().node.name == "sp01"


def test_no_comparison_while_the_engine_does_not_respond(cluster: Cluster, saved: dict[str, str]) -> None:
    cluster.world.forward()
    RoutingState.objects.filter(node__name="sp01").update(
        alive=False, routes=[], changed_at=cluster.now, at=cluster.now
    )
    drift.due(cluster.world.forward())
    assert not Drift.objects.exists()


def test_late_report_changes_nothing(cluster: Cluster, saved: dict[str, str]) -> None:
    state = RoutingState.objects.get(node__name="sp01")
    cluster.world.forward(-10)
    cluster.report_routing("sp01", (("10.1.0.77", 60),), "")
    assert RoutingState.objects.get(node__name="sp01").digest == state.digest
    assert not Drift.objects.exists()


def test_new_intended_state_is_compared_with_earlier_reports(cluster: Cluster, saved: dict[str, str]) -> None:
    row = Intended.objects.get(node__name="sp03")
    assert row.routing is not None
    hops = row.routing["routes"][0]["hops"]
    hops[0]["address"], hops[1]["address"] = hops[1]["address"], hops[0]["address"]
    row.at = cluster.world.forward()
    row.save()
    drift.due(cluster.world.forward(1))
    assert not Drift.objects.exists(), "the node is given a moment to tell"
    drift.due(cluster.world.forward(5))
    assert Drift.objects.get().node.name == "sp03"


@pytest.mark.parametrize("forget", ["intention", "management"])
def test_drift_is_removed_with_its_intended_state(
    cluster: Cluster, saved: dict[str, str], forget: str
) -> None:
    cluster.report_routing("sp02", TWO, "")
    assert Drift.objects.get().node.name == "sp02"
    if forget == "intention":
        Intended.objects.filter(node__name="sp02").delete()
    else:
        Node.objects.filter(name="sp02").update(routing={})
    drift.due(cluster.world.forward(1))
    assert not Drift.objects.exists()
    cluster.report_routing("sp02", TWO, "# something else\n")
    assert not Drift.objects.exists()


def test_drift_waits_for_the_round_while_a_change_is_in_progress(
    cluster: Cluster, saved: dict[str, str]
) -> None:
    change = Change.objects.get()
    cluster.report_routing("sp02", TWO, "route add default via 10.1.0.99 dev css0\n")
    Incident.objects.all().delete()
    Change.objects.update(state="rolling")
    evaluate_triggered(change.site, ["drift"], cluster.now)
    assert not Incident.objects.exists()
    alerts.run_round(cluster.now)
    assert Incident.objects.filter(rule__kind="drift").count() == 1
    Incident.objects.all().delete()
    Change.objects.update(state="done")
    evaluate_triggered(change.site, ["drift"], cluster.now)
    assert Incident.objects.filter(rule__kind="drift").count() == 1
