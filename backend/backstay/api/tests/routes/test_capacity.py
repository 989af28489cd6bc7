"""`/capacity/n-1` and `/capacity/what-if`: from the site file and samples to verdicts and sentences."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from backstay.alerts.models import Incident
from backstay.alerts.rule import RuleResult
from backstay.alerts.rule_models import RuleOverride
from backstay.alerts.rules.load import fallback_capacity
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.tests.world import Json, World, bearer, person, site_file
from backstay.core.roles import Role
from backstay.intake.site_files import import_text
from backstay.inventory.models import SharedRisk, Site
from backstay.policy.capacity_models import CapacityFailure, CapacityResult
from backstay.policy.models import FailoverPolicy, Path
from backstay.rollout.capacity import services
from backstay.rollout.models import Intended
from backstay.telemetry.models import NewestSample
from backstay.telemetry.selectors import site_history

SENT = 6e6
"""bit/s of each of three nodes; the OC-3 behind atmgw carries 13.45 Mb/s in this world."""


def rates(sent: float = SENT) -> dict[str, dict[str, tuple[float, float]]]:
    """(in, out) by port: the nodes' traffic goes through grf1 to the router."""
    nodes = {f"sp{number:02}": {"css0": (1e6, sent)} for number in range(1, 4)}
    return {
        **nodes,
        "grf1": {"gt000": (3 * sent, 3e6), "ga031": (3e6, 3 * sent), "ga030": (0, 0), "gh010": (0, 0)},
        "atmgw": {"css0": (0, 0), "at0": (0, 0)},
        "router": {"at0": (3 * sent, 3e6), "at1": (0, 0), "at2": (0, 0)},
        "origin1": {"at0": (0, 0), "at1": (0, 0)},
        "onyx1": {"hip0": (0, 0)},
    }


def keep_fresh() -> None:
    """Loads and paths count for minutes: the API uses the real clock, and a busy machine is slow."""
    Site.objects.update(interval_s=300.0)
    FailoverPolicy.objects.update(probe_interval_ms=10_000)


@pytest.fixture
def world(db: None) -> World:
    world = World.make(now=timezone.now() - timedelta(minutes=2))
    keep_fresh()
    world.site = Site.objects.get()
    world.sample(rates())
    world.all_paths()
    return world


class Capacity:
    """Requests of a viewer."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._headers = bearer(person("vera", Role.VIEWER, "argonne"), Role.VIEWER)

    def __call__(self, path: str, status: int = 200, **query: Any) -> Json:
        answer = self._client.get(f"/api/v1/capacity/{path}", query, headers=self._headers)
        assert answer.status_code == status, answer.content
        found: Json = answer.json()
        return found


@pytest.fixture
def capacity(world: World, client: Client) -> Capacity:
    return Capacity(client)


def study(of: World | Site) -> None:
    assert services.refresh(of if isinstance(of, Site) else of.site, timezone.now())


def measure(world: World, sent: float) -> None:
    """The next interval's samples."""
    world.forward()
    world.sample(rates(sent))


def line(page: Json, name: str) -> Json:
    found: Json = next(item for item in page["items"] if item["name"] == name)
    return found


def test_fallback_that_would_not_hold_is_listed_before_the_failure(world: World, capacity: Capacity) -> None:
    study(world)
    page = capacity("n-1")
    assert page["status"]["headline"] == "3 of 4 fallbacks would not hold"
    assert page["status"]["fallbacks"] == {"total": 4, "holds": 1, "would_not_hold": 3, "unknown": 0}
    assert page["status"]["unattributed_share"] == 0.0
    assert page["status"]["single_attached"] == 3
    grf1 = line(page, "grf1")
    assert grf1["sentence"].startswith("If grf1 fails, atmgw:at0 would carry 134 % of 13.4 Mb/s.")
    assert grf1["verdict"] == "would_not_hold"
    assert grf1["state"] == "warning"
    assert (grf1["moved_nodes"], grf1["moved_bps"]) == (5, 21_000_000)
    assert grf1["worst"]["name"] == "atmgw:at0-router:at1"
    assert grf1["growth_percent"] == pytest.approx(-25.3)
    assert [item["verdict"] for item in page["items"][:3]] == ["would_not_hold"] * 3
    held = capacity("n-1", verdict="holds", q="atmgw")
    assert {item["name"] for item in held["items"]} == {
        "atmgw", "atmgw:at0-router:at1", "atmgw:css0-sp-switch",
    }  # fmt: skip


