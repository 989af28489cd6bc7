"""Managed routes that something else changed: recognised, restored, and reported at a limited rate. Pure.

A route that differs counts as overridden only if it was right before, since the last switch of our own and
with carrier on every port: an engine may take seconds to follow, and the kernel drops the routes of a dead
port itself. Times are monotonic nanoseconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from backstay_wire import Route

_REPORT_EVERY_NS = 60_000_000_000
_SETTERS: Mapping[str, str] = {
    "boot": "set without a protocol, as by ip route",
    "static": "set as static",
    "dhcp": "set by DHCP",
    "ra": "set by a router advertisement",
}
"""Who usually sets routes of a protocol (/etc/iproute2/rt_protos); others are daemons by name."""


@dataclass(frozen=True, slots=True)
class Override:
    """A change of a managed route that was not ours."""

    found: str
    """What the kernel had instead, as text."""
    gateway: str
    """The policy's gateway that it forwarded by; empty: none of them."""
    since_ns: int
    cause: str = ""
    """Why it is restored only now; empty: it has just been noticed."""


def describe_route(route: Route | None, prefix: object) -> str:
    """`10.9.0.0/16 via 10.1.0.15 dev css0 metric 0 (boot: set without a protocol, as by ip route)`."""
    if route is None:
        return f"no route to {prefix}"
    hops = " ".join(
        f"via {hop.via} dev {hop.port}" if hop.via else f"dev {hop.port}" for hop in route.next_hops
    )
    setter = _SETTERS.get(route.protocol, "set by its daemon")
    return f"{route.prefix} {hops} metric {route.metric} ({route.protocol}: {setter})"


class OverrideWatch:
    """Whether a policy's route was right, and what overrides it now."""

    def __init__(self) -> None:
        self.current: Override | None = None
        self.attempts = 0
        """Attempts to restore the current one that the engine accepted."""
        self._settled = False
        self._limits = {"restored": _ReportLimit(), "not_restored": _ReportLimit()}

    @property
    def must_restore(self) -> bool:
        """Whether the route is set again even if the kernel forwards by the right gateway."""
        return self.current is not None and bool(self.current.cause) and not self.attempts

    def settle(self, *, carriers: bool) -> Override | None:
        """The kernel forwards by the active gateway; returns the override that we have ended thereby.

        `carriers`: all ports can carry traffic.
        """
        ended = self.current if self.attempts else None
        self.unsettle()
        self._settled = carriers
        return ended

    def unsettle(self) -> None:
        """We or a change altered the route, or a port lost carrier: a difference proves nothing."""
        self._settled, self.current, self.attempts = False, None, 0

    def notice(self, found: str, gateway: str, now: int) -> None:
        """The kernel does not forward by the active gateway."""
        if self._settled and self.current is None:
            self.current = Override(found, gateway, now)
        self._settled = False

    def demand(self, found: str, gateway: str, now: int, cause: str) -> None:
        """Set the route again in any case: a hold has ended."""
        self.current, self.attempts = Override(found, gateway, now, cause), 0

    def count(self, reason: str, now: int) -> int:
        """Count one outcome; how many a report must stand for now, 0: it is reported later."""
        return self._limits[reason].add(now)

    def overdue(self, now: int) -> tuple[str, int] | None:
        """(reason, number) of counted outcomes that no report covers and whose time has come."""
        for reason, limit in self._limits.items():
            if times := limit.due(now):
                return reason, times
        return None


class _ReportLimit:
    """The first report at once, later ones once a minute with their number."""

    def __init__(self) -> None:
        self._last_ns: int | None = None
        self._counted = 0

    def add(self, now: int) -> int:
        self._counted += 1
        return self.due(now)

    def due(self, now: int) -> int:
        if not self._counted or (self._last_ns is not None and now - self._last_ns < _REPORT_EVERY_NS):
            return 0
        times, self._counted, self._last_ns = self._counted, 0, now
        return times
