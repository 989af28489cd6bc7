#!/usr/bin/env python3
"""`make bench-alerts`: notifications over a private PostgreSQL and Redis, real workers and a real webhook.

Incidents are opened and resolved through `alerts.incidents`, as rules do; the rounds themselves do not run. A
process of its own asks for a tick each second, as beat does.

    first    seconds from an incident's opening (its flip) to its arrival at the webhook
    burst    1,000 ports and their root cause go down within 10 s: messages that arrive, what the first lists
    flaps    one object opens and resolves 100 times in an hour: messages; simulated clock, no workers
    kills    the worker, with all its processes, gets SIGKILL at random moments while messages flow to 100
             channels: incidents that a channel never got, and messages that it got twice
    redis    FLUSHALL every two seconds meanwhile: the same
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

BACKEND = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(BACKEND))

from bench import databases  # noqa: E402
from bench.alerting.receiver import Sink, listening  # noqa: E402
from bench.processes import tree  # noqa: E402

GOALS = {"first": 30.0, "burst": 5, "flaps": 3, "lost": 0, "duplicates_per_1000": 1.0}
SITES, CHANNELS = 10, 10
START_S = 120.0
"""In which a worker must be at work."""
DRAIN_S = 600.0
"""After the last incident: a message of a killed worker is sent again once its lease is over."""
WORKER = ("-m", "celery", "-A", "config", "worker", "--loglevel", "error", "--concurrency", "2")
TICKS = "import django; django.setup(); from bench.alerting import notifications; notifications.send_ticks()"
KIND = "port_down"
FLUSHES = 10


def started(*arguments: str) -> subprocess.Popen[bytes]:
    """A Python process that ends with this one."""
    argv = ["setpriv", "--pdeathsig", "KILL", sys.executable, *arguments]
    return subprocess.Popen(argv, cwd=BACKEND, env={**os.environ, "PYTHONPATH": str(BACKEND)})


@contextmanager
def child(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A Python process that ends with the block."""
    process = started(*arguments)
    try:
        yield process
    finally:
        end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """SIGKILL to a process and all its descendants."""
    for pid in tree([process.pid]):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()


def send_ticks() -> None:
    """Ask for a tick each second, whatever happens to Redis: beat's part."""
    from config.celery import app

    while True:
        with suppress(Exception):
            app.send_task("backstay.alerts.tasks.notify", expires=2.0)
        time.sleep(1)


class Scene:
    """Sites with a route and channels each, and their incidents."""

    def __init__(self, sink: Sink, name: str, sites: int, channels: int, **times: float) -> None:
        from backstay.alerts.models import Channel, NotificationRoute
        from backstay.alerts.services import ensure_rules
        from backstay.inventory.models import Site

        now = datetime.now(UTC)
        self.sink = sink
        self.channels: dict[int, list[str]] = {}
        self.opened: dict[int, set[int]] = {}
        self.sites = []
        for number in range(sites):
            site = Site.objects.create(name=f"{name}-{number}", title=name, interval_s=2.0, imported_at=now)
            ensure_rules(site)
            rows = [
                Channel.objects.create(
                    site=site,
                    name=f"{name}-{number}-{index}",
                    kind="webhook",
                    config={"url": f"{sink.url}/{name}-{number}-{index}"},
                    changed_at=now,
                )
                for index in range(channels)
            ]
            steps = [{"after_s": 0, "channels": [row.pk for row in rows], "schedules": []}]
            NotificationRoute.objects.create(site=site, name="all", steps=steps, changed_at=now, **times)
            self.channels[site.pk] = [row.name for row in rows]
            self.opened[site.pk] = set()
            self.sites.append(site)

    def open(self, site: Any, names: list[str], kind: str = KIND, now: datetime | None = None) -> list[int]:
        """Open incidents as a rule does; their ids."""
        from backstay.alerts import incidents
        from backstay.alerts.models import Incident, SiteRule
        from backstay.alerts.rule import Finding

        moment = now or datetime.now(UTC)
        rule = SiteRule.objects.select_related("site").get(site=site, kind=kind)
        found = [
            Finding(
                fingerprint=f"{kind}:{name}",
                subject=name,
                title=f"{kind} of {name}",
                detail="",
                since=moment,
                severity="critical",
            )
            for name in names
        ]
        with incidents.exclusive(site):
            incidents.raise_all(rule, [(None, one) for one in found], moment)
            rows = Incident.objects.filter(rule=rule, fingerprint__in=[one.fingerprint for one in found])
            # A rule whose incidents wait for a root cause opens them a round later; here at once.
            incidents.show_waiting(site, list(rows.filter(is_waiting=True).select_related("rule")), moment)
            idents = list(rows.filter(phase="open").values_list("pk", flat=True))
        self.opened[site.pk] |= set(idents)
        return idents

    def resolve(self, site: Any, idents: list[int], now: datetime | None = None) -> None:
        """Resolve incidents."""
        from backstay.alerts import incidents
        from backstay.alerts.models import Incident

        with incidents.exclusive(site):
            rows = Incident.objects.filter(pk__in=idents).select_related("rule")
            incidents.resolve_all(site, list(rows), now or datetime.now(UTC))

    def missing(self) -> int:
        """(channel, incident) pairs that did not arrive. A message lists the first of many incidents, and is
        about all of them.
        """
        from backstay.alerts.models import Delivery

        about: dict[str, set[int]] = {}
        rows = Delivery.objects.filter(notification__site__in=self.sites)
        for key, incident in rows.values_list("key", "notification__incidents"):
            about.setdefault(str(key), set()).add(incident)
        arrived = self.sink.keys_of_openings()
        return sum(
            len(self.opened[site.pk].difference(*(about.get(key, set()) for key in arrived.get(name, ()))))
            for site in self.sites
            for name in self.channels[site.pk]
        )

    def drain(self) -> None:
        """Wait until everything has arrived, at most `DRAIN_S`, and then for what comes twice."""
        limit = time.monotonic() + DRAIN_S
        while time.monotonic() < limit and (self.missing() or _unfinished(self.sites)):
            time.sleep(1)
        time.sleep(3)


