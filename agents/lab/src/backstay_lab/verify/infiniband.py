"""Source: infiniband-diags' readings of a simulated fabric, per port or in one sweep.

Agents sweep with ibqueryerrors over a cached topology; perfquery asks one port by its LID and nothing else.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from backstay_lab.blueprint import Running, Service
from backstay_lab.errors import LabError
from backstay_lab.network import netns
from backstay_lab.verify.series import Key, Slack, Value

TIMEOUT_S = 20.0
DATA_UNIT = 4
"""Octets per count of PortXmitData and PortRcvData (IBTA volume 1, 16.1.3.5)."""
TRAFFIC = {
    "PortRcvData": ("in octets", DATA_UNIT),
    "PortRcvPkts": ("in packets", 1),
    "PortXmitData": ("out octets", DATA_UNIT),
    "PortXmitPkts": ("out packets", 1),
}
_LINK = re.compile(
    r'^0x[0-9a-f]+ "\s*(?P<node>[^"]*?)\s*"\s+(?P<lid>\d+)\s+(?P<port>\d+)\[.*?\]'
    r" ==\(\s*(?:(?P<width>\d+)X\s+(?P<speed>[\d.]+) Gbps)?\s*(?P<state>\w+)/\s*(?P<physical>\w+)\)"
)
_BLOCK = re.compile(r"^# Port (?:extended )?counters: Lid \d+ port (\d+) ", re.MULTILINE)
_COUNTER = re.compile(r"^(\w+):\.*(\d+)$", re.MULTILINE)
_ERROR_NODE = re.compile(r'^Errors for (?:0x[0-9a-f]+ )?"([^"]*)"')
_ERROR_PORT = re.compile(r"^\s+GUID 0x[0-9a-f]+ port (\d+): (.*)$")
_ERROR = re.compile(r"\[(\w+) == (\d+)\]")


@dataclass(frozen=True, slots=True)
class LinkSeen:
    """One port as iblinkinfo shows it."""

    node: str
    port: str
    lid: int
    number: int
    state: str
    rate: int
    """Width times speed, bit/s; 0 without a link."""


def place(description: str, number: int) -> tuple[str, str]:
    """(node, port) as named in the site file: `fzk01 mthca0` and 1 are fzk01's mthca0/1."""
    node, _, adapter = description.strip().partition(" ")
    return node, f"{adapter}/{number}" if adapter else str(number)


def links(output: str) -> list[LinkSeen]:
    """The ports in the output of `iblinkinfo -l`."""
    found = []
    for line in output.splitlines():
        if seen := _LINK.match(line):
            node, port = place(seen["node"], int(seen["port"]))
            rate = round(int(seen["width"] or 0) * float(seen["speed"] or 0) * 1e9)
            found.append(LinkSeen(node, port, int(seen["lid"]), int(seen["port"]), seen["state"], rate))
    return found


def counters(output: str) -> dict[int, dict[str, int]]:
    """The output of perfquery: port number to its counters by name."""
    _, *blocks = _BLOCK.split(output)
    return {
        int(number): {name: int(value) for name, value in _COUNTER.findall(block)}
        for number, block in zip(blocks[::2], blocks[1::2], strict=True)
    }


def errors(output: str) -> dict[tuple[str, str], dict[str, int]]:
    """The output of ibqueryerrors: (node, port) to the counters that are not zero."""
    found: dict[tuple[str, str], dict[str, int]] = {}
    node = ""
    for line in output.splitlines():
        if head := _ERROR_NODE.match(line):
            node = head[1]
        elif port := _ERROR_PORT.match(line):
            found[place(node, int(port[1]))] = {item[0]: int(item[1]) for item in _ERROR.findall(port[2])}
    return found


