"""What a lab's namespaces are called: `bs<id>-<node>`, so that labs run side by side."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from backstay_lab.blueprint import Blueprint


def lab_id(state: Path) -> str:
    """Four hexadecimal digits that follow from where the lab keeps its state."""
    return hashlib.sha256(str(state.resolve()).encode()).hexdigest()[:4]


@dataclass(frozen=True)
class Names:
    """The namespace names of one lab."""

    id: str

    @property
    def prefix(self) -> str:
        """What all of them, and no other lab's, begin with."""
        return f"bs{self.id}-"

    def node(self, name: str) -> str:
        """A node's namespace."""
        return f"{self.prefix}{name}"

    def fabric(self, name: str) -> str:
        """A shared fabric's namespace."""
        return f"{self.prefix}fabric-{name}"

    def all(self, plan: Blueprint) -> list[str]:
        """Every namespace of a site."""
        nodes = [self.node(node.name) for node in plan.nodes if plan.in_namespace(node)]
        return nodes + [self.fabric(fabric.name) for fabric in plan.bridges]