def _unfinished(sites: list[Any]) -> int:
    """Deliveries of these sites: those of the simulated clock are due in the future."""
    from backstay.alerts.models import Delivery

    return Delivery.objects.filter(notification__site__in=sites, status__in=["queued", "sending"]).count()


def measure_first(sink: Sink) -> dict[str, Any]:
    """One incident at each site, a few seconds apart."""
    scene, delays = Scene(sink, "first", SITES, 1), []
    began: dict[int, float] = {}
    for site in scene.sites:
        (ident,) = scene.open(site, ["p1"])
        began[ident] = time.time()
        time.sleep(0.7)
    scene.drain()
    for one in sink.received:
        delays += [one.at - began[ident] for ident in one.incidents if ident in began]
    return {"incidents": len(began), "arrived": len(delays), "worst_s": round(max(delays, default=0.0), 1)}


def measure_burst(sink: Sink) -> dict[str, Any]:
    """100 ports a second for ten seconds; their root cause is found in the middle."""
    from backstay.alerts.models import Incident

    scene = Scene(sink, "burst", 1, 1)
    (site,) = scene.sites
    root = 0
    for second in range(10):
        ports = [f"p{second * 100 + index}" for index in range(100)]
        scene.open(site, ports)
        if second == 5:
            (root,) = scene.open(site, ["core"], "fabric_down")
            half = Incident.objects.filter(site=site, rule__kind=KIND).values_list("pk", flat=True)[:300]
            Incident.objects.filter(pk__in=list(half)).update(cause=root)
        time.sleep(1)
    time.sleep(45)
    places = [one.titles for one in sink.received if any("core" in title for title in one.titles)]
    return {
        "messages": sink.keys("burst").total(),
        "root_is_first": bool(places) and "core" in places[0][0],
    }


def measure_flaps(sink: Sink) -> dict[str, Any]:
    """100 flaps in an hour of a simulated clock: the outbox decides each second, nothing is sent."""
    from backstay.alerts.models import Flip, Notification
    from backstay.alerts.notify.outbox import notify_site

    scene = Scene(sink, "flaps", 1, 1)
    (site,) = scene.sites
    start = datetime.now(UTC) + timedelta(days=1)
    idents: list[int] = []
    for second in range(3600):
        now = start + timedelta(seconds=second)
        if second % 36 == 0:
            idents = scene.open(site, ["p1"], now=now)
        elif second % 36 == 20:
            scene.resolve(site, idents, now)
        notify_site(site, now)
    flips = Flip.objects.filter(incident__site=site, to_phase="open").count()
    return {"flaps": flips, "messages": Notification.objects.filter(site=site).count()}


