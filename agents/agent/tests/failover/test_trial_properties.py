"""Invariants of two ends, each with its own policy, over gateways with every kind of fault."""

import random
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay_agent.failover.decide import decide
from backstay_agent.failover.probe_window import ProbeState
from backstay_agent.failover.types import ActiveGateway, Decision, GatewayStatus
from backstay_wire import Timers

START, MS, SECOND = 1_000_000_000_000, 1_000_000, 1_000_000_000
GATEWAYS = ("grf1", "atmgw")
TIMERS = Timers(interval_ms=250, recover_after=4, hold_down_s=2.0)
STEP_NS = 250 * MS
ENDS = ("node", "router")


@dataclass
class Train:
    """The state of one probe stream like a ProbeWindow's, one reply per step: fast enough to simulate
    hours."""

    alive: bool | None = None
    since: int = START
    answered: int | None = None
    lost: int = 0
    silent: int | None = None
    row: int = 0

    def step(self, now: int, answered: bool) -> ProbeState:
        self.lost = 0 if answered else self.lost + 1
        self.row = self.row + 1 if answered else 0
        if answered:
            self.answered, self.silent = now, None
        elif self.silent is None:
            self.silent = now
        losing = self.lost >= TIMERS.fail_after
        wanted = 1 if self.alive is None else TIMERS.recover_after
        if losing and self.alive is not False:
            self.alive, self.since = False, now
        elif self.row >= wanted and not self.alive:
            self.alive, self.since = True, now
        return ProbeState(self.alive, self.since, self.answered, self.lost, self.silent, losing, 500)


@dataclass
class End:
    """One end: its active gateway and its reports."""

    lead: ActiveGateway = field(default_factory=lambda: ActiveGateway("grf1", START))
    streams: dict[tuple[str, str], Train] = field(default_factory=dict)
    reported: list[tuple[int, Decision]] = field(default_factory=list)
    through: dict[str, ProbeState] = field(default_factory=dict)

    def step(self, now: int, answers: dict[tuple[str, str], bool], loops: bool) -> None:
        marks = {key: self.streams.setdefault(key, Train()).step(now, answers[key]) for key in answers}
        self.through = {name: marks["through", name] for name in GATEWAYS}
        signs = {
            name: GatewayStatus(
                marks["own", name], marks["through", name], True, marks["loop", name] if loops else None
            )
            for name in GATEWAYS
        }
        before = self.lead
        self.lead, decision = decide(GATEWAYS, TIMERS, before, signs, now=now)
        if decision is not None:
            self.reported.append((now, decision))
            if decision.switches and decision.reason in ("tried", "failed"):
                assert before.trial is not None or marks["through", before.gateway].losing, "a working path"


@dataclass
class Network:
    """A node and a router, each other's target, behind the same gateways."""

    loops: bool = True
    now: int = START
    ends: dict[str, End] = field(default_factory=lambda: {name: End() for name in ENDS})
    forwards: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(GATEWAYS, True))
    answers: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(GATEWAYS, True))
    alive: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(ENDS, True))
    follows: bool = True
    """The router has a checker; without one it answers by grf1, whatever happens."""

    def works(self, gateway: str) -> bool:
        return self.forwards[gateway] and self.answers[gateway]

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * SECOND / STEP_NS)):
            self.now += STEP_NS
            back = {name: self.ends[name].lead.gateway for name in ENDS}
            for name, other in zip(ENDS, reversed(ENDS), strict=True):
                if name == "router" and not self.follows:
                    continue
                passes = {
                    gateway: self.alive[other] and self.works(gateway) and self.works(back[other])
                    for gateway in GATEWAYS
                }
                found = {("through", gateway): passes[gateway] for gateway in GATEWAYS}
                found |= {("own", gateway): self.answers[gateway] for gateway in GATEWAYS}
                found |= {("loop", gateway): self.works(gateway) for gateway in GATEWAYS}
                self.ends[name].step(self.now, found, self.loops)

    def mend(self) -> None:
        self.forwards = dict.fromkeys(GATEWAYS, True)
        self.answers = dict.fromkeys(GATEWAYS, True)
        self.alive = dict.fromkeys(ENDS, True)


def switches(end: End, reason: str = "") -> list[int]:
    return [at for at, reported in end.reported if reported.switches and reason in ("", reported.reason)]


@pytest.mark.parametrize("loops", [True, False])
def test_both_ends_leave_a_blackholed_gateway(loops: bool) -> None:
    network = Network(loops)
    network.run(3)
    network.forwards["grf1"] = False
    network.run(1.5 if loops else 3)
    assert [end.lead.gateway for end in network.ends.values()] == ["atmgw", "atmgw"]
    network.run(90)
    assert [end.lead.gateway for end in network.ends.values()] == ["atmgw", "atmgw"]
    assert all(len(switches(end)) == 1 for end in network.ends.values())
    network.mend()
    network.run(20)
    assert [end.lead.gateway for end in network.ends.values()] == ["grf1", "grf1"]


def test_target_dead_for_hours_moves_traffic_for_seconds_only() -> None:
    network = Network(loops=False)
    network.run(3)
    network.alive["router"] = False
    network.follows = False
    network.run(3600)
    tried = switches(network.ends["node"], "tried")
    # Trials of four seconds, half a minute apart, then 1, 2, ... 16 minutes.
    assert len(tried) == 2 * 7
    assert all(end.lead.gateway == "grf1" for end in network.ends.values())
    network.mend()
    network.run(20)
    assert network.ends["node"].lead.gateway == "grf1"


EVENTS = ("grf1 drops", "atmgw drops", "grf1 dies", "atmgw dies", "router dies", "node dies", "mended")


def happen(network: Network, event: str) -> None:
    subject, _, what = event.partition(" ")
    if not what:
        network.mend()
    elif what == "drops":
        network.forwards[subject] = not network.forwards[subject]
    elif subject in ENDS:
        network.alive[subject] = not network.alive[subject]
    else:
        network.answers[subject] = not network.answers[subject]


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32), st.booleans(), st.booleans())
def test_trials_are_bounded_and_end_on_the_preferred_gateway(seed: int, loops: bool, follows: bool) -> None:
    chosen, network = random.Random(seed), Network(loops, follows=follows)
    network.run(3)
    for _ in range(8):
        happen(network, chosen.choice(EVENTS))
        network.run(chosen.choice((0.25, 1, 2, 10, 40)))
    for end in network.ends.values():
        tried = switches(end, "tried")
        rounds = [at for n, at in enumerate(tried) if n == 0 or at - tried[n - 1] > 5 * SECOND]
        # Between two rounds at least half a minute passes, and increasingly more.
        pauses = [later - earlier for earlier, later in pairwise(rounds)]
        assert all(pause >= (30 << n) * SECOND for n, pause in enumerate(pauses)), pauses
        assert len(tried) <= 2 * len(rounds)
    network.mend()
    network.run(330)  # damping ends after at most five minutes
    # Both are on the expected gateway, and stay there.
    assert [end.lead.gateway for end in network.ends.values()] == ["grf1", "grf1"]
    reported = [len(end.reported) for end in network.ends.values()]
    network.run(30)
    assert reported == [len(end.reported) for end in network.ends.values()]
