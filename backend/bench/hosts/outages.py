"""The components that are killed in turn, what happens then, and what an operator or systemd does."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.hosts.machines import Machine
from bench.hosts.services import Services
from bench.hosts.stores import Stores

SUPERVISOR_S = 1.0
"""After this time systemd starts a killed program again."""
AWAY_S = 12.0
"""How long a component with a substitute stays away."""


@dataclass
class Site:
    """The three machines with all that runs on them."""

    machines: Sequence[Machine]
    stores: Stores
    services: Services


@dataclass(frozen=True, slots=True)
class Outage:
    """`kill` returns when the component is away, `restore` brings it back `away_s` later."""

    name: str
    title: str
    kill: Callable[[Site], None]
    restore: Callable[[Site], None]
    away_s: float = AWAY_S
    goal_s: float = 10.0
    """Seconds without reports, pages or live updates."""


def _service(name: str, at: int) -> Outage:
    return Outage(
        name,
        f"{name} of one host killed",
        lambda site: site.machines[at].kill(name),
        lambda site: site.services.start(site.machines[at], name),
    )


def _proxy_back(site: Site) -> None:
    site.services.start_proxy()


def _lose_host(site: Site) -> None:
    site.machines[1].lose()


def _host_back(site: Site) -> None:
    machine = site.machines[1]
    machine.connect()
    site.stores.start_postgres(machine)
    site.stores.start_pgbouncer(machine)
    site.stores.start_redis(machine)
    site.stores.start_sentinel(machine)
    site.services.start(machine, *site.services.of(machine))


def _kill_redis(site: Site) -> None:
    _lost_redis.append(site.stores.redis_master())
    _lost_redis[-1].kill("redis")


_lost_redis: list[Machine] = []


def _promote(site: Site) -> None:
    """The primary's machine keeps its other programs, as if its disk were lost."""
    site.machines[0].kill("pgbouncer", "postgres")
    time.sleep(SUPERVISOR_S)
    _promoted.append(site.stores.promote_best())


_promoted: list[Machine] = []


def _former_primary_back(site: Site) -> None:
    site.stores.rejoin(site.machines[0], _promoted[-1])
    site.stores.start_pgbouncer(site.machines[0])


OUTAGES = [
    Outage(
        "haproxy", "HAProxy killed", lambda site: site.machines[0].kill("haproxy"), _proxy_back, SUPERVISOR_S
    ),
    _service("web", 0),
    _service("ingest", 0),
    _service("worker", 0),
    _service("beat", 0),
    Outage(
        "pgbouncer",
        "PgBouncer of the primary killed",
        lambda site: site.machines[0].kill("pgbouncer"),
        lambda site: site.stores.start_pgbouncer(site.machines[0]),
        SUPERVISOR_S,
    ),
    Outage(
        "sentinel",
        "one Sentinel killed",
        lambda site: site.machines[0].kill("sentinel"),
        lambda site: site.stores.start_sentinel(site.machines[0]),
    ),
    Outage(
        "redis",
        "Redis, the master, killed",
        _kill_redis,
        lambda site: site.stores.start_redis(_lost_redis[-1]),
        goal_s=15.0,
    ),
    Outage(
        "standby",
        "PostgreSQL, one standby, killed",
        lambda site: site.machines[2].kill("postgres"),
        lambda site: site.stores.start_postgres(site.machines[2]),
    ),
    Outage(
        "primary",
        "PostgreSQL, the primary, killed",
        lambda site: site.machines[0].kill("postgres"),
        lambda site: site.stores.start_postgres(site.machines[0]),
        SUPERVISOR_S,
        goal_s=15.0,
    ),
    Outage("host", "a whole host lost (web, ingest, worker, a standby)", _lose_host, _host_back, goal_s=20.0),
    Outage("promotion", "primary lost, a standby promoted", _promote, _former_primary_back, goal_s=20.0),
]
