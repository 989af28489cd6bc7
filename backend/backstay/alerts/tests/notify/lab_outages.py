"""The lab's sites under outages, as the rules about faults see them: reports that arrive late, in any order.

A site file of the lab is imported once. Afterwards everything is in memory: `Reports` holds what has arrived,
`Ledger` the incidents, and the rules, the search for root causes and the plan of messages are the real ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Literal

from django.test import override_settings

from backstay.alerts.selectors.fault_observations import PathFacts, known_paths, observations
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.model.policy_paths import PolicyPaths
from backstay.core.model.search import destination
from backstay.core.model.state import ReportTimes
from backstay.core.model.topology import FORWARDING, Link, Topology
from backstay.intake.site_files import import_text
from backstay.inventory import snapshot
from backstay.inventory.models import Node, Site
from backstay.policy import selectors as policy_selectors
from backstay.policy.selectors import PathState, Policy
from backstay.telemetry.selectors.link_ends import EndNow
from backstay.telemetry.selectors.loads import port_ids
from backstay.telemetry.selectors.nodes import NodeNow
from backstay_lab import site_file
from backstay_lab.credentials import new_credentials
from backstay_lab.node_files import Home
from backstay_lab.sites import SITES

FILES = Path("/opt/lab")
"""Where the nodes' files would be."""
START = datetime(2026, 6, 1, tzinfo=UTC)
OutageKind = Literal["cut", "silence", "blackhole", "cable"]
Aspect = Literal["ports", "paths", "standbys"]
ASPECTS: tuple[Aspect, ...] = ("ports", "paths", "standbys")


@dataclass(frozen=True)
class Outage:
    """cut: a node's data links lose their carrier; silence: it neither answers nor reports; blackhole: it
    answers and does not forward; cable: one link loses its carrier."""

    kind: OutageKind
    ident: int
    """Of the node or, of a cable, the link."""
    root: str
    """Fingerprint of the incident that should be notified."""
    name: str
    objects: frozenset[tuple[str, int]]
    """Nodes and links whose state it decides."""


@dataclass(frozen=True)
class PathTruth:
    """A path once everything has reacted."""

    active: int
    target_alive: bool
    alive: Mapping[int, bool]
    forwards: Mapping[int, bool]


