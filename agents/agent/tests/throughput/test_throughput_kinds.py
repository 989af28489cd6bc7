"""Options of the test programs, and every failure as a typed state."""

import json
from pathlib import Path

import pytest

from backstay_agent.host.throughput.child import Ended
from backstay_agent.parsers import iperf3 as parser
from backstay_agent.probes.throughput.kinds import iperf3, rdma
from backstay_agent.probes.throughput.kinds.iperf3 import Iperf3
from backstay_agent.probes.throughput.kinds.ping import Ping
from backstay_agent.probes.throughput.kinds.rdma import Rdma
from backstay_agent.probes.throughput.kinds.request_ack import RequestAck
from backstay_agent.probes.throughput.kinds.transfer import transfer
from backstay_agent.probes.throughput.tools import IPERF3, PERFTEST, Tools, UnableError
from backstay_wire import (
    Direction,
    PingResult,
    PingSpec,
    RdmaSpec,
    RequestAckSpec,
    Role,
    Spec,
    TcpSpec,
    TestAssignment,
    TestState,
    TransferResult,
    UdpSpec,
)

GOLDEN = Path(__file__).parents[1] / "golden" / "iperf3"
PEER, OWN = "10.1.0.3", "10.1.0.7"


def assignment(spec: Spec, role: Role = Role.CLIENT) -> TestAssignment:
    ends = {"local": OWN, "peer": PEER} if role is Role.CLIENT else {"local": PEER}
    return TestAssignment(
        id=1, run=1, cell=1, role=role, spec=spec, port=5300, start_at=1, limit_s=30,
        peer_name="shift7", **ends,
    )  # fmt: skip


def captured(name: str) -> str:
    return (GOLDEN / f"{name}.json").read_text()


def test_cell_parameters_become_iperf3_options() -> None:
    spec = TcpSpec(streams=4, buffer=65536, window=65536, duration_s=10, omit_s=1, mss=1400)
    output = " ".join(iperf3.arguments(assignment(spec)))
    assert output == (
        f"-c {PEER} -p 5300 -J -i 1 -B {OWN} --connect-timeout 5000 -P 4 -l 65536 -t 10 -w 65536 -M 1400 -O 1"
    )


def test_amount_in_both_directions_without_nagle_becomes_options() -> None:
    spec = TcpSpec(amount=10**8, nodelay=True, direction=Direction.BOTH, rate=10**6, congestion="reno")
    output = " ".join(iperf3.arguments(assignment(spec)))
    assert output.endswith("-P 1 -l 131072 -n 100000000 -C reno -b 1000000 -N --bidir")


def test_udp_parameters_become_options() -> None:
    spec = UdpSpec(size=4096, rate=160_000_000, duration_s=5, direction=Direction.REVERSE)
    assert " ".join(iperf3.arguments(assignment(spec))).endswith("-u -l 4096 -b 160000000 -P 1 -t 5 -R")


def test_server_accepts_one_test_at_its_address() -> None:
    output = iperf3.arguments(assignment(TcpSpec(duration_s=1), Role.SERVER))
    assert output == ["-s", "-1", "-J", "-B", PEER, "-p", "5300"]


def ended(out: str = "", err: str = "", status: int = 0) -> Ended:
    return Ended(status, out, err, None)


def error(tokens: str) -> str:
    return json.dumps({"start": {}, "intervals": [], "end": {}, "error": tokens})


SILENT = '{"start": {}, "intervals": [], "end": {}}'
"""What release 3.9 writes for a failure; the reason is on standard error only."""


@pytest.mark.parametrize(
    ("left", "state", "tokens"),
    [
        (ended(captured("error-refused"), status=1), TestState.REFUSED, "at shift7 (10.1.0.3)"),
        (ended(captured("error-busy"), status=1), TestState.PORT_BUSY, "runs another test"),
        (ended(captured("error-stopped"), status=1), TestState.KILLED, "stopped on this host"),
        (ended(error("error - unable to start listener for connections: Address already in use")),
         TestState.PORT_BUSY, "port 5300 is in use on this host"),
        (ended(error("error - unable to start listener: Cannot assign requested address")),
         TestState.REFUSED, "a setting is not available"),
        (ended(error("unable to connect to server: No route to host")), TestState.REFUSED, "no route to"),
        (ended(error("control socket has closed unexpectedly")),
         TestState.PEER_GONE, "shift7 (10.1.0.3) broke"),
        (ended(error("something new")), TestState.FAILED, "something new"),
        (ended(captured("udp")[:2000]), TestState.TRUNCATED, "incomplete"),
        (ended('{"start": {}, "intervals": [], "end": {}}'), TestState.TRUNCATED, "no sums"),
        (ended(SILENT, "iperf3: error - unable to connect to server: Connection refused", 1),
         TestState.REFUSED, "no listener at"),
        (ended(SILENT, "iperf3: error - the server is busy running a test. try again later", 1),
         TestState.PORT_BUSY, "runs another test"),
        (ended(captured("udp"), "", 1), TestState.FAILED, "status 1 and no message"),
        (ended("", "iperf3: parameter error", 1), TestState.FAILED, "parameter error"),
        (ended("", "", -9), TestState.KILLED, "signal 9"),
        (ended(captured("tcp-bidir")), TestState.DONE, ""),
    ],
)  # fmt: skip
def test_every_iperf3_exit_has_a_state(left: Ended, state: TestState, tokens: str) -> None:
    outcome = Iperf3().outcome(assignment(TcpSpec(duration_s=3)), left)
    assert outcome.state is state
    assert tokens in outcome.detail


