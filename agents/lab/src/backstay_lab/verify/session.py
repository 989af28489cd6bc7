"""One verification of a running lab: reads the API and the sources in parallel, then compares."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from backstay_lab import lifecycle
from backstay_lab.blueprint import NodeSpec
from backstay_lab.daemons import snmpd
from backstay_lab.hippi import service as hippi_service
from backstay_lab.infiniband import service as ib_service
from backstay_lab.state import Run, StateFolder
from backstay_lab.verify import hippi, infiniband, kernel, snmp, tables
from backstay_lab.verify.api_client import ApiClient
from backstay_lab.verify.api_samples import ApiSamples, moment
from backstay_lab.verify.checks import CheckTable
from backstay_lab.verify.devices import DeviceClient, DevicesPart
from backstay_lab.verify.series import Key
from backstay_lab.verify.source import Reader
from backstay_lab.verify.tables import Readings
from backstay_lab.verify.topology_check import documented
from backstay_lab.verify.verified_parts import (
    HippiPart,
    InfinibandPart,
    KernelPart,
    SnmpPart,
    VerifiedPart,
    readings,
)

LEAST_INTERVALS = 4
LEAST_OF_RECORDED = 8
"""Intervals with recorded devices: one process answers for all of them, so readings are further apart."""
MOST_IB_DEVICES = 4
MOST_TITLES = 8
SETTLE_S = 1.0
"""Seconds from the last report to the API."""


@dataclass
class Observation:
    """The API's responses."""

    samples: ApiSamples
    loads: dict[tuple[str, str], dict[float, int]] = field(default_factory=dict)
    topology: dict[str, Any] = field(default_factory=dict)

    def round(self, api: ApiClient, figures_of: Mapping[str, int]) -> None:
        """Poll everything that is compared once."""
        self.topology = api.one(f"topology?site={api.site}")
        interval_s = self.topology["site"]["interval_s"]
        for link in self.topology["links"]:
            for direction in ("forward", "back"):
                if link[direction]:
                    by_time = self.loads.setdefault((link["name"], direction), {})
                    by_time[moment(link[direction]["at"])] = link[direction]["bps"]
        for port in api.items("ports"):
            self.samples.port(port)
        for name, ident in figures_of.items():
            for figure in api.items(f"nodes/{ident}/metrics"):
                self.samples.figure(name, figure, interval_s)


