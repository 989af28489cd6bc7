"""Applies faults to the fabric: unplugs a node's cables, or drops all its packets."""

from __future__ import annotations

from collections.abc import Mapping

from backstay_lab.infiniband.console import Console
from backstay_lab.infiniband.fabric import IbFabric, Place
from backstay_lab.infiniband.model import Model

CUT, SILENCE = "cut", "silence"
KINDS = (CUT, SILENCE)


class Breaker:
    """Keeps the applied faults."""

    def __init__(self, fabric: IbFabric, console: Console, model: Model) -> None:
        self._fabric = fabric
        self._console = console
        self._model = model
        self._pulled: set[Place] = set()
        self._mute: set[Place] = set()

    def become(self, faults: Mapping[str, str]) -> None:
        """Apply exactly these faults, node name -> kind."""
        cut = {name for name, kind in faults.items() if kind == CUT}
        # A cable is named by its first end: it is down while either node is cut, and is plugged in once.
        pulled = {cable.a for cable in self._fabric.cables if cut & {cable.a[0], cable.b[0]}}
        self._console.unlink(sorted(pulled - self._pulled))
        self._console.relink(sorted(self._pulled - pulled))
        self._pulled = pulled
        lost = self._model.cut(pulled)
        self._console.set_counters({place: self._model.port(place) for place in lost})
        mute = {
            (name, port)
            for name, kind in faults.items()
            if kind == SILENCE
            for port in range(self._fabric.by_name[name].ports + 1)
        }
        self._console.lose(sorted(mute - self._mute), 100)
        self._console.lose(sorted(self._mute - mute), 0)
        self._mute = mute
