"""Builds the site of one size and measures every operation on it."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, cast

from django.db import connection
from django.http import StreamingHttpResponse
from django.test import AsyncClient, Client
from django.utils import timezone

from backstay.accounts.models import User
from backstay.accounts.services import create_api_token
from backstay.alerts.tasks import evaluate_site
from backstay.api.live.router import hub
from backstay.core.roles import Role
from backstay.intake.site_files import import_text
from backstay.inventory.models import Site
from backstay.rollout.changes.selectors import Actor
from backstay.rollout.changes.services import ChangeProposal, propose
from backstay.rollout.models import Change
from bench.growth import api_requests, rows
from bench.growth.agents import Agents
from bench.growth.api_requests import Request
from bench.growth.cpu import Meter
from bench.growth.site_blueprint import SITE, Cluster

Figures = dict[str, dict[str, Any]]
"""Name -> cost_s, kind, and what else is known."""
WHOLE_SITE = 10
"""An import and a plan are needed by all that follows: they have so many times the limit."""
QUIET_ROUNDS = 3
"""Rounds until incidents of the state before are settled."""
CLIENTS = 8
"""Further live clients, of which the mean is taken."""
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
            async with asyncio.timeout(self._meter.limit_s):
                async with self._connected():
                    pass  # Caches and connections of the process.
                while len(hub().clients):  # A stream ends when its response is collected.
                    gc.collect()
                    await asyncio.sleep(0.01)
                began = self._meter.seconds()
                async with AsyncExitStack() as stack:
                    await stack.enter_async_context(self._connected())
                    first = self._meter.seconds()
                    for _ in range(CLIENTS):
                        await stack.enter_async_context(self._connected())
                    further = self._meter.seconds()
                self._add("live_first_client", "live", first - began)
                self._add("live_further_client", "live", (further - first) / CLIENTS)
        except TimeoutError:
            self._add("live_further_client", "live", None)

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[None]:
        """An open stream whose first loads have arrived."""
        response = await AsyncClient().get(f"/api/v1/live?site={SITE}", headers=self._headers)
        frames = cast(AsyncGenerator[bytes], cast(StreamingHttpResponse, response).streaming_content)
        async for frame in frames:
            if b"event: load" in frame:
                break
        try:
            yield
        finally:
            await frames.aclose()

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
