"""What every link would carry: today's load with the managed part of it moved along other ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from backstay.core.model.plan import LinkLoad
from backstay.core.model.search import Way
from backstay.core.model.topology import Topology
from backstay.core.planning.demand import Burden, Demands
from backstay.core.planning.flows import Flow
from backstay.core.planning.walk import Choice

Array = NDArray[np.float64]
"""(direction, link): bit/s forward and back."""
_LEAST = 1.0
"""bit/s: less is rounding, not load."""


class Loads:
    """Loads of one topology's links under flows; `None` for a flow's choice means that nothing arrives."""

    def __init__(self, topology: Topology, flows: Sequence[Flow], demands: Demands) -> None:
        self._topology = topology
        self._flows = flows
        self._demands = demands
        self._ids = sorted(topology.links)
        self._at = {link: at for at, link in enumerate(self._ids)}
        usable = [topology.fabrics[topology.links[link].fabric_id].usable_rate for link in self._ids]
        self._usable = np.array([max(rate, 1) for rate in usable], dtype=np.float64)
        self._heads = {link: topology.ends(topology.links[link])[0] for link in self._ids}
        self._last_legs = {
            member.node: member.links[0] for flow in flows for member in flow.members if member.links
        }
        self._before = self.empty()
        self._background = self.empty()
        self.set_base(self.empty())

    def empty(self) -> Array:
        """Nothing anywhere."""
        return np.zeros((2, len(self._ids)))

    def set_today(self, measured: Mapping[int, tuple[int, int]], managed: Array) -> None:
        """What was measured, bit/s, and how much of it is the flows; unmeasured links carry them alone."""
        self._before = managed.copy()
        for link, both in measured.items():
            if link in self._at:
                self._before[:, self._at[link]] = both
        self._background = np.maximum(self._before - managed, 0.0)

    @property
    def background(self) -> Array:
        """What flows around the policies."""
        return self._background

    def carries(self, at: int) -> bool:
        """Whether a flow has any traffic."""
        burden = self._demands.burdens[at]
        return any(burden.out) or any(burden.back) or any(burden.answers.values())

    def answers(self, at: int) -> bool:
        """Whether a flow is a way back, which its members share."""
        return bool(self._demands.burdens[at].answers)

    def add(self, load: Array, at: int, choice: Choice, sign: float = 1.0) -> None:
        """A whole flow by one choice; nothing when it is not delivered."""
        burden = self._demands.burdens[at]
        if choice.place is None or not choice.beyond.delivered:
            return
        self._shared(load, choice, sign * sum(burden.out), sign * sum(burden.back))
        for place in range(len(burden.out)):
            self._own(load, at, place, choice, sign)
        self._answers(load, burden, sign)

    def add_member(self, load: Array, at: int, place: int, choice: Choice, sign: float = 1.0) -> None:
        """One member of a flow by one choice. What the flow answers is taken over by the other members."""
        burden = self._demands.burdens[at]
        if choice.place is None or not choice.beyond.delivered:
            return
        if not burden.answers:
            self._shared(load, choice, sign * burden.out[place], sign * burden.back[place])
        self._own(load, at, place, choice, sign)

    def set_base(self, base: Array) -> None:
        """The loads with nothing failed: most failures leave most of them as they are."""
        self._base = base
        self._base_changed = {each.link_id: each for each in self._changed(base)}

    def changed(self, load: Array) -> tuple[LinkLoad, ...]:
        """Links that would carry something else than today, by id."""
        moved = np.flatnonzero(np.abs(load - self._base).max(axis=0) > 0).tolist()
        found = dict(self._base_changed)
        for at in moved:
            found.pop(self._ids[at], None)
            if np.abs(load[:, at] - self._before[:, at]).max() >= _LEAST:
                found[self._ids[at]] = self._link(load, at)
        return tuple(found[link] for link in sorted(found))

    def _changed(self, load: Array) -> tuple[LinkLoad, ...]:
        different = np.abs(load - self._before).max(axis=0) >= _LEAST
        return tuple(self._link(load, at) for at in np.flatnonzero(different).tolist())

    def over(self, load: Array) -> tuple[LinkLoad, ...]:
        """Links on which these flows and the rest are more than they can carry, fullest first."""
        full = (load > self._usable + _LEAST) & (load - self._background >= _LEAST)
        found = [self._link(load, at) for at in np.flatnonzero(full.any(axis=0)).tolist()]
        return tuple(sorted(found, key=lambda each: (-each.utilisation, each.link_id)))

    def _link(self, load: Array, at: int) -> LinkLoad:
        bps = max(float(load[0, at]), float(load[1, at]), 0.0)
        return LinkLoad(self._ids[at], round(bps), round(bps / float(self._usable[at]), 4))

    def _shared(self, load: Array, choice: Choice, out: float, back: float) -> None:
        if not (out or back):
            return
        for link, direction in self._trail(choice):
            load[direction, link] += out
            load[1 - direction, link] += back

    def _trail(self, choice: Choice) -> Iterator[tuple[int, int]]:
        """(link, direction) of all but the first link, which is each member's own."""
        for number, way in enumerate((choice.step, *choice.beyond.segments)):
            yield from self._directed(way, 0 if number else 1)

    def _directed(self, way: Way, start: int) -> Iterator[tuple[int, int]]:
        for hop, link in list(zip(way.hops, way.links, strict=False))[start:]:
            yield self._at[link], 0 if self._heads[link] == hop else 1

    def _own(self, load: Array, at: int, place: int, choice: Choice, sign: float) -> None:
        burden = self._demands.burdens[at]
        out, back = sign * burden.out[place], sign * burden.back[place]
        if not (out or back) or choice.place is None:
            return
        flow = self._flows[at]
        member = flow.members[place]
        which = flow.own[choice.place]
        if which < 0:
            return
        link = member.links[which]
        direction = 0 if self._heads[link] == ("node", member.node) else 1
        load[direction, self._at[link]] += out
        load[1 - direction, self._at[link]] += back

    def _answers(self, load: Array, burden: Burden, sign: float) -> None:
        for node, bps in burden.answers.items():
            link = self._last_legs.get(node)
            if bps and link is not None:
                direction = 1 if self._heads[link] == ("node", node) else 0
                load[direction, self._at[link]] += sign * bps
