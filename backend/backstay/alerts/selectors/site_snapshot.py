"""The state of one site at one moment; each part is read once, on first use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime
from functools import cached_property

import numpy as np

from backstay.alerts.rule_models import RuleOverride
from backstay.alerts.selectors.fault_observations import KnownPath, PathFacts, known_paths, observations
from backstay.alerts.selectors.listening_window import listening_since
from backstay.core.alerting.link_rates import LinkRates, LinkTable, NewestSamples, PortNodes, link_rates
from backstay.core.alerting.overrides import ScopedOverride, TargetIndex
from backstay.core.diagnosis.faults.bfd import BfdPeer
from backstay.core.diagnosis.faults.fault import Fault
from backstay.core.diagnosis.faults.observations import Observations
from backstay.core.diagnosis.faults.search import find_faults
from backstay.core.model.freshness import incident_age_s, is_fresh
from backstay.core.model.policy_paths import PathView, PolicyPaths
from backstay.core.model.state import (
    END_TO_END,
    EndToEnd,
    GatewayStatus,
    GatewayUse,
    PathStatus,
    PortView,
    ReportTimes,
    decide,
    gateway_status,
    path_status,
)
from backstay.core.model.topology import Link, Topology
from backstay.inventory import snapshot
from backstay.inventory.models import Site
from backstay.policy import selectors as policy_selectors
from backstay.policy.gateway_uses import Uses, gateway_counts, gateway_uses
from backstay.policy.holds import holds_of_site
from backstay.policy.link_uses import link_uses
from backstay.policy.models import Hold
from backstay.policy.selectors import PathState, Policy
from backstay.rollout.selectors import Key, confirmed, moved_paths
from backstay.telemetry.row_cache import Rows
from backstay.telemetry.selectors.current_samples import KnownSamples, newest_samples
from backstay.telemetry.selectors.daemons import bfd_peers
from backstay.telemetry.selectors.link_ends import EndNow, ends_not_up, ends_now, port_rows
from backstay.telemetry.selectors.loads import Loads, loads, port_ids
from backstay.telemetry.selectors.nodes import NodeNow, nodes_now

_NEVER_REPORTED = NodeNow(ReportTimes(at=None, watched=False), None)
UNKNOWN_END = EndNow(None, None, None, None)
_tables: dict[int, tuple[int, LinkTable, TargetIndex, PortNodes]] = {}
"""Site id -> its version, and what is derived from its topology alone."""


class SiteSnapshot:
    """A site at `now`; parts are read on first use and cached.

    For a page of a list, `nodes`, `paths` and `links` limit the ids that are read; None: all.
    """

    def __init__(
        self,
        site: Site,
        now: datetime,
        *,
        nodes: Collection[int] | None = None,
        paths: Collection[int] | None = None,
        links: Collection[int] | None = None,
    ) -> None:
        self.site = site
        self.now = now
        self._node_ids = nodes
        self._path_ids = paths
        self._link_ids = links
        self._whole: SiteSnapshot | None = None

    def of_links(self, links: Collection[int]) -> SiteSnapshot:
        """The same moment, limited to these links, their ports and nodes."""
        known = self.topology.links
        there = [known[link] for link in links if link in known]
        nodes = {self.topology.ports[port].node_id for port in port_ids(there)}
        limited = SiteSnapshot(self.site, self.now, nodes=nodes, links=[link.id for link in there])
        limited._whole = self
        return limited

    @cached_property
    def topology(self) -> Topology:
        return snapshot.load(self.site)

    @cached_property
    def links(self) -> list[Link]:
        known = self.topology.links
        return list(known.values()) if self._link_ids is None else [known[link] for link in self._link_ids]

    @cached_property
    def nodes(self) -> dict[int, NodeNow]:
        """Node id -> last report and collectors."""
        return nodes_now(self.site, self._node_ids)

    def node_now(self, node_id: int) -> NodeNow:
        """A node's last report; of one without any: never."""
        return self.nodes.get(node_id, _NEVER_REPORTED)

    @cached_property
    def listening_since(self) -> datetime | None:
        """No agent could report before this."""
        return listening_since(self.now)

    @cached_property
    def ends(self) -> dict[int, EndNow]:
        """Port id -> state and newest sample, for every port that a link joins."""
        return ends_now(port_ids(self.links))

    @cached_property
    def port_rows(self) -> Rows[EndNow]:
        """State of every linked port of the site, without its sample."""
        return port_rows(self.site)

    @cached_property
    def port_states(self) -> Mapping[int, EndNow]:
        """As `ends`; of the whole site without samples."""
        return self.port_rows.values if self._link_ids is None else self.ends

    @cached_property
    def ends_not_up(self) -> dict[int, EndNow]:
        """Port id -> state, of the linked ports of the whole site that are not reported up."""
        return ends_not_up(self.site)

    @cached_property
    def loads(self) -> dict[int, Loads]:
        """Link id -> (forward, back)."""
        return loads(self.topology, self.links, self.ends, self.now, self.site.interval_s)

    @cached_property
    def newest_samples(self) -> NewestSamples:
        """The newest sample of every port, as arrays; of the whole site."""
        return self.known_samples.samples

    @cached_property
    def known_samples(self) -> KnownSamples:
        """The same, with the versions of their sources."""
        return newest_samples(self.site)

    @cached_property
    def link_rates(self) -> LinkRates:
        """Loads of every link in the order of `link_table`; of the whole site."""
        return link_rates(self.link_table, self.newest_samples, self.now, self.site.interval_s)

    @property
    def link_table(self) -> LinkTable:
        """The links in the order of the topology, as arrays."""
        return self._derived[0]

    @property
    def override_targets(self) -> TargetIndex:
        """Which objects an override of a rule applies to."""
        return self._derived[1]

    @property
    def port_nodes(self) -> PortNodes:
        """The ports of the topology, as arrays."""
        return self._derived[2]

    @cached_property
    def _derived(self) -> tuple[LinkTable, TargetIndex, PortNodes]:
        known = _tables.get(self.site.pk)
        if known is None or known[0] != self.site.version:
            topology = self.topology
            tables = LinkTable.of(topology), TargetIndex(topology), PortNodes.of(topology)
            made = (self.site.version, *tables)
            known = _tables[self.site.pk] = made
        return known[1:]

    @cached_property
    def rule_overrides(self) -> dict[int, list[ScopedOverride]]:
        """Id of a site's rule -> its overrides for parts of the site; one query."""
        found: dict[int, list[ScopedOverride]] = {}
        for row in RuleOverride.objects.filter(rule__site=self.site).order_by("pk"):
            found.setdefault(row.rule_id, []).append(row.value())
        return found

    @cached_property
    def policies(self) -> dict[int, Policy]:
        """Policy id -> policy."""
        return policy_selectors.policies(self.site)

    @cached_property
    def paths(self) -> list[PathState]:
        """Observed paths; for a page also those of gateways."""
        known = policy_selectors.paths(self.site, self._path_ids)
        return [path for path in known if path.policy_id in self.policies]

    @cached_property
    def deployed_paths(self) -> list[PathState]:
        """Paths of policies in force: no other path is a reason for an incident.

        The site file's policies describe existing configuration and always apply; an operator's policy
        applies at a node once a change has deployed it there.
        """
        drafts = {policy.name for policy in self.policies.values() if policy.origin != "file"}
        known = confirmed(self.site, policies=drafts) if drafts else {}
        return [path for path in self.paths if self._is_deployed(self.policies[path.policy_id], path, known)]

    @staticmethod
    def _is_deployed(policy: Policy, path: PathState, known: Collection[Key]) -> bool:
        return policy.origin == "file" or (path.node_id, policy.name, policy.prefix) in known

    @cached_property
    def paths_by_id(self) -> dict[int, PathState]:
        """Path id -> one of `paths`."""
        return {path.id: path for path in self.paths}

    @cached_property
    def unhealthy_paths(self) -> list[PathState]:
        """Those of `deployed_paths` that may show a fault: no other is dead, on a fallback, or has a gateway
        or a target that a probe does not reach."""
        return [item.path for item in self.known_paths if not item.observation.is_healthy]

    @cached_property
    def path_homes(self) -> Counter[tuple[int, int]]:
        """(policy id, preferred gateway) -> number of deployed paths, in the order of their first path."""
        known = (item.observation for item in self.known_paths)
        return Counter((path.policy_id, path.preferred) for path in known if path.preferred is not None)

    @cached_property
    def path_counts(self) -> Counter[int]:
        """Policy id -> number of deployed paths."""
        return Counter(path.policy_id for path in self.deployed_paths)

    @cached_property
    def holds(self) -> dict[int, Hold]:
        """Node id -> its hold."""
        return holds_of_site(self.site)

    def path_status(self, path: PathState) -> PathStatus:
        """End-to-end state, placement and display state of one of `paths`."""
        is_fresh, is_held = self.is_fresh(path.node_id), path.node_id in self.holds
        facts = path.facts(self.policies[path.policy_id], self.now, is_fresh=is_fresh, is_held=is_held)
        return path_status(facts)

    def end_to_end(self, path: PathState) -> EndToEnd:
        """Whether one of `paths` works; without its holds."""
        policy, is_fresh = self.policies[path.policy_id], self.is_fresh(path.node_id)
        return decide(END_TO_END, path.end_to_end_facts(policy, self.now, is_fresh=is_fresh)).state

    @cached_property
    def path_views(self) -> list[PathView]:
        """The paths as core sees them."""
        return [path.view(self.policies[path.policy_id], self.end_to_end(path)) for path in self.paths]

    @cached_property
    def policy_paths(self) -> PolicyPaths:
        """The paths through the topology."""
        return PolicyPaths(self.topology, self.path_views)

    @cached_property
    def carries(self) -> dict[int, GatewayUse]:
        """Link id -> its strongest use by a path; missing: no policy uses it."""
        has_uses = "gateway_uses" in vars(self._whole or self)
        return link_uses(self.site, self.now, self._link_ids, lambda: self.gateway_uses, has_uses=has_uses)

    @cached_property
    def gateway_uses(self) -> Uses:
        """Uses of gateways by all paths of the site; read once also for what is limited to some links."""
        return gateway_uses(self.site, self.now) if self._whole is None else self._whole.gateway_uses

    @cached_property
    def gateways(self) -> dict[int, GatewayStatus]:
        """Node id of each gateway -> its role over all paths of the site; for a page of its nodes only."""
        counts = gateway_counts(self.site, self.now, self._node_ids, lambda: self.gateway_uses)
        return {node: gateway_status(item) for node, item in counts.items()}

    @cached_property
    def unreachable_nodes(self) -> frozenset[int]:
        """Ids of gateways that no node reaches by probe."""
        known = self.gateways.items()
        return frozenset(node for node, status in known if status.reachability == "unreachable")

    def unreachable_ends(self, link: Link) -> list[str]:
        """Names of the link's nodes that no other node reaches by probe."""
        nodes = (ident for kind, ident in self.topology.ends(link) if kind == "node")
        return [self.topology.nodes[node].name for node in nodes if node in self.unreachable_nodes]

    @cached_property
    def fresh_nodes(self) -> frozenset[int]:
        """Ids of reporting nodes."""
        interval_s = self.site.interval_s
        known = self.nodes.items()
        return frozenset(node for node, item in known if is_fresh(item.report_times.at, self.now, interval_s))

    @cached_property
    def silent_nodes(self) -> frozenset[int]:
        """Ids of nodes that have not reported for so long that it is an incident."""
        age_s, listening = incident_age_s(self.site.interval_s), self.listening_since
        if listening is not None and (self.now - listening).total_seconds() <= age_s:
            return frozenset()
        return frozenset(
            node
            for node, item in self.nodes.items()
            if item.report_times.watched
            and item.report_times.at is not None
            and (self.now - item.report_times.at).total_seconds() > age_s
        )

    @cached_property
    def observations(self) -> Observations:
        """What is observed of the whole site, as the search for faults reads it."""
        return observations(
            self.site.pk,
            self.topology,
            self.now,
            self.known_paths,
            self.port_states,
            self.nodes,
            self.fresh_nodes,
            self.silent_nodes,
        )

    @cached_property
    def known_paths(self) -> list[KnownPath]:
        """The deployed paths as observed, in their order."""
        moved = moved_paths(self.site) if self.paths else frozenset()
        held = {path.id for path in self.paths if path.node_id in self.holds}
        facts = PathFacts(self.deployed_paths, self.policies, moved | held)
        return known_paths(self.site.pk, facts)

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """Root causes of everything that is wrong now; of the whole site."""
        return find_faults(self.observations)

    @cached_property
    def bfd_peers(self) -> tuple[BfdPeer, ...]:
        """BFD sessions of the site's routing daemons; only read when a gateway is at fault."""
        return bfd_peers(self.site)

    def is_fresh(self, node_id: int) -> bool:
        """Whether the node reports."""
        return node_id in self.fresh_nodes

    def is_collected(self, node_id: int) -> bool:
        """Whether an agent collects from the node."""
        known = self.nodes.get(node_id)
        return known is not None and known.report_times.watched

    def is_well(self, link: Link) -> bool:
        """Whether every port of the link is reported and up: the quick check for nearly all links."""
        ports, ends = self.topology.ports, self.port_states
        return all(
            ports[port].node_id in self.fresh_nodes and ends.get(port, UNKNOWN_END).oper_up is True
            for port in ((link.a,) if link.b is None else (link.a, link.b))
        )

    @cached_property
    def unwell_links(self) -> list[Link]:
        """Links of the site that are not `is_well`, in the order of the topology."""
        ports, fresh = self.topology.ports, self.fresh_nodes
        suspects = {port for port, end in self.port_states.items() if end.oper_up is not True}
        suspects.update(port.id for port in ports.values() if port.node_id not in fresh)
        if not suspects:
            return []
        table, known = self.link_table, np.fromiter(suspects, np.int64, len(suspects))
        places = np.flatnonzero(np.isin(table.a, known) | np.isin(table.b, known)).tolist()
        return [self.topology.links[int(table.id[place])] for place in places]

    def port_view(self, port_id: int) -> PortView:
        """A port's state with its freshness; its name is `node:port`."""
        port = self.topology.ports[port_id]
        end = self.port_states.get(port_id, UNKNOWN_END)
        return PortView(
            name=self.port_name(port_id),
            oper_up=end.oper_up,
            admin_up=end.admin_up,
            since=end.since,
            fresh=self.is_fresh(port.node_id),
            collected=self.is_collected(port.node_id),
        )

    def link_ports(self, link: Link) -> list[PortView]:
        """The link's ports, a first."""
        return [self.port_view(port) for port in port_ids([link])]

    def port_name(self, port_id: int) -> str:
        """`grf1:ga030`."""
        port = self.topology.ports[port_id]
        return f"{self.topology.nodes[port.node_id].name}:{port.name}"

    def end_names(self, link: Link) -> tuple[str, str]:
        """`grf1:ga030`, `origin1:at0`; the far end of a shared medium is its fabric."""
        far = self.topology.fabrics[link.fabric_id].name if link.b is None else self.port_name(link.b)
        return self.port_name(link.a), far

    def link_name(self, link: Link) -> str:
        """`grf1:ga030-origin1:at0`."""
        return "-".join(self.end_names(link))