def test_one_failure_names_moves_and_loads_before_and_after(world: World, capacity: Capacity) -> None:
    study(world)
    one = capacity(f"n-1/{line(capacity('n-1'), 'grf1')['id']}")
    moved = {move["policy"]: move for move in one["moves"] if move["outcome"] == "moved"}
    assert moved["sp-default"]["from_gateway"]["name"] == "grf1"
    assert moved["sp-default"]["to_gateway"]["name"] == "atmgw"
    assert moved["sp-default"]["names"] == ["sp01", "sp02", "sp03"]
    assert moved["sp-default"]["out_bps"] == 18_000_000
    loads = {(lane["name"], lane["start"]): (lane["before_bps"], lane["after_bps"]) for lane in one["links"]}
    assert loads["atmgw:at0-router:at1", "atmgw"] == (0, 18_000_000)
    assert loads["atmgw:at0-router:at1", "router"] == (0, 3_000_000)
    assert loads["grf1:ga031-router:at0", "grf1"] == (18_000_000, 0)
    assert capacity("n-1/999999", status=404)["code"] == "not_found"


def test_traffic_to_a_host_that_only_the_failed_gateway_reaches_stops(
    world: World, capacity: Capacity
) -> None:
    world.forward()
    loads = rates()
    loads["grf1"] |= {"ga031": (1.5e6, 9e6), "gh010": (1.5e6, 9e6)}
    world.sample({**loads, "router": {"at0": (9e6, 1.5e6)}, "onyx1": {"hip0": (9e6, 1.5e6)}})
    failure = capacity("what-if", dead=["node:grf1"])["failure"]
    (stopped,) = failure["stopped"]
    assert stopped["hosts"] == ["onyx1"]
    assert stopped["bps"] == pytest.approx(10.5e6, rel=0.01)
    lane = next(item for item in failure["links"] if item["start"] == "atmgw" and item["end"] == "router")
    assert lane["after_bps"] == pytest.approx(9e6, rel=0.01)
    full = capacity("what-if", dead=["node:grf1"], growth=100)["failure"]["links"][0]
    assert (full["name"], full["carried_bps"]) == ("atmgw:at0-router:at1", 13_450_000)
    assert full["after_bps"] == pytest.approx(18e6, rel=0.01)


def test_any_failure_is_computed_for_any_growth(world: World, capacity: Capacity) -> None:
    grown = capacity("what-if", dead=["node:grf1"], growth=30)
    assert grown["failure"]["sentence"].startswith("If grf1 fails, atmgw:at0 would carry 174 %")
    less = capacity("what-if", dead=[f"node:{world.node('grf1').pk}"], growth=-30)
    assert less["failure"]["verdict"] == "holds"
    both = capacity("what-if", dead=["node:grf1", "link:atmgw:at0"])
    assert both["failure"]["cut_off_nodes"] >= 3
    assert both["failure"]["cut_off_bps"] >= 18_000_000
    nothing = capacity("what-if")
    assert (nothing["failure"]["failed"], nothing["failure"]["verdict"]) == ([], "holds")
    assert capacity("what-if", dead=["node:nobody"], status=404)["code"] == "not_found"
    assert capacity("what-if", at="now+1h", status=400)["code"] == "invalid"


def declare(world: World, *, deployed: bool) -> None:
    """Import the site file with this key of `sp-default`."""
    text = json.loads(site_file())
    text["failover_policies"][0]["deployed"] = deployed
    import_text(json.dumps(text), "argonne.yaml", timezone.now())
    keep_fresh()


