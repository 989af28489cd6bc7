"""The work queue and its periodic rounds. No state exists only in Celery or Redis.

Each round is one task. It expires before the next but one is due, so that a worker that returns finds no
backlog of old rounds; the next round covers them.
"""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready

from backstay.core.thresholds import ROUND_S

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

TICK_S = 1.0
MAINTAIN_S = 900.0
RETENTION_S = 60.0

app = Celery("backstay")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.update(
    task_acks_late=True,  # A round interrupted with its worker is repeated; rounds are idempotent.
    worker_prefetch_multiplier=1,
    beat_schedule={
        "evaluate rules": {  # Sends one task for each site.
            "task": "backstay.alerts.tasks.evaluate",
            "schedule": ROUND_S,
            "options": {"expires": ROUND_S * 2},
        },
        "move changes on": {
            "task": "backstay.rollout.tasks.tick",
            "schedule": TICK_S,
            "options": {"expires": TICK_S * 2},
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
