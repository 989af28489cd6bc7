"""A small Argonne for tests: site file, agents, and reports processed like real ones.

Wired like the lab: compute nodes, a GigaRouter and an ATM gateway on one switch; servers and the division
router behind them. `World.report` passes reports to the ingest like the agent protocol.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from django.db import connection, transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from backstay.accounts.models import Agent, User
from backstay.accounts.services import create_api_token, grant
from backstay.core.roles import Role
from backstay.intake.batches import store_batch
from backstay.intake.site_files import import_text
from backstay.inventory.models import Link, Node, Port, Site
from backstay.inventory.services import attach_agent
from backstay.telemetry.ingest.batch import Batch, Outcome
from backstay.telemetry.ingest.clock import nanoseconds
from backstay_wire import (
    DeviceReport,
    GatewayLiveness,
    PathOutage,
    PathReport,
    PathSwitch,
    PortSamples,
    PortState,
    Report,
    SpoolState,
)
from bench import argonne

Json = dict[str, Any]
SCALE, INTERVAL_S, site_file = argonne.SCALE, argonne.INTERVAL_S, argonne.site_file
OC12 = 538e6 * SCALE
"""Usable bit/s of an OC-12 link in this world."""


@dataclass
class World:
    """One imported site with the clock `now`, advanced by `forward`."""

    site: Site
    now: datetime
    boot: uuid.UUID = field(default_factory=uuid.uuid4)
    seq: int = 0
    down: set[str] = field(default_factory=set)
    """Ports without carrier, `node:port`."""

    def copy(self) -> World:
        """For one test: resets the clock; the rows are rolled back."""
        return replace(self, site=Site.objects.get(pk=self.site.pk), down=set(self.down))

    @classmethod
    def make(cls, nodes: int = 3, name: str = "argonne", now: datetime | None = None) -> World:
        """Import the site and enrol its agents."""
        now = now or datetime.now(UTC)
        import_text(site_file(nodes, name), f"{name}.yaml", now)
        site = Site.objects.get(name=name)
        for node in Node.objects.filter(site=site, watcher_id__isnull=False).exclude(name="grf1"):
            key = node.name.encode().ljust(32, b".")
            attach_agent(Agent.objects.create(site=name, node=node.name, public_key=key, version="1.0"))
        return cls(site, now)

    def forward(self, seconds: float = INTERVAL_S) -> datetime:
        """Advance time."""
        self.now += timedelta(seconds=seconds)
        return self.now

    def node(self, name: str) -> Node:
        """A node by name."""
        return Node.objects.get(site=self.site, name=name)

    def link(self, a: str) -> Link:
        """The link whose first end is `node:port`."""
        node, port = a.split(":")
        return Link.objects.get(site=self.site, a__node__name=node, a__name=port)

    def report(self, reports: Iterable[Report], at: datetime | None = None) -> list[Outcome]:
        """Pass reports to the ingest, each as the agent that watches its device."""
        by_agent: dict[uuid.UUID, list[tuple[int, Report]]] = {}
        watchers = dict(Node.objects.filter(site=self.site).values_list("name", "watcher__agent_id"))
        for index, report in enumerate(reports):
            by_agent.setdefault(watchers[report.device], []).append((index, report))
        received = at or self.now
        sent = nanoseconds(received)
        outcomes = [
            store_batch(Batch(agent=agent, received=received, sent_ns=sent, spool=SpoolState(), reports=mine))
            for agent, mine in by_agent.items()
        ]
        _end_limits()
        return outcomes

    def describe(self, *names: str) -> None:
        """Device reports: every port is up except those in `down`."""
        ports = self._ports()
        self.report(self.device(name, ports.get(name, [])) for name in names or sorted(ports))

    def devices(self) -> list[str]:
        """Names of all nodes with data ports."""
        return sorted(self._ports())

    def device(self, name: str, names: list[str] | None = None) -> DeviceReport:
        """One node's device report; `names`: its ports, if already known."""
        ports = [
            PortState(
                name=port,
                index=index,
                admin_up=True,
                oper_up=f"{name}:{port}" not in self.down,
                speed=622_080_000,
                mtu=9180,
            )
            for index, port in enumerate(self._ports(name)[name] if names is None else names, start=1)
        ]
        return DeviceReport(**self._head(name), sys_name=name, uptime_s=1000.0, ports=ports)

    def samples(
        self,
        name: str,
        rates: Mapping[str, tuple[float, float]] | None = None,
        ports: list[str] | None = None,
    ) -> PortSamples:
        """One interval's samples; `rates`: port -> (in, out) in bit/s, default 1 Mb/s per direction.

        `ports`: its ports, if already known.
        """
        ports = ports or self._ports(name)[name]
        answer = [(rates or {}).get(port, (1e6, 1e6)) for port in ports]
        octets = [[round(rate[route] * INTERVAL_S / 8) for rate in answer] for route in (0, 1)]
        return PortSamples(
            **self._head(name),
            duration_ns=int(INTERVAL_S * 1e9),
            ports=ports,
            in_octets=octets[0],
            out_octets=octets[1],
            in_packets=[1] * len(ports),
            out_packets=[1] * len(ports),
        )

    def sample(
        self,
        rates: Mapping[str, Mapping[str, tuple[float, float]]] | None = None,
        but: Collection[str] = (),
    ) -> None:
        """Samples of every node except those."""
        given, known = rates or {}, self._ports()
        answer = [name for name in sorted(known) if name not in but]
        self.report(self.samples(name, given.get(name), known[name]) for name in answer)

    def path(
        self,
        node: str,
        policy: str,
        active: str,
        *,
        alive: Mapping[str, bool] | None = None,
        forwards: Mapping[str, bool] | None = None,
        target_alive: bool | None = True,
        switch: PathSwitch | None = None,
        outage: PathOutage | None = None,
    ) -> PathReport:
        """One node's observation of one policy."""
        return PathReport(
            **self._head(node),
            policy=policy,
            prefix="0.0.0.0/0" if policy == "sp-default" else "10.1.0.0/16",
            active=active,
            target_alive=target_alive,
            target_rtt_us=900 if target_alive else None,
            gateways=[
                GatewayLiveness(name=name, alive=answers, rtt_us=400, forwards=(forwards or {}).get(name))
                for name, answers in (alive or {}).items()
            ],
            switch=switch,
            outage=outage,
        )

    def outage(
        self,
        ago_s: float,
        duration_ms: float | None = None,
        *,
        ident: uuid.UUID | None = None,
        cause: Literal["switch", "target_dead", "no_route"] = "target_dead",
    ) -> PathOutage:
        """An outage as an agent reports it; it began `ago_s` ago."""
        return PathOutage(
            id=ident or uuid.uuid4(),
            since=nanoseconds(self.now - timedelta(seconds=ago_s)),
            duration_ms=duration_ms,
            cause=cause,
            lost_probes=0 if duration_ms is None else round(duration_ms / 50),
            probe_interval_ms=50,
        )

    def switch(
        self, before: str, after: str, *, outage_ms: float | None = None, ident: uuid.UUID | None = None
    ) -> PathSwitch:
        """A move as an agent reports it."""
        return PathSwitch(
            id=ident or uuid.uuid4(),
            at=nanoseconds(self.now),
            from_gateway=before,
            to_gateway=after,
            outage_ms=outage_ms,
            lost_probes=None if outage_ms is None else round(outage_ms / 50),
            probe_interval_ms=50,
        )

    def all_paths(self, active: str = "grf1") -> None:
        """Report every path through the preferred gateway, all gateways alive."""
        up = {"grf1": True, "atmgw": True}
        nodes = [name for name in self.devices() if name.startswith("sp")]
        self.report(
            [
                *(self.path(node, "sp-default", active, alive=up) for node in nodes),
                self.path("router", "router-to-sp", active, alive=up),
                self.path("origin1", "origin1-to-sp", active, alive={"grf1": True, "router": True}),
            ]
        )

    def fail_over(self, gateway: str = "grf1", fallback: str = "atmgw") -> None:
        """The gateway fails for the compute nodes: each reports its switch."""
        alive = {gateway: False, fallback: True}
        for name in self.devices():
            if name.startswith("sp"):
                switch = self.switch(gateway, fallback)
                self.report([self.path(name, "sp-default", fallback, alive=alive, switch=switch)])

    def fail_back(self, gateway: str = "grf1", fallback: str = "atmgw") -> None:
        """The gateway is back."""
        alive = {gateway: True, fallback: True}
        for name in self.devices():
            if name.startswith("sp"):
                switch = self.switch(fallback, gateway, outage_ms=0.0)
                self.report([self.path(name, "sp-default", gateway, alive=alive, switch=switch)])

    def _head(self, name: str) -> Json:
        self.seq += 1
        return {"boot": self.boot, "seq": self.seq, "device": name, "at": nanoseconds(self.now)}

    def _ports(self, *nodes: str) -> dict[str, list[str]]:
        """Port names by node: of these, or of all nodes with ports."""
        found: dict[str, list[str]] = {node: [] for node in nodes}
        which = {"node__name__in": nodes} if nodes else {}
        rows = Port.objects.filter(node__site=self.site, **which).order_by("pk")
        for node, port in rows.values_list("node__name", "name"):
            found.setdefault(node, []).append(port)
        return found


