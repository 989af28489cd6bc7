"""Builds the site of one size and measures every operation on it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client
from django.utils import timezone

from backstay.accounts.models import User
from backstay.accounts.services import create_api_token
from backstay.alerts.tasks import evaluate_site
from backstay.core.roles import Role
from backstay.intake.site_files import import_text
from backstay.inventory.models import Node, Site
from backstay.live import publish as live
from backstay.rollout.changes.selectors import Actor
from backstay.rollout.changes.services import ChangeProposal, propose
from backstay.rollout.models import Change
from bench.growth import api_requests, rows
from bench.growth.agents import Agents
from bench.growth.api_requests import Request
from bench.growth.cpu import Meter
from bench.growth.live_stream import LiveClient, connected
from bench.growth.site_blueprint import SITE, Cluster

Figures = dict[str, dict[str, Any]]
"""Name -> cost_s, kind, and what else is known."""
WHOLE_SITE = 10
"""An import and a plan are needed by all that follows: they have so many times the limit."""
QUIET_ROUNDS = 3
"""Rounds until incidents of the state before are settled."""
CLIENTS = 500
"""Live clients; the mean of all but the first is taken."""
REPORT_S, TICK_S, TICKS = 30.0, 0.25, 40
"""Interval of the reports of each node, of the messages to the clients, and number of the latter."""
_SIZES = """
SELECT octet_length(document::text), octet_length(assignments::text)
FROM rollout_planrecord WHERE change_id = %s
"""


class Measurement:
    """One size; `run` returns the figures."""

    def __init__(self, size: int, postgres: int, limit_s: float) -> None:
        self._cluster = Cluster(size)
        self._meter = Meter(postgres, limit_s)
        self._figures: Figures = {}
        self._user = User.objects.create_superuser("bench", password=None)
        token = create_api_token(self._user, "bench", Role.ADMIN)
        self._headers = {"authorization": f"Bearer {token}"}

    def run(self) -> Figures:
        """Build and measure, in an order in which each operation finds what it needs."""
        self._import("import", "")
        site = Site.objects.get(name=SITE)
        self._print("storing reports")
        alone = Agents(self._cluster).report()
        self._print(f"{alone} batches were stored alone")
        rows.observe(site)
        rows.analyse()
        self._plan(site)
        rows.remember(site, timezone.now())
        self._rounds(site)
        self._requests()
        asyncio.run(self._live())
        self._import("import_one_word", "renamed")
        return self._figures

    def _import(self, name: str, title: str) -> None:
        text = self._cluster.site_file(title)

        def work() -> None:
            import_text(text, "growth.yaml", timezone.now())

        self._once(name, work, megabytes=round(len(text) / 1e6, 2))

    def _plan(self, site: Site) -> None:
        actor = Actor(self._user, Role.ADMIN)
        policies = list(site.failover_policies.values_list("pk", flat=True))

        def work() -> None:
            propose(site, actor, ChangeProposal("policies", policies), timezone.now())

        self._once("plan", work)
        change = Change.objects.filter(site=site).first()
        if change is None:
            return
        with connection.cursor() as cursor:
            cursor.execute(_SIZES, [change.pk])
            document, assignments = cursor.fetchone()
        plan = change.plans.get()
        self._figures["plan"] |= {
            "nodes": plan.nodes,
            "blocked": plan.blocked,
            "document_mb": round(document / 1e6, 2),
            "assignments_mb": round(assignments / 1e6, 2),
        }
        for check in plan.document["checks"]:
            if check["level"] == "failed":
                self._print(f"the plan is blocked: {check['text']}")
        rows.confirm(change)

    def _rounds(self, site: Site) -> None:
        for _ in range(QUIET_ROUNDS):
            evaluate_site(site.pk)
        rows.analyse()
        cost_s = self._meter.repeated(lambda: evaluate_site(site.pk))
        self._add("round_quiet", "round", cost_s, failing=self._failing(site))
        costs = []
        for up in (False, True):
            rows.set_carriers(up=up)
            costs.append(self._meter.once(lambda: evaluate_site(site.pk), self._meter.limit_s))
            for _ in range(QUIET_ROUNDS):
                evaluate_site(site.pk)
        known = [cost for cost in costs if cost is not None]
        mean = sum(known) / len(known) if len(known) == len(costs) else None
        self._add("round_1_percent_changed", "round", mean, failing=self._failing(site))

    @staticmethod
    def _failing(site: Site) -> list[str]:
        return sorted(site.evaluation_failures.values_list("part", flat=True))

    def _requests(self) -> None:
        client = Client(headers=self._headers)
        for operation in api_requests.operations(client):
            found = api_requests.measure(client, self._meter, operation)
            if isinstance(found, Request):
                self._add(
                    operation.name, operation.kind, found.first, again_s=found.again, octets=found.octets
                )
            else:
                self._figures[operation.name] = {"kind": operation.kind, "missing": found}
                self._print(f"{operation.name}: {found}")

    async def _live(self) -> None:
        try:
            async with asyncio.timeout(self._meter.limit_s * WHOLE_SITE):
                async with connected(SITE, self._headers):
                    pass  # Caches and connections of the process.
                began = self._meter.seconds()
                async with AsyncExitStack() as stack:
                    await stack.enter_async_context(connected(SITE, self._headers))
                    first = self._meter.seconds()
                    clients = [
                        await stack.enter_async_context(connected(SITE, self._headers))
                        for _ in range(CLIENTS - 1)
                    ]
                    further = self._meter.seconds()
                    self._add("live_first_client", "live_first", first - began)
                    self._add("live_further_client", "live", (further - first) / (CLIENTS - 1))
                    await self._stream(clients)
        except TimeoutError:
            self._add("live_further_client", "live", None)

    @staticmethod
    def _hosts() -> list[int]:
        return list(Node.objects.filter(site__name=SITE, kind="host").values_list("pk", flat=True))

    async def _stream(self, clients: Sequence[LiveClient]) -> None:
        """A second of the loads of all nodes that report each 30 s, sent to all clients."""
        nodes = await sync_to_async(self._hosts)()
        step = max(round(len(nodes) * TICK_S / REPORT_S), 1)
        octets, began = sum(client.octets for client in clients), self._meter.seconds()
        for tick in range(TICKS):
            some = [nodes[(tick * step + place) % len(nodes)] for place in range(step)]
            await sync_to_async(live.samples)(SITE, some)
            await asyncio.sleep(TICK_S)
        spent = (self._meter.seconds() - began) / (TICKS * TICK_S)
        sent = (sum(client.octets for client in clients) - octets) / len(clients) / (TICKS * TICK_S)
        self._add(f"live_second_{CLIENTS}_clients", "live_second", spent, octets_a_client=round(sent))

    def _once(self, name: str, work: Any, **more: Any) -> None:
        cost_s = self._meter.once(work, self._meter.limit_s * WHOLE_SITE)
        self._add(name, name, cost_s, **more)

    def _add(self, name: str, kind: str, cost_s: float | None, **more: Any) -> None:
        self._figures[name] = {"kind": kind, "cost_s": cost_s, **more}
        shown = "over the limit" if cost_s is None else f"{cost_s * 1000:,.1f} ms"
        self._print(f"{name}: {shown}")

    def _print(self, text: str) -> None:
        nodes = len(self._cluster.hosts)
        print(f"{nodes} hosts, load {os.getloadavg()[0]:.0f}: {text}", file=sys.stderr, flush=True)