def test_policy_that_nothing_deployed_recovers_from_nothing(world: World, capacity: Capacity) -> None:
    declare(world, deployed=False)
    failure = capacity("what-if", dead=["node:grf1"])["failure"]
    assert failure["reason"] == "Nothing detects the failure for sp01, sp02 and sp03."
    outcomes = {move["policy"]: move["outcome"] for move in failure["moves"]}
    assert outcomes["sp-default"] == "undetected"
    study(world)
    assert line(capacity("n-1"), "grf1")["reason"] == failure["reason"]
    declare(world, deployed=True)
    assert "would carry 134 %" in capacity("what-if", dead=["node:grf1"])["failure"]["reason"]


def test_policy_recovers_on_nodes_where_a_change_confirmed_it(world: World, capacity: Capacity) -> None:
    declare(world, deployed=False)
    hops = [
        {"gateway": name, "address": address, "port": "css0", "preference": 60 + 10 * place}
        for place, (name, address) in enumerate([("grf1", "10.1.0.16"), ("atmgw", "10.1.0.15")])
    ]
    route = {
        "policy": "sp-default", "prefix": "0.0.0.0/0", "hops": hops, "detection": "bfd", "target": "10.9.0.1",
    }  # fmt: skip
    routing = {"engine": {"kind": "bird", "config": "/etc/bird/bird.conf"}, "routes": [route], "files": []}
    Intended.objects.create(node=world.node("sp01"), revision=1, routing=routing, at=world.now)
    failure = capacity("what-if", dead=["node:grf1"])["failure"]
    moves = {move["outcome"]: move["names"] for move in failure["moves"] if move["policy"] == "sp-default"}
    assert moves == {"moved": ["sp01"], "undetected": ["sp02", "sp03"]}


CARD = {"name": "slot3", "kind": "card", "members": ["link:grf1:ga030", "link:grf1:ga031"]}


def declare_risks(*risks: Json) -> None:
    text = json.loads(site_file()) | {"shared_risks": risks}
    import_text(json.dumps(text), "argonne.yaml", timezone.now())
    keep_fresh()


def test_members_of_a_shared_risk_fail_together(world: World, capacity: Capacity) -> None:
    declare_risks(CARD, {"name": "ups", "kind": "power", "members": ["node:grf1", "node:atmgw"]})
    study(Site.objects.get())
    (card,) = capacity("n-1", kind="card")["items"]
    assert (card["name"], card["key"], card["verdict"]) == ("slot3", "group:slot3", "would_not_hold")
    assert card["sentence"] == "If slot3 fails, nothing detects the failure for sp01, sp02 and sp03."
    one = capacity(f"n-1/{card['id']}")
    assert {item["name"] for item in one["failed"]} == {"grf1:ga030-origin1:at0", "grf1:ga031-router:at0"}
    (power,) = capacity("n-1", q="ups")["items"]
    assert (power["verdict"], power["cut_off_nodes"]) == ("would_not_hold", 5)
    asked = capacity("what-if", dead=["group:slot3"])["failure"]
    both = capacity("what-if", dead=["link:grf1:ga030", "link:grf1:ga031"])["failure"]
    assert asked == both
    assert capacity("what-if", dead=["group:slot4"], status=404)["code"] == "not_found"
    declare_risks()
    study(Site.objects.get())
    assert capacity("n-1", kind="card")["items"] == []


def test_shared_risk_with_a_member_that_the_topology_lacks_never_holds(
    world: World, capacity: Capacity
) -> None:
    measure(world, 1e6)
    declare_risks({**CARD, "members": ["link:grf1:ga030"]})
    study(Site.objects.get())
    assert capacity("n-1", kind="card")["items"][0]["verdict"] == "holds"
    SharedRisk.objects.update(members=["link:grf1:ga030", "link:grf1:ga039"])
    Site.objects.update(version=F("version") + 1)
    study(Site.objects.get())
    (card,) = capacity("n-1", kind="card")["items"]
    assert (card["verdict"], card["reason"]) == (
        "unknown", "The topology lacks link:grf1:ga039 of the shared risk.",
    )  # fmt: skip
    assert capacity("what-if", dead=["group:slot3"], status=404)["code"] == "not_found"


