"""Which ports a flow passes: shortest ways, spread over equal ones by the destination, as a subnet manager's
min-hop routing does. Pure."""

from __future__ import annotations

from collections import deque

from backstay_lab.infiniband.fabric import IbFabric, Place


class Routes:
    """Ways through one fabric, by destination."""

    def __init__(self, fabric: IbFabric) -> None:
        self._fabric = fabric
        self._neighbours: dict[str, list[tuple[int, Place]]] = {node.name: [] for node in fabric.nodes}
        for (name, port), other in fabric.ends.items():
            self._neighbours[name].append((port, other))
        self._distances: dict[str, dict[str, int]] = {}

    def way(self, source: str, target: str) -> list[tuple[Place, Place]]:
        """(sending port, receiving port) of each cable on the way; empty when there is none."""
        distances = self._to(target)
        at, steps = source, []
        if at not in distances:
            return []
        while at != target:
            better = sorted(
                (port, other)
                for port, other in self._neighbours[at]
                if distances.get(other[0], len(distances)) < distances[at]
            )
            port, other = better[self._fabric.by_name[target].number % len(better)]
            steps.append(((at, port), other))
            at = other[0]
        return steps

    def _to(self, target: str) -> dict[str, int]:
        """Cables between each node and `target`."""
        if target not in self._distances:
            found, waiting = {target: 0}, deque([target])
            while waiting:
                at = waiting.popleft()
                for _, (name, _) in self._neighbours[at]:
                    if name not in found:
                        found[name] = found[at] + 1
                        waiting.append(name)
            self._distances[target] = found
        return self._distances[target]
