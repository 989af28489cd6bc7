"""The small Argonne with managed ARP: numbers, node reports and the device's table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import F
from django.utils import timezone

from backstay.inventory.models import Fabric, Node, Port, Site
from backstay.policy.arp_policy_spec import ArpPolicySpec
from backstay.policy.models import ArpPolicy
from backstay.policy.services import create_arp_policy
from backstay.rollout.changes import services
from backstay.rollout.changes.services import ChangeProposal
from backstay.rollout.models import Change
from backstay.rollout.tests.cluster import Cluster, digest_of
from backstay.rollout.wire_codec import wire_arp
from backstay.telemetry.models import NodeState, PortState
from backstay_wire import ArpReport, NeighbourReport
from backstay_wire import PortState as PortReport

FILES = {"config": "/etc/backstay/arp", "settings": "/etc/sysctl.d/60-backstay-arp.conf"}
FABRIC = "sp-switch"
Json = dict[str, Any]


class ArpComplex:
    """All nodes of the switch except the GigaRouter are managed; host part minus switch number is 1."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.site: Site = cluster.world.site
        Node.objects.filter(site=self.site, name__in=self.names).update(arp=FILES)
        for name, (address, number) in self.places.items():
            Node.objects.filter(site=self.site, name=name).update(switch_node_number=number)
            Port.objects.filter(node__site=self.site, node__name=name, fabric__name=FABRIC).update(
                addresses=[f"{address}/16"]
            )
        PortState.objects.update_or_create(
            port=Port.objects.get(node__site=self.site, name="gt000"),
            defaults={"mac": self.mac("grf1"), "since": cluster.now, "at": cluster.now},
        )
        Site.objects.filter(pk=self.site.pk).update(version=F("version") + 1)
        self.site.refresh_from_db()
        self.mark_reporting("grf1")
        for name in self.names:
            self.report_arp(name)

    @property
    def names(self) -> list[str]:
        return [*self.cluster.names, "atmgw"]

    @property
    def places(self) -> dict[str, tuple[str, int]]:
        """Node -> its address on the switch and its switch node number."""
        found = {name: (f"10.1.0.{n}", n - 1) for n, name in enumerate(self.cluster.names, start=1)}
        return {**found, "atmgw": ("10.1.0.15", 14), "grf1": ("10.1.0.16", 15)}

    def mac(self, name: str) -> str:
        return f"02:00:00:00:00:{self.places[name][1]:02x}"

    def mark_reporting(self, name: str) -> None:
        node = self.cluster.world.node(name)
        NodeState.objects.update_or_create(node=node, defaults={"last_reported_at": timezone.now()})
        NodeState.objects.filter(node=node).update(last_reported_at=self.cluster.now)

    def report_arp(
        self,
        name: str,
        *,
        arp: bool = True,
        entries: Mapping[str, str] | None = None,
        settings: Mapping[str, int] | None = None,
        files: Sequence[Json] = (),
    ) -> None:
        """Report a node's running state of css0 and its boot files."""
        self.cluster.world.forward(0.001)
        port = {
            "port": "css0",
            "arp": arp,
            "mac": self.mac(name),
            "settings": {"ipv4.conf.arp_ignore": 0, **(settings or {})},
            "neighbours": [{"address": a, "mac": m} for a, m in (entries or {}).items()],
        }
        saved = [{**file, "sha256": digest_of(file["text"])} for file in files]
        report = ArpReport.model_validate(
            {
                **self.cluster.world._head(name),
                "revision": 0,
                "digest": digest_of(f"{port} {saved}"),
                "ports": [port],
                "files": saved,
            }
        )
        self.cluster.world.report([report])

    def as_planned(self, change: Change, name: str, **otherwise: Any) -> None:
        """Report that a node runs and has saved its assignment, except `otherwise`."""
        assignment = change.applications.get(node__name=name).assignment
        reported = wire_arp(assignment["arp"], 1)
        nothing: Json = {"arp": None, "settings": {}, "neighbours": []}
        port = next(iter(reported["ports"]), nothing)
        entries = {item["address"]: item["mac"] for item in port["neighbours"]}
        files = [{"path": file["path"], "text": file["text"]} for file in reported["files"]]
        arp = True if port["arp"] is None else port["arp"]
        reported = {"arp": arp, "entries": entries, "settings": port["settings"], "files": files}
        self.report_arp(name, **{**reported, **otherwise})

    def hand_over(self, *, state: str = "static", but: Sequence[str] = ()) -> None:
        """The GigaRouter's own table, as read by SNMP."""
        self.cluster.world.forward(0.001)
        table = [
            {"port": "gt000", "address": address, "mac": self.mac(name), "state": state}
            for name, (address, _) in self.places.items()
            if name != "grf1" and name not in but
        ]
        reported = {**self.cluster.world._head("grf1"), "neighbours": table}
        self.cluster.world.report([NeighbourReport.model_validate(reported)])

    def policy(self, mode: str = "off", **more: Any) -> ArpPolicy:
        spec = ArpPolicySpec(mode, more.get("settings", {}), more.get("ports", []), more.get("table", {}), "")
        return create_arp_policy(self.site, FABRIC, spec)

    def propose(self, policy: ArpPolicy) -> Change:
        proposal = ChangeProposal("arp", arp_policies=[policy.pk])
        return services.propose(self.site, self.cluster.actor(), proposal, self.cluster.now)

    def approved(self, policy: ArpPolicy) -> Change:
        change = self.propose(policy)
        digest = self.cluster.plan(change).digest
        bob = self.cluster.actor(self.cluster.bob)
        services.approve(change.pk, bob, digest, self.cluster.now, accept_warnings=True)
        return self.cluster.fresh(change)

    def in_force(self, policy: ArpPolicy) -> Change:
        """Run the change on every node."""
        change = self.cluster.begin(self.approved(policy))
        change = self.cluster.report_phase(change, "prepared", *self.names)
        for wave in self.cluster.waves(change):
            change = self.cluster.report_phase(change, "applied", *wave)
            services.confirm(change.pk, self.cluster.actor(), self.cluster.now)
            change = self.cluster.report_phase(change, "confirmed", *wave)
        for name in self.names:
            self.as_planned(change, name)
        return change

    def address(self, name: str, address: str) -> None:
        """Assign another address to a node."""
        Port.objects.filter(node__site=self.site, node__name=name, fabric__name=FABRIC).update(
            addresses=[f"{address}/16"]
        )
        Site.objects.filter(pk=self.site.pk).update(version=F("version") + 1)
        self.site.refresh_from_db()

    def runs(self, name: str, *addresses: str, on: bool = True) -> None:
        """Report a node's ports with these addresses on the switch; `on`: that port."""
        self.cluster.world.forward(0.001)
        report = self.cluster.world.device(name)
        given = {
            port.name: port.addresses for port in Port.objects.filter(node__site=self.site, node__name=name)
        }
        on_switch = Port.objects.get(node__site=self.site, node__name=name, fabric__name=FABRIC).name
        reported = {**given, on_switch: list(addresses)}
        ports = [
            port.model_copy(
                update={"addresses": reported[port.name], "admin_up": on or port.name != on_switch}
            )
            for port in report.ports
        ]
        loopback = PortReport(
            name="lo", index=99, admin_up=True, oper_up=True, speed=0, mtu=65536, addresses=["127.0.0.1/8"]
        )
        self.cluster.world.report([report.model_copy(update={"ports": [*ports, loopback]})])

    @property
    def fabric(self) -> Fabric:
        return Fabric.objects.get(site=self.site, name=FABRIC)
