"""Names of the fabric's nodes and ports at this site: from the map of GUIDs, never from the devices' own
descriptions.

A switch's port is its number, `7`. An adapter's port is adapter and number, `mlx5_0/1`, as on the host
itself; the adapter's name is the second word of a description of the form `host adapter`, which OpenIB
drivers set.
"""

import re
from collections.abc import Mapping

from backstay_agent.parsers import text
from backstay_agent.parsers.infiniband.ib_topology import FabricNode, IbTopology, PortKey

_DESCRIPTION = re.compile(r"\S+ ([A-Za-z][\w.-]{0,31})")
_NAMELESS = "ca"


class Names:
    """Node GUID -> node name, and the derived port names."""

    def __init__(self, devices: Mapping[str, str]) -> None:
        self._devices = devices
        self._adapters: dict[str, str] = {}
        """Adapters' names as first reported, so that a changed description does not rename a port."""
        self._taken: dict[tuple[str, str], str] = {}

    def device(self, guid: str) -> str:
        """The node's name; empty for an unknown node."""
        return self._devices.get(guid, "")

    def port(self, topology: IbTopology, key: PortKey) -> str:
        """The port's name."""
        node = topology.nodes.get(key[0])
        if node is None or node.kind != "ca":
            return str(key[1])
        return f"{self._adapter(node)}/{key[1]}"

    def place(self, topology: IbTopology, key: PortKey) -> tuple[str, str]:
        """(node, port); an unknown node is identified by its GUID."""
        return self.device(key[0]) or key[0], self.port(topology, key)

    def _adapter(self, node: FabricNode) -> str:
        known = self._adapters.get(node.guid)
        if known is not None:
            return known
        found = _DESCRIPTION.fullmatch(node.name)
        name = found[1] if found else _NAMELESS
        device = self.device(node.guid) or node.guid
        if self._taken.setdefault((device, name), node.guid) != node.guid:
            name = f"{name}-{node.guid[-4:]}"
        if found:
            self._adapters[node.guid] = text.name(name)
        return name
