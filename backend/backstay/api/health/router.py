"""Health check for supervisors and load balancers, without authentication."""

import importlib.metadata
from typing import Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router
from pydantic import BaseModel, Field

from backstay.alerts.selectors.listening_window import database_health
from backstay.live import bus


class Health(BaseModel):
    """Health of this process and its dependencies."""

    status: Literal["ok", "degraded"]
    database: bool
    redis: bool
    worker_seen_s: float | None = Field(description="Seconds since a worker last finished a round")
    version: str


router = Router(tags=["health"])
VERSION = importlib.metadata.version("backstay-backend")
WORKER_LATE_S = 30.0


@router.get("/health", response={200: Health, 304: None}, operation_id="get_health", auth=None)
def get_health(request: HttpRequest) -> Health:
    """Always 200 if the process answers; `status`: whether its dependencies work."""
    database, seen_s = database_health(timezone.now())
    redis = bus.is_up()
    well = database and redis and seen_s is not None and seen_s <= WORKER_LATE_S
    return Health(
        status="ok" if well else "degraded",
        database=database,
        redis=redis,
        worker_seen_s=seen_s,
        version=VERSION,
    )
