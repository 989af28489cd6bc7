"""The work queue and its periodic rounds. No state exists only in Celery or Redis.

Each round is one task. It expires before the next but one is due, so that a worker that returns finds no
backlog of old rounds; the next round covers them.
"""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready
from kombu import Queue
from kombu.transport import TRANSPORT_ALIASES, redis
from redis.exceptions import ConnectionError as LostConnectionError

from backstay.core.thresholds import CAPACITY_PERIOD_S, FORECAST_PERIOD_S, NOTIFY_S, ROUND_S

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

TICK_S = 1.0
MAINTAIN_S = 900.0
RETENTION_S = 60.0
ARCHIVE_S = 60.0
ROLLUP_S = 60.0
EXPORT_S = 2.0
COUNTERS_S = 10.0


class _CloseableChannel:
    """A channel that can be closed after its connection is lost.

    It then gives unacknowledged messages back through a connection that has lost its address: kombu 5.6
    raises AttributeError, which Celery takes for a fault of the program and ends the worker. After a
    connection error, the worker connects again; the messages return after the visibility timeout.
    """

    connection: Any

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        if self.connection.client is None:
            raise LostConnectionError("The connection is closed.")
        found: dict[str, Any] = super()._connparams(asynchronous)  # type: ignore[misc]  # kombu's Channel has it.
        return found


class _Channel(_CloseableChannel, redis.Channel):
    pass


class _SentinelChannel(_CloseableChannel, redis.SentinelChannel):
    pass


class RedisTransport(redis.Transport):
    """Of one Redis server."""

    Channel = _Channel


class SentinelTransport(redis.SentinelTransport):
    """Of the master that Redis Sentinel names."""

    Channel = _SentinelChannel


TRANSPORT_ALIASES.update(
    redis=f"{__name__}:RedisTransport",
    rediss=f"{__name__}:RedisTransport",
    sentinel=f"{__name__}:SentinelTransport",
)
DELIVERIES = "deliveries"
"""Queue of the tasks that wait for foreign servers. A worker serves it too unless -Q names other queues; one
of its own, with threads, keeps slow channels from delaying rounds."""
app = Celery("backstay")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.update(
    task_acks_late=True,  # A round interrupted with its worker is repeated; rounds are idempotent.
    worker_prefetch_multiplier=1,
    task_queues=[Queue(name, routing_key=name) for name in ("celery", DELIVERIES)],
    task_default_queue="celery",
    task_routes={"backstay.alerts.tasks.deliver": {"queue": DELIVERIES}},
    beat_schedule={
        "evaluate rules": {  # Sends one task for each site.
            "task": "backstay.alerts.tasks.evaluate",
            "schedule": ROUND_S,
            "options": {"expires": ROUND_S * 2},
        },
        "notify": {  # Sends one task for each site, and those that deliver.
            "task": "backstay.alerts.tasks.notify",
            "schedule": NOTIFY_S,
            "options": {"expires": NOTIFY_S * 2},
        },
        "move changes on": {
            "task": "backstay.rollout.tasks.tick",
            "schedule": TICK_S,
            "options": {"expires": TICK_S * 2},
        },
        "study capacity": {  # Sends one task for each site.
            "task": "backstay.rollout.tasks.study_capacity",
            "schedule": CAPACITY_PERIOD_S,
            "options": {"expires": CAPACITY_PERIOD_S},
        },
        "move tests on": {
            "task": "backstay.throughput.tasks.tick",
            "schedule": TICK_S,
            "options": {"expires": TICK_S * 2},
        },
        "maintain partitions": {
            "task": "backstay.telemetry.tasks.maintain_partitions",
            "schedule": MAINTAIN_S,
            "options": {"expires": MAINTAIN_S},
        },
        "archive closed days": {
            "task": "backstay.telemetry.tasks.archive_days",
            "schedule": ARCHIVE_S,
            "options": {"expires": ARCHIVE_S},
        },
        "merge change counters": {
            "task": "backstay.telemetry.tasks.merge_change_counters",
            "schedule": COUNTERS_S,
            "options": {"expires": COUNTERS_S},
        },
        "write exports": {
            "task": "backstay.telemetry.tasks.write_exports",
            "schedule": EXPORT_S,
            "options": {"expires": EXPORT_S * 2},
        },
        "roll up samples": {
            "task": "backstay.telemetry.tasks.roll_up_samples",
            "schedule": ROLLUP_S,
            "options": {"expires": ROLLUP_S},
        },
        "forecast loads": {  # Sends one task for each site.
            "task": "backstay.telemetry.tasks.forecast_loads",
            "schedule": FORECAST_PERIOD_S,
            "options": {"expires": FORECAST_PERIOD_S},
        },
        "remove expired history": {
            "task": "backstay.retention.tasks.remove_expired",
            "schedule": RETENTION_S,
            "options": {"expires": RETENTION_S},
        },
    },
)


@worker_ready.connect
def maintain_at_start(**_: Any) -> None:
    """Create partitions when the first worker starts instead of 15 minutes later."""
    app.send_task("backstay.telemetry.tasks.maintain_partitions", expires=MAINTAIN_S)