@dataclass(repr=False)
class LabSite:
    """One site of the lab, healthy."""

    site: Site
    topology: Topology
    policies: Mapping[int, Policy]
    paths: Sequence[PathState]
    watchers: Mapping[int, int]
    """Node -> the node whose agent reports it."""
    truths: dict[frozenset[Outage], dict[int, PathTruth]] = field(default_factory=dict)

    @classmethod
    def imported(cls, name: str) -> LabSite:
        """Import the site file that the lab writes with its defaults."""
        spec = SITES[name]
        plan, home = spec.build(spec.defaults), lambda node: Home(FILES / node, FILES / "run")
        with override_settings(SITE_PATHS=[str(FILES)]):
            import_text(site_file.render(plan, new_credentials(), home), f"{name}.yaml", START)
        site = Site.objects.get(name=name)
        watched = Node.objects.filter(site=site, watcher__isnull=False)
        policies = policy_selectors.policies(site)
        return cls(
            site=site,
            topology=snapshot.load(site),
            policies=policies,
            paths=[_assigned(path, policies[path.policy_id], place) for place, path in
                   enumerate(policy_selectors.paths(site))],
            watchers=dict(watched.values_list("pk", "watcher_id")),
        )  # fmt: skip

    @cached_property
    def gateways(self) -> frozenset[int]:
        return frozenset(gateway for policy in self.policies.values() for gateway in policy.gateways)

    def outages(self) -> list[Outage]:
        """Every single outage whose root cause the observations can show."""
        return sorted(self._outages(), key=lambda one: one.name)

    def _outages(self) -> Iterator[Outage]:
        for node in self.topology.nodes.values():
            links = self.data_links(node.id)
            mine = frozenset([("node", node.id), *(("link", link.id) for link in links)])
            can_forward = node.kind in FORWARDING
            if node.id in self.gateways or (can_forward and len(links) > 1):
                yield Outage("cut", node.id, f"gateway_isolated:{node.id}", f"cut {node.name}", mine)
            users = {path.node_id for path in self.paths if path.gateways(self._policy(path))}
            is_probed = node.id in self.gateways and len(users - {node.id}) > 1
            if node.id in self.watchers:
                root = f"gateway_unreachable:{node.id}" if is_probed else self._lost(node.id)
                yield Outage("silence", node.id, root, f"silence {node.name}", mine)
            if is_probed and can_forward and self.shows_blackhole(node.id, frozenset()):
                yield Outage(
                    "blackhole", node.id, f"gateway_not_forwarding:{node.id}", f"blackhole {node.name}", mine
                )
        for link in self.topology.links.values():
            ends = {self.topology.ports[port].node_id for port in port_ids([link])}
            if self._is_data(link) and not any(self._is_last(node) for node in ends):
                objects = frozenset([("link", link.id), *(("node", node) for node in ends)])
                port = self.topology.ports[link.a]
                name = f"cable {self.topology.nodes[port.node_id].name}:{port.name}"
                yield Outage("cable", link.id, f"port_down:{link.id}", name, objects)

    def _lost(self, node: int) -> str:
        """The root cause when a node does not report, and what its agent polls."""
        lost = self.lost_with(node)
        many = len(lost) >= max(3, 0.5 * len(self.watchers))
        return "reporting_lost:0" if many else f"node_stale:{node}"

    def _is_last(self, node: int) -> bool:
        """Whether the loss of one link isolates a gateway, so that it is the root cause."""
        return node in self.gateways and len(self.data_links(node)) < 2

    def shows_blackhole(self, gateway: int, others: frozenset[Outage]) -> bool:
        """Whether several nodes use the gateway, and show within a round or two that it is at fault.

        They do if several targets fail, or a checker leaves it. Otherwise probes through standbys decide,
        after `forwarding.LATE`: the dead paths are notified before. A path that another outage breaks, and a
        node that it silences, show nothing.
        """
        truth = self.truth(others)
        silent = {node for one in others if one.kind == "silence" for node in self.lost_with(one.ident)}
        users = [
            path
            for path in self.paths
            if truth[path.id].active == gateway
            and truth[path.id].target_alive
            and path.node_id not in silent
            and len(path.gateways(self._policy(path))) > 1
        ]
        is_left = any(self._policy(path).detection == "checker" for path in users)
        targets = {self._policy(path).target for path in users}
        return len({path.node_id for path in users}) > 1 and (is_left or len(targets) > 1)

    def lost_with(self, node: int) -> set[int]:
        """Nodes that do not report once this one is silent."""
        return {node, *(other for other, watcher in self.watchers.items() if watcher == node)}

    def _policy(self, path: PathState) -> Policy:
        return self.policies[path.policy_id]

    def _is_data(self, link: Link) -> bool:
        return not any(self.topology.ports[port].management for port in port_ids([link]))

    def data_links(self, node: int) -> list[Link]:
        """The node's links except on management ports."""
        found = {link for _, link in self.topology.neighbours.get(("node", node), ())}
        return [
            self.topology.links[link] for link in sorted(found) if self._is_data(self.topology.links[link])
        ]

    def down_links(self, outages: Collection[Outage]) -> set[int]:
        cut = {one.ident for one in outages if one.kind == "cut"}
        cables = {one.ident for one in outages if one.kind == "cable"}
        return cables | {link.id for node in cut for link in self.data_links(node)}

    def bystanders(self, outages: Collection[Outage]) -> set[int]:
        """Nodes that forward and lose all links although none of the outages is of them."""
        down = self.down_links(outages)
        own = {one.ident for one in outages if one.kind == "cut"}
        return {
            node.id
            for node in self.topology.nodes.values()
            if (node.kind in FORWARDING or node.id in self.gateways)
            and node.id not in own
            and (links := {link.id for link in self.data_links(node.id)})
            and links <= down
        }

    def truth(self, outages: frozenset[Outage]) -> dict[int, PathTruth]:
        """Path id -> its state once all nodes have reacted to these outages."""
        if outages not in self.truths:
            self.truths[outages] = self._settled(outages)
        return self.truths[outages]

    def _settled(self, outages: frozenset[Outage]) -> dict[int, PathTruth]:
        down = self.down_links(outages)
        dead = {one.ident for one in outages if one.kind in {"cut", "silence"}}
        blocked = {one.ident for one in outages if one.kind == "blackhole"}
        active = {path.id: next(iter(path.gateways(self._policy(path)))) for path in self.paths}
        found: dict[int, PathTruth] = {}
        for _ in range(6):
            views = [replace(path, active_id=active[path.id]).view(self._policy(path)) for path in self.paths]
            routes = PolicyPaths(self.topology, views)
            for path, view in zip(self.paths, views, strict=True):
                alive, forwards = {}, {}
                for gateway in view.gateways:
                    route = routes.route(view, gateway)
                    place = route.hops.index(("node", gateway)) if route.hops else 0
                    beyond = [ident for kind, ident in route.hops[place:] if kind == "node"]
                    is_near = bool(route.hops) and gateway not in dead and not down & {*route.links[:place]}
                    ends = destination(self.topology, view.target, view.prefix)
                    between = [node for node in beyond if ("node", node) not in ends]
                    is_open = not dead & {*beyond} and not blocked & {*between}
                    alive[gateway] = is_near
                    forwards[gateway] = is_near and is_open and not down & {*route.links[place:]}
                works = forwards if self._policy(path).detection == "checker" else alive
                active[path.id] = next(filter(works.get, view.gateways), view.gateways[0])
                found[path.id] = PathTruth(active[path.id], forwards[active[path.id]], alive, forwards)
            if all(view.active == active[view.id] for view in views):
                break
        return found


