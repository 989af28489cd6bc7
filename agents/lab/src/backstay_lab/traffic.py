"""Real load between two nodes: iperf3 over TCP, limited in time.

TCP with a rate per stream (`-b`) fills a link as applications do; always using cubic makes runs comparable.
The server ends after one test, and is terminated otherwise.
"""

from __future__ import annotations

import json
import os
import secrets
import selectors
import subprocess
import time
from dataclasses import dataclass
from typing import Any

from backstay_lab.blueprint import Blueprint, NodeSpec
from backstay_lab.errors import LabError
from backstay_lab.naming import Names

READY_S = 5.0
SLACK_S = 15.0
"""Seconds beyond its duration after which a test is terminated."""


@dataclass(frozen=True)
class TrafficLoad:
    """The load to send. `mbps` is the sum of all streams on the wire, after the lab's rate scale."""

    source: str
    target: str
    mbps: float
    seconds: float
    streams: int = 1


@dataclass(frozen=True)
class TrafficOutcome:
    """The result: received TCP payload in Mb/s, and retransmitted segments.

    `began_at` is the Unix time of the client's start, just before its first octet.
    """

    source: str
    target: str
    source_address: str
    target_address: str
    offered_mbps: float
    achieved_mbps: float
    seconds: float
    streams: int
    retransmits: int
    began_at: float


def generate(plan: Blueprint, names: Names, load: TrafficLoad) -> TrafficOutcome:
    """Run the test; LabError when it could not run."""
    source, target = _ends(plan, load)
    port = 20_000 + secrets.randbelow(20_000)
    server = _start_server(names.node(target.name), target, port)
    try:
        _wait_until_listening(server)
        began_at = time.time()
        report = _run_client(names.node(source.name), source, target, port, load)
    finally:
        _end(server)
    end = report["end"]
    return TrafficOutcome(
        source=source.name,
        target=target.name,
        source_address=str(source.service),
        target_address=str(target.service),
        offered_mbps=load.mbps,
        achieved_mbps=round(end["sum_received"]["bits_per_second"] / 1e6, 3),
        seconds=round(end["sum_received"]["seconds"], 3),
        streams=load.streams,
        retransmits=end["sum_sent"].get("retransmits", 0),
        began_at=began_at,
    )


def _ends(plan: Blueprint, load: TrafficLoad) -> tuple[NodeSpec, NodeSpec]:
    source, target = plan.node(load.source), plan.node(load.target)
    if source == target:
        raise LabError(f"{source.name} cannot send to itself.", "Name two different nodes.")
    for node in (source, target):
        if node.service is None or not plan.in_namespace(node) or not plan.data_ports(node):
            raise LabError(f"{node.name} is not on the data network.", "Name another node.")
    if load.mbps <= 0 or load.seconds <= 0 or not 1 <= load.streams <= 128:
        raise LabError(
            "A test needs a rate and a duration above zero, and 1 to 128 streams.", "Correct the options."
        )
    return source, target


def _start_server(namespace: str, node: NodeSpec, port: int) -> subprocess.Popen[bytes]:
    argv = [
        "ip", "netns", "exec", namespace,
        "iperf3", "--server", "--one-off", "--idle-timeout", "10", "--forceflush",
        "--bind", str(node.service), "--port", str(port),
    ]  # fmt: skip
    return subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def _wait_until_listening(server: subprocess.Popen[bytes]) -> None:
    assert server.stdout is not None
    output = b""
    deadline = time.monotonic() + READY_S
    with selectors.DefaultSelector() as selector:
        selector.register(server.stdout, selectors.EVENT_READ)
        while selector.select(max(0.0, deadline - time.monotonic())):
            chunk = os.read(server.stdout.fileno(), 4096)
            output += chunk
            if b"listening" in output:
                return
            if not chunk:
                break
    text = output.decode(errors="replace").strip() or "no error output"
    raise LabError(f"iperf3 could not listen at the target: {text}.", "Try again.")


def _run_client(
    namespace: str, source: NodeSpec, target: NodeSpec, port: int, load: TrafficLoad
) -> dict[str, Any]:
    rate = round(load.mbps * 1e6 / load.streams)
    argv = [
        "ip", "netns", "exec", namespace,
        "iperf3", "--client", str(target.service), "--port", str(port), "--bind", str(source.service),
        "--time", f"{max(1, round(load.seconds))}", "--parallel", str(load.streams), "--bitrate", str(rate),
        "--congestion", "cubic", "--connect-timeout", "3000", "--json",
    ]  # fmt: skip
    where = f"from {source.name} to {target.name}"
    try:
        done = subprocess.run(
            argv, capture_output=True, text=True, timeout=load.seconds + SLACK_S, check=False
        )
        report: dict[str, Any] = json.loads(done.stdout)
    except subprocess.TimeoutExpired as error:
        raise LabError(
            f"The test {where} did not finish.", "See `backstay-lab status`: the path may have failed."
        ) from error
    except ValueError as error:
        raise LabError(
            f"iperf3 {where} failed: {done.stderr.strip()}", "See `backstay-lab status`."
        ) from error
    if "error" in report or done.returncode != 0:
        raise LabError(
            f"The test {where} could not run: {report.get('error', 'no reason given')}.",
            "See `backstay-lab status`: a fault may block the path.",
        )
    return report


def _end(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(2)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
    if server.stdout is not None:
        server.stdout.close()
