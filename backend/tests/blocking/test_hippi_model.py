"""The hold-time planner from agents' reports to the API: measured values, unknown ones, bounds."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from backstay.api.tests.world import World, reader
from backstay.inventory import snapshot
from backstay.telemetry.selectors.blocking import congested_ports, hippi_measurements
from backstay.telemetry.states import metrics
from backstay_wire import MetricReport, MetricValue

pytestmark = pytest.mark.slow
SECOND = 10**9
TICKS = 3_000_000


@pytest.fixture
def world(db: None) -> World:
    """Two intervals of 30 s in which a gateway and a switch port were blocked, and InfiniBand waited."""
    metrics.forget_layouts()
    world = World.make(now=timezone.now() - timedelta(seconds=60))
    world.describe(*world.devices())
    for _ in range(2):
        world.forward(30)
        world.report([world.samples("grf1"), world.samples("onyx1")])
        world.report(
            [
                metric_report(
                    world,
                    "grf1",
                    MetricValue(subject="gh010", metric="ps32.rejects", value=60),
                    MetricValue(subject="gh010", metric="ps32.campon_delays", value=30),
                ),
                metric_report(
                    world,
                    "onyx1",
                    MetricValue(metric="hsg.clock", value=TICKS),
                    MetricValue(metric="hsg.src_busy", value=TICKS // 2),
                    MetricValue(metric="hsg.src_packets", value=600),
                    MetricValue(metric="hsg.src_connect_fail", value=150),
                    MetricValue(metric="hsg.hold_time", value=500),
                ),
                metric_report(
                    world,
                    "sp01",
                    MetricValue(subject="css0", metric="ib.xmit_wait", value=3_000_000),
                    MetricValue(subject="css0", metric="ib.xmit_discards", value=90),
                ),
            ]
        )
    return world


@pytest.fixture
def get(world: World, client: Client) -> Any:
    return reader(client)


def metric_report(world: World, device: str, *values: MetricValue) -> MetricReport:
    return MetricReport(
        **world._head(device), collector="snmp", duration_ns=30 * SECOND, metrics=list(values)
    )


def test_defaults_are_the_papers_case(get: Any) -> None:
    model = get("models/hippi")
    assert model["parameters"]["rate_pps"] == 10
    assert (model["unlimited"]["state"], model["unlimited"]["wait_ms"]) == ("stable", 20.1405)
    assert model["unlimited"]["delay_ms"] == 26.1405
    assert (model["finite"]["loss"], model["finite"]["wait_ms"]) == (0.60653066, 4.5851)
    acks = {item["hold"]: item for item in model["tcp"] if item["blocked"] == "acks"}
    assert (acks["unlimited"]["bps"], acks["unlimited"]["reproduces_paper"]) == (78_288_000, True)
    assert acks["finite"]["reproduces_paper"] is False
    assert "10.4 Mb/s" in acks["finite"]["note"]
    assert {len(values) for name, values in model["curves"].items() if name != "finite_hold_ms"} == {31}
    assert [item["hold"] for item in model["recommendations"]] == ["unlimited", "92 ms", "47 ms"]
    assert [item["code"] for item in model["lifetimes"]] == list(range(21))


def test_unstable_queue_says_so_and_when_the_buffer_is_full(get: Any) -> None:
    model = get("models/hippi?rate_pps=100&blocking_ms=20")
    assert model["unlimited"] | {"reason": ""} == {
        "state": "unstable", "wait_ms": None, "delay_ms": None, "loss": 0.5, "fill_s": 1.28, "reason": "",
        "simulated": False,
    }  # fmt: skip
    assert "one passes every 20 ms" in model["headline"]
    curve = dict(zip(model["curves"]["blocking_ms"], model["curves"]["unlimited_delay_ms"], strict=True))
    assert curve[7.943] is not None
    assert curve[10.0] is None


def test_measured_gateway_and_ports(get: Any) -> None:
    model = get("models/hippi?gateway=onyx1&tick_ns=1000")
    (gateway,) = model["gateways"]
    assert (gateway["rate_pps"], gateway["blocking_ms"], gateway["loss"]) == (25.0, 20.0, 0.2)
    assert (gateway["hold"], gateway["hold_ms"], gateway["given_up_ps"]) == ("10 ms", 10.0, 5.0)
    assert gateway["packet_bytes"] is not None
    assert gateway["model"]["loss"] == 0.60653066
    parameters = model["parameters"]
    assert (parameters["rate_pps"], parameters["blocking_ms"], parameters["load"]) == (25.0, 20.0, 0.5)
    (port,) = model["ports"]
    assert (port["port"], port["rejects_ps"], port["camp_ons_ps"]) == ("gh010", 2.0, 1.0)
    assert port["rate_pps"] > 0
    assert port["blocked_share"] == 1.0  # At most, if the counters of the window and the interval differ.
    (waiting,) = model["infiniband"]
    assert (waiting["wait_ticks_ps"], waiting["wait_share"], waiting["discards_ps"]) == (100_000.0, 0.1, 3.0)
    (untimed,) = get("models/hippi")["infiniband"]
    assert untimed["wait_share"] is None


def test_what_was_not_measured_is_unknown(client: Client, db: None) -> None:
    metrics.forget_layouts()
    world = World.make(now=timezone.now() - timedelta(seconds=2))
    hold = MetricValue(metric="hsg.hold_time", value=0)
    world.report([metric_report(world, "onyx1", hold), metric_report(world, "atmgw", hold)])
    get = reader(client)
    model = get("models/hippi?gateway=onyx1")
    (gateway,) = model["gateways"]  # atmgw is on no HIPPI fabric.
    assert (gateway["hold"], gateway["rate_pps"], gateway["packet_bytes"]) == ("unlimited", None, None)
    assert (gateway["blocking_ms"], gateway["loss"], gateway["model"]["state"]) == (None, None, "unknown")
    assert model["parameters"]["hold_ms"] == 0
    assert model["unlimited"]["state"] == model["finite"]["state"] == "unknown"
    assert model["unlimited"]["wait_ms"] is model["finite"]["loss"] is None
    assert "packet rate and the blocking factor" in model["headline"]
    assert {item["bps"] for item in model["tcp"]} == {None}
    assert [item["hold"] for item in model["recommendations"]] == ["unlimited", "unknown", "unknown"]
    assert {item["loss"] for item in model["lifetimes"]} == {None}
    assert set(model["curves"]["finite_loss"]) == {None}
    # What is given replaces what is unknown.
    given = get("models/hippi?gateway=onyx1&rate_pps=10&blocking_ms=20&packet_bytes=65536")
    assert (given["unlimited"]["wait_ms"], given["finite"]["loss"]) == (20.1405, 0.60653066)


@pytest.mark.parametrize(
    "query",
    [
        "rate_pps=0", "rate_pps=1e9", "rate_pps=nan", "packet_bytes=63", "blocking_ms=0", "blocking_ms=inf",
        "hold_ms=-1", "buffer_kib=0", "duty=0", "duty=1.1", "loss_limit=1", "segments_per_ack=0", "tick_ns=0",
    ],
)  # fmt: skip
def test_parameters_out_of_bounds_are_refused_by_name(get: Any, query: str) -> None:
    problem = get(f"models/hippi?{query}", 400)
    assert query.partition("=")[0] in str(problem["fields"])


def test_an_unknown_gateway_names_the_known_ones(get: Any) -> None:
    problem = get("models/hippi?gateway=grf9", 422)
    assert "onyx1" in problem["message"]


def test_extreme_parameters_have_an_answer(get: Any) -> None:
    for query in (
        "rate_pps=1e6&packet_bytes=64&blocking_ms=60000&hold_ms=60000&buffer_kib=1048576&window_kib=1048576",
        "rate_pps=1e-6&packet_bytes=16777216&blocking_ms=0.001&hold_ms=0.001&buffer_kib=64&base_rtt_ms=0",
        "rate_pps=1e6&blocking_ms=0.001&hold_ms=0.02&packet_bytes=64",
    ):
        model = get(f"models/hippi?{query}")
        assert model["unlimited"]["state"] in ("stable", "unstable")
        assert model["finite"]["state"] in ("stable", "unstable")


def test_reads_do_not_grow_with_the_ports(
    world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    topology = snapshot.load(world.site)
    with django_assert_num_queries(4):
        measured = hippi_measurements(world.site, topology, world.now, 60)
    assert measured.ports
    with django_assert_num_queries(3):
        assert congested_ports(world.site, world.now)
