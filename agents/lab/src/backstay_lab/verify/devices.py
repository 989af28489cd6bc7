"""Source: net-snmp's tools, for the recorded devices of site `zoo`: tables once, counters repeatedly.

Every table is compared as a set, both with what is missing and with what is too much. The API has learnt
addresses only as evidence of links and as counts, and LLDP neighbours as evidence: these are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from backstay_lab.blueprint import NodeSpec
from backstay_lab.credentials import Credentials
from backstay_lab.naming import Names
from backstay_lab.network import netns
from backstay_lab.programs import run
from backstay_lab.verify import device_tables, tables
from backstay_lab.verify.api_client import ApiClient
from backstay_lab.verify.api_samples import ApiSamples
from backstay_lab.verify.checks import CheckRow, CheckTable, compare_sets, compare_value
from backstay_lab.verify.device_tables import IF, IFX, DevicePortFacts, DeviceTables, Oid, SnmpValue
from backstay_lab.verify.series import Key, Slack, Value
from backstay_lab.verify.source import Reader
from backstay_lab.verify.verified_parts import readings

AT_ONCE = 2
COMMAND_S = 90.0
"""Seconds that a walk may take: one process answers for all devices, and agents ask it as well."""
MOST_OBJECTS = 60
NARROW = 1 << 32
WIDE_COLUMNS = {
    "in octets": (f"{IFX}.6",),
    "in packets": (f"{IFX}.7", f"{IFX}.8", f"{IFX}.9"),
    "in errors": (f"{IF}.14",),
    "out octets": (f"{IFX}.10",),
    "out packets": (f"{IFX}.11", f"{IFX}.12", f"{IFX}.13"),
    "out errors": (f"{IF}.20",),
}
NARROW_COLUMNS = WIDE_COLUMNS | {
    "in octets": (f"{IF}.10",),
    "in packets": (f"{IF}.11", f"{IF}.12"),
    "out octets": (f"{IF}.16",),
    "out packets": (f"{IF}.17", f"{IF}.18"),
}
"""Quantity to the columns of IF-MIB (RFC 2863) whose sum it is."""


class DeviceClient:
    """net-snmp's tools for one device, run on the host that polls it."""

    def __init__(self, names: Names, node: NodeSpec, credentials: Credentials) -> None:
        assert node.snmp is not None
        self._namespace = names.node(node.watcher or node.name)
        access = ["-v2c", "-c", credentials.community]
        if node.snmp.version == "3":
            access = ["-v3", "-l", "authPriv", "-u", credentials.user, "-a", "SHA-256"]
            access += ["-A", credentials.auth_key, "-x", "AES", "-X", credentials.priv_key]
        self._options = [
            *access,
            "-t",
            "10",
            "-r",
            "2",
            *device_tables.OPTIONS,
            f"udp:{node.snmp.address}:161",
        ]

    def walk(self) -> DeviceTables:
        """All tables that are compared."""
        found: dict[Oid, SnmpValue] = {}
        for root in device_tables.ROOTS:
            found |= self._ask("snmpbulkwalk", root)
        return DeviceTables(found)

    def get(self, oids: Sequence[str]) -> dict[Oid, SnmpValue]:
        """Values by object; missing objects are omitted."""
        return self._ask("snmpget", *oids)

    def _ask(self, program: str, *oids: str) -> dict[Oid, SnmpValue]:
        argv = ["env", "MIBS=", program, *self._options, *oids]
        return device_tables.parse_walk(netns.inside(self._namespace, lambda: run(argv, timeout=COMMAND_S)))