def test_measurements_before_a_kill_are_kept() -> None:
    outcome = Iperf3().outcome(assignment(TcpSpec(duration_s=3)), ended(captured("error-stopped"), status=1))
    assert isinstance(outcome.result, TransferResult)
    assert outcome.result.forward is not None
    assert outcome.result.forward.octets == 3460825088


def result(name: str, role: Role = Role.CLIENT) -> TransferResult:
    found, _ = parser.result(captured(name))
    measured = transfer(found, role)
    assert measured is not None
    return measured


def test_cell_has_streams_round_trips_windows_and_intervals() -> None:
    found, raw = result("tcp-2-streams-window-64k"), json.loads(captured("tcp-2-streams-window-64k"))
    assert found.reverse is None
    flow = found.forward
    assert flow is not None
    assert flow.rate == raw["end"]["sum_received"]["bits_per_second"]
    assert len(flow.streams) == 2
    assert flow.streams[0].round_trip is not None
    assert flow.streams[0].round_trip.most == raw["end"]["streams"][0]["sender"]["max_rtt"]
    spans = [one for one in raw["intervals"] if one["sum"]["seconds"] > 0.1 or one is raw["intervals"][0]]
    assert len(flow.spans.rate) == len(spans)
    assert flow.spans.window is not None
    assert flow.spans.window[0] == sum(one["snd_cwnd"] for one in raw["intervals"][0]["streams"])
    assert found.path_mtu == 65535


def test_reverse_test_is_the_reverse_direction_at_both_ends() -> None:
    found = result("tcp-reverse-both-ends")
    assert found.forward is None
    assert found.reverse is not None
    whole, _ = parser.result(captured("tcp-reverse-both-ends"))
    assert whole.remote is not None
    far = transfer(whole.remote, Role.SERVER)
    assert far is not None
    assert far.reverse is not None
    assert far.reverse.octets == found.reverse.octets
    assert far.peer_cpu is None


def test_both_directions_have_their_own_streams() -> None:
    found = result("tcp-bidir")
    assert found.forward is not None
    assert found.reverse is not None
    assert [one.received for one in found.forward.streams] != [one.received for one in found.reverse.streams]
    assert len(found.forward.streams) == len(found.reverse.streams) == 1


def test_datagrams_have_packets_and_loss() -> None:
    flow = result("udp").forward
    assert flow is not None
    assert (flow.packets, flow.lost, flow.spans.packets) == (250, 0, [250])
    assert flow.jitter_us == pytest.approx(23.247, abs=0.001)


ANSWER = {
    "kind": "request_ack", "blocks": 1, "octets": 512, "seconds": 1.0, "rate": 4096.0,
    "spans": {"start_ms": [0], "rate": [4096.0]},
}  # fmt: skip


@pytest.mark.parametrize(
    ("left", "state"),
    [
        (ended(json.dumps(ANSWER)), TestState.DONE),
        (ended(json.dumps(ANSWER)[:40]), TestState.TRUNCATED),
        (ended("", "Address already in use", 3), TestState.PORT_BUSY),
        (ended("", "Connection refused", 4), TestState.REFUSED),
        (ended(json.dumps(ANSWER), "Connection reset by peer", 5), TestState.PEER_GONE),
        (ended("", "Permission denied", 6), TestState.REFUSED),
        (ended("", "Traceback", 1), TestState.FAILED),
        (ended("", "", -15), TestState.KILLED),
    ],
)
def test_every_exit_of_the_request_program_has_a_state(left: Ended, state: TestState) -> None:
    assert RequestAck().outcome(assignment(RequestAckSpec(size=512, count=1)), left).state is state


def echoes(**values: object) -> str:
    return json.dumps({"kind": "ping", "sent": 10, "received": 0, **values})


