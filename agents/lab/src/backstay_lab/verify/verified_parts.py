"""The comparisons, one part per source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from backstay_lab.verify import infiniband, kernel, tables
from backstay_lab.verify.api_client import ApiClient
from backstay_lab.verify.api_samples import ApiSamples
from backstay_lab.verify.checks import CheckTable, compare_names, compare_value
from backstay_lab.verify.infiniband import InfinibandTools, LinkSeen
from backstay_lab.verify.series import Key
from backstay_lab.verify.source import Reader
from backstay_lab.verify.tables import Readings

TRAFFIC = frozenset(kernel.COLUMNS)


class VerifiedPart(Protocol):
    """One source and its tables."""

    readers: Sequence[Reader]
    figures_of: Sequence[str]
    """Nodes whose own metrics are compared."""
    carries_traffic: bool
    """Whether links' loads are compared with it, which a source that repeats another is not."""

    def tables(self, samples: ApiSamples) -> list[CheckTable]:
        """The comparisons, after the source was read."""


def readings(readers: Sequence[Reader]) -> Readings:
    """The readings of one part; all have the same time uncertainty."""
    series = {key: item for reader in readers for key, item in reader.series.items()}
    return Readings(series, readers[0].source.slack)


def _traffic(samples: ApiSamples, nodes: Iterable[str]) -> list[Key]:
    """All samples of these nodes' ports, including those unknown to the source."""
    wanted = set(nodes)
    return [key for key in samples.growths if key[0] in wanted and key[2] in TRAFFIC]


def _figures(samples: Mapping[Key, Any], source: Readings) -> list[Key]:
    return [key for key in samples if key in source.series and key[2] not in TRAFFIC]


@dataclass
class KernelPart:
    """The ports of nodes with an agent of their own."""

    readers: Sequence[Reader]
    nodes: Sequence[str]
    figures_of: Sequence[str] = ()
    carries_traffic: bool = True

    def tables(self, samples: ApiSamples) -> list[CheckTable]:
        """Every port."""
        keys = _traffic(samples, self.nodes)
        title = "Ports of Linux nodes and /proc/net/dev"
        return [tables.growths(title, samples, readings(self.readers), keys)]


@dataclass
class SnmpPart:
    """The ports and metrics of polled devices."""

    readers: Sequence[Reader]
    figures_of: Sequence[str]
    carries_traffic: bool = True

    def tables(self, samples: ApiSamples) -> list[CheckTable]:
        """Ports, counters, levels and states."""
        source = readings(self.readers)
        ports = tables.growths(
            "Ports of SNMP devices and snmpget", samples, source, _traffic(samples, self.figures_of)
        )
        counted = tables.growths(
            "Counters of SNMP devices and snmpget",
            samples,
            source,
            _figures(samples.growths, source),
        )
        shown = tables.levels(
            "Levels and states of SNMP devices and snmpget",
            samples,
            source,
            _figures(samples.levels, source),
        )
        return [ports, *(table for table in (counted, shown) if table.rows)]


@dataclass
class HippiPart:
    """Switches and gateways, compared with the fabric that simulates them."""

    readers: Sequence[Reader]
    figures_of: Sequence[str]
    api: ApiClient
    carries_traffic: bool = False

    def tables(self, samples: ApiSamples) -> list[CheckTable]:
        """Counters, settings, and the hold time in the fabric's report."""
        source = readings(self.readers)
        both = [key for key in samples.growths if key in source.series]
        shown = tables.levels(
            "HIPPI settings and `hippi show`", samples, source, _figures(samples.levels, source)
        )
        return [
            tables.growths("HIPPI counters and `hippi show`", samples, source, both),
            CheckTable(shown.title, [*shown.rows, *self._holds()]),
        ]

    def _holds(self) -> Iterable[Any]:
        for fabric in self.api.items("fabrics", kind="hippi"):
            for gateway in self.api.one(f"hippi/{fabric['id']}")["gateways"]:
                known = self.readers[0].series.get((gateway["node"], "", "hsg.hold_time"))
                what = f"h of {gateway['node']} in the report of {fabric['name']}, ticks"
                yield compare_value(what, gateway["hold_ticks"] or 0, known.values[-1:] if known else ())


@dataclass
class InfinibandPart:
    """Ports and links of a fabric."""

    readers: Sequence[Reader]
    tools: InfinibandTools
    api: ApiClient
    figures_of: Sequence[str]
    erred: Mapping[tuple[str, str], Mapping[str, int]]
    """The earlier output of ibqueryerrors."""
    carries_traffic: bool = True

    def tables(self, samples: ApiSamples) -> list[CheckTable]:
        """Traffic and errors of the chosen devices, states and speeds of all."""
        traffic, errors = (readings([reader]) for reader in self.readers)
        found = [
            tables.growths(
                "InfiniBand data (words x 4), packets and perfquery", samples, traffic, traffic.series
            ),
            tables.sums(
                "InfiniBand error counters and perfquery", samples, errors, errors.series, "in packets"
            ),
            self._links(samples),
        ]
        self.tools.close()
        return found

    def _links(self, samples: ApiSamples) -> CheckTable:
        links = infiniband.links(self.tools.run("iblinkinfo", "-l"))
        ports = [port for port in self.api.items("ports") if port["kind"] == "infiniband"]
        active = [link for link in links if link.state == "Active"]
        grown = self._grown()
        rows = [
            compare_names("active ports, by iblinkinfo", map(_name, active), _up(ports)),
            compare_names("active ports, by the API", _up(ports), map(_name, active)),
            compare_names(
                "width x speed of active ports, by iblinkinfo",
                (f"{_name(item)} {item.rate}" for item in active),
                (f"{port['node']}:{port['name']} {port['speed']}" for port in ports),
            ),
            compare_names(
                "ports that count errors, by ibqueryerrors", grown, self._reported() if grown else ()
            ),
        ]
        counts = {"ib.nodes": len({link.node for link in links}), "ib.cables": len(active) // 2}
        for (node, part, metric), known in samples.levels.items():
            if metric in counts:
                rows.append(compare_value(f"{node} {part} {metric}", known[max(known)], [counts[metric]]))
        return CheckTable("InfiniBand links and iblinkinfo, ibqueryerrors", rows)

    def _grown(self) -> list[str]:
        """Ports whose error counter grew during the observation; other errors may predate the agents."""
        now = infiniband.errors(self.tools.run("ibqueryerrors"))
        return [
            f"{node}:{port}"
            for (node, port), counted in now.items()
            if any(value > self.erred.get((node, port), {}).get(name, 0) for name, value in counted.items())
        ]

    def _reported(self) -> list[str]:
        """Ports with errors in the health report."""
        return [
            f"{error['node']}:{error['port']}"
            for fabric in self.api.items("fabrics", kind="infiniband")
            for error in self.api.one(f"infiniband/{fabric['id']}/health")["errors"]
        ]


def _name(link: LinkSeen) -> str:
    return f"{link.node}:{link.port}"


def _up(ports: Iterable[Mapping[str, Any]]) -> list[str]:
    return [f"{port['node']}:{port['name']}" for port in ports if port["state"] == "ok"]
