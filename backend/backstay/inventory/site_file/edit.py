"""Edits of single nodes of a site file, imported without reading the rest of the file.

Only what concerns nothing else in the file is isolated: title, role, labels, sources, routing and ARP of a
node. Other nodes, links, policies and circuits refer to names, ports, agents and numbers. `None` always means
that the whole file must be read, also if the edit is invalid: its errors name the lines of the file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from backstay.inventory.models import Fabric, Node, Port, Site
from backstay.inventory.site_file.checks import SELF, cross_check
from backstay.inventory.site_file.errors import InvalidSiteFile
from backstay.inventory.site_file.importer import ImportDiff, node_values, port_values, update_nodes
from backstay.inventory.site_file.positions import (
    NodePositions,
    TextDigests,
    Window,
    digest,
    edited_window,
)
from backstay.inventory.site_file.reader import MAX_TEXT, Located, read
from backstay.inventory.site_file.schema import FabricItem, NodeItem, SiteItem
from backstay.inventory.site_file.values import SiteFile

MOST_NODES = 500
"""Of one edit; with more, the whole file is read."""
_SELECTED_BY = ("role", "labels")
"""Values by which policies and rules select nodes."""
_LOCAL = frozenset({"title", *_SELECTED_BY, "sources", "routing", "arp"})


@dataclass(frozen=True, slots=True)
class Edit:
    """The edited nodes of a text."""

    located: Located
    """The edited part as a file of its own."""
    items: tuple[NodeItem, ...]
    digests: TextDigests
    """Of the whole new text."""


def isolate(text: str, name: str, before: TextDigests, names: Sequence[str], key: bytes) -> Edit | None:
    """The edited nodes, valid each by itself; `names` are those of all nodes of the file before."""
    window = edited_window(text, before, key) if len(text) <= MAX_TEXT else None
    if window is None or window.after - window.first > MOST_NODES:
        return None
    part, layout = text[window.begin : window.end], before.positions.layout
    alone, begin = layout.isolated(part, at_margin=window.begin == 0 or text[window.begin - 1] == "\n")
    try:
        located = read(alone, name)
        values = _values(located, before, begin, len(part))
        items = tuple(NodeItem.model_validate(value) for value in values)
    except (InvalidSiteFile, ValidationError, _NotIsolatedError):
        return None
    if [item.name for item in items] != list(names[window.first : window.after]):
        return None
    assert located.nodes is not None
    moved = window.begin - begin
    starts = [start + moved for start in located.nodes.starts[:-1]]
    return Edit(located, items, _digests(text, before, window, starts, key))


class _NotIsolatedError(Exception):
    """The part does not consist of whole nodes."""


def _values(located: Located, before: TextDigests, begin: int, length: int) -> list[object]:
    """The part's nodes; _NotIsolatedError unless the sentinel behind them was read as the next node."""
    value, positions = located.value, located.nodes
    if not isinstance(value, dict) or list(value) != ["nodes"] or positions is None:
        raise _NotIsolatedError
    *items, sentinel = value["nodes"]
    starts = positions.starts
    if sentinel != {} or positions.layout != before.positions.layout:
        raise _NotIsolatedError
    if starts[0] != begin or starts[-1] != begin + length or len(starts) != len(items) + 1:
        raise _NotIsolatedError
    return list(items)


def _digests(
    text: str, before: TextDigests, window: Window, starts: Sequence[int], key: bytes
) -> TextDigests:
    known, moved = before.positions.starts, len(text) - before.length
    ends = [*starts[1:], window.end]
    mine = [digest(text[start:end], key) for start, end in zip(starts, ends, strict=False)]
    return TextDigests(
        positions=NodePositions(
            before.positions.layout,
            (*known[: window.first], *starts, *(start + moved for start in known[window.after :])),
        ),
        length=len(text),
        head=before.head,
        nodes=(*before.nodes[: window.first], *mine, *before.nodes[window.after :]),
        tail=before.tail,
    )


def import_edit(site: Site, edit: Edit, *, selects: bool, label_keys: Collection[str]) -> ImportDiff | None:
    """Write the edited nodes, in the caller's transaction; None: the edit concerns more than these nodes.

    `selects`: policies or rules select nodes by role or label. `label_keys`: labels that the file's policies
    name. Only `changed` of the result is known.
    """
    rows = {
        row.name: row
        for row in site.nodes.filter(name__in=[item.name for item in edit.items]).select_related("watcher")
    }
    if len(rows) != len(edit.items):
        return None
    for item in edit.items:
        values, row = node_values(item), rows[item.name]
        differing = {name for name, value in values.items() if getattr(row, name) != value}
        if not differing <= _LOCAL or _watcher(item) != (row.watcher.name if row.watcher else None):
            return None
        if selects and differing & set(_SELECTED_BY):
            return None
        if any((key in item.labels) != (key in row.labels) for key in label_keys):
            return None
    if not _same_ports(site, edit.items) or _errors(site, edit, rows):
        return None
    return update_nodes(rows, {item.name: item for item in edit.items})


def _watcher(item: NodeItem) -> str | None:
    return item.name if item.agent == SELF else item.agent


def _same_ports(site: Site, items: Sequence[NodeItem]) -> bool:
    fabrics = {row.name: row for row in site.fabrics.all()}
    known = {
        (port.node.name, port.name): port
        for port in Port.objects.filter(
            node__site=site, node__name__in=[item.name for item in items], declared=True
        ).select_related("node")
    }
    ports = [(item.name, port) for item in items for port in item.ports]
    if len(ports) != len(known) or any((node, port.name) not in known for node, port in ports):
        return False
    if any(port.fabric is not None and port.fabric not in fabrics for _, port in ports):
        return False
    return all(
        getattr(known[node, port.name], name) == value
        for node, port in ports
        for name, value in port_values(port, fabrics).items()
    )


def _fabric_item(row: Fabric) -> FabricItem:
    values: dict[str, Any] = {
        name: getattr(row, name) for name in ("name", "kind", "media_rate", "usable_rate")
    }
    return FabricItem.model_construct(**values)


def _errors(site: Site, edit: Edit, rows: Mapping[str, Node]) -> bool:
    """Whether the checks of the site file have anything against the nodes, their collectors and fabrics."""
    fabrics = [_fabric_item(row) for row in site.fabrics.all()]
    watchers = {row.watcher.name for row in rows.values() if row.watcher} - rows.keys()
    nodes = [
        *edit.items,
        *(NodeItem.model_construct(name=name, kind="host", agent=SELF) for name in sorted(watchers)),
    ]
    head = SiteItem.model_construct(
        site=site.name,
        interval_s=site.interval_s,
        fabrics=[{"name": item.name} for item in fabrics],
        nodes=[{"name": item.name} for item in nodes],
    )
    file = SiteFile(edit.located, head, dict(enumerate(fabrics)), dict(enumerate(nodes)))
    return bool(cross_check(file))
