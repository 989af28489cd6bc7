"""The ingest with limits of a minute: to test what else ends a statement, to measure what takes longer."""

from backstay.telemetry.ingest import limits
from config.ingest import application

__all__ = ["application"]
limits.LOCK_MS = 60_000
limits.STORE_S = limits.ALONE_S = limits.REQUEST_S = 60.0