@contextmanager
def kept(blocker: DjangoDbBlocker) -> Iterator[None]:
    """For fixtures that outlive a test: rows created inside are rolled back at the end."""
    with blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


def _end_limits() -> None:
    """The limits of a report end with its transaction, which is here only a part of the test's."""
    if connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout TO DEFAULT; SET LOCAL lock_timeout TO DEFAULT")


def analyze() -> None:
    """Statistics of the tables of this database: autovacuum may have seen them empty.

    Not of the shared catalogs: a fixture holds their locks as long as it lives, and tests that run at the
    same time in another database of the server would wait for them.
    """
    with connection.cursor() as cursor:
        names = (connection.ops.quote_name(name) for name in connection.introspection.table_names(cursor))
        # Autovacuum gives way after 1 s.
        cursor.execute("SET LOCAL lock_timeout = '1min'")
        cursor.execute(f"ANALYZE {', '.join(names)}")
        cursor.execute("SET LOCAL lock_timeout TO DEFAULT")


def person(name: str, role: Role | None, site: str = "") -> User:
    """A user with a role at a site, or at every site."""
    user = User.objects.create_user(name, password="correct horse")
    if role is not None:
        grant(user, role, site)
    return user


def bearer(user: User, role: Role = Role.ADMIN) -> dict[str, str]:
    """Headers with a new API token of this user."""
    return {"authorization": f"Bearer {create_api_token(user, 'test', role)}"}


def reader(client: Client) -> Callable[..., Any]:
    """(path, expected status) -> the API's answer to a viewer."""
    headers = bearer(person("reader", Role.VIEWER))

    def read(path: str, status: int = 200) -> Any:
        reply = client.get(f"/api/v1/{path}", headers=headers)
        assert reply.status_code == status, reply.content
        return reply.json()

    return read
