"""Refused, busy, ended by the other end and killed are different states in every release of iperf3.

Captures `golden/iperf3/RELEASE/`: Debian's packages 3.9-1+deb11u1, 3.12-1+deb12u2, 3.18-2+deb13u2 and
3.22-0.1 over loopback on Linux, client `-J -t 4 -b 1M -l 1000`, ended after 1.6 s by SIGTERM (`terminated`)
or SIGKILL (`killed`); `busy` during another test, `refused` without a listener. Documents of 3.0, 3.1 and
3.6 are written for this test, not captured: these releases precede the agent's oldest supported one (3.7)
and are read only offline.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from backstay_agent.host.throughput.child import Ended
from backstay_agent.parsers import iperf3
from backstay_agent.probes.throughput.kinds.iperf3 import Iperf3
from backstay_testing.throughput_agent import assignment
from backstay_wire import Role, TcpSpec, TestState, TransferResult

GOLDEN = Path(__file__).parents[1] / "golden" / "iperf3"
ASKED = assignment(1, Role.CLIENT, TcpSpec(duration_s=4), 5300)
CAPTURES = {
    "refused": TestState.REFUSED,
    "busy": TestState.PORT_BUSY,
    "server-terminated": TestState.PEER_GONE,
    "server-killed": TestState.PEER_GONE,
    "client-terminated": TestState.KILLED,
}
STDERR_OF_3_9 = {
    "refused": "unable to send control message: Bad file descriptor",
    "busy": "unable to send control message: Connection reset by peer",
    "server-terminated": "the server has terminated",
    "server-killed": "control socket has closed unexpectedly",
}
"""Release 3.9 writes these errors to standard error only, and replaces the reasons before a test."""


def left_by(release: str, name: str) -> Ended:
    message = STDERR_OF_3_9.get(name, "") if release == "3.9" else ""
    document = (GOLDEN / release / f"{name}.json").read_text()
    return Ended(1, document, f"iperf3: error - {message}\n" if message else "", None)


@pytest.mark.parametrize("release", ["3.9", "3.18", "3.22"])
@pytest.mark.parametrize("name", CAPTURES)
def test_each_failure_has_its_own_state(release: str, name: str) -> None:
    assert Iperf3().outcome(ASKED, left_by(release, name)).state is CAPTURES[name]


@pytest.mark.parametrize("name", ["server-terminated", "server-killed"])
def test_lost_server_of_debian_12_is_not_a_killed_client(name: str) -> None:
    assert Iperf3().outcome(ASKED, left_by("3.12", name)).state is TestState.PEER_GONE


@pytest.mark.parametrize("message", ["Broken pipe", "Connection reset by peer"])
def test_busy_server_closes_the_connection_of_release_3_9(message: str) -> None:
    left = left_by("3.9", "busy")
    err = f"iperf3: error - unable to send control message: {message}\n"
    outcome = Iperf3().outcome(ASKED, Ended(1, left.out, err, None))
    assert (outcome.state, message in outcome.detail) == (TestState.PORT_BUSY, True)


@pytest.mark.parametrize("release", ["3.9", "3.12", "3.18", "3.22"])
def test_values_measured_before_the_server_ended_are_kept(release: str) -> None:
    outcome = Iperf3().outcome(ASKED, left_by(release, "server-terminated"))
    assert isinstance(outcome.result, TransferResult)
    assert outcome.result.forward is not None
    assert outcome.result.forward.octets > 0


@pytest.mark.parametrize("release", ["3.9", "3.18", "3.22"])
@pytest.mark.parametrize("name", ["tcp", "udp", "bidir"])
def test_complete_runs_of_every_release_are_fully_parsed(release: str, name: str) -> None:
    document = (GOLDEN / release / f"{name}.json").read_text()
    found, unparsed = iperf3.result(document)
    assert (found.version, unparsed) == (release, [])
    assert Iperf3().outcome(ASKED, Ended(0, document, "", None)).state is TestState.DONE


def written(release: str, message: str, *, has_started: bool) -> str:
    """A document with the fields that the release has; errors begin with `error - ` before 3.2."""
    minor = int(release.split(".")[1])
    span: dict[str, Any] = {"socket": 4, "start": 0, "end": 1.0, "seconds": 1.0, "bytes": 125000}
    span |= {"bits_per_second": 1e6, "retransmits": 0, "snd_cwnd": 14480, "omitted": False}
    if minor >= 1:
        span["rtt"] = 7297
    total = {key: span[key] for key in ("start", "end", "seconds", "bytes", "bits_per_second", "retransmits")}
    start: dict[str, Any] = {
        "connected": [],
        "version": f"iperf {release}",
        "system_info": "Linux host 4.4.0",
    }
    end: dict[str, Any] = {}
    if has_started:
        ends = {"local_host": "10.0.0.1", "local_port": 47790, "remote_host": "10.0.0.2", "remote_port": 5201}
        asked: dict[str, Any] = {
            "protocol": "TCP",
            "num_streams": 1,
            "blksize": 131072,
            "omit": 0,
            "duration": 4,
        }
        start["connected"] = [{"socket": 4, **ends}]
        start |= {"tcp_mss_default": 1448, "test_start": {**asked, "bytes": 0, "blocks": 0, "reverse": 0}}
        if minor >= 6:
            start |= {"sock_bufsize": 0, "sndbuf_actual": 87040, "rcvbuf_actual": 131072}
        end = {"streams": [{"sender": dict(span), "receiver": dict(span)}], "sum_sent": total}
        end["sum_received"] = {key: value for key, value in total.items() if key != "retransmits"}
    error = f"error - {message}" if minor < 2 and not message.startswith("interrupt") else message
    interval: dict[str, Any] = {"streams": [span], "sum": total | {"omitted": False}}
    intervals = [interval] if has_started else []
    return json.dumps({"start": start, "intervals": intervals, "end": end, "error": error})


@pytest.mark.parametrize("release", ["3.0.11", "3.1.3", "3.6"])
@pytest.mark.parametrize(
    ("message", "has_started", "failure"),
    [
        ("unable to connect to server: Connection refused", False, "refused"),
        ("the server is busy running a test. try again later", False, "busy"),
        ("the server has terminated", True, "peer ended"),
        ("control socket has closed unexpectedly", True, "lost"),
        ("interrupt - the client has terminated", True, "stopped"),
    ],
)
def test_documents_of_old_releases_have_the_same_failures(
    release: str, message: str, has_started: bool, failure: str
) -> None:
    found, unparsed = iperf3.result(written(release, message, has_started=has_started))
    assert unparsed == []
    assert found.trouble is not None
    assert (found.version, found.trouble.failure, found.trouble.text) == (release, failure, message)
    assert (found.forward.sent is not None) == has_started
