"""Files and programs that a site file may name: agents run as root, so it must not choose them freely.

The allowed places are those of `backstay_wire.path_rules`, which the agents apply again.
`BACKSTAY_SITE_PATHS` adds folders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backstay.inventory.site_file.errors import Path
from backstay.inventory.site_file.schema import NodeItem
from backstay_wire.allowed_paths import ARP, ENGINES, SOURCES
from backstay_wire.engines import EngineKind
from backstay_wire.path_rules import FieldRules


def forbidden(nodes: dict[int, NodeItem], more: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """(where, what is expected) of each path that is not allowed."""
    for index, node in nodes.items():
        for at, item, rules in _items(node):
            for key, rule in rules.items():
                path = getattr(item, key, None)
                if path and not rule.allows(path, more):
                    places = ", ".join([*rule.places, *more])
                    expected = f"a path below {places}; BACKSTAY_SITE_PATHS adds folders"
                    yield ("nodes", index, *at, key), expected


def _items(node: NodeItem) -> Iterator[tuple[Path, object, FieldRules]]:
    for place, source in enumerate(node.sources):
        yield ("sources", place), source, SOURCES.get(source.kind, {})
    if node.routing is not None:
        yield ("routing",), node.routing, ENGINES[EngineKind(node.routing.engine)]
    if node.arp is not None:
        yield ("arp",), node.arp, ARP
