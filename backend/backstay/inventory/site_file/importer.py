"""Reconciles the inventory with a site file.

An import is idempotent and set-based: it reads the stored rows, compares, and writes only differences, in the
caller's transaction. Policies are returned to the caller, because another app owns them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.db import connection, transaction
from django.db.models import Model, QuerySet

from backstay.accounts import secrets
from backstay.accounts.models import Agent
from backstay.inventory import circuits
from backstay.inventory.advisory_locks import LockClass, lock_until_commit
from backstay.inventory.models import Circuit, Fabric, FabricRateChange, Link, Node, Port, SharedRisk, Site
from backstay.inventory.site_file.checks import SELF
from backstay.inventory.site_file.circuits import value_of
from backstay.inventory.site_file.schema import NodeItem, PortItem
from backstay.inventory.site_file.values import SiteFile
from backstay.inventory.sources import public_sources, source_secrets
from backstay.inventory.wiring import site_file_evidence

ModelT = TypeVar("ModelT", bound=Model)
KeyT = TypeVar("KeyT", bound=Hashable)
BATCH = 1000
PortKey = tuple[str, str]
"""Node name, port name."""
LinkKey = tuple[int, int | None]
"""Ids of a link's ports."""


@dataclass(slots=True)
class ImportDiff:
    """Numbers of objects that an import created, changed, removed and left unchanged."""

    created: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0

    @property
    def differs(self) -> bool:
        """Whether anything was written."""
        return bool(self.created or self.changed or self.removed)

    def add(self, other: ImportDiff) -> None:
        """Add the numbers of another part."""
        self.created += other.created
        self.changed += other.changed
        self.removed += other.removed
        self.unchanged += other.unchanged


@transaction.atomic
def import_site(file: SiteFile, now: datetime) -> tuple[Site, ImportDiff]:
    """Reconcile the site with the file. Undeclared ports, found by collectors, are kept.

    Does not increment the version: `finish_import` does, once the caller's own parts are written.
    """
    head, total = file.head, ImportDiff()
    lock_import(head.site)
    kept = ("title", "interval_s", "rate_scale", "second_person", "wave_limit", "retention")
    values = {name: getattr(head, name) for name in kept}
    site, created = Site.objects.get_or_create(name=head.site, defaults={**values, "imported_at": now})
    total.add(_updated([site], {site.name: values}, lambda row: row.name) if not created else ImportDiff(1))

    fabrics, diff = _import_fabrics(site, file, now)
    total.add(diff)
    nodes, diff = _import_nodes(site, file)
    total.add(diff)
    ports, diff = _import_ports(site, file, nodes, fabrics)
    total.add(diff)
    total.add(_import_links(site, file, ports, now))
    total.add(_import_circuits(site, file, now))
    total.add(_import_shared_risks(site, file))
    total.add(_sync_gone_fabrics(site, fabrics))
    return site, total


def finish_import(site: Site, differs: bool, now: datetime) -> None:
    """Record the import, unarchive the site, and increment its version if anything changed."""
    site.imported_at, site.archived_at = now, None
    site.version += differs
    site.save(update_fields=["imported_at", "archived_at", "version"])