class VerifySession:
    """The verification of one lab."""

    def __init__(self, folder: StateFolder, lab: Run, api: ApiClient, report: Callable[[str], None]) -> None:
        self._folder, self._lab, self._api, self._report = folder, lab, api, report
        self._plan = lab.plan()
        self._services = {service.name for service in self._plan.services}
        self._ids = {node["name"]: node["id"] for node in api.items("nodes")}
        self._sources = {metric["name"]: metric["source"] for metric in api.items("metrics")}

    def run(self, seconds: float) -> list[CheckTable]:
        """Observe for about `seconds`, at least four of the site's intervals, then compare."""
        interval_s = self._api.one(f"topology?site={self._api.site}")["site"]["interval_s"]
        recorded = any(node.snmp is not None for node in self._plan.nodes)
        least = LEAST_OF_RECORDED if recorded else LEAST_INTERVALS
        intervals = max(least, math.ceil(seconds / interval_s))
        parts = self._parts()
        readers = [reader for part in parts for reader in part.readers]
        self._report(
            f"{self._lab.site}: listening for {intervals} intervals of {interval_s:g} s in parallel to "
            + "; ".join(_titles(readers))
        )
        watched = {name: self._ids[name] for part in parts for name in part.figures_of if name in self._ids}
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.wait()
        # A report's time may be this much later than its reading.
        since = time.time() + max(reader.source.slack.early for reader in readers)
        observed = Observation(ApiSamples(since, since + interval_s * (intervals + 1.5)))
        while time.time() < observed.samples.until + SETTLE_S:
            began = time.monotonic()
            observed.round(self._api, watched)
            time.sleep(max(0.0, interval_s / 3 - (time.monotonic() - began)))
        for reader in readers:
            reader.finish()
        compared = [table for part in parts for table in part.tables(observed.samples)]
        return [self._documented(observed), *compared, _loads(observed, parts)]

    def _documented(self, observed: Observation) -> CheckTable:
        file = yaml.safe_load(lifecycle.write_site_file(self._folder, self._lab))
        return documented(file, observed.topology, self._api.items("fabrics"))

    def _parts(self) -> list[VerifiedPart]:
        """The parts to compare at this site."""
        own = [node.name for node in self._plan.spaces if self._plan.own_agent(node)]
        parts: list[VerifiedPart] = [KernelPart([Reader(kernel.KernelSource(self._lab.names, own))], own)]
        if devices := [node for node in self._plan.nodes if snmpd.watched(self._plan, node)]:
            parts.append(SnmpPart([Reader(self._snmp(node)) for node in devices], [n.name for n in devices]))
        if hippi_service.NAME in self._services:
            running = self._folder.running(self._lab, hippi_service.NAME)
            source_hippi = hippi.HippiSource(hippi_service.control_socket(running))
            boxes = [node.name for node in self._plan.nodes if node.simulated_by == hippi_service.NAME]
            parts.append(HippiPart([Reader(source_hippi)], boxes, self._api))
        if ib_service.NAME in self._services:
            parts.append(self._infiniband())
        if recorded := [node for node in self._plan.nodes if node.snmp is not None]:
            credentials = self._lab.credentials
            clients = {node.name: DeviceClient(self._lab.names, node, credentials) for node in recorded}
            parts.append(DevicesPart(clients, self._api, self._ids).prepare())
        return parts

    def _snmp(self, node: NodeSpec) -> snmp.SnmpSource:
        """A polled device with all metrics that are single objects."""
        client = snmp.Client(self._plan, self._lab.names, node, self._lab.credentials.community)
        source = snmp.SnmpSource(node.name, client)
        for figure in self._api.items(f"nodes/{self._ids[node.name]}/metrics"):
            source.ask_for(figure["subject"], figure["metric"], self._sources.get(figure["metric"], ""))
        return source

    def _infiniband(self) -> VerifiedPart:
        tools = infiniband.InfinibandTools(
            self._folder.running(self._lab, ib_service.NAME), self._plan.service_named(ib_service.NAME)
        )
        links = infiniband.links(tools.run("iblinkinfo", "-l"))
        failing = infiniband.errors(tools.run("ibqueryerrors"))
        figures = infiniband.narrow_counters(self._sources)
        chosen = infiniband.sample(links, failing, MOST_IB_DEVICES)
        readers = [
            Reader(infiniband.TrafficSource(tools, chosen)),
            Reader(infiniband.ErrorSource(tools, chosen, figures)),
        ]
        watchers = {node.watcher for node in self._plan.nodes if node.watcher}
        nodes = sorted({item.node for item in chosen} | watchers)
        return InfinibandPart(readers, tools, self._api, nodes, failing)


def _titles(readers: Sequence[Reader]) -> list[str]:
    """The sources' titles; of many, the first ones and their number."""
    titles = [reader.source.title for reader in readers]
    return (
        titles if len(titles) <= MOST_TITLES else [*titles[:MOST_TITLES], f"{len(titles) - MOST_TITLES} more"]
    )


def _loads(observed: Observation, parts: list[VerifiedPart]) -> CheckTable:
    names = {node["key"]: node["name"] for node in observed.topology["nodes"]}
    links = [
        {**link, "ends": (names[link["source"]], names[link["target"]])}
        for link in observed.topology["links"]
    ]

    sources = [readings(part.readers) for part in parts if part.carries_traffic]

    def reading_of(key: Key) -> Readings | None:
        return next((source for source in sources if key in source.series), None)

    return tables.loads(observed.samples, links, observed.loads, reading_of)
