"""Load of every link: the current load with the managed part moved to other paths.

A failure moves few flows, so its effect is stored as a `Shift`: the difference per link.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from backstay.core.model.plan import LinkLoad
from backstay.core.model.search import ForwardingPath
from backstay.core.model.topology import Topology
from backstay.core.planning.capacity.graph import Rates
from backstay.core.planning.whatif.demand import Burden
from backstay.core.planning.whatif.flows import Flow
from backstay.core.planning.whatif.forwarding_sim import Choice

Shift = dict[int, float]
"""Bit/s by lane: twice a link's index for forward; plus one for back."""
_ROUNDS = 10
_LEAST = 1.0
"""bit/s: smaller values are rounding errors."""


class Loads:
    """Loads of one topology's links under flows."""

    def __init__(self, topology: Topology, flows: Sequence[Flow], burdens: Sequence[Burden]) -> None:
        self._flows = flows
        self._burdens = burdens
        self._ids = sorted(topology.links)
        self._at = {link: at for at, link in enumerate(self._ids)}
        usable = [topology.fabrics[topology.links[link].fabric_id].usable_rate for link in self._ids]
        self._usable = [max(rate, 1) for rate in usable]
        self._heads = {link: topology.ends(topology.links[link])[0] for link in self._ids}
        self._last_legs = {
            member.node: member.links[0] for flow in flows for member in flow.members if member.links
        }
        self._trails: dict[tuple[ForwardingPath, int], tuple[int, ...]] = {}
        self._today = self._background = self._base = [0.0] * (2 * len(self._ids))
        self._changed: dict[int, LinkLoad] = {}
        self._over: dict[int, LinkLoad] = {}

    def lane(self, link: int, number: int) -> int:
        """The lane of a link; number 0: forward, 1: back."""
        return 2 * self._at[link] + number

    def link_of(self, lane: int) -> tuple[int, int]:
        """The link of a lane, and 0 for forward or 1 for back."""
        return self._ids[lane >> 1], lane & 1

    def set_today(self, measured: Mapping[int, tuple[int, int]], managed: Shift) -> None:
        """Set the measured load, bit/s, and the flows' part of it; unmeasured links carry only the flows."""
        known = {
            2 * self._at[link] + path: float(bps)
            for link, both in measured.items()
            if link in self._at
            for path, bps in enumerate(both)
        }
        lanes = range(2 * len(self._ids))
        self._today = [known.get(lane, managed.get(lane, 0.0)) for lane in lanes]
        self._background = [max(self._today[lane] - managed.get(lane, 0.0), 0.0) for lane in lanes]

    def set_base(self, intact: Shift) -> None:
        """Set the flows' load without a failure; every later `Shift` is relative to it."""
        self._base = [bps + intact.get(lane, 0.0) for lane, bps in enumerate(self._background)]
        links = range(len(self._ids))
        self._changed = {at: item for at in links if (item := self._different(at, {}))}
        self._over = {at: item for at in links if (item := self._too_full(at, {}))}

    def carries(self, at: int) -> bool:
        """Whether a flow has any traffic."""
        burden = self._burdens[at]
        return any(burden.out) or any(burden.back) or any(burden.answers.values())

    def answers(self, at: int) -> bool:
        """Whether a flow is a return path, which its members share."""
        return bool(self._burdens[at].answers)

    def add(self, load: Shift, at: int, choice: Choice, sign: float = 1.0) -> None:
        """Add a whole flow for one choice; nothing if it is not delivered."""
        burden = self._burdens[at]
        if choice.place is None or not choice.beyond.delivered:
            return
        self._shared(load, choice, sign * sum(burden.out), sign * sum(burden.back))
        for place in range(len(burden.out)):
            self._own(load, at, place, choice, sign)
        self._answers(load, burden, sign)

    def move(self, load: Shift, at: int, before: Choice, after: Choice) -> None:
        """Take a whole flow from one choice to another; its members' own links only where they differ."""
        if not self.carries(at):
            return
        flow, burden = self._flows[at], self._burdens[at]
        if (
            before.place is None
            or after.place is None
            or not (before.beyond.delivered and after.beyond.delivered)
            or flow.own[before.place] != flow.own[after.place]
        ):
            self.add(load, at, before, -1.0)
            self.add(load, at, after)
            return
        out, back = sum(burden.out), sum(burden.back)
        self._shared(load, before, -out, -back)
        self._shared(load, after, out, back)

    def add_member(self, load: Shift, at: int, place: int, choice: Choice, sign: float = 1.0) -> None:
        """Add one member of a flow for one choice. The flow's return traffic goes to the other members."""
        burden = self._burdens[at]
        if choice.place is None or not choice.beyond.delivered:
            return
        if not burden.answers:
            self._shared(load, choice, sign * burden.out[place], sign * burden.back[place])
        self._own(load, at, place, choice, sign)

    def withheld(
        self, chosen: Iterable[tuple[int, Choice]], offered: Mapping[int, float], usable: Mapping[int, float]
    ) -> Shift:
        """What lanes carry less because their traffic also passes full lanes: lane -> bit/s, negative.

        Senders slow down as TCP does, on the whole path: those that send least keep their rate, and the
        others share what is left of a full lane in equal parts (max-min fairness). `chosen`: every flow with
        its choice; `offered`: load of each lane that is too full, with all that would be sent; `usable`:
        their rates.
        """
        passing = [
            (at, choice, is_back, path, np.array(rates))
            for at, choice in chosen
            for is_back, path, rates in self._passing(at, choice)
            if any(rates) and not offered.keys().isdisjoint(path)
        ]
        kept = [rates for *_, rates in passing]
        users = {lane: [n for n, item in enumerate(passing) if lane in item[3]] for lane in offered}
        lost: Shift = {}
        for _ in range(_ROUNDS):
            lost = {}
            for (*_, path, rates), now in zip(passing, kept, strict=True):
                for lane in path:
                    lost[lane] = lost.get(lane, 0.0) + float(now.sum() - rates.sum())
            levels = {
                lane: _fair_share(np.concatenate([kept[n] for n in users[lane]]), load - usable[lane])
                for lane, bps in offered.items()
                if users[lane] and (load := bps + lost.get(lane, 0.0)) > usable[lane] + _LEAST
            }
            if not levels:
                break
            for lane, level in levels.items():
                for n in users[lane]:
                    kept[n] = np.minimum(kept[n], level)
        for (at, choice, is_back, _, rates), now in zip(passing, kept, strict=True):
            self._slow(lost, at, choice, is_back, now - rates)
        return lost

    def _passing(self, at: int, choice: Choice) -> Iterator[tuple[bool, tuple[int, ...], list[float]]]:
        """Each direction: whether it returns, its lanes without the members' own links, bit/s by member."""
        if choice.place is None or not choice.beyond.delivered:
            return
        paths = (choice.step, *choice.beyond.segments)
        lanes = tuple(
            lane for number, path in enumerate(paths) for lane in self._trail(path, int(not number))
        )
        burden = self._burdens[at]
        yield False, lanes, burden.out
        yield True, tuple(lane ^ 1 for lane in reversed(lanes)), burden.back

    def _slow(self, load: Shift, at: int, choice: Choice, is_back: bool, change: Rates) -> None:
        """Add a change of one direction of a flow, by member, to the members' own links, and to those of the
        nodes that it answers.
        """
        burden = self._burdens[at]
        for place, bps in enumerate(change.tolist()):
            lane = self._own_lane(at, place, choice) if bps else None
            if lane is not None:
                load[lane ^ is_back] = load.get(lane ^ is_back, 0.0) + bps
        if not is_back and burden.answers:
            self._answers(load, burden, float(change.sum()) / sum(burden.out))

    def changed(self, load: Shift) -> tuple[LinkLoad, ...]:
        """Links whose load differs from the current load, by id."""
        found = dict(self._changed)
        for at in _touched(load):
            found.pop(at, None)
            if item := self._different(at, load):
                found[at] = item
        return tuple(found[at] for at in sorted(found))

    def over(self, load: Shift) -> tuple[LinkLoad, ...]:
        """Links on which the flows and the other traffic exceed the usable rate, highest
        utilisation first.
        """
        found = dict(self._over)
        for at in _touched(load):
            found.pop(at, None)
            if item := self._too_full(at, load):
                found[at] = item
        return tuple(sorted(found.values(), key=lambda item: (-item.utilisation, item.link_id)))

    def _different(self, at: int, load: Shift) -> LinkLoad | None:
        for lane in (2 * at, 2 * at + 1):
            if abs(self._base[lane] + load.get(lane, 0.0) - self._today[lane]) >= _LEAST:
                return self._link(at, load)
        return None

    def _too_full(self, at: int, load: Shift) -> LinkLoad | None:
        for lane in (2 * at, 2 * at + 1):
            bps = self._base[lane] + load.get(lane, 0.0)
            if bps > self._usable[at] + _LEAST and bps - self._background[lane] >= _LEAST:
                return self._link(at, load)
        return None

    def _link(self, at: int, load: Shift) -> LinkLoad:
        out, back = 2 * at, 2 * at + 1
        bps = max(self._base[out] + load.get(out, 0.0), self._base[back] + load.get(back, 0.0), 0.0)
        return LinkLoad(self._ids[at], round(bps), round(bps / self._usable[at], 4))

    def _shared(self, load: Shift, choice: Choice, out: float, back: float) -> None:
        """All links except the first, which is each member's own."""
        if not (out or back):
            return
        for number, path in enumerate((choice.step, *choice.beyond.segments)):
            for lane in self._trail(path, 0 if number else 1):
                _put(load, lane, out, back)

    def _trail(self, path: ForwardingPath, start: int) -> tuple[int, ...]:
        key = (path, start)
        if key not in self._trails:
            self._trails[key] = tuple(self._lanes(path, start))
        return self._trails[key]

    def _lanes(self, path: ForwardingPath, start: int) -> Iterator[int]:
        for hop, link in list(zip(path.hops, path.links, strict=False))[start:]:
            yield 2 * self._at[link] + (self._heads[link] != hop)

    def _own(self, load: Shift, at: int, place: int, choice: Choice, sign: float) -> None:
        burden = self._burdens[at]
        out, back = sign * burden.out[place], sign * burden.back[place]
        lane = self._own_lane(at, place, choice) if out or back else None
        if lane is not None:
            _put(load, lane, out, back)

    def _own_lane(self, at: int, place: int, choice: Choice) -> int | None:
        """The lane of a member's link to its gateway, outbound; None: it has none of its own."""
        flow = self._flows[at]
        which = -1 if choice.place is None else flow.own[choice.place]
        return None if which < 0 else self._leg(flow.members[place].links[which], flow.members[place].node)

    def _answers(self, load: Shift, burden: Burden, sign: float) -> None:
        for node, bps in burden.answers.items():
            link = self._last_legs.get(node)
            if bps and link is not None:
                _put(load, self._leg(link, node), 0.0, sign * bps)

    def _leg(self, link: int, node: int) -> int:
        """The lane of a node's own link that leads away from it."""
        return 2 * self._at[link] + (self._heads[link] != ("node", node))


def _fair_share(rates: Rates, excess: float) -> float:
    """The rate to which the largest are limited, so that all together are smaller by the excess."""
    left = max(float(rates.sum()) - excess, 0.0)
    ordered = np.sort(rates)
    before = np.concatenate([[0.0], np.cumsum(ordered)[:-1]])
    shares = (left - before) / np.arange(len(ordered), 0, -1)
    return float(shares[np.argmax(ordered >= shares)])


def _put(load: Shift, lane: int, out: float, back: float) -> None:
    load[lane] = load.get(lane, 0.0) + out
    load[lane ^ 1] = load.get(lane ^ 1, 0.0) + back


def _touched(load: Shift) -> set[int]:
    """Indices of links whose load differs."""
    return {lane >> 1 for lane, bps in load.items() if bps}