def measure_disturbed(
    sink: Sink, name: str, disturb: Callable[[subprocess.Popen[bytes]], bool], times: int
) -> dict[str, Any]:
    """Incidents open at every site while something is disturbed so often."""
    scene, done, number = Scene(sink, name, SITES, CHANNELS, group_wait_s=1.0, group_interval_s=10.0), 0, 0
    dice = random.Random(18)  # noqa: S311
    worker = started(*WORKER)
    try:
        while done < times:
            for site in scene.sites:
                scene.open(site, [f"p{number}"])
            number += 1
            if not _is_at_work(sink):
                raise RuntimeError("the worker delivers nothing")
            time.sleep(dice.uniform(0.0, 3.0))
            if disturb(worker):
                end(worker)
                worker = started(*WORKER)
            done += 1
        scene.drain()
    finally:
        end(worker)
    keys = sink.keys(name)
    twice = keys.total() - len(keys)
    return {
        "disturbances": done,
        "incidents": sum(map(len, scene.opened.values())),
        "messages": len(keys),
        "lost": scene.missing(),
        "duplicates": twice,
        "duplicates_per_1000": round(1000 * twice / max(len(keys), 1), 2),
    }


def _is_at_work(sink: Sink) -> bool:
    """Wait until a message arrives: a worker that still starts would be killed without consequences."""
    before, limit = len(sink.received), time.monotonic() + START_S
    while len(sink.received) == before and time.monotonic() < limit:
        time.sleep(0.02)
    return len(sink.received) > before


def kill(worker: subprocess.Popen[bytes]) -> bool:
    """The worker is to be killed."""
    return True


def flush(worker: subprocess.Popen[bytes]) -> bool:
    """Redis loses everything; the worker stays."""
    import redis
    from django.conf import settings

    redis.Redis.from_url(settings.REDIS_URL).flushall()
    return False


def run(cases: list[str], kills: int) -> dict[str, Any]:
    """Run the cases and print each one's figures when it ends; case -> figures."""
    figures: dict[str, Any] = {}

    def measured(name: str, found: dict[str, Any]) -> None:
        figures[name] = found
        print(f"{name:<6} " + ", ".join(f"{key} {value}" for key, value in found.items()), flush=True)

    with listening() as sink, child("-c", TICKS):
        if {"first", "burst"} & set(cases):
            with child(*WORKER):
                time.sleep(8)
                if "first" in cases:
                    measured("first", measure_first(sink))
                if "burst" in cases:
                    measured("burst", measure_burst(sink))
        if "flaps" in cases:
            measured("flaps", measure_flaps(sink))
        if "kills" in cases:
            measured("kills", measure_disturbed(sink, "kills", kill, kills))
        if "redis" in cases:
            measured("redis", measure_disturbed(sink, "redis", flush, FLUSHES))
    return figures


def is_met(figures: dict[str, Any]) -> bool:
    """Whether every goal is met."""
    met = [
        figures.get("first", {}).get("worst_s", 0.0) <= GOALS["first"],
        figures.get("first", {}).get("arrived", 0) == figures.get("first", {}).get("incidents", 0),
        figures.get("burst", {}).get("messages", 0) <= GOALS["burst"],
        figures.get("burst", {}).get("root_is_first", True),
        figures.get("flaps", {}).get("messages", 0) <= GOALS["flaps"],
    ]
    for name in ("kills", "redis"):
        found = figures.get(name, {})
        met += [found.get("lost", 0) == 0]
        met += [found.get("duplicates_per_1000", 0.0) <= GOALS["duplicates_per_1000"]]
    return all(met)


CASES = ("first", "burst", "flaps", "kills", "redis")


def main() -> int:
    """Measure and print one line per case, then `BENCH {...}`; 1 if a goal is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="cases, separated by commas")
    parser.add_argument("--kills", type=int, default=50)
    options = parser.parse_args()
    cases = [name for name in options.only.split(",") if name] or list(CASES)
    stores = databases.start(durable=True)
    try:
        os.environ |= stores.environment | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "BACKSTAY_SECRET_KEYS": "a key that only the bench uses",
            "BACKSTAY_NOTIFY_ALLOWED": "127.0.0.0/8",
            "BACKSTAY_LOG_LEVEL": "ERROR",
        }
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0, interactive=False)
        figures = run(cases, options.kills)
    finally:
        stores.stop()
    print("BENCH " + json.dumps({"name": "notifications", "figures": figures, "met": is_met(figures)}))
    return 0 if is_met(figures) else 1


if __name__ == "__main__":
    sys.exit(main())
