"""A real agent process with real sockets reports to a real ingest process; the API shows the result."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from backstay.accounts.agents import create_enrolment_token
from backstay.api.tests.world import reader
from backstay.intake.site_files import import_text
from backstay.inventory.models import Node
from backstay.telemetry.alarm_models import Alarm
from backstay.telemetry.models import NodeState
from backstay_testing.agent_process import AgentProcess
from backstay_testing.engines import wait_until
from backstay_testing.ports import free_udp_port
from backstay_testing.udp_storm import COMMUNITY, Receiver
from bench.servers import INGEST, Server, environment, server
from bench.site import notice_site

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.real_clock,
    pytest.mark.timeout(600),
]
DEVICE = "127.0.0.2"
"""Its notices come from here; it answers no SNMP."""
WAIT_S = 120.0
FLOOD = 60_000
"""Datagrams for a stopped agent: several times what its receive buffer holds."""
StartAgent = Callable[[], AgentProcess]


@pytest.fixture
def ingest(transactional_db: None) -> Iterator[Server]:
    """Ended before the database is emptied: the ingest evaluates rules after its last reply."""
    with server(INGEST, environment()) as running:
        yield running


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port of the device that receives requests and answers none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind((DEVICE, 0))
        yield int(silent.getsockname()[1])


@pytest.fixture
def receiver() -> Receiver:
    return Receiver(free_udp_port(), free_udp_port(), DEVICE)


@pytest.fixture
def start_agent(ingest: Server, silent_port: int, receiver: Receiver, tmp_path: Path) -> Iterator[StartAgent]:
    """The agent of mgmt0: it polls grf1, and receives its notices."""
    text = notice_site(
        "lab",
        address=DEVICE,
        snmp_port=silent_port,
        trap_port=receiver.trap_port,
        syslog_port=receiver.syslog_port,
        community=COMMUNITY,
    )
    import_text(text, "lab.yaml", timezone.now())
    token, _ = create_enrolment_token("lab", "mgmt0", None, timezone.now())
    agent = AgentProcess(tmp_path, ["--backend", ingest.url, "--token", token], [])
    yield agent.start
    if agent.running:
        os.kill(agent.pid, signal.SIGCONT)
        agent.stop()


@pytest.fixture
def get(start_agent: StartAgent, client: Client) -> Callable[..., Any]:
    return reader(client)


def last_run(node: str, collector: str) -> str:
    """When the collector last ran, as the backend stored it; empty: never."""
    state = NodeState.objects.filter(node__name=node).first()
    return "" if state is None else state.collectors.get(collector, {}).get("at", "")


def metric(get: Callable[..., Any], name: str, subject: str) -> dict[str, Any]:
    node = Node.objects.get(name="mgmt0").pk
    items = get(f"nodes/{node}/metrics?metric=notices.{name}&subject={subject}")["items"]
    return dict(items[0]) if items else {}


def test_kernel_drops_of_a_stopped_agent_are_a_warning_in_the_api(
    start_agent: StartAgent, receiver: Receiver, get: Callable[..., Any]
) -> None:
    agent = start_agent()
    wait_until(lambda: metric(get, "kernel_drops", "syslog").get("state") == "ok", WAIT_S)
    os.kill(agent.pid, signal.SIGSTOP)
    receiver.flood(FLOOD)
    os.kill(agent.pid, signal.SIGCONT)
    node = Node.objects.get(name="mgmt0").pk
    warnings: list[dict[str, Any]] = []

    def is_warned() -> bool:
        warnings[:] = get(f"nodes/{node}/metrics?state=warning")["items"]
        return bool(warnings)

    wait_until(is_warned, WAIT_S, 0.1)
    (drops,) = warnings
    assert (drops["metric"], drops["subject"], drops["name"]) == (
        "notices.kernel_drops",
        "syslog",
        "Kernel drops",
    )
    assert 0 < drops["value"] < FLOOD
    assert metric(get, "kernel_drops", "trap")["state"] == "ok"
    wait_until(lambda: metric(get, "kernel_drops", "syslog")["state"] == "ok", WAIT_S, 0.1)


def test_alarms_hidden_in_a_storm_are_raised_and_what_was_cleared_is_not(
    start_agent: StartAgent, receiver: Receiver
) -> None:
    start_agent()
    wait_until(lambda: bool(last_run("mgmt0", "notices")), WAIT_S)
    receiver.storm(4)

    def alarms() -> set[tuple[str, str]]:
        return set(Alarm.objects.values_list("name", "subject"))

    raised = {("link_down", "gh010"), ("gated_down", ""), ("link_down", "gh030")}
    wait_until(lambda: raised <= alarms() and ("link_down", "gh020") not in alarms(), WAIT_S)


POLLS = ("snmp", "snmp-metrics", "snmp-neighbours")
"""Collectors of a polled device."""


def test_device_that_never_answered_is_never_seen_also_after_the_agent_restarts(
    start_agent: StartAgent, receiver: Receiver, get: Callable[..., Any]
) -> None:
    node = Node.objects.get(name="grf1").pk
    shown: set[tuple[str, str, object]] = set()

    def wait_for_runs(after: str) -> None:
        """Until each collector ran again; what the API shows meanwhile is kept."""

        def have_run() -> bool:
            found = get(f"nodes/{node}")
            shown.add((found["reporting"], found["state"], found["age_s"]))
            return all(last_run("grf1", name) > after for name in POLLS)

        wait_until(have_run, WAIT_S)

    agent = start_agent()
    wait_for_runs("")
    for _ in range(2):
        last = max(last_run("grf1", name) for name in POLLS)
        agent.kill()
        start_agent()
        receiver.storm(0.1)
        wait_for_runs(last)
    assert NodeState.objects.get(node=node).collector_outcome == "timeout"
    assert shown == {("never", "unknown", None)}
    runs = {item["name"]: item for item in get(f"nodes/{node}/collectors")["items"]}
    assert {(name, runs[name]["outcome"]) for name in POLLS} == {
        ("snmp", "timeout"),
        ("snmp-metrics", "no_data"),
        ("snmp-neighbours", "no_data"),
    }
    assert {(run["answered_at"], run["agent"]) for run in runs.values()} == {(None, "mgmt0")}
    assert runs["snmp"]["state"] == "critical"
    assert runs["snmp"]["detail"] != ""
    assert runs["snmp"]["record_command"].startswith("backstay-agent record grf1 --state ")
    assert runs["snmp-metrics"]["record_command"] == ""
    assert get(f"nodes/{Node.objects.get(name='mgmt0').pk}")["age_s"] is not None
