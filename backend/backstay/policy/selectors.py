"""Reads of policies and paths as core values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from ipaddress import ip_network
from typing import Any

from django.contrib.postgres.aggregates import StringAgg
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Coalesce

from backstay.core.model.freshness import path_max_age_s
from backstay.core.model.onlink import on_link
from backstay.core.model.policy_paths import PathView
from backstay.core.model.routing import DEFAULT_TIMERS, Timers
from backstay.core.model.state import (
    EndToEnd,
    Facts,
    GatewayUse,
    PathStandby,
    Standby,
    best_standby,
    gateway_use,
    standby_state,
)
from backstay.core.model.topology import Topology
from backstay.inventory import snapshot
from backstay.inventory.models import Node, Site
from backstay.policy.intents import timers
from backstay.policy.models import ArpPolicy, Decision, FailoverPolicy, Path, PolicyGateway
from backstay.telemetry.row_cache import RowCache, version_sql


@dataclass(frozen=True, slots=True)
class Policy:
    """A failover policy; `gateways` maps node id to name in order of preference."""

    id: int
    name: str
    prefix: str
    detection: str
    target: str | None
    probe_interval_ms: int
    note: str
    gateways: dict[int, str] = field(default_factory=dict)
    nodes: tuple[int, ...] = ()
    origin: str = "file"
    is_deployed: bool = True
    """False: of the file, and nothing on a node detects a failure until a change confirms it there."""
    timers: Timers = DEFAULT_TIMERS
    group: dict[str, Any] = field(default_factory=dict)
    stripe: dict[str, Any] | None = None
    return_path: dict[str, Any] | None = None
    """`group`, `stripe` and `return_path`: as stored, by name."""
    interval_s: float = field(kw_only=True)
    """The site's."""


@dataclass(frozen=True, slots=True)
class PathState:
    """One observed path."""

    id: int
    policy_id: int
    node_id: int
    active_id: int | None
    active_text: str
    since: datetime | None
    at: datetime | None
    target_alive: bool | None
    target_since: datetime | None
    target_rtt_us: int | None
    liveness: dict[str, dict[str, Any]]
    order: tuple[int, ...] | None = None
    """This node's own gateway order from a stripe."""

    @classmethod
    def of(cls, row: Path) -> PathState:
        """The values of one row."""
        return cls(*(getattr(row, column) for column in _PATH_COLUMNS))

    def view(self, policy: Policy, end_to_end: EndToEnd = "unknown") -> PathView:
        """The path as core sees it."""
        return PathView(
            id=self.id,
            node_id=self.node_id,
            prefix=policy.prefix,
            gateways=tuple(self.gateways(policy)),
            active=self.active_id,
            target=policy.target,
            uses=self.uses(policy, end_to_end),
        )

    def gateways(self, policy: Policy) -> dict[int, str]:
        """Node id -> name in order of preference: the node's own order, else the policy's."""
        own = {node: policy.gateways[node] for node in self.order or () if node in policy.gateways}
        return own or policy.gateways

    def preferred(self, policy: Policy) -> int | None:
        """Node id of the preferred gateway; None while a stripe has not assigned one."""
        if policy.stripe is not None and not self.order:
            return None
        return next(iter(self.gateways(policy)), None)

    def answers_since(self, gateway: str) -> datetime | None:
        """Since when this gateway responds, or does not."""
        reported = self.liveness.get(gateway, {}).get("since")
        return None if reported is None else datetime.fromisoformat(reported)

    def alive(self, gateway: str) -> bool | None:
        """Whether this gateway responds to the node; None: not probed."""
        reported: bool | None = self.liveness.get(gateway, {}).get("alive")
        return reported

    def forwards(self, gateway: str) -> bool | None:
        """Whether the target answers probes through this gateway; None: not probed."""
        reported: bool | None = self.liveness.get(gateway, {}).get("forwards")
        return reported

    @property
    def dead_gateways(self) -> frozenset[str]:
        """Those that do not answer the node, or forward nothing."""
        return frozenset(
            name for name in self.liveness if self.alive(name) is False or self.forwards(name) is False
        )

    def standby(self, gateway: str) -> Standby:
        """Whether a gateway that the path does not use could take over."""
        return standby_state(
            alive=self.alive(gateway), forwards=self.forwards(gateway), target_alive=self.target_alive
        )

    def dead_standbys(self, policy: Policy) -> list[str]:
        """Gateways that could not take over now, in order of preference."""
        others = [name for name in self.gateways(policy).values() if name != self.active_text]
        return [name for name in others if self.standby(name) == "dead"]

    def best_standby(self, policy: Policy) -> PathStandby:
        """What happens if the active gateway fails."""
        others = (name for name in self.gateways(policy).values() if name != self.active_text)
        return best_standby(self.standby(name) for name in others)

    def is_recent(self, policy: Policy, now: datetime) -> bool:
        """Whether its last report still counts: an agent repeats that of an unchanged path rarely."""
        max_age_s = path_max_age_s(policy.probe_interval_ms, policy.interval_s)
        return self.at is not None and (now - self.at).total_seconds() <= max_age_s

    def end_to_end_facts(self, policy: Policy, now: datetime, *, is_fresh: bool) -> Facts:
        """Facts of `END_TO_END`; `is_fresh`: whether the path's node reports. SQL: `state_facts`."""
        return {
            "is_observed": self.at is not None,
            "is_fresh": is_fresh,
            "is_recent": self.is_recent(policy, now),
            "has_route": bool(self.active_text),
            "target_alive": self.target_alive,
            "gateway_alive": self.alive(self.active_text),
        }

    def facts(self, policy: Policy, now: datetime, *, is_fresh: bool, is_held: bool) -> Facts:
        """Facts for `path_status`."""
        return {
            **self.end_to_end_facts(policy, now, is_fresh=is_fresh),
            "is_held": is_held,
            "is_on_fallback": self.on_fallback(policy),
            "has_dead_standby": bool(self.dead_standbys(policy)),
        }

    def uses(self, policy: Policy, end_to_end: EndToEnd) -> dict[int, GatewayUse]:
        """Node id of each gateway -> the use that the path makes of it."""
        return {
            node: gateway_use(end_to_end, is_in_use=node == self.active_id, standby=self.standby(name))
            for node, name in self.gateways(policy).items()
        }

    def on_fallback(self, policy: Policy) -> bool:
        """Whether another gateway than the preferred one is active."""
        preferred = self.preferred(policy)
        return bool(self.active_text) and preferred is not None and self.active_id != preferred


