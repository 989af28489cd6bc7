"""Commands by noun: `backstay incidents list`, `incidents show 7`, `incidents ack 7`.

A noun alone lists. Where a noun took arguments before it had verbs (`neighbours 10.1.0.7`), `earlier` is that
command, and it stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from typer.core import TyperGroup

from backstay_cli.commands import (
    arp,
    changes,
    circuits,
    clear_release,
    clocks,
    devices,
    drift,
    drills,
    events,
    exports,
    extension_nodes,
    holds,
    metrics,
    neighbours,
    network,
    paths,
    policies,
    saved_state,
    saved_views,
)
from backstay_cli.commands.incidents import actions, differences, overview
from backstay_cli.commands.inventory import agents, fabrics, nodes, ports, sites
from backstay_cli.commands.policy import arp as arp_policies
from backstay_cli.commands.policy import failover

Command = Callable[..., None]
LIST = "list"
EARLIER = "earlier"


class NounGroup(TyperGroup):
    """A group whose verb may be left out."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert the verb that is meant when none is named."""
        first = args[0] if args else ""
        meant = EARLIER if EARLIER in self.commands else LIST
        is_noun_alone = not args and not ctx.resilient_parsing
        is_option = first.startswith("-") and first != "--help"
        is_argument = bool(args) and meant == EARLIER and first != "--help" and first not in self.commands
        if meant in self.commands and (is_noun_alone or is_option or is_argument):
            args = [meant, *args]
        return super().parse_args(ctx, args)


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun's commands: those that read, those that act, other names of the noun, and its earlier form."""

    about: str
    reads: Mapping[str, Command]
    acts: Mapping[str, Command] = field(default_factory=dict)
    earlier: Command | None = None
    aliases: tuple[str, ...] = ()


NOUNS: dict[str, Noun] = {
    "agents": Noun(
        "Agents: who reports to Backstay, and who may.",
        {"list": agents.list_agents},
        {"enrol": agents.enrol, "revoke": agents.revoke},
        aliases=("agent",),
    ),
    "arp": Noun(
        "ARP settings of fabrics, the address rule, and ARP policies.",
        {
            "list": arp.list_fabrics,
            "policies": arp_policies.list_policies,
            "show": arp_policies.show_policy,
            "settings": arp_policies.list_settings,
        },
        {"apply": arp_policies.apply_policies, "delete": arp_policies.delete_policy},
        earlier=arp.arp,
    ),
    "changes": Noun(
        "Changes: plans, approvals, and what became of them.",
        {"list": changes.changes, "show": changes.change, "node": changes.change_node},
    ),
    "circuits": Noun(
        "PVCs and VLANs, now and at an earlier time.",
        {"list": circuits.list_circuits, "show": circuits.show_circuit},
        {"plan": circuits.plan_circuits, "hand-over": circuits.hand_over},
        earlier=circuits.circuits,
        aliases=("circuit",),
    ),
    "clocks": Noun("Clock offsets.", {"list": clocks.clocks}),
    "devices": Noun(
        "Devices: state, metrics, and what Backstay collects from them.",
        {
            "list": nodes.list_nodes,
            "show": nodes.show_node,
            "inspect": devices.inspect,
            "recordings": devices.recordings,
            "metrics": metrics.metrics,
            "history": nodes.metric_history,
            "metric-names": nodes.list_metrics,
        },
        {"record": devices.record, "manage-again": clear_release.manage_again},
        aliases=("device", "nodes", "node"),
    ),
    "drift": Noun("Intended, running and saved state.", {"list": drift.list_drift}, earlier=drift.drift),
    "drills": Noun(
        "Failover drills and their results.",
        {"list": drills.list_drills, "show": drills.show_drill},
        {"start": drills.drill, "cancel": drills.cancel_drill},
        earlier=drills.drills,
    ),
    "events": Noun(
        "Past and live events.",
        {"list": events.list_events, "groups": events.list_groups, "differences": differences.differences},
        earlier=events.events,
        aliases=("event",),
    ),
    "exports": Noun(
        "History as files.",
        {"list": exports.list_exports, "show": exports.show_export},
        {"new": exports.export, "delete": exports.delete_export},
        earlier=exports.exports,
    ),
    "extension-nodes": Noun(
        "Gateways on SP switches, compared with their routers.",
        {"list": extension_nodes.list_nodes, "show": extension_nodes.show_node},
        earlier=extension_nodes.extension_nodes,
    ),
    "fabrics": Noun(
        "Fabrics: state, load and health.",
        {
            "list": fabrics.list_fabrics,
            "show": fabrics.show_fabric,
            "history": fabrics.fabric_history,
            "health": fabrics.fabric_health,
        },
        aliases=("fabric",),
    ),
    "gateways": Noun("Role and reachability of gateways.", {"list": network.gateways}, aliases=("gateway",)),
    "holds": Noun("Held nodes.", {"list": holds.holds}, {"set": holds.hold}),
    "incidents": Noun(
        "Incidents: evidence, effects, and who takes care of them.",
        {"list": overview.list_incidents, "show": overview.show_incident},
        {
            "ack": actions.acknowledge,
            "snooze": actions.snooze,
            "assign": actions.assign,
            "comment": actions.comment,
        },
        earlier=overview.incidents,
        aliases=("incident",),
    ),
    "links": Noun(
        "Links: carrier, load and capacity.",
        {"list": network.links, "show": ports.show_link, "history": ports.link_history},
        aliases=("link",),
    ),
    "neighbours": Noun(
        "Neighbour tables (ARP, ND).",
        {
            "list": neighbours.list_neighbours,
            "tables": neighbours.list_tables,
            "history": neighbours.address_history,
            "duplicates": neighbours.list_duplicates,
        },
        earlier=neighbours.neighbours,
    ),
    "paths": Noun(
        "Paths: active and standby gateways, failovers, moves.",
        {
            "list": paths.paths,
            "groups": paths.path_groups,
            "show": paths.show_path,
            "history": paths.path_history,
            "decisions": paths.path_decisions,
        },
        {"move": paths.move},
        aliases=("path",),
    ),
    "policies": Noun(
        "Failover policies, and policies as files.",
        {
            "list": policies.list_policies,
            "show": failover.show_policy,
            "outages": policies.outages,
            "export": failover.export_policies,
        },
        {"apply": failover.apply_policies, "preview": failover.preview, "delete": changes.retire},
        aliases=("policy",),
    ),
    "ports": Noun(
        "Ports: carrier, rates, errors.",
        {
            "list": ports.list_ports,
            "show": ports.show_port,
            "history": ports.port_history,
            "trends": ports.port_trends,
        },
        aliases=("port",),
    ),
    "saved-state": Noun("Running settings and those of the next boot.", {"list": saved_state.saved_state}),
    "sites": Noun(
        "Sites, and their site files.",
        {"list": sites.list_sites},
        {"import": sites.import_site},
        aliases=("site",),
    ),
    "views": Noun(
        "Saved views of lists: your own, and those shared with the site.",
        {"list": saved_views.list_views, "show": saved_views.show_view},
        {"save": saved_views.save_view, "delete": saved_views.delete_view},
        aliases=("view",),
    ),
}