class InfinibandTools:
    """infiniband-diags on the sweeping host, in a separate folder: ibsim's shim leaves files there."""

    def __init__(self, site: Running, service: Service) -> None:
        host = next(node for node in site.plan.nodes if node.name == service.node)
        self._folder = Path(tempfile.mkdtemp(prefix="backstay-verify-"))
        self._namespace = site.names.node(host.name)
        self._environment = {**os.environ, **service.node_environment(site, host)}

    def run(self, *argv: str) -> str:
        """A tool's output; its status is ignored (ibqueryerrors exits with 1 when it finds errors)."""
        # Started by a thread in the namespace: `ip netns exec` would take longer than the tool.
        done = netns.inside(
            self._namespace,
            lambda: subprocess.run(
                argv,
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S,
                check=False,
                cwd=self._folder,
                env=self._environment,
            ),
        )
        if not done.stdout:
            raise LabError(f"{argv[0]} printed only: {done.stderr.strip()}.", f"Command: {' '.join(argv)}")
        return done.stdout

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self._folder, ignore_errors=True)


# A sweep reports its middle, and both halves take time on a busy machine.
SLACK = Slack(early=0.3, late=0.3)


class _Devices:
    """All cabled ports of some devices, one device at a time."""

    def __init__(self, tools: InfinibandTools, ports: Iterable[LinkSeen]) -> None:
        self._tools = tools
        self._devices: dict[int, dict[int, LinkSeen]] = {}
        for port in ports:
            self._devices.setdefault(port.lid, {})[port.number] = port

    def ask(self, *options: str) -> Iterator[list[tuple[LinkSeen, dict[str, int]]]]:
        """Each port of a device with its counters."""
        for lid, ports in self._devices.items():
            which = f"{min(ports)}-{max(ports)}" if len(ports) > 1 else str(*ports)
            output = counters(self._tools.run("perfquery", *options, "-l", str(lid), which))
            yield [(port, output[number]) for number, port in ports.items()]


class TrafficSource:
    """PortCountersExtended, as often as the machine allows; the simulated traffic advances once a second."""

    title = "perfquery of some devices"
    slack = SLACK
    pause_s = 0.05

    def __init__(self, tools: InfinibandTools, ports: Iterable[LinkSeen]) -> None:
        self._devices = _Devices(tools, ports)

    def read(self) -> Iterator[Mapping[Key, Value]]:
        """A device at a time."""
        for device in self._devices.ask("-x"):
            yield {
                (port.node, port.port, quantity): output[name] * unit
                for port, output in device
                for name, (quantity, unit) in TRAFFIC.items()
            }

    def close(self) -> None:
        """The tools belong to the caller."""


class ErrorSource:
    """PortCounters: `figures` maps each metric to its counter."""

    title = "perfquery of their error counters"
    slack = SLACK
    pause_s = 0.7

    def __init__(self, tools: InfinibandTools, ports: Iterable[LinkSeen], figures: Mapping[str, str]) -> None:
        self._devices = _Devices(tools, ports)
        self._figures = figures

    def read(self) -> Iterator[Mapping[Key, Value]]:
        """A device at a time."""
        for device in self._devices.ask():
            yield {
                (port.node, port.port, figure): output[name]
                for port, output in device
                for figure, name in self._figures.items()
                if name in output
            }

    def close(self) -> None:
        """The tools belong to the caller."""


def narrow_counters(sources: Mapping[str, str]) -> dict[str, str]:
    """Metrics with a single counter of PortCounters, by the API's `source`."""
    mark = "PortCounters:"
    return {metric: text.removeprefix(mark) for metric, text in sources.items() if text.startswith(mark)}


def sample(links_seen: Iterable[LinkSeen], failing: Iterable[tuple[str, str]], most: int) -> list[LinkSeen]:
    """The active ports of `most` devices: those with errors, those with most ports, and some hosts."""
    devices: dict[str, list[LinkSeen]] = {}
    for item in links_seen:
        if item.state == "Active":
            devices.setdefault(item.node, []).append(item)
    erring = {node for node, _ in failing}
    order = sorted(devices, key=lambda node: (node not in erring, len(devices[node]) == 1, node))
    half = max(1, most // 2)
    hosts = [node for node in order[half:] if len(devices[node]) == 1]
    chosen = order[:half] + hosts[:: max(1, len(hosts) // max(1, most - half))][: most - half]
    return [port for node in chosen for port in devices[node]]