def _assigned(path: PathState, policy: Policy, place: int) -> PathState:
    """With an order of gateways, as a deployed stripe has assigned it."""
    names = list(policy.gateways)
    if policy.stripe is None:
        return path
    first = place % len(names)
    return replace(path, order=(names[first], names[(first + 1) % len(names)]))


@dataclass
class Reports:
    """What the backend knows of a site: each node reports each aspect of an outage at a time of its own."""

    lab: LabSite
    known: dict[tuple[int, Aspect], frozenset[Outage]] = field(default_factory=dict)
    ends: dict[int, EndNow] = field(default_factory=dict)
    paths: dict[int, PathState] = field(default_factory=dict)
    silent: dict[int, datetime] = field(default_factory=dict)
    """Node -> its last report."""

    def __post_init__(self) -> None:
        before = START - timedelta(hours=1)
        ports = port_ids(self.lab.topology.links.values())
        self.ends = {port: EndNow(True, True, before, None) for port in ports}
        for path in self.lab.paths:
            self.paths[path.id] = self._path(path, before, ASPECTS)

    def happens(self, outage: Outage, now: datetime) -> None:
        """From now on a silenced node, and what it polls, does not report."""
        if outage.kind == "silence":
            self.silent |= {node: now for node in self.lab.lost_with(outage.ident) if node not in self.silent}

    def arrive(self, node: int, aspect: Aspect, outage: Outage, now: datetime) -> bool:
        """A node reports what the outage did to it; False if it does not report any more."""
        if node in self.silent:
            return False
        self.known[node, aspect] = self.known.get((node, aspect), frozenset()) | {outage}
        if aspect == "ports":
            down = self.lab.down_links(self.known[node, aspect])
            for link in self.lab.data_links(node):
                for port in port_ids([link]):
                    mine = self.lab.topology.ports[port].node_id == node
                    if mine and self.ends[port].oper_up is (link.id in down):
                        self.ends[port] = EndNow(link.id not in down, True, now, None)
        else:
            for path in self.lab.paths:
                if path.node_id == node:
                    self.paths[path.id] = self._path(self.paths[path.id], now, (aspect,))
        return True

    def _path(self, path: PathState, now: datetime, aspects: Collection[Aspect]) -> PathState:
        policy = self.lab.policies[path.policy_id]
        if "paths" in aspects:
            truth = self.lab.truth(self.known.get((path.node_id, "paths"), frozenset()))[path.id]
            has_moved = path.active_id != truth.active
            changed = path.target_alive is not truth.target_alive
            path = replace(
                path,
                active_id=truth.active,
                active_text=policy.gateways[truth.active],
                since=now if has_moved else path.since,
                target_alive=truth.target_alive,
                target_since=now if changed else path.target_since,
                liveness={
                    policy.gateways[gateway]: self._answer(path, policy.gateways[gateway], is_alive, now)
                    for gateway, is_alive in truth.alive.items()
                },
            )
        if "standbys" in aspects:
            truth = self.lab.truth(self.known.get((path.node_id, "standbys"), frozenset()))[path.id]
            path = replace(
                path,
                liveness={
                    name: {**answer, "forwards": truth.forwards.get(gateway)}
                    for gateway, name in policy.gateways.items()
                    if (answer := path.liveness.get(name)) is not None
                },
            )
        return path

    @staticmethod
    def _answer(path: PathState, name: str, is_alive: bool, now: datetime) -> dict[str, object]:
        before = path.liveness.get(name, {})
        since = before["since"] if before.get("alive") is is_alive else now.isoformat()
        forwards = bool(before.get("forwards")) and is_alive
        return {"alive": is_alive, "since": since, "forwards": forwards}

    def snapshot(self, now: datetime) -> SiteSnapshot:
        """The site as rules read it."""
        lab = self.lab
        paths = [
            path if path.node_id in self.silent else replace(path, at=now) for path in self.paths.values()
        ]
        nodes = {
            node: NodeNow(ReportTimes(self._reported_at(node, now), watched=node in lab.watchers),
                          None, lab.watchers.get(node))
            for node in lab.topology.nodes
        }  # fmt: skip
        found = SiteSnapshot(lab.site, now)
        vars(found).update(
            topology=lab.topology, nodes=nodes, ends=self.ends, port_states=self.ends, policies=lab.policies,
            paths=paths, deployed_paths=paths, holds={}, listening_since=START - timedelta(hours=1),
            bfd_peers=(),
        )  # fmt: skip
        known = known_paths(lab.site.pk, PathFacts(paths, lab.policies, frozenset()))
        vars(found)["observations"] = observations(
            lab.site.pk, lab.topology, now, known, self.ends, nodes, found.fresh_nodes, found.silent_nodes
        )
        return found

    def _reported_at(self, node: int, now: datetime) -> datetime | None:
        return self.silent.get(node, now) if node in self.lab.watchers else None