@pytest.mark.parametrize(
    ("left", "state"),
    [
        (ended(echoes()), TestState.DONE),
        (ended(echoes(unsendable=10)), TestState.REFUSED),
        (ended("", "Operation not permitted", 3), TestState.REFUSED),
        (ended("", "Cannot assign requested address", 4), TestState.REFUSED),
        (ended("{", "", 0), TestState.TRUNCATED),
        (ended("", "", -9), TestState.KILLED),
    ],
)
def test_every_end_of_an_echo_test_has_a_state(left: Ended, state: TestState) -> None:
    assert Ping().outcome(assignment(PingSpec()), left).state is state


def test_unanswered_echoes_are_a_measurement() -> None:
    found = Ping().outcome(assignment(PingSpec()), ended(echoes(longest_silence=10))).result
    assert isinstance(found, PingResult)
    assert (found.received, found.longest_silence, found.latency) == (0, 10, None)


BANDWIDTH = """---------------------------------------------------------------------------------------
 #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
 65536      118736           0.00               10.38                0.019789
---------------------------------------------------------------------------------------
"""
LATENCY = """ #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]
 2       1000          1.03           5.11         1.05                1.06             0.10            1.19                    5.11
"""  # noqa: E501 - the program's own line


def test_perftest_result_lines_are_parsed() -> None:
    wide, quick = rdma.figures(BANDWIDTH), rdma.figures(LATENCY)
    assert wide is not None
    assert quick is not None
    assert (wide.size, wide.iterations) == (65536, 118736)
    assert wide.rate == pytest.approx(10.38e9)
    assert wide.messages == pytest.approx(19789)
    assert (quick.least_us, quick.typical_us, quick.mean_us, quick.most_us, quick.p99_us) == (
        (1.03, 1.05, 1.06, 5.11, 1.19)
    )


def test_perftest_without_results_is_truncated_and_refusal_is_recognised() -> None:
    spec = RdmaSpec()
    assert Rdma().outcome(assignment(spec), ended("no such thing")).state is TestState.TRUNCATED
    refused = ended("", "Couldn't connect to 10.1.0.3:5300\nUnable to init the socket connection", 1)
    assert Rdma().outcome(assignment(spec), refused).state is TestState.REFUSED


async def unable(kind: Iperf3 | Rdma, spec: Spec, tools: Tools) -> UnableError:
    with pytest.raises(UnableError) as caught:
        await kind.command(assignment(spec), tools)
    return caught.value


@pytest.mark.anyio
async def test_host_without_device_or_program_lacks_a_tool(tmp_path: Path) -> None:
    none = await unable(Rdma(tmp_path / "infiniband"), RdmaSpec(), Tools([tmp_path]))
    assert (none.state, str(none)) == (TestState.MISSING_TOOL, "no RDMA device on this host")
    (tmp_path / "infiniband" / "mlx5_0").mkdir(parents=True)
    other = await unable(Rdma(tmp_path / "infiniband"), RdmaSpec(device="mlx5_1"), Tools([tmp_path]))
    assert "mlx5_1" in str(other)
    absent = await unable(Rdma(tmp_path / "infiniband"), RdmaSpec(), Tools([tmp_path]))
    assert (absent.state, "perftest" in str(absent)) == (TestState.MISSING_TOOL, True)
    missing = await unable(Iperf3(), TcpSpec(duration_s=1), Tools([tmp_path]))
    assert (missing.state, "Debian package iperf3" in str(missing)) == (TestState.MISSING_TOOL, True)


def program(folder: Path, name: str, output: str) -> None:
    (folder / name).write_text(f"#!/bin/echo {output}\n")
    (folder / name).chmod(0o755)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("output", "tokens"), [("iperf 3.1.3", "too old"), ("usage", "does not report"), ("iperf 2.1", "too old")]
)
async def test_unsupported_release_is_a_wrong_version(tmp_path: Path, output: str, tokens: str) -> None:
    program(tmp_path, "iperf3", output)
    wrong = await unable(Iperf3(), TcpSpec(duration_s=1), Tools([tmp_path]))
    assert wrong.state is TestState.WRONG_VERSION
    assert tokens in str(wrong)


@pytest.mark.anyio
async def test_supported_release_is_named_and_an_upgrade_is_noticed(tmp_path: Path) -> None:
    tools = Tools([tmp_path])
    program(tmp_path, "iperf3", "iperf 3.12")
    assert (await tools.find(IPERF3)).program == "iperf3 3.12"
    (tmp_path / "iperf3").unlink()
    program(tmp_path, "iperf3", "iperf 3.17.1")
    assert (await tools.find(IPERF3)).program == "iperf3 3.17.1"
    program(tmp_path, "ib_write_bw", "Version: 6.06")
    assert (await tools.find(PERFTEST["ib_write_bw"])).program == "ib_write_bw 6.06"
