"""The running agent's status in its state folder, and the output of `backstay-agent status`."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from backstay_agent.config import StateDir
from backstay_agent.host.files import atomic_write
from backstay_agent.release.record import ReleaseRecord, describe


class SourceStatus(BaseModel):
    """One collector's last run."""

    model_config = ConfigDict(frozen=True)

    collector: str
    device: str
    outcome: str | None
    detail: str
    duration_ms: float
    at_ns: int
    missed: int
    """Deadlines skipped since start."""


class Status(BaseModel):
    """The agent's state at one moment; times are wall time."""

    model_config = ConfigDict(frozen=True)

    pid: int
    version: str
    agent: str
    site: str
    node: str
    backend: str
    written_ns: int
    running: bool
    generation: int | None
    credential_expires_at: float
    spool_waiting: int
    spool_octets: int
    dropped: int
    delivered: int
    rejected: int
    last_contact_ns: int | None
    trouble: str
    held: str = ""
    """`held until 14:32:05 UTC by alice`; empty: not held."""
    sources: list[SourceStatus]


def write_status(state: StateDir, status: Status) -> None:
    """Replace the status file. Raises OSError."""
    atomic_write(state.status, status.model_dump_json().encode(), durable=False)


def read_status(state: StateDir) -> Status | None:
    """The last status; None if no agent has run here or the file is unreadable."""
    try:
        return Status.model_validate(json.loads(state.status.read_bytes()))
    except (OSError, ValueError):
        return None


def as_lines(status: Status, now_ns: int) -> Iterable[str]:
    """The status as text."""
    yield f"agent      {status.agent}  version {status.version}"
    yield f"node       {status.node}  site {status.site}"
    yield f"backend    {status.backend}  last answer {_age(status.last_contact_ns, now_ns)}"
    state = "running" if status.running else "stopped"
    yield f"process    {state}, pid {status.pid}, status written {_age(status.written_ns, now_ns)}"
    yield f"desired    generation {'none yet' if status.generation is None else status.generation}"
    expires = datetime.fromtimestamp(status.credential_expires_at, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    yield f"credential expires {expires}"
    yield (
        f"spool      {status.spool_waiting} waiting, {status.spool_octets} octets, "
        f"{status.delivered} delivered, {status.rejected} rejected, {status.dropped} dropped"
    )
    if status.held:
        yield f"routing    {status.held}"
    if status.trouble:
        yield f"trouble    {status.trouble}"
    for source in status.sources:
        missed = f", {source.missed} runs skipped" if source.missed else ""
        detail = f": {source.detail}" if source.detail else ""
        yield (
            f"source     {source.collector} {source.device}  {source.outcome or 'not run yet'} "
            f"in {source.duration_ms:.1f} ms, {_age(source.at_ns or None, now_ns)}{missed}{detail}"
        )


def management_lines(record: ReleaseRecord | None) -> Iterable[str]:
    """What is not managed here, and since when."""
    if record is None:
        return
    at = datetime.fromtimestamp(record.at_ns / 1e9, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    ended = "; managed again with the next change" if record.resumed_ns is not None else ""
    yield f"managed    no: {describe(record)} by {record.by} at {at}{ended}"
    for line in record.left:
        yield f"left       {line}"


def as_json(status: Status) -> dict[str, Any]:
    """The status as JSON values."""
    return status.model_dump(mode="json")


def _age(at_ns: int | None, now_ns: int) -> str:
    return "never" if at_ns is None else f"{max(0, now_ns - at_ns) / 1e9:.1f} s ago"