def lock_import(site: str) -> None:
    """Serialise imports of a site until the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"import of {site}"])


def _import_fabrics(site: Site, file: SiteFile, now: datetime) -> tuple[dict[str, Fabric], ImportDiff]:
    wanted: dict[str, Mapping[str, object]] = {
        item.name: {
            "title": item.title,
            "kind": item.kind,
            "media_rate": item.media_rate,
            "usable_rate": item.usable_rate or item.media_rate,
            "mtu": item.mtu,
            "arp": item.arp,
        }
        for item in file.fabrics.values()
    }
    rows = [row for row in site.fabrics.all() if row.name in wanted]
    before = {row.pk: row.usable_rate for row in rows}
    diff = _updated(rows, wanted, lambda row: row.name)
    FabricRateChange.objects.bulk_create(
        FabricRateChange(fabric=row, at=now, before=before[row.pk])
        for row in rows
        if row.usable_rate != before[row.pk]
    )
    have = {row.name for row in rows}
    new = [Fabric(site=site, name=name, **wanted[name]) for name in wanted if name not in have]
    diff.add(_created(Fabric, new))
    return {row.name: row for row in (*rows, *new)}, diff


def _sync_gone_fabrics(site: Site, kept: Mapping[str, Fabric]) -> ImportDiff:
    """Remove fabrics last, when no port or link refers to them."""
    return _removed(site, site.fabrics.exclude(name__in=list(kept)))


def _import_nodes(site: Site, file: SiteFile) -> tuple[dict[str, Node], ImportDiff]:
    items = {item.name: item for item in file.nodes.values()}
    diff = _removed(site, site.nodes.exclude(name__in=list(items)))
    wanted = {name: node_values(item) for name, item in items.items()}
    rows = list(site.nodes.all())
    changed = {row.name for row in rows if _differing(row, wanted[row.name])}
    diff.add(_updated(rows, wanted, lambda row: row.name))
    have = {row.name for row in rows}
    agents = dict(Agent.objects.filter(site=site.name, revoked_at__isnull=True).values_list("node", "pk"))
    new = [
        Node(site=site, name=name, agent_id=agents.get(name), **wanted[name])
        for name in wanted
        if name not in have
    ]
    diff.add(_created(Node, new))
    nodes = {row.name: row for row in (*rows, *new)}
    refined = _import_secrets(nodes, items) | _import_watchers(nodes, items)
    refined -= changed | {row.name for row in new}
    diff.changed += len(refined)
    diff.unchanged -= len(refined)
    return nodes, diff


def update_nodes(rows: Mapping[str, Node], items: Mapping[str, NodeItem]) -> ImportDiff:
    """Write columns and secrets of existing nodes, by name; their collectors stay."""
    wanted = {name: node_values(item) for name, item in items.items()}
    changed = {name for name, row in rows.items() if _differing(row, wanted[name])}
    _updated(list(rows.values()), wanted, lambda row: row.name)
    changed |= _import_secrets(rows, items)
    return ImportDiff(changed=len(changed), unchanged=len(rows) - len(changed))


def node_values(item: NodeItem) -> Mapping[str, object]:
    """Columns of a node's row, without its secrets and its collector."""
    return {
        "title": item.title,
        "kind": item.kind,
        "role": item.role or item.kind,
        "node_number": item.node_number,
        "switch_node_number": item.switch_node_number,
        "guid": item.guid,
        "labels": dict(item.labels),
        "sources": public_sources(item.sources),
        "routing": item.routing.model_dump() if item.routing else {},
        "arp": item.arp.model_dump() if item.arp else {},
        "extension": item.extension.model_dump() if item.extension else {},
    }


def _import_secrets(nodes: Mapping[str, Node], items: Mapping[str, NodeItem]) -> set[str]:
    """Names of the nodes whose secrets changed; compares plain texts, because ciphertexts always differ."""
    changed: list[Node] = []
    for name, item in items.items():
        wanted, node = source_secrets(item.sources), nodes[name]
        try:
            same = secrets.decrypt(node.secrets) == wanted
        except secrets.SecretsUnreadableError:
            same = False
        if not same:
            node.secrets = secrets.encrypt(wanted) if wanted else None
            changed.append(node)
    Node.objects.bulk_update(changed, ["secrets"], batch_size=BATCH)
    return {node.name for node in changed}


def _import_watchers(nodes: Mapping[str, Node], items: Mapping[str, NodeItem]) -> set[str]:
    """Names of the nodes whose collector changed; all nodes must exist, as they refer to each other."""
    changed: list[Node] = []
    for name, item in items.items():
        watcher = nodes[name if item.agent == SELF else item.agent] if item.agent else None
        if nodes[name].watcher_id != (watcher.pk if watcher else None):
            nodes[name].watcher = watcher
            changed.append(nodes[name])
    Node.objects.bulk_update(changed, ["watcher"], batch_size=BATCH)
    return {node.name for node in changed}


def _import_ports(
    site: Site, file: SiteFile, nodes: Mapping[str, Node], fabrics: Mapping[str, Fabric]
) -> tuple[dict[PortKey, Port], ImportDiff]:
    items = {(item.name, port.name): port for item in file.nodes.values() for port in item.ports}
    rows = list(Port.objects.filter(node__site=site).select_related("node"))
    gone = [row.pk for row in rows if row.declared and (row.node.name, row.name) not in items]
    diff = _removed(site, Port.objects.filter(pk__in=gone))
    rows = [row for row in rows if (row.node.name, row.name) in items]
    wanted = {key: port_values(item, fabrics) for key, item in items.items()}
    diff.add(_updated(rows, wanted, lambda row: (row.node.name, row.name)))
    have = {(row.node.name, row.name) for row in rows}
    new = [Port(node=nodes[key[0]], name=key[1], **wanted[key]) for key in wanted if key not in have]
    diff.add(_created(Port, new))
    return {(row.node.name, row.name): row for row in (*rows, *new)}, diff


def port_values(item: PortItem, fabrics: Mapping[str, Fabric]) -> Mapping[str, object]:
    """Columns of a port's row; `fabrics` by name."""
    return {
        "fabric_id": fabrics[item.fabric].pk if item.fabric else None,
        "management": item.management,
        "declared": True,
        "addresses": [str(address) for address in item.addresses],
    }