def test_loads_are_means_of_the_last_minute(world: World, capacity: Capacity) -> None:
    world.now = timezone.now() - timedelta(seconds=40)
    for sent in (2e6, 2e6, 8e6, 8e6):
        measure(world, sent)
    links = capacity("what-if", dead=["node:grf1"])["failure"]["links"]
    loads = {(lane["name"], lane["start"]): lane["after_bps"] for lane in links}
    assert loads["atmgw:at0-router:at1", "atmgw"] == pytest.approx(15e6, rel=1e-3)
    peak = capacity("what-if", dead=["node:grf1"], load="peak")["failure"]["links"]
    assert peak[0]["after_bps"] == pytest.approx(24e6, rel=1e-3)


def test_stale_loads_are_unknown_and_never_hold(world: World, capacity: Capacity) -> None:
    measure(world, 1e6)
    assert capacity("what-if", dead=["node:grf1"])["failure"]["verdict"] == "holds"
    Site.objects.update(interval_s=1.0)
    NewestSample.objects.update(ts=F("ts") - timedelta(hours=1))
    answer = capacity("what-if", dead=["node:grf1"])
    assert answer["failure"]["verdict"] == "unknown"
    assert "unknown or stale" in answer["failure"]["reason"]
    assert answer["unknown_nodes"] > 0
    services.refresh(Site.objects.get(), timezone.now())
    assert capacity("n-1")["status"]["fallbacks"]["holds"] == 0


def test_traffic_between_two_managed_nodes_is_counted_at_one_end(world: World, capacity: Capacity) -> None:
    to_origin = rates()
    to_origin["grf1"] |= {"ga031": (0, 0), "ga030": (3e6, 18e6)}
    to_origin["origin1"] = {"at0": (18e6, 3e6), "at1": (0, 0)}
    to_origin["router"]["at0"] = (0, 0)
    world.forward()
    world.sample(to_origin)
    links = capacity("what-if", dead=["node:grf1"])["failure"]["links"]
    assert links[0]["name"] == "atmgw:at0-router:at1"
    assert links[0]["after_bps"] == 18_000_000


def test_path_on_its_fallback_counts_as_it_is(world: World, capacity: Capacity) -> None:
    world.fail_over()
    failed = capacity("what-if", dead=["node:atmgw"])["failure"]
    moves = {move["policy"]: move for move in failed["moves"]}
    assert moves["sp-default"]["from_gateway"]["name"] == "atmgw"
    assert moves["sp-default"]["to_gateway"] is None, "grf1 is dead too"
    assert failed["verdict"] == "would_not_hold"
    alive = {"grf1": True, "atmgw": True}
    nodes = [name for name in world.devices() if name.startswith("sp")]
    world.forward()
    world.report([world.path(name, "sp-default", "atmgw", alive=alive) for name in nodes])
    failed = capacity("what-if", dead=["node:atmgw"])["failure"]
    moves = {move["policy"]: move for move in failed["moves"]}
    assert moves["sp-default"]["to_gateway"]["name"] == "grf1", "it answers again before the nodes return"


def test_loads_of_a_past_moment_without_history_are_unknown(world: World, capacity: Capacity) -> None:
    answer = capacity("what-if", dead=["node:grf1"], at="now-3h")
    assert answer["failure"]["verdict"] == "unknown"


def test_worst_hour_has_its_own_time_and_needs_history(world: World, capacity: Capacity) -> None:
    answer = capacity("what-if", 400, dead=["node:grf1"], load="worst_hour")
    assert answer["fields"] == {"load": "expected mean, p95 or peak"}
    answer = capacity("what-if", 400, dead=["node:grf1"], load="worst_hour", at="now-1h")
    assert answer["fields"] == {"at": "leave it out, or choose another load"}


