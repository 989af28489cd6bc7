"""A real agent process in a storm of real traps and syslog lines: every datagram is accounted for."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstay_testing.agent_process import AgentProcess
from backstay_testing.engines import wait_until
from backstay_testing.ports import free_udp_port
from backstay_testing.sink import Sink
from backstay_testing.udp_storm import COMMUNITY, HIDDEN, Receiver
from backstay_wire import (
    CollectorOutcome,
    CollectorReport,
    Desired,
    MetricReport,
    NoticeReport,
    NoticeSource,
    SnmpV2c,
)

StartAgent = Callable[[Path, list[str], list[str]], AgentProcess]
SECONDS = 5
"""`make bench-attack ONLY=udp-storm LASTS=60` lasts longer."""


@pytest.fixture
def receiver() -> Receiver:
    return Receiver(free_udp_port(), free_udp_port())


@pytest.fixture
def sink(receiver: Receiver) -> Iterator[Sink]:
    source = NoticeSource.model_validate(
        {
            "device": "mgmt0",
            "interval_s": 1,
            "address": "127.0.0.1",
            "trap_port": receiver.trap_port,
            "syslog_port": receiver.syslog_port,
            "senders": {receiver.device: "grf1"},
            "access": [SnmpV2c(community=COMMUNITY)],
        }
    )
    made = Sink(desired=Desired(generation=1, site="lab", node="mgmt0", sources=[source], paths=[]))
    made.start()
    yield made
    made.stop()


def counted(sink: Sink) -> Counter[str]:
    """The growth of each metric over both ports, and the notices that were sent or left out."""
    found: Counter[str] = Counter()
    for report in sink.reports():
        if isinstance(report, NoticeReport):
            found["sent"] += len(report.notices)
            found["left out"] += report.suppressed
        elif isinstance(report, MetricReport):
            for item in report.metrics:
                assert isinstance(item.value, int | float)
                found[item.metric.removeprefix("notices.")] += int(item.value)
    return found


def is_receiving(sink: Sink) -> bool:
    reports = [report for report in sink.reports("collector") if isinstance(report, CollectorReport)]
    return any((one.collector, one.outcome) == ("notices", CollectorOutcome.OK) for one in reports)


def test_every_datagram_of_a_storm_is_accounted_for_and_no_alarm_is_hidden(
    sink: Sink, receiver: Receiver, tmp_path: Path, start_agent: StartAgent
) -> None:
    agent = start_agent(tmp_path, ["--backend", sink.url, "--token", sink.token], [])
    wait_until(lambda: is_receiving(sink), 60)
    sent = receiver.storm(SECONDS)
    wait_until(lambda: counted(sink)["received"] == sent, 60)
    assert agent.stop() == 0
    found = counted(sink)
    assert found["kernel_drops"] == 0
    assert found["received"] == sent
    assert found["sent"] + found["left out"] == sent
    assert (found["suppressed"], found["overflows"]) == (found["left out"], 0)
    notices = [notice for item in sink.reports() if isinstance(item, NoticeReport) for notice in item.notices]
    kinds = [(notice.name, notice.subject) for notice in sorted(notices, key=lambda notice: notice.at)]
    assert [kind for kind in kinds if kind in HIDDEN] == HIDDEN
    assert len(notices) < 120, "the rate is limited"