def _import_links(site: Site, file: SiteFile, ports: Mapping[PortKey, Port], now: datetime) -> ImportDiff:
    links = list(site.links.all())
    wanted = _wanted_links(file, ports, [row for row in links if not row.declared])
    cabled = _joined_ports(wanted)
    found = {row.pk for row in links if not row.declared and not _touches(row, cabled)}
    rows = {(row.a_id, row.b_id): row for row in links if row.pk not in found}
    diff = _removed(
        site, site.links.filter(pk__in=[row.pk for key, row in rows.items() if key not in wanted])
    )
    kept = [row for key, row in rows.items() if key in wanted]
    diff.add(_updated(kept, wanted, lambda row: (row.a_id, row.b_id)))
    evidence = [site_file_evidence(now.isoformat())]
    new = [
        Link(site=site, a_id=a, b_id=b, evidence=evidence, **values)
        for (a, b), values in wanted.items()
        if (a, b) not in rows
    ]
    diff.add(_created(Link, new))
    return diff


def _import_circuits(site: Site, file: SiteFile, now: datetime) -> ImportDiff:
    shapes = {item.name: item for item in file.shapes.values()}
    items = [(value_of(item, shapes), item.note) for item in file.circuits.values()]
    wanted = circuits.wanted(items)
    diff = _removed(site, site.circuits.exclude(name__in=list(wanted)))
    rows = list(site.circuits.all())
    diff.add(_updated(rows, wanted, lambda row: row.name))
    have = {row.name for row in rows}
    new = [Circuit(site=site, name=name, **wanted[name]) for name in wanted if name not in have]
    diff.add(_created(Circuit, new))
    circuits.record_versions(site, wanted, now)
    return diff


def _import_shared_risks(site: Site, file: SiteFile) -> ImportDiff:
    wanted: dict[str, Mapping[str, object]] = {
        item.name: {"kind": item.kind, "members": item.members} for item in file.shared_risks.values()
    }
    diff = _removed(site, site.shared_risks.exclude(name__in=list(wanted)))
    rows = list(site.shared_risks.all())
    diff.add(_updated(rows, wanted, lambda row: row.name))
    have = {row.name for row in rows}
    new = [SharedRisk(site=site, name=name, **wanted[name]) for name in wanted if name not in have]
    diff.add(_created(SharedRisk, new))
    return diff


def _wanted_links(
    file: SiteFile, ports: Mapping[PortKey, Port], found: Iterable[Link]
) -> dict[LinkKey, Mapping[str, object]]:
    """The file's links, and a link to the shared medium for every other port on a fabric.

    A port keeps a discovered cable that the file does not mention.
    """
    links: dict[LinkKey, Mapping[str, object]] = {}
    linked: set[int] = set()
    for item in file.links.values():
        a, b = (ports[_port_key(end)] for end in (item.a, item.b))
        links[a.pk, b.pk] = {"fabric_id": a.fabric_id, "circuit": item.circuit, "declared": True}
        linked |= {a.pk, b.pk}
    cabled = frozenset(linked)
    linked |= {port for row in found if not _touches(row, cabled) for port in (row.a_id, row.b_id) if port}
    for port in ports.values():
        if port.fabric_id is not None and port.pk not in linked:
            links[port.pk, None] = {"fabric_id": port.fabric_id, "circuit": "", "declared": True}
    return links


def _joined_ports(links: Iterable[LinkKey]) -> frozenset[int]:
    """Ports of the links with two ends."""
    return frozenset(port for a, b in links if b is not None for port in (a, b))


def _touches(row: Link, ports: frozenset[int]) -> bool:
    """Whether the row uses one of these ports."""
    return row.a_id in ports or (row.b_id is not None and row.b_id in ports)


def _port_key(end: str) -> PortKey:
    node, _, port = end.partition(":")
    return node, port


def _updated(
    rows: Collection[ModelT], wanted: Mapping[KeyT, Mapping[str, object]], key: Callable[[ModelT], KeyT]
) -> ImportDiff:
    """Write the rows that differ from the wanted values."""
    changed: list[ModelT] = []
    fields: set[str] = set()
    for row in rows:
        values = wanted[key(row)]
        differing = _differing(row, values)
        for name in differing:
            setattr(row, name, values[name])
        if differing:
            changed.append(row)
            fields.update(differing)
    if changed:
        columns = [name.removesuffix("_id") for name in fields]
        type(changed[0])._default_manager.bulk_update(changed, columns, batch_size=BATCH)
    return ImportDiff(changed=len(changed), unchanged=len(rows) - len(changed))


def _differing(row: Model, values: Mapping[str, object]) -> list[str]:
    return [name for name, value in values.items() if getattr(row, name) != value]


def _created(model: type[ModelT], rows: Iterable[ModelT]) -> ImportDiff:
    made = model._default_manager.bulk_create(rows, batch_size=BATCH)
    return ImportDiff(created=len(made))


def _removed(site: Site, rows: QuerySet[ModelT]) -> ImportDiff:
    """Delete a query set's rows, with dependants; no round evaluates the site meanwhile."""
    count = rows.count()
    if count:
        lock_until_commit(LockClass.ALERTS, site)
        rows.delete()
    return ImportDiff(removed=count)