class DeviceCounters:
    """Every counter of one device. Those of 32 bits are continued beyond their width."""

    # A poll of forty devices at once waits for the one process that answers for all of them.
    slack = Slack(early=0.6, late=0.6)
    pause_s = 3.0

    def __init__(self, node: str, client: DeviceClient, ports: Iterable[DevicePortFacts]) -> None:
        self.title = f"snmpget of {node}"
        self._client = client
        self._parts: dict[Key, tuple[str, ...]] = {}
        for port in ports:
            for quantity, columns in (WIDE_COLUMNS if port.is_wide else NARROW_COLUMNS).items():
                oids = tuple(f"{column}.{port.index}" for column in columns)
                self._parts[node, port.name, quantity] = oids
        self._last: dict[str, int] = {}
        self._total: dict[str, int] = {}

    def read(self) -> Iterator[Mapping[Key, Value]]:
        """As many ports at a time as fit a request."""
        keys = list(self._parts)
        while keys:
            part: list[Key] = []
            while keys and sum(len(self._parts[key]) for key in (*part, keys[0])) <= MOST_OBJECTS:
                part.append(keys.pop(0))
            self._continue(self._client.get([oid for key in part for oid in self._parts[key]]))
            yield {
                key: sum(self._total[oid] for oid in self._parts[key] if oid in self._total)
                for key in part
                if any(oid in self._total for oid in self._parts[key])
            }

    def _continue(self, found: Mapping[Oid, SnmpValue]) -> None:
        for name, value in found.items():
            oid = ".".join(map(str, name))
            if isinstance(value, int):
                grown = value - self._last.get(oid, value)
                self._total[oid] = self._total.get(oid, value) + (grown if grown >= 0 else grown + NARROW)
                self._last[oid] = value

    def close(self) -> None:
        """Nothing stays open."""


