"""iperf3 documents as values: captures of one release, omissions of older ones, invalid documents."""

import json
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from backstay_agent.parsers import iperf3
from backstay_agent.parsers.iperf3 import Iperf3Error
from backstay_agent.parsers.iperf3_values import Result

GOLDEN = Path(__file__).parents[1] / "golden" / "iperf3"
needs_iperf3 = pytest.mark.skipif(shutil.which("iperf3") is None, reason="iperf3 is not installed")


def document(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((GOLDEN / f"{name}.json").read_text())
    return loaded


def captured(name: str) -> Result:
    return read((GOLDEN / f"{name}.json").read_text())


def read(output: str) -> Result:
    found, unparsed = iperf3.result(output)
    assert unparsed == []
    return found


def test_cell_has_rate_window_and_round_trip_per_stream_and_in_total() -> None:
    found, raw = captured("tcp-2-streams-window-64k"), document("tcp-2-streams-window-64k")
    asked = found.asked
    assert asked is not None
    assert (asked.protocol, asked.streams, asked.block, asked.reverse, asked.bidirectional) == (
        ("TCP", 2, 32768, False, False)
    )
    assert asked.buffer_wanted == 65536
    assert asked.send_buffer == raw["start"]["sndbuf_actual"] == 131072  # Linux doubles it
    assert asked.segment == raw["start"]["tcp_mss_default"]
    end = raw["end"]
    assert found.forward.sent is not None
    assert found.forward.received is not None
    assert found.forward.sent.retransmits == end["sum_sent"]["retransmits"]
    assert found.forward.received.bits_per_second == end["sum_received"]["bits_per_second"]
    assert found.forward.sent.octets == sum(stream.sent.octets for stream in found.streams)
    for stream, reported in zip(found.streams, end["streams"], strict=True):
        assert stream.extremes is not None
        least, mean, most = stream.extremes.rtt_us or (0, 0, 0)
        assert least <= mean <= most == reported["sender"]["max_rtt"]
        assert stream.extremes.most_congestion_window == reported["sender"]["max_snd_cwnd"]
    assert found.reverse.sent is None
    assert found.trouble is None


def test_interval_has_every_streams_window_and_the_sum() -> None:
    found = captured("tcp-2-streams-window-64k")
    (interval, *_) = found.intervals
    assert [span.socket for span in interval.streams] == [one.socket for one in found.connections]
    assert all(span.rtt_us and span.congestion_window and span.path_mtu for span in interval.streams)
    assert interval.total is not None
    assert interval.total.octets == sum(span.octets for span in interval.streams)
    assert interval.reverse_total is None


def test_cpu_load_of_both_ends_is_reported() -> None:
    found, raw = captured("tcp-bidir"), document("tcp-bidir")["end"]["cpu_utilization_percent"]
    assert found.cpu is not None
    assert found.remote_cpu is not None
    assert (found.cpu.total, found.remote_cpu.system) == (raw["host_total"], raw["remote_system"])
    assert found.congestion is not None


def test_both_directions_are_separate() -> None:
    found, raw = captured("tcp-bidir"), document("tcp-bidir")["end"]
    assert found.asked is not None
    assert found.asked.bidirectional
    assert [stream.sent.sending for stream in found.streams] == [True, False]
    assert found.forward.received is not None
    assert found.reverse.received is not None
    assert found.forward.received.octets == raw["sum_received"]["bytes"]
    assert found.reverse.received.octets == raw["sum_received_bidir_reverse"]["bytes"]


def test_receiver_gets_the_round_trip_from_the_server_output() -> None:
    found = captured("tcp-reverse-both-ends")
    assert found.asked is not None
    assert found.asked.reverse
    assert found.streams[0].extremes is None or found.streams[0].extremes.rtt_us is None
    assert found.remote is not None
    assert found.remote.intervals[0].streams[0].rtt_us
    assert found.remote.streams[0].sent.octets == found.streams[0].sent.octets


def test_datagrams_have_loss_and_jitter() -> None:
    found, raw = captured("udp"), document("udp")["end"]["streams"][0]["udp"]
    (stream,) = found.streams
    assert (stream.sent.packets, stream.sent.lost, stream.sent.out_of_order) == (
        raw["packets"],
        raw["lost_packets"],
        raw["out_of_order"],
    )
    assert stream.sent.jitter_s == pytest.approx(raw["jitter_ms"] / 1000)
    assert stream.received is None
    assert found.asked is not None
    assert (found.asked.target_bits_per_second, found.asked.segment) == (2_000_000, None)


@pytest.mark.parametrize(
    ("name", "failure"), [("error-refused", "refused"), ("error-busy", "busy"), ("error-stopped", "stopped")]
)
def test_failed_run_is_a_typed_state(name: str, failure: str) -> None:
    trouble = captured(name).trouble
    assert trouble is not None
    assert trouble.failure == failure
    assert trouble.text == document(name)["error"]


def test_measurements_before_a_stop_are_kept() -> None:
    found = captured("error-stopped")
    assert found.intervals[0].streams[0].octets > 0
    assert found.asked is not None


@pytest.mark.parametrize(
    ("tokens", "failure"),
    [
        ("unable to connect to server: No route to host", "unreachable"),
        ("unable to connect to server: Connection timed out", "unreachable"),
        ("control socket has closed unexpectedly", "lost"),
        ("unable to receive control message: Connection reset by peer", "lost"),
        ("the server has terminated", "peer ended"),
        ("interrupt - the client has terminated by signal Terminated(15)", "stopped"),
        ("test authorization failed", "denied"),
        ("unable to set TCP_CONGESTION: Supplied congestion control algorithm not supported", "setting"),
        ("something that no release has said yet", "other"),
    ],
)
def test_tool_output_is_sorted(tokens: str, failure: str) -> None:
    trouble = read(json.dumps({"error": tokens})).trouble
    assert trouble is not None
    assert trouble.failure == failure


def test_document_of_an_old_release_is_read_without_missing_values() -> None:
    whole = document("tcp-2-streams-window-64k")
    for key in ("sock_bufsize", "sndbuf_actual", "rcvbuf_actual", "target_bitrate"):
        del whole["start"][key]
    whole["start"]["tcp_mss"] = 1448
    for interval in whole["intervals"]:
        for span in (*interval["streams"], interval["sum"]):
            for key in ("sender", "pmtu", "rttvar", "snd_wnd", "rtt"):
                span.pop(key, None)
    for stream in whole["end"]["streams"]:
        for key in ("max_rtt", "min_rtt", "mean_rtt", "max_snd_wnd", "max_snd_cwnd"):
            del stream["sender"][key]
    del whole["end"]["sender_tcp_congestion"], whole["end"]["receiver_tcp_congestion"]
    found = read(json.dumps(whole))
    assert found.asked is not None
    assert (found.asked.segment, found.asked.buffer_wanted, found.asked.send_buffer) == (1448, None, None)
    assert found.intervals[0].streams[0].sending is None
    assert found.streams[0].extremes is None
    assert found.congestion is None


def test_udp_document_with_one_sum_is_parsed() -> None:
    whole = document("udp")
    del whole["end"]["sum_sent"], whole["end"]["sum_received"]
    found = read(json.dumps(whole))
    assert found.forward.sent is not None
    assert found.forward.sent.packets == document("udp")["end"]["sum"]["packets"]


def test_additions_of_a_new_release_are_reported_by_path() -> None:
    whole = document("udp")
    whole["end"]["sum_sent"]["energy_joules"] = 3
    _, unparsed = iperf3.result(json.dumps(whole))
    assert unparsed == ["end.sum_sent.energy_joules"]


@pytest.mark.parametrize(
    "output",
    [
        "",
        "iperf3: error - unable to connect to server",
        "[]",
        "{}",
        '{"start": []}',
        '{"start": {"version": 3}}',
        '{"start": {}, "intervals": [{"streams": [{"start": "0"}]}]}',
        '{"start": {}, "end": {"sum_sent": {"start": 0, "end": 1, "bytes": 1e999, "bits_per_second": 1}}}',
        '{"start": {}, "end": {"sum_sent": {"start": NaN}}}',
        "[" * 100_000,
        (GOLDEN / "udp.json").read_text()[:1500],
    ],
)
def test_invalid_document_is_a_typed_error(output: str) -> None:
    with pytest.raises(Iperf3Error):
        iperf3.result(output)


MODES = {
    "tcp": ["-P", "3"],
    "reverse": ["-R"],
    "both ways": ["--bidir"],
    "datagrams": ["-u", "-b", "100M", "-l", "1000", "--bidir", "-P", "2"],
    "window and server's side": ["-w", "128K", "-M", "1000", "--get-server-output"],
}


def _answered(port: int, options: list[str]) -> str:
    """The client's document; retries until the server listens."""
    command = ["iperf3", "-c", "127.0.0.1", "-p", str(port), "-J", "-n", "1M", *options]
    for _ in range(50):
        output = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False).stdout
        if "Connection refused" not in output:
            return output
        time.sleep(0.05)
    raise AssertionError("no iperf3 server came up")


@needs_iperf3
@pytest.mark.parametrize("mode", MODES)
def test_output_of_the_installed_release_is_fully_parsed(mode: str) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        ["iperf3", "-s", "-1", "-J", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        found = read(_answered(port, MODES[mode]))
    finally:
        server.terminate()
        server.wait(10)
    assert found.trouble is None
    assert found.forward.sent is not None
    # With both directions, the first to reach the amount ends the test; the other stays short.
    assert found.forward.sent.octets >= (1 if "--bidir" in MODES[mode] else 1_000_000)
    assert (found.reverse.sent is not None) == ("--bidir" in MODES[mode])
    assert (found.remote is not None) == ("--get-server-output" in MODES[mode])