_newest: dict[int, tuple[int, dict[int, Policy]]] = {}


def policies(site: Site) -> dict[int, Policy]:
    """Policy id -> policy; cached until the site's version changes."""
    known = _newest.get(site.pk)
    if known is None or known[0] != site.version:
        known = _newest[site.pk] = (site.version, read_policies(site))
    return known[1]


def read_policies(site: Site) -> dict[int, Policy]:
    """As `policies`, without the cache."""
    gateways: dict[int, dict[int, str]] = {}
    rows = PolicyGateway.objects.filter(policy__site=site).order_by("policy_id", "order")
    for policy, node, name in rows.values_list("policy_id", "node_id", "node__name"):
        gateways.setdefault(policy, {})[node] = name
    nodes: dict[int, list[int]] = {}
    for policy, node in (
        Path.objects.filter(policy__site=site).order_by("node__name").values_list("policy_id", "node_id")
    ):
        nodes.setdefault(policy, []).append(node)
    return {
        row.pk: Policy(
            id=row.pk,
            name=row.name,
            prefix=row.prefix,
            detection=row.detection,
            target=row.target,
            probe_interval_ms=row.probe_interval_ms,
            note=row.note,
            gateways=gateways.get(row.pk, {}),
            nodes=tuple(nodes.get(row.pk, ())),
            origin=row.origin,
            is_deployed=row.is_deployed,
            timers=timers(row),
            group=row.group,
            stripe=row.stripe,
            return_path=row.return_path,
            interval_s=site.interval_s,
        )
        for row in FailoverPolicy.objects.filter(site=site).order_by("name")
    }


def gateway_ids(site: Site) -> frozenset[int]:
    """Ids of the nodes that are a gateway of a policy, as `policies`."""
    return frozenset(node for policy in policies(site).values() for node in policy.gateways)


_PATH_COLUMNS = (
    "id", "policy_id", "node_id", "active_id", "active_text", "since", "at",
    "target_alive", "target_since", "target_rtt_us", "liveness", "order",
)  # fmt: skip


def policies_of(site: Site, text: str | None = None) -> QuerySet[FailoverPolicy]:
    """A site's policies; `text` looks into names and prefixes. Annotated for sorting."""
    gateways = PolicyGateway.objects.filter(policy=OuterRef("pk")).order_by().values("policy")
    listed = gateways.annotate(names=StringAgg("node__name", ", ", order_by="order")).values("names")
    paths_of = Path.objects.filter(policy=OuterRef("pk")).order_by().values("policy")
    rows = FailoverPolicy.objects.filter(site=site).annotate(
        gateway_names=Coalesce(Subquery(listed), Value(""), output_field=TextField()),
        # Not a join, over which the names would be listed again for each path.
        node_count=Coalesce(Subquery(paths_of.annotate(number=Count("pk")).values("number")), 0),
    )
    return rows.filter(Q(name__icontains=text) | Q(prefix__icontains=text)) if text else rows


PATH_VERSIONS = f"""
SELECT path.id, {version_sql("path")} AS version
FROM policy_path AS path JOIN policy_failoverpolicy AS policy ON policy.id = path.policy_id
WHERE policy.site_id = %(site)s
"""  # noqa: S608 - only names of tables are put in
"""Statement of a `RowCache` of paths."""


