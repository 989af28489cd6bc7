"""Every read operation of the public API for a site in operation."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from backstay.alerts import services
from backstay.api.tests.world import OC12, World, bearer, person, reader, site_file
from backstay.core.roles import Role
from backstay.intake.site_files import import_text
from backstay.inventory.models import Port, Site
from backstay.inventory.sql import fetch_rows
from backstay.telemetry.models import PortLayout
from backstay.telemetry.rollups.partitions import _known, ensure_rollups

pytestmark = pytest.mark.usefixtures("shown_at_once")

RATES = {"grf1": {"ga030": (10e6, 20e6)}, "origin1": {"at0": (20e6, 10e6)}}


@pytest.fixture
def world(db: None) -> World:
    world = World.make()
    world.describe()
    world.all_paths()
    world.sample(RATES)
    return world


@pytest.fixture
def patient(world: World) -> None:
    """Pages compare reports with the clock, and a slow machine may take a minute for a test."""
    Site.objects.filter(pk=world.site.pk).update(interval_s=60)


@pytest.fixture
def get(world: World, client: Client) -> Any:
    return reader(client)


@pytest.mark.usefixtures("patient")
def test_topology_lists_every_node_and_link_with_live_load(get: Any) -> None:
    topology = get("topology")
    names = {node["name"] for node in topology["nodes"]}
    assert names == {
        *("sp01", "sp02", "sp03", "grf1", "atmgw", "onyx1", "origin1", "router", "mgmt1"),
        "sp-switch",
    }
    links = {link["name"]: link for link in topology["links"]}
    assert len(links) == 10
    link = links["grf1:ga030-origin1:at0"]
    assert link["kind"] == "circuit"
    assert link["usable_rate"] == OC12
    assert link["forward"]["bps"] == 20_000_000
    assert link["forward"]["utilisation"] == pytest.approx(20e6 / OC12, abs=1e-3)
    assert link["forward"]["fresh"]
    assert link["back"]["bps"] == 10_000_000
    assert links["sp01:css0-sp-switch"]["kind"] == "medium"
    keys = {node["key"] for node in topology["nodes"]}
    assert {link["source"] for link in topology["links"]} <= keys
    assert {link["target"] for link in topology["links"]} <= keys


def test_topology_has_tiers_from_the_cluster_outward_and_link_roles(get: Any) -> None:
    topology = get("topology")
    tiers = {node["name"]: node["tier"] for node in topology["nodes"]}
    assert (tiers["sp01"], tiers["sp-switch"], tiers["grf1"], tiers["atmgw"], tiers["router"]) == (
        0,
        1,
        2,
        2,
        3,
    )
    carries = {link["name"]: link["carries"] for link in topology["links"]}
    assert carries["grf1:ga031-router:at0"] == "active"
    assert carries["atmgw:at0-router:at1"] == "standby_not_verified"
    assert carries["grf1:gh010-onyx1:hip0"] == "none"


def test_map_paths_overview_and_incident_agree_after_a_failover(get: Any, world: World) -> None:
    world.forward()
    world.describe()
    world.fail_over()
    services.run_round(world.now)
    carries = {link["name"]: link["carries"] for link in get("topology")["links"]}
    assert carries["atmgw:at0-router:at1"] == "active"
    paths = get("paths?policy=sp-default")["items"]
    assert {path["active"] for path in paths} == {"atmgw"}
    assert {(path["state"], path["on_fallback"]) for path in paths} == {("warning", True)}
    nodes = {node["name"]: node for node in get("topology")["nodes"]}
    assert (nodes["grf1"]["state"], nodes["grf1"]["incidents"]) == ("critical", 1)
    overview = get("overview")
    assert overview["headline"].startswith(
        "grf1 is unreachable: 3 paths rerouted to atmgw. 1 problem needs attention."
    )
    tiles = {tile["kind"]: tile for tile in overview["tiles"]}
    assert tiles["problems"]["items"][0]["title"] == "grf1: 3 of 3 nodes of sp-default are on atmgw"
    assert (tiles["recent_changes"]["total"], tiles["recent_changes"]["items"][0]["title"]) == (
        1,
        "grf1 failed over",
    )
    (incident,) = get("incidents?phase=current")["items"]
    assert (incident["kind"], len(incident["path_ids"])) == ("gateway_failed_over", 3)
    detail = get(f"incidents/{incident['id']}")
    assert detail.items() >= {**incident, "age_s": pytest.approx(incident["age_s"], abs=5)}.items()
    assert {item["text"] for item in detail["evidence"]} == {
        f"grf1 does not answer {node}" for node in ("sp01", "sp02", "sp03")
    }
    assert [(one["kind"], one["name"]) for one in detail["objects"]][:2] == [
        ("node", "grf1"),
        ("policy", "sp-default"),
    ]
    assert detail["runbook"] == "docs/runbooks/gateway-failed-over.md"
    assert get("incidents?root=false")["items"] == []
    assert [one["id"] for one in get("incidents?root=true")["items"]] == [incident["id"]]
    assert get(f"incidents?cause_id={incident['id']}")["items"] == []


def test_overview_of_a_quiet_site_has_all_five_tiles(get: Any, world: World) -> None:
    world.report([], at=world.now)
    overview = get("overview")
    assert [tile["kind"] for tile in overview["tiles"]] == [
        "problems",
        "nearly_full",
        "recent_changes",
        "awaiting_confirmation",
        "not_reporting",
    ]
    assert [tile["total"] for tile in overview["tiles"]] == [0, 0, 0, 0, 1]
    assert overview["tiles"][4]["items"][0]["title"] == "mgmt1"
    assert len(overview["top_links"]) == 5
    assert overview["top_links"][0]["name"] == "grf1:ga030-origin1:at0"
    assert overview["top_links"][0]["evidence"][0]["source"] == "site file"
    assert (overview["paths_total"], overview["paths_on_fallback"]) == (5, 0)


def test_site_without_reports_is_never_live(client: Client, db: None) -> None:
    world = World.make()
    headers = bearer(person("reader", Role.VIEWER))
    overview = client.get("/api/v1/overview", headers=headers).json()
    assert overview["headline"].startswith("No node is reporting")
    topology = client.get("/api/v1/topology", headers=headers).json()
    assert {node["state"] for node in topology["nodes"]} == {"unknown"}
    assert {link["state"] for link in topology["links"]} == {"unknown"}
    assert {link["forward"] for link in topology["links"]} == {None}
    assert world.site.version


def test_data_becomes_stale_in_every_view(client: Client, db: None) -> None:
    from datetime import UTC

    world = World.make(now=datetime.now(UTC) - timedelta(seconds=60))
    world.describe()
    world.all_paths()
    world.sample(RATES)
    headers = bearer(person("reader", Role.VIEWER))

    def get(path: str) -> Any:
        return client.get(f"/api/v1/{path}", headers=headers).json()

    topology = get("topology")
    assert {node["state"] for node in topology["nodes"]} == {"unknown"}
    assert {link["state"] for link in topology["links"]} == {"unknown"}
    assert not any(link["forward"]["fresh"] for link in topology["links"])
    assert {port["state"] for port in get("ports?limit=500")["items"]} == {"unknown"}
    assert {path["state"] for path in get("paths")["items"]} == {"unknown"}
    assert {node["state"] for node in get("nodes")["items"]} == {"unknown"}


def test_ports_are_sorted_by_utilisation_with_all_fields(get: Any) -> None:
    first, second = get("ports?sort=-utilisation&limit=2")["items"]
    assert {(first["node"], first["name"]), (second["node"], second["name"])} == {
        ("grf1", "ga030"),
        ("origin1", "at0"),
    }
    port = first if first["node"] == "grf1" else second
    assert port["utilisation"] == pytest.approx(20e6 / OC12, abs=1e-3)
    assert (port["in_bps"], port["out_bps"]) == (10_000_000, 20_000_000)
    assert (port["kind"], port["fabric"], port["state"]) == ("atm", "atm-oc12", "ok")
    assert (port["speed"], port["mtu"], port["addresses"]) == (622_080_000, 9180, ["10.3.0.1/30"])
    assert (port["in_errors_ps"], port["out_errors_ps"]) == (0.0, 0.0)
    assert get(f"ports/{port['id']}")["link_id"] == port["link_id"]


def test_ports_can_be_filtered(get: Any) -> None:
    assert {port["name"] for port in get("ports?node=grf1")["items"]} == {"gt000", "gh010", "ga030", "ga031"}
    assert len(get("ports?fabric=atm-oc3")["items"]) == 2
    assert {port["node"] for port in get("ports?q=SP02:")["items"]} == {"sp02"}
    assert get("ports?state=critical")["items"] == []


@pytest.mark.usefixtures("patient")
def test_links_nodes_fabrics_policies_and_agents_are_listed(get: Any) -> None:
    (link,) = get("links?q=ga030")["items"]
    assert (link["source"]["node"], link["target"]["node"]) == ("grf1", "origin1")
    assert (link["media_rate"], link["mtu"], link["circuit"]) == (62_208_000, 9180, "0/130")
    assert get(f"links/{link['id']}")["name"] == link["name"]
    assert {item["fabric"] for item in get("links?fabric=hippi")["items"]} == {"hippi"}
    assert len(get("links?node=router")["items"]) == 3
    node = next(node for node in get("nodes?kind=gateway")["items"] if node["name"] == "grf1")
    assert (node["agent"], node["sys_name"], node["state"]) == ("mgmt1", "grf1", "ok")
    assert get(f"nodes/{node['id']}")["name"] == "grf1"
    fabrics = {fabric["name"]: fabric for fabric in get("fabrics")["items"]}
    assert (fabrics["sp-switch"]["ports"], fabrics["atm-oc12"]["usable_rate"]) == (5, OC12)
    policy = next(item for item in get("failover-policies")["items"] if item["name"] == "sp-default")
    assert (policy["gateways"], policy["nodes"]) == (["grf1", "atmgw"], ["sp01", "sp02", "sp03"])
    agents = {agent["name"]: agent for agent in get("agents")["items"]}
    assert agents["mgmt1"]["sources"] == ["linux", "snmp grf1"] or "snmp grf1" in agents["mgmt1"]["sources"]
    assert "hush" not in str(agents)


def test_path_lists_its_hops_and_links(get: Any, world: World) -> None:
    (path,) = get("paths?node=sp01")["items"]
    names = {f"node:{node.pk}": node.name for node in world.site.nodes.all()}
    assert [names.get(hop, "switch") for hop in path["hops"]] == ["sp01", "switch", "grf1", "router"]
    assert path["links"] == [
        world.link("sp01:css0").pk,
        world.link("grf1:gt000").pk,
        world.link("grf1:ga031").pk,
    ]
    assert set(path["standby_links"]) == {world.link("atmgw:css0").pk, world.link("atmgw:at0").pk}
    assert [(gateway["name"], gateway["active"]) for gateway in path["gateways"]] == [
        ("grf1", True),
        ("atmgw", False),
    ]
    assert get(f"paths/{path['id']}")["name"] == "sp01 to 0.0.0.0/0"


def test_events_are_listed_newest_first_and_can_be_filtered(get: Any, world: World) -> None:
    world.forward()
    world.fail_over()
    events = get("events")["items"]
    assert [event["since"] for event in events] == sorted((event["since"] for event in events), reverse=True)
    assert {event["kind"] for event in events} == {"path.switched", "site.imported"}
    (only,) = get("events?node=sp02&kind=path.switched")["items"]
    assert only["message"] == "sp02: 0.0.0.0/0 switched from grf1 to atmgw"
    assert get("events?q=sp03")["items"][0]["node"] == "sp03"
    assert get("events?end=now-1h")["items"] == []
    assert len(get("events?start=now-1h&end=now%2B1h")["items"]) == 4


def test_annotations_mark_failovers_of_the_objects_of_a_chart(get: Any, world: World) -> None:
    world.forward()
    world.fail_over()
    found = get("annotations?start=now-1h&end=now%2B1h")
    assert found["is_whole"]
    assert {item["kind"] for item in found["items"]} == {"failover"}
    assert [item["at"] for item in found["items"]] == sorted(item["at"] for item in found["items"])
    (node,) = get("nodes?q=sp02")["items"]
    other = get("nodes?q=onyx1")["items"][0]
    (only,) = get(f"annotations?start=now-1h&end=now%2B1h&node_id={node['id']}&node_id={other['id']}")[
        "items"
    ]
    assert (only["text"], only["url"]) == ("sp02: 0.0.0.0/0 switched from grf1 to atmgw", "/paths")
    assert get("annotations?start=now-9h&end=now-8h")["items"] == []


def test_link_history_has_rates_gaps_and_capacity(get: Any, world: World) -> None:
    for _ in range(10):
        world.forward()
        world.sample(RATES)
    world.forward(20)
    world.sample(RATES)
    start, end = world.now - timedelta(seconds=42), world.now
    link = world.link("grf1:ga030").pk
    history = get(f"links/{link}/history?start={start.timestamp():.3f}&end={end.timestamp():.3f}&points=100")
    known = [mean for mean in history["forward_mean"] if mean is not None]
    assert set(known) == {20_000_000}
    assert {mean for mean in history["back_mean"] if mean is not None} == {10_000_000}
    assert history["forward_mean"].count(None) >= 8
    assert len(history["at"]) == len(history["forward_mean"]) == len(history["back_max"])
    assert (history["usable_rate"], history["step_s"]) == (OC12, 2.0)
    assert history["measured_at"] in {"grf1:ga030", "origin1:at0"}
    assert history["forward_p95"] == 20_000_000


def test_port_history_has_rates_counters_and_utilisation(get: Any, world: World) -> None:
    for _ in range(10):
        world.forward()
        world.sample(RATES)
    start, end = world.now - timedelta(seconds=20), world.now
    port = Port.objects.get(node__name="grf1", name="ga030").pk
    history = get(f"ports/{port}/history?start={start.timestamp():.3f}&end={end.timestamp():.3f}&points=100")
    rates = {
        name: {value for value in history[name] if value is not None}
        for name in ("in_mean", "out_mean", "in_errors", "out_discards")
    }
    assert rates == {
        "in_mean": {10_000_000},
        "out_mean": {20_000_000},
        "in_errors": {0.0},
        "out_discards": {0.0},
    }
    assert {len(history[name]) for name in ("at", "in_max", "out_packets", "in_discards")} == {
        len(history["at"])
    }
    assert (history["usable_rate"], history["out_p95"]) == (OC12, 20_000_000)
    assert history["in_shares"] == [0.0, 1.0, *[0.0] * 8]
    assert get(f"ports/{port}")["url"] == f"/ports/{port}"


def test_link_history_has_the_capacity_of_its_time(get: Any, world: World) -> None:
    world.forward(3600)
    slower = site_file(3, "argonne").replace("538 Mb/s", "269 Mb/s")
    import_text(slower, "argonne.yaml", world.now)
    start, end = world.now - timedelta(minutes=30), world.now + timedelta(minutes=30)
    range_ = f"start={start.timestamp():.0f}&end={end.timestamp():.0f}"
    history = get(f"links/{world.link('grf1:ga030').pk}/history?{range_}")
    assert history["usable_rate"] == OC12 / 2
    assert [step["usable_rate"] for step in history["capacity"]] == [OC12, OC12 / 2]
    assert history["capacity"][1]["start"] == pytest.approx(world.now.timestamp(), abs=0.001)
    earlier = get(
        f"links/{world.link('grf1:ga030').pk}/history?start={start.timestamp() - 3600:.0f}"
        f"&end={start.timestamp():.0f}"
    )
    assert [step["usable_rate"] for step in earlier["capacity"]] == [OC12]


def test_history_spans_a_changed_port_order(get: Any, world: World) -> None:
    world.forward()
    answer = world.samples("grf1", RATES["grf1"])
    turned = answer.model_copy(
        update={
            name: list(reversed(getattr(answer, name)))
            for name in ("ports", "in_octets", "out_octets", "in_packets", "out_packets")
        }
    )
    world.report([turned])
    link = world.link("grf1:ga030").pk
    start, end = world.now.timestamp() - 6, world.now.timestamp() + 1
    history = get(f"links/{link}/history?start={start:.3f}&end={end:.3f}")
    assert {mean for mean in history["forward_mean"] if mean is not None} == {20_000_000}


def test_link_history_has_a_baseline_if_asked_for(get: Any, world: World) -> None:
    link = world.link("grf1:ga030")
    port = link.a
    layout = PortLayout.objects.create(node=port.node, digest=b"weeks", ports=[port.pk])
    midnight = world.now.replace(hour=0, minute=0, second=0, microsecond=0)
    for week in range(1, 5):
        at = midnight - timedelta(weeks=week)
        ensure_rollups(at.date())
        fetch_rows(
            "INSERT INTO telemetry_rollup_1h (node_id, at, layout_id, seconds, samples, in_octets,"
            " out_octets, in_min, in_max, out_min, out_max, in_p95, out_p95)"
            " SELECT %s, %s, %s, array_fill(3600.0, ARRAY[24]), array_fill(60, ARRAY[24]), octets, octets,"
            " rates, rates, rates, rates, rates, rates FROM (SELECT array_fill(%s::bigint, ARRAY[1, 24]),"
            " array_fill(0.0::real, ARRAY[1, 24])) AS filled (octets, rates) RETURNING 1",
            [port.node_id, at, layout.pk, 900 * week],
        )
    _known.clear()
    start, end = midnight.timestamp(), (midnight + timedelta(hours=2)).timestamp()
    path = f"links/{link.pk}/history?start={start:.0f}&end={end:.0f}&points=20"
    assert get(path)["baseline"] is None
    baseline = get(f"{path}&baseline=true")["baseline"]
    bins = len(get(path)["at"])
    for direction in ("forward", "back"):
        assert baseline[direction] == {
            "median": [5] * bins,
            "low": [3] * bins,
            "high": [7] * bins,
            "weeks": [4] * bins,
        }
    earlier = get(f"{path}&baseline=true".replace(f"{start:.0f}", f"{start - 7 * 86_400:.0f}"))["baseline"]
    assert earlier["back"]["weeks"][0] == 3
    longer = midnight - timedelta(weeks=3)
    unknown = get(f"links/{link.pk}/history?start={longer.isoformat()[:19]}&end={start:.0f}&baseline=true")
    assert (unknown["baseline"]["back"]["median"][0], unknown["baseline"]["back"]["weeks"][0]) == (None, 1)


def test_port_with_a_contradicted_speed_names_it_until_the_device_states_another(
    get: Any, world: World
) -> None:
    world.forward(60)
    stated = world.device("sp01")
    port = stated.ports[0].model_copy(update={"speed": 0, "contradicted_speed": 10_000_000})
    other = stated.ports[1:]
    world.report([stated.model_copy(update={"ports": [port, *other]})])
    shown = {row["name"]: row for row in get("ports?node=sp01")["items"]}
    assert (shown[port.name]["speed"], shown[port.name]["contradicted_speed"]) == (0, 10_000_000)
    assert all(shown[one.name]["contradicted_speed"] is None for one in other)
    world.forward(60)
    world.describe("sp01")
    again = {row["name"]: row for row in get("ports?node=sp01")["items"]}
    assert (again[port.name]["speed"], again[port.name]["contradicted_speed"]) == (622_080_000, None)
