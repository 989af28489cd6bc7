"""Candidates of any routing daemon for a destination, and their metrics."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network

from backstay_wire import MetricValue

Prefix = IPv4Network | IPv6Network
_LIMIT = 1000
"""Candidates in one report: a router may know the full Internet table."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One route to a destination that a daemon knows."""

    prefix: Prefix
    via: str
    """Next hops, or the port of an on-link destination."""
    source: str
    """Its origin: the name of a protocol or an instance."""
    preference: int
    selected: bool
    """Packets use it now."""
    usable: bool = True
    """It could be selected; False if its next hop is lost or it is being withdrawn."""

    @property
    def choice(self) -> str:
        """`selected`, `standby` or `unusable`."""
        if self.selected:
            return "selected"
        return "standby" if self.usable else "unusable"


def metrics(candidates: Sequence[Candidate]) -> list[MetricValue]:
    """The number of destinations; rank and choice of each candidate for the default route and contested
    destinations."""
    by_prefix: dict[Prefix, list[Candidate]] = {}
    for candidate in candidates:
        by_prefix.setdefault(candidate.prefix, []).append(candidate)
    contested = [
        candidate
        for prefix, rivals in by_prefix.items()
        if len(rivals) > 1 or prefix.prefixlen == 0
        for candidate in rivals
    ]
    found = [MetricValue(metric="routing.destinations", value=len(by_prefix))]
    for subject, candidate in _named(contested[:_LIMIT]):
        found.append(MetricValue(subject=subject, metric="routing.preference", value=candidate.preference))
        found.append(MetricValue(subject=subject, metric="routing.choice", value=candidate.choice))
    return found


def _named(candidates: Iterable[Candidate]) -> Iterable[tuple[str, Candidate]]:
    """Each with a unique subject: two sources may have the same route."""
    seen: dict[str, int] = {}
    for candidate in candidates:
        name = f"{candidate.prefix} via {candidate.via} {candidate.source}"[:120]
        seen[name] = seen.get(name, 0) + 1
        yield (name if seen[name] == 1 else f"{name} #{seen[name]}"), candidate
