"""An alert of another system (Prometheus Alertmanager), as a value: what it is about, how bad, since when.

Its labels and annotations are written elsewhere and may hold anything: they become lines of printable text
with limits. What cannot be read is replaced, never refused: one odd label must not cost the other alerts.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from backstay.core.alerting.message import one_line

OWN_LABEL, OWN_VALUE = "source", "backstay"
"""Marks alerts that Backstay sent: received again, they would be sent again, for ever."""
MAX_LABELS = 64
_FINGERPRINT = re.compile(r"[0-9a-f]{8,64}")
_NODE_LABELS = ("node", "nodename", "host", "hostname", "device", "instance", "target", "exported_instance")
"""Labels that name a machine, the most explicit first."""
_CRITICAL = frozenset(
    {"critical", "crit", "page", "error", "emergency", "alert", "fatal", "disaster", "high"}
)
_BRACKETED = re.compile(r"\[([^\]]+)\](?::\d+)?")
_SHOWN_FIRST = ("alertname", "severity")
_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
"""Alertmanager writes year 1 for a time that it does not know."""


@dataclass(frozen=True, slots=True)
class ExternalAlert:
    """One alert; the texts are printable lines with limits."""

    fingerprint: str
    """Identifies its labels: the same for each repetition."""
    is_firing: bool
    labels: Mapping[str, str]
    summary: str
    description: str
    since: datetime
    link: str
    """URL of the rule or graph, as text."""

    @property
    def is_own(self) -> bool:
        """Whether Backstay itself sent it."""
        return self.labels.get(OWN_LABEL) == OWN_VALUE

    @property
    def severity(self) -> Literal["warning", "critical"]:
        """From the label `severity`, else a warning."""
        return "critical" if self.labels.get("severity", "").lower() in _CRITICAL else "warning"

    @property
    def machine(self) -> str:
        """The first label that names a machine, without a port; empty: none does."""
        return next((names[0] for names in self._machines()), "")

    @property
    def node_names(self) -> tuple[str, ...]:
        """Names that its node may have, the likeliest first: `grf1.example.org`, then `grf1`."""
        return tuple(dict.fromkeys(name for names in self._machines() for name in names))

    def _machines(self) -> list[tuple[str, ...]]:
        hosts = [without_port(self.labels[name]) for name in _NODE_LABELS if self.labels.get(name)]
        return [(host, host.partition(".")[0]) if host[0].isalpha() else (host,) for host in hosts if host]

    @property
    def name(self) -> str:
        """The label `alertname`, which every rule of Prometheus sets."""
        return self.labels.get("alertname", "") or "alert"

    @property
    def title(self) -> str:
        """Its summary, else its name and machine."""
        return self.summary or (f"{self.machine}: {self.name}" if self.machine else self.name)

    @property
    def detail(self) -> str:
        """Description, labels and link as one line."""
        rest = sorted(item for item in self.labels.items() if item[0] not in _SHOWN_FIRST)
        first = [(name, self.labels[name]) for name in _SHOWN_FIRST if name in self.labels]
        labels = ", ".join(f"{name}={value}" for name, value in [*first, *rest])
        return " · ".join(part for part in (self.description, labels, self.link) if part)


def external_alert(
    *,
    status: str,
    labels: Mapping[str, str],
    annotations: Mapping[str, str],
    starts_at: datetime | None,
    fingerprint: str,
    link: str,
    now: datetime,
) -> ExternalAlert:
    """An alert from the fields of Alertmanager's webhook; without a usable fingerprint, one of its labels."""
    clean = {one_line(name, 128): one_line(labels[name]) for name in sorted(labels)[:MAX_LABELS]}
    since = now if starts_at is None or starts_at < _EARLIEST else min(starts_at, now)
    return ExternalAlert(
        fingerprint=fingerprint if _FINGERPRINT.fullmatch(fingerprint) else _digest(labels),
        is_firing=status != "resolved",
        labels=clean,
        summary=one_line(annotations.get("summary", "") or annotations.get("title", "")),
        description=one_line(annotations.get("description", "") or annotations.get("message", ""), 1000),
        since=since,
        link=one_line(link, 400),
    )


def _digest(labels: Mapping[str, str]) -> str:
    text = "\0".join(f"{name}\0{labels[name]}" for name in sorted(labels))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def without_port(host: str) -> str:
    """`grf1:9100` is `grf1`, `[fe80::1]:9100` is `fe80::1`; an IPv6 address without a port stays."""
    if bracketed := _BRACKETED.fullmatch(host):
        return bracketed[1]
    name, separator, port = host.rpartition(":")
    return name if separator and port.isdecimal() and ":" not in name else host