def test_past_moment_is_computed_from_its_own_samples(
    world: World, capacity: Capacity, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The moment may be in the hour before, which nothing rolls up here.
    monkeypatch.setattr(site_history, "_ROLLED_UP_AFTER_S", 3600)
    Path.objects.update(observed_from=world.now - timedelta(days=1))
    past, present = world.now - timedelta(minutes=20), world.now
    for second in range(0, 20, 2):
        world.now = past + timedelta(seconds=second)
        world.sample(rates(2e6))
    world.now = present
    at = (past + timedelta(seconds=10)).isoformat()
    before = capacity("what-if", dead=["node:grf1"], at=at)
    assert before["failure"]["verdict"] == "holds"
    assert before["failure"]["reason"] == "atmgw:at0 would carry 45 % of 13.4 Mb/s."
    assert capacity("what-if", dead=["node:grf1"], at=at, load="peak")["failure"]["verdict"] == "holds"
    assert capacity("what-if", dead=["node:grf1"])["failure"]["verdict"] == "would_not_hold"


def test_result_is_kept_while_its_inputs_are_alike(world: World) -> None:
    study(world)
    before = CapacityResult.objects.get()
    later = timezone.now() + timedelta(seconds=30)
    assert not services.refresh(world.site, later)
    same = CapacityResult.objects.get()
    assert (same.computed_at, same.checked_at) == (before.computed_at, later)
    measure(world, SENT * 0.8)
    assert services.refresh(world.site, timezone.now())


def test_verdict_keeps_its_beginning_over_studies(world: World) -> None:
    study(world)
    began = CapacityFailure.objects.get(name="grf1").since
    measure(world, SENT * 0.9)
    study(world)
    assert CapacityFailure.objects.get(name="grf1").since == began
    measure(world, 1e6)
    study(world)
    assert CapacityFailure.objects.get(name="grf1").since > began


def test_study_that_fails_is_recorded_and_the_result_becomes_stale(
    world: World, capacity: Capacity, monkeypatch: pytest.MonkeyPatch
) -> None:
    study(world)
    monkeypatch.setattr(services, "capacity_inputs", lambda *_: 1 / 0)
    assert not services.refresh(world.site, timezone.now())
    status = capacity("n-1")["status"]
    assert status["error"] == "ZeroDivisionError: division by zero"
    assert status["failing_since"] is not None
    CapacityResult.objects.update(checked_at=timezone.now() - timedelta(minutes=5))
    page = capacity("n-1")
    assert page["status"]["state"] == "unknown"
    assert {item["state"] for item in page["items"]} == {"unknown"}
    assert page["status"]["headline"].startswith("Capacity was last computed 5 min")


def test_overview_has_the_same_numbers(world: World, capacity: Capacity, client: Client) -> None:
    study(world)
    headers = bearer(person("otto", Role.VIEWER, "argonne"), Role.VIEWER)
    tile = client.get("/api/v1/overview", {"site": "argonne"}, headers=headers).json()["fallbacks"]
    status = capacity("n-1")["status"]
    assert tile["headline"] == status["headline"]
    assert (tile["total"], tile["holds"], tile["would_not_hold"]) == (4, 1, 3)
    assert tile["items"][0]["detail"].startswith("atmgw:at0 would carry 134 %")
    assert tile["as_of"] == status["checked_at"]


def _round(world: World, at: datetime, present: Mapping[str, Incident] = MappingProxyType({})) -> RuleResult:
    rule = fallback_capacity.RULE
    return rule.evaluate(SiteSnapshot(world.site, at), rule.defaults, present)


def _pending(result: RuleResult, at: datetime) -> dict[str, Incident]:
    """The incidents that these findings would make."""
    return {
        finding.fingerprint: Incident(phase="pending", opened_at=finding.since, judged_at=at)
        for finding in result.findings
    }


def test_rule_opens_before_the_failure_with_one_finding_for_the_link(world: World) -> None:
    study(world)
    fresh = CapacityResult.objects.get().checked_at
    assert fresh is not None
    early = _round(world, fresh)
    assert all(finding.is_pending for finding in early.findings)
    found = _round(world, fresh + timedelta(seconds=130), _pending(early, fresh)).findings
    assert not any(finding.is_pending for finding in found)
    (full,) = [finding for finding in found if finding.link_id == world.link("atmgw:at0").pk]
    assert "would carry 134 % of 13.4 Mb/s" in full.title
    assert full.value == pytest.approx(1.3383, abs=1e-3)
    assert {item.text.partition(" fails")[0] for item in full.evidence} == {
        "If grf1", "If grf1:gt000-sp-switch",
    }  # fmt: skip


def test_load_counts_from_its_own_beginning_and_not_from_that_of_an_older_verdict(world: World) -> None:
    """Nodes that would be cut off keep the verdict bad; the link was full only now and then."""
    study(world)
    CapacityFailure.objects.update(since=timezone.now() - timedelta(hours=1))
    fresh = CapacityResult.objects.get().checked_at
    assert fresh is not None
    again = _round(world, fresh + timedelta(seconds=10))
    assert [finding.is_pending for finding in again.findings] == [True] * len(again.findings) != []
    assert {finding.since for finding in again.findings} == {fresh}


def test_rule_is_undecided_while_the_result_is_stale_or_unknown(world: World) -> None:
    study(world)
    present: Any = {"fallback_would_not_hold:1": object()}
    rule, now = fallback_capacity.RULE, timezone.now()
    stale = rule.evaluate(SiteSnapshot(world.site, now + timedelta(minutes=10)), rule.defaults, present)
    assert (stale.findings, stale.undecided) == ((), frozenset(present))
    CapacityFailure.objects.update(verdict="unknown", worst_utilisation=None)
    CapacityResult.objects.update(counts={"fallbacks": {"holds": 0, "would_not_hold": 0, "unknown": 4}})
    unknown = rule.evaluate(SiteSnapshot(world.site, now), rule.defaults, present)
    assert (unknown.findings, unknown.undecided) == ((), frozenset(present))


def limit(world: World, packets_per_s: float, *, role: str = "gateway") -> None:
    rule = world.site.rules.get(kind="gateway_packets")
    RuleOverride.objects.update_or_create(
        rule=rule,
        scope="role",
        match=role,
        defaults={"parameters": {"capacity": packets_per_s}, "changed_at": timezone.now()},
    )


def count_packets(world: World, sent: float, octets: int = 125, but: tuple[str, ...] = ()) -> None:
    """The next interval's samples, with so many octets in every packet; of `but`, no packets are counted."""
    world.forward()
    given, known = rates(sent), world._ports()
    samples = [world.samples(name, given.get(name), known[name]) for name in sorted(known)]
    world.report(
        item.model_copy(
            update={
                f"{direction}_packets": [
                    0 if name in but else size // octets for size in getattr(item, f"{direction}_octets")
                ]
                for direction in ("in", "out")
            }
        )
        for name, item in zip(sorted(known), samples, strict=True)
    )


def test_gateway_above_its_limit_of_packets_would_not_hold(world: World, capacity: Capacity) -> None:
    count_packets(world, 1e6)
    assert capacity("what-if", dead=["node:grf1"])["failure"]["gateways"] == []
    limit(world, 5_000)
    failure = capacity("what-if", dead=["node:grf1"])["failure"]
    assert failure["verdict"] == "would_not_hold"
    assert failure["sentence"] == "If grf1 fails, atmgw would forward 6\u202f000 of 5\u202f000 packets/s."
    (gateway,) = failure["gateways"]
    assert gateway == {
        "node": world.node("atmgw").pk, "name": "atmgw", "before_pps": 0, "after_pps": 6_000,
        "limit_pps": 5_000, "share": 1.2, "is_known": True,
    }  # fmt: skip
    assert failure["growth_percent"] == pytest.approx(-16.7)
    grown = capacity("what-if", dead=["node:grf1"], growth=-20)["failure"]
    assert (grown["verdict"], grown["gateways"][0]["after_pps"]) == ("holds", 4_800)


def test_packet_rates_are_unknown_where_a_port_counts_none(world: World, capacity: Capacity) -> None:
    limit(world, 50_000)
    count_packets(world, 1e6, but=("sp02",))
    failure = capacity("what-if", dead=["node:grf1"])["failure"]
    assert (failure["verdict"], failure["reason"]) == (
        "unknown", "The packet rate of atmgw is unknown or stale.",
    )  # fmt: skip
    count_packets(world, 1e6)
    assert capacity("what-if", dead=["node:grf1"])["failure"]["verdict"] == "holds"
    world.now = timezone.now() - timedelta(seconds=20)
    count_packets(world, 2e6)
    (gateway,) = capacity("what-if", dead=["node:grf1"])["failure"]["gateways"]
    assert gateway["after_pps"] == pytest.approx(9_000, rel=1e-3)


def test_peak_and_past_packets_follow_the_load(
    world: World, capacity: Capacity, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_history, "_ROLLED_UP_AFTER_S", 3600)
    Path.objects.update(observed_from=world.now - timedelta(days=1))
    limit(world, 50_000)
    past, present = world.now - timedelta(minutes=20), world.now
    for second in range(0, 20, 2):
        world.now = past + timedelta(seconds=second)
        count_packets(world, 2e6)
    world.now = present
    count_packets(world, 1e6)
    at = (past + timedelta(seconds=10)).isoformat()
    before = capacity("what-if", dead=["node:grf1"], at=at)["failure"]["gateways"]
    assert before[0]["after_pps"] == pytest.approx(9_000, rel=1e-3)
    peak = capacity("what-if", dead=["node:grf1"], load="peak")["failure"]["gateways"]
    assert peak[0]["after_pps"] == pytest.approx(6_000, rel=1e-3)


def test_study_stores_packets_and_opens_an_incident_for_the_gateway(world: World, capacity: Capacity) -> None:
    count_packets(world, 1e6)
    study(world)
    assert not services.refresh(world.site, timezone.now())
    limit(world, 5_000)
    study(world)
    grf1 = line(capacity("n-1", sort="-worst_packet_share"), "grf1")
    assert (grf1["verdict"], grf1["worst_packet_share"]) == ("would_not_hold", pytest.approx(1.2))
    assert grf1["worst_gateway"]["after_pps"] == 6_000
    assert capacity(f"n-1/{grf1['id']}")["gateways"] == [grf1["worst_gateway"]]
    fresh = CapacityResult.objects.get().checked_at
    assert fresh is not None
    (found,) = _round(world, fresh + timedelta(seconds=130)).findings
    assert found.fingerprint == f"fallback_would_not_hold:gateway:{world.node('atmgw').pk}"
    assert found.title.endswith(" fails, atmgw would forward 6\u202f000 of 5\u202f000 packets/s")
    assert (found.node_id, found.link_id) == (world.node("atmgw").pk, None)
    assert found.value == pytest.approx(1.2)


def test_failures_of_an_earlier_release_have_no_packets(world: World, capacity: Capacity) -> None:
    study(world)
    row = CapacityFailure.objects.get(name="grf1")
    del row.detail["gateways"], row.detail["gateways_total"]
    row.save()
    assert capacity(f"n-1/{row.pk}")["gateways"] == []
    assert line(capacity("n-1"), "grf1")["worst_gateway"] is None


def test_shared_risks_are_listed_with_their_members(world: World, capacity: Capacity) -> None:
    declare_risks(CARD)
    study(Site.objects.get())
    (card,) = capacity("n-1", shared=True)["items"]
    assert (card["key"], card["members_total"]) == ("group:slot3", 2)
    assert sorted(card["members"]) == ["grf1:ga030-origin1:at0", "grf1:ga031-router:at0"]
    single = capacity("n-1", shared=False)["items"]
    assert single
    assert all(item["members"] == [] and not item["key"].startswith("group:") for item in single)


def test_policy_says_whether_the_site_file_declares_it_deployed(
    world: World, capacity: Capacity, client: Client
) -> None:
    headers = bearer(person("olga", Role.VIEWER, "argonne"), Role.VIEWER)

    def policy() -> Json:
        items = client.get("/api/v1/failover-policies", {"site": "argonne"}, headers=headers).json()["items"]
        return line({"items": items}, "sp-default")

    assert (policy()["is_preconfigured"], policy()["undetected"]) == (True, [])
    declare(world, deployed=False)
    assert (policy()["is_preconfigured"], policy()["undetected"]) == (False, ["sp01", "sp02", "sp03"])
    route = {"policy": "sp-default", "prefix": "0.0.0.0/0", "hops": []}
    routing = {"engine": {"kind": "bird", "config": "/etc/bird/bird.conf"}, "routes": [route], "files": []}
    Intended.objects.create(node=world.node("sp01"), revision=1, routing=routing, at=world.now)
    assert policy()["undetected"] == ["sp02", "sp03"]
