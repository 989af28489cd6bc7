"""Routes of observed paths through each of their gateways, and which nodes' routes lead over an object.

They depend on the topology and on the active gateways of nodes that are gateways themselves, so that a caller
may keep an index from one evaluation to the next while both stay.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol

from backstay.core.model.policy_paths import PathView, PolicyPaths
from backstay.core.model.search import Component, ForwardingPath
from backstay.core.model.topology import Topology


class RoutedPath(Protocol):
    """What a route depends on, of one path."""

    @property
    def id(self) -> int: ...
    @property
    def node_id(self) -> int: ...
    @property
    def prefix(self) -> str: ...
    @property
    def target(self) -> str | None: ...
    @property
    def gateways(self) -> tuple[int, ...]: ...
    @property
    def active(self) -> int | None: ...


_Key = tuple[int, int, str | None, str]
"""Node, gateway, target, prefix."""


def onward_views(paths: Iterable[RoutedPath]) -> tuple[PathView, ...]:
    """Paths of nodes that are gateways themselves, by id: over them other paths go on."""
    known = sorted(paths, key=lambda path: path.id)
    gateways = {gateway for path in known for gateway in path.gateways}
    gateways.update(path.active for path in known if path.active is not None)
    return tuple(_view(path) for path in known if path.node_id in gateways)


def _view(path: RoutedPath) -> PathView:
    return PathView(path.id, path.node_id, path.prefix, path.gateways, path.active, path.target)


class RouteIndex:
    """Routes of any paths of one topology; `onward`: as `onward_views` returns them."""

    def __init__(self, topology: Topology, onward: tuple[PathView, ...]) -> None:
        self.topology, self.onward = topology, onward
        self._search = PolicyPaths(topology, onward)
        self._routes: dict[_Key, ForwardingPath] = {}
        self._users: dict[Component, set[int]] = {}
        """Vertex or link -> nodes of which a route leads over it."""
        self._complete: dict[int, RoutedPath] = {}
        """Path id -> the path, all routes of which are known."""

    def is_of(self, topology: Topology, onward: tuple[PathView, ...]) -> bool:
        """Whether the routes are those of this topology and these onward gateways."""
        return self.topology is topology and self.onward == onward

    def route(self, path: RoutedPath, gateway: int) -> ForwardingPath:
        """The path's hops and links through `gateway`."""
        key = (path.node_id, gateway, path.target, path.prefix)
        found = self._routes.get(key)
        if found is None:
            found = self._search.route(_view(path), gateway)
            for vertex in found.hops:
                self._users.setdefault(vertex, set()).add(path.node_id)
            for link in found.links:
                self._users.setdefault(("link", link), set()).add(path.node_id)
            # Last: another thread that finds the route finds its users as well.
            self._routes[key] = found
        return found

    def nodes_over(self, paths: Iterable[RoutedPath], components: Collection[Component]) -> set[int]:
        """Nodes of which a route leads over one of these vertices and links, at least of these paths."""
        for path in paths:
            if self._complete.get(path.id) is not path:
                for gateway in used_gateways(path):
                    self.route(path, gateway)
                self._complete[path.id] = path
        return {node for item in components for node in tuple(self._users.get(item, ()))}


def used_gateways(path: RoutedPath) -> dict[int, None]:
    """The gateways that a path uses or may use, in order."""
    return dict.fromkeys((*path.gateways, *(() if path.active is None else (path.active,))))
