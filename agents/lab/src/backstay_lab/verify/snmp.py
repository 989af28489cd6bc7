"""Source: net-snmp's client, for each device that agents poll over SNMP.

The API names the object of each metric (`GET /metrics`, `source`); the verification requests exactly that
object from the device.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from backstay_lab.blueprint import Blueprint, NodeSpec
from backstay_lab.naming import Names
from backstay_lab.network import netns
from backstay_lab.programs import run
from backstay_lab.verify.series import Key, Slack, Value

IF_NAME = "1.3.6.1.2.1.31.1.1.1.1"
HR_PROCESSOR_LOAD = "1.3.6.1.2.1.25.3.3.1.2"
TRAFFIC = {
    "in octets": "1.3.6.1.2.1.31.1.1.1.6",
    "in packets": "1.3.6.1.2.1.31.1.1.1.7",
    "in errors": "1.3.6.1.2.1.2.2.1.14",
    "out octets": "1.3.6.1.2.1.31.1.1.1.10",
    "out packets": "1.3.6.1.2.1.31.1.1.1.11",
    "out errors": "1.3.6.1.2.1.2.2.1.20",
}
"""Quantity to its column of IF-MIB (RFC 2863)."""
LABELS: dict[str, dict[int, str]] = {
    "host.device": {1: "unknown", 2: "running", 3: "warning", 4: "testing", 5: "down"},
    "ps32.admin": {1: "unknown", 2: "enable", 3: "disable", 4: "reset", 5: "test"},
    "ps32.oper": {2: "notinstalled", 3: "disabled", 4: "operational", 5: "connected", 7: "inerror"},
    "ps32.switch_oper": {4: "operational", 6: "warning", 7: "nonFatalError", 8: "fatalError"},
}
"""Meaning of enumerated numbers: hrDeviceStatus (RFC 2790) and the states of NSCPS32-MIB."""
CHANGED_BY_READING = frozenset({"host.processes"})
"""Excluded: snmpget is a process itself, so the count always includes it."""
MOST = 60
"""Objects per request."""
_OID = re.compile(r"(\d+(?:\.\d+){5,})$")
_DEVICE = re.compile(r"device (\d+)\b")
_PROCESSOR = re.compile(r"processor (\d+)$")


@dataclass(frozen=True, slots=True)
class Asked:
    """One object and its metric."""

    oid: str
    key: Key
    labels: Mapping[int, str] | None = None


def object_of(source: str) -> str | None:
    """A metric's object: the OID at the end of its source; None without one."""
    found = _OID.search(source.strip())
    return found[1] if found else None


def index_of(subject: str, ports: Mapping[str, int], processors: Sequence[int]) -> int | None:
    """The row of a metric's subject: 0 for a scalar, ifIndex for a port, a device's number; else None."""
    if not subject:
        return 0
    if subject in ports:
        return ports[subject]
    if found := _DEVICE.match(subject):
        return int(found[1])
    if found := _PROCESSOR.match(subject):
        return processors[int(found[1])] if int(found[1]) < len(processors) else None
    return None


class Client:
    """snmpget and snmpwalk for one device, run on the host that polls it."""

    def __init__(self, plan: Blueprint, names: Names, node: NodeSpec, community: str) -> None:
        self._namespace = names.node(node.watcher or node.name)
        options = ["-v2c", "-c", community, "-t", "2", "-r", "1", "-On", "-Oq", "-Oe", "-OU"]
        self._options = [*options, f"udp:{plan.management_address(node)}:161"]

    def walk(self, oid: str) -> dict[int, str]:
        """Last number of the index to value."""
        return {int(name.rpartition(".")[2]): value for name, value in self._ask("snmpwalk", oid)}

    def get(self, oids: Sequence[str]) -> dict[str, str]:
        """Values by object; missing objects are omitted."""
        return {name.lstrip("."): value for name, value in self._ask("snmpget", *oids)}

    def _ask(self, program: str, *oids: str) -> Iterator[tuple[str, str]]:
        # Started by a thread in the namespace: `ip netns exec` would take longer than the program.
        argv = ["env", "MIBS=", program, *self._options, *oids]
        return _pairs(netns.inside(self._namespace, lambda: run(argv)))


def _pairs(output: str) -> Iterator[tuple[str, str]]:
    for line in output.splitlines():
        name, _, value = line.partition(" ")
        if not value.startswith("No "):
            yield name, value.strip().strip('"')


class SnmpSource:
    """One device that has an snmpd."""

    slack = Slack(early=0.15, late=0.15)
    pause_s = 0.1

    def __init__(self, node: str, client: Client) -> None:
        self.title = f"snmpget of {node}"
        self._node, self._client = node, client
        self._ports = {port: index for index, port in client.walk(IF_NAME).items()}
        self._processors: list[int] | None = None
        self._asked = [
            Asked(f"{column}.{index}", (node, port, quantity))
            for port, index in self._ports.items()
            for quantity, column in TRAFFIC.items()
        ]

    def ask_for(self, subject: str, metric: str, source: str) -> None:
        """Read this metric too if it is a single object, not computed from several."""
        if metric in CHANGED_BY_READING:
            return
        oid = object_of(source)
        index = None if oid is None else self._index(subject)
        if oid is not None and index is not None:
            self._asked.append(Asked(f"{oid}.{index}", (self._node, subject, metric), LABELS.get(metric)))

    def _index(self, subject: str) -> int | None:
        if subject.startswith("processor ") and self._processors is None:
            self._processors = sorted(self._client.walk(HR_PROCESSOR_LOAD))
        return index_of(subject, self._ports, self._processors or ())

    def read(self) -> Iterator[Mapping[Key, Value]]:
        """One request at a time."""
        for first in range(0, len(self._asked), MOST):
            part = self._asked[first : first + MOST]
            output = self._client.get([item.oid for item in part])
            yield {item.key: value for item in part if (value := _value(item, output)) is not None}

    def close(self) -> None:
        """Nothing stays open."""


def _value(asked: Asked, output: Mapping[str, str]) -> Value | None:
    text = output.get(asked.oid)
    if text is None:
        return None
    try:
        number = int(text)
    except ValueError:
        return None
    return number if asked.labels is None else asked.labels.get(number, text)
