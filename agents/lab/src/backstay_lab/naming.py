"""Names of a lab's namespaces: `bs<id>-<node>`, so that several labs can run at once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path


def lab_id(state: Path) -> str:
    """Four hexadecimal digits derived from the state folder's path."""
    return hashlib.sha256(str(state.resolve()).encode()).hexdigest()[:4]


@dataclass(frozen=True)
class Names:
    """The namespace names of one lab."""

    id: str

    @property
    def prefix(self) -> str:
        """Prefix of all names of this lab and of no other."""
        return f"bs{self.id}-"

    def node(self, name: str) -> str:
        """A node's namespace."""
        return f"{self.prefix}{name}"

    def fabric(self, name: str) -> str:
        """A shared fabric's namespace."""
        return f"{self.prefix}fabric-{name}"