@dataclass
class DevicesPart:
    """The recorded devices."""

    clients: Mapping[str, DeviceClient]
    api: ApiClient
    ids: Mapping[str, int]
    readers: Sequence[Reader] = ()
    figures_of: Sequence[str] = ()
    carries_traffic: bool = True
    walked: dict[str, DeviceTables] = field(default_factory=dict)

    def prepare(self) -> DevicesPart:
        """Walk every device, and make the readers of its counters."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            found = pool.map(lambda client: client.walk(), self.clients.values())
            self.walked = dict(zip(self.clients, found, strict=True))
        self.readers = [
            Reader(DeviceCounters(node, client, self.walked[node].ports))
            for node, client in self.clients.items()
        ]
        return self

    def tables(self, samples: ApiSamples) -> list[CheckTable]:
        """A table per kind of fact with a row per device, then every counter."""
        source = readings(self.readers)
        wanted = [key for key in samples.growths if key[0] in self.clients and key in source.series]
        return [
            self._ports(),
            self._addresses(),
            self._neighbours(),
            *self._evidence(),
            self._understood(),
            tables.growths("Counters of recorded devices and snmpget", samples, source, wanted),
            self._counted(wanted),
        ]

    def _rows(
        self, what: str, expected: Mapping[str, Iterable[str]], found: Mapping[str, Iterable[str]]
    ) -> list[CheckRow]:
        return [
            compare_sets(f"{node} {what}", expected.get(node, ()), found.get(node, ()))
            for node in self.clients
            if expected.get(node) or found.get(node)
        ]

    def _ports(self) -> CheckTable:
        expected = {
            node: [f"{port.name} {port.speed} {port.carrier} {port.mac}" for port in walked.ports]
            for node, walked in self.walked.items()
        }
        found: dict[str, list[str]] = {}
        for port in self.api.items("ports"):
            facts = f"{port['name']} {port['speed']} {port['carrier']} {port['mac']}"
            found.setdefault(port["node"], []).append(facts)
        title = "Ports of recorded devices (name, speed, state, MAC) and snmpbulkwalk"
        return CheckTable(title, self._rows("ports", expected, found))

    def _addresses(self) -> CheckTable:
        found: dict[str, set[str]] = {}
        for port in self.api.items("ports"):
            named = {f"{port['name']} {address}" for address in port["addresses"]}
            found.setdefault(port["node"], set()).update(named)
        expected = {node: walked.addresses() for node, walked in self.walked.items()}
        return CheckTable(
            "Addresses of recorded devices and snmpbulkwalk", self._rows("addresses", expected, found)
        )

    def _neighbours(self) -> CheckTable:
        found: dict[str, list[str]] = {}
        for entry in self.api.items("neighbours"):
            found.setdefault(entry["node"], []).append(f"{entry['port']} {entry['address']} {entry['mac']}")
        expected = {node: walked.neighbours() for node, walked in self.walked.items()}
        return CheckTable(
            "Neighbours of recorded devices (ARP, ND) and snmpbulkwalk",
            self._rows("neighbours", expected, found),
        )

    def _evidence(self) -> list[CheckTable]:
        """LLDP neighbours and single learnt addresses that are the site's: both are evidence of links."""
        found: dict[str, dict[str, set[str]]] = {"lldp": {}, "fdb": {}}
        for link in self.api.items("links"):
            ends = [(link[end]["node"], link[end]["port"]) for end in ("source", "target")]
            for evidence in link["evidence"]:
                for near, far in (ends, ends[::-1]):
                    if evidence["source"] in found and evidence["by"] == near[0]:
                        by_node = found[evidence["source"]]
                        by_node.setdefault(near[0], set()).add(f"{near[1]} - {far[0]}:{far[1]}")
        lldp = {
            node: {
                f"{own} - {peer}:{port}" for own, peer, port in walked.lldp() if own and peer in self.walked
            }
            for node, walked in self.walked.items()
        }
        return [
            CheckTable(
                "LLDP neighbours of recorded devices and snmpbulkwalk",
                self._rows("LLDP", lldp, found["lldp"]),
            ),
            CheckTable(
                "Ports behind which one address of the site was learnt, and snmpbulkwalk",
                self._rows("learnt", self._direct(), found["fdb"]),
            ),
        ]

    def _direct(self) -> dict[str, set[str]]:
        owners = {
            port.mac: f"{node}:{port.name}"
            for node, walked in self.walked.items()
            for port in walked.ports
            if port.mac
        }
        found: dict[str, set[str]] = {}
        for node, walked in self.walked.items():
            for port, macs in walked.learnt().items():
                if len(macs) == 1 and (owner := owners.get(next(iter(macs)))):
                    found.setdefault(node, set()).add(f"{port} - {owner}")
        return found

    def _understood(self) -> CheckTable:
        """Counts of learnt addresses and LLDP neighbours, and of neighbours on unknown ports."""
        rows: list[CheckRow] = []
        for node, walked in self.walked.items():
            known = self._readings(node)
            learnt = sum(map(len, walked.learnt().values()))
            peers = list(walked.lldp())
            if learnt:
                rows.append(compare_value(f"{node} learnt addresses", known["bridge"]["results"], [learnt]))
            if peers:
                unknown = sum(not own for own, _, _ in peers)
                unclear = sum(item["rows"] for item in known["lldp"]["not_understood"])
                rows.append(compare_value(f"{node} LLDP neighbours", known["lldp"]["results"], [len(peers)]))
                rows.append(compare_value(f"{node} LLDP neighbours on unknown ports", unclear, [unknown]))
        return CheckTable("Learnt addresses and LLDP neighbours, as counted by the collectors", rows)

    def _readings(self, node: str) -> dict[str, Mapping[str, Any]]:
        empty = {"results": 0, "not_understood": []}
        found: dict[str, Mapping[str, Any]] = {"bridge": empty, "lldp": empty}
        for collector in self.api.items(f"nodes/{self.ids[node]}/collectors"):
            found |= {item["table"]: item for item in collector["tables"]}
        return found

    def _counted(self, keys: Sequence[Key]) -> CheckTable:
        """Every port of every device has samples: none may be left out of the comparison above."""
        found: dict[str, set[str]] = {}
        for node, port, _ in keys:
            found.setdefault(node, set()).add(port)
        expected = {node: [port.name for port in walked.ports] for node, walked in self.walked.items()}
        return CheckTable("Ports of recorded devices with samples", self._rows("sampled", expected, found))