def _read_paths(_: int, idents: Sequence[int]) -> dict[int, PathState]:
    return {path.id: path for path in paths_by_id(idents)}


_known_paths = RowCache(PATH_VERSIONS, _read_paths)


def paths(site: Site, only: Collection[int] | None = None) -> list[PathState]:
    """Every path of the site by id; one query, and one more for those that changed since the last call.

    `only`: these, and those of gateways, over which other paths go on.
    """
    if only is None:
        return list(_known_paths.rows(site.pk).values.values())
    gateways = PolicyGateway.objects.filter(policy__site=site)
    rows = Path.objects.filter(policy__site=site).order_by("pk")
    rows = rows.filter(Q(pk__in=only) | Q(node__in=gateways.values("node")))
    return [PathState(*row) for row in rows.values_list(*_PATH_COLUMNS)]


def recent_paths(site: Site, states: Iterable[PathState], now: datetime) -> list[PathState]:
    """Those whose last report still counts; `PathState.is_recent`."""
    known = policies(site)
    return [path for path in states if path.policy_id in known and path.is_recent(known[path.policy_id], now)]


def paths_by_id(idents: Collection[int]) -> list[PathState]:
    """These paths by id; one query."""
    rows = Path.objects.filter(pk__in=list(idents)).order_by("pk")
    return [PathState(*row) for row in rows.values_list(*_PATH_COLUMNS)]


def home_of(path: Path) -> str:
    """Name of the path's preferred gateway, empty for none; two queries at most."""
    policy = policies(path.policy.site)[path.policy_id]
    row = Path.objects.filter(pk=path.pk).values_list(*_PATH_COLUMNS).get()
    home = PathState(*row).preferred(policy)
    return "" if home is None else policy.gateways[home]


def homes(site: Site, idents: Collection[int]) -> dict[Path, str]:
    """These paths of the site, with policies and site, and the name of each one's preferred gateway."""
    known = policies(site)
    found = {}
    for row in (
        Path.objects.filter(policy__site=site, pk__in=idents).select_related("policy__site").order_by("pk")
    ):
        policy = known[row.policy_id]
        home = PathState.of(row).preferred(policy)
        found[row] = "" if home is None else policy.gateways[home]
    return found


def paths_of(node: Node) -> list[PathState]:
    """Every path of one node; one query."""
    return [
        PathState(*row) for row in Path.objects.filter(node=node).order_by("pk").values_list(*_PATH_COLUMNS)
    ]


def path(ident: int) -> Path | None:
    return Path.objects.select_related("policy__site", "node").filter(pk=ident).first()


def failover_policy(ident: int) -> FailoverPolicy | None:
    return FailoverPolicy.objects.select_related("site").filter(pk=ident).first()


def arp_policy(ident: int) -> ArpPolicy | None:
    return ArpPolicy.objects.select_related("site", "fabric").filter(pk=ident).first()


def arp_policies(site: Site) -> dict[int, ArpPolicy]:
    """By fabric id."""
    return {row.fabric_id: row for row in arp_policies_of(site)}


def arp_policies_of(site: Site, text: str | None = None) -> QuerySet[ArpPolicy]:
    """A site's ARP policies with site and fabric; `text` looks into fabrics' names."""
    rows = site.arp_policies.select_related("site", "fabric")
    return rows.filter(fabric__name__icontains=text) if text else rows


def decisions(path: Path, start: datetime, end: datetime) -> QuerySet[Decision]:
    """A path's decisions within a range, the newest first."""
    return path.decisions.filter(at__gt=start, at__lte=end).order_by("-at", "-pk")


LONGEST_INTERVAL_MS = 10_000
"""Max interval of an observer; a checker may use a longer one."""


@dataclass(frozen=True, slots=True)
class Watch:
    """One policy as monitored by one node."""

    policy: str
    prefix: str
    gateways: tuple[tuple[str, str], ...]
    """(name, next-hop address) in order of preference."""
    target: str | None
    probe_interval_ms: int


def watches(node: Node) -> list[Watch]:
    """The node's policies by name, without gateways that share no fabric with it."""
    topology = snapshot.load(node.site)
    known = policies(node.site)
    mine = [(known[path.policy_id], path) for path in paths_of(node) if path.policy_id in known]
    found = [_watch(topology, policy, path) for policy, path in sorted(mine, key=lambda item: item[0].name)]
    return [watch for watch in found if watch.gateways]


def _watch(topology: Topology, policy: Policy, path: PathState) -> Watch:
    version = ip_network(policy.prefix).version
    hops = [
        (name, on_link(topology, path.node_id, gateway, version))
        for gateway, name in path.gateways(policy).items()
    ]
    return Watch(
        policy=policy.name,
        prefix=policy.prefix,
        gateways=tuple((name, str(adjacency.address)) for name, adjacency in hops if adjacency is not None),
        target=policy.target,
        probe_interval_ms=min(policy.probe_interval_ms, LONGEST_INTERVAL_MS),
    )
