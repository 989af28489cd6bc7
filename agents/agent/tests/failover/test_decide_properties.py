"""Invariants of failover: gateways that die, recover, drop packets or lose carrier, and moves."""

from dataclasses import dataclass
from typing import TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from backstay_agent.failover.decide import decide
from backstay_agent.failover.probe_window import ProbeState
from backstay_agent.failover.types import ActiveGateway, GatewayStatus, counts_by_target
from backstay_wire import Timers

START = 1_000_000_000_000
SECOND = 1_000_000_000
T = TypeVar("T")
GATEWAYS = ("grf1", "atmgw", "fddi")


History = tuple[Timers, list[tuple[int, dict[str, GatewayStatus], str]]]


class Octets:
    """Choices from a random byte string, which Hypothesis draws and shrinks much faster than single
    choices."""

    def __init__(self, data: bytes) -> None:
        self._data = list(data)

    def __bool__(self) -> bool:
        return bool(self._data)

    def of(self, *choices: T) -> T:
        return choices[(self._data.pop(0) if self._data else 0) % len(choices)]


def mark(octets: Octets, now: int) -> ProbeState:
    known = octets.of(True, True, False, None)
    lost = octets.of(0, 1, 2, 3, 5)
    answered = None if known is None else now - octets.of(0, 1, 2, 3) * SECOND // 10
    silent = now - octets.of(0, 1, 2, 3) * SECOND // 10 if lost else None
    since = now - octets.of(0, 1, 5, 20, 100) * SECOND
    losing = known is False and octets.of(True, False)
    return ProbeState(known, since, answered, lost, silent, losing, None if known is None else 500)


def history(data: bytes) -> History:
    octets, now = Octets(data), START
    timers = Timers(
        hold_down_s=octets.of(0.0, 2.0, 30.0),
        revert=octets.of("now", "after", "manual"),
        revert_after_s=octets.of(0.0, 10.0),
    )
    steps: list[tuple[int, dict[str, GatewayStatus], str]] = []
    while octets and len(steps) < 12:
        now += octets.of(1, 5, 20, 40) * SECOND // 10
        has_target = octets.of(True, False)
        forced = octets.of("", "", "", *GATEWAYS)
        signs = {
            name: GatewayStatus(
                own=mark(octets, now),
                through=mark(octets, now) if has_target else None,
                carrier=octets.of(True, True, True, False),
                loop=mark(octets, now) if octets.of(True, False) else None,
            )
            for name in GATEWAYS
        }
        steps.append((now, signs, forced))
    return timers, steps


HISTORIES = st.binary(min_size=150, max_size=600).map(history)


def judged(sign: GatewayStatus, by_target: bool) -> ProbeState:
    if by_target and sign.through is not None:
        return sign.through
    return sign.loop if sign.loop is not None and sign.loop.alive is False else sign.own


def alive(sign: GatewayStatus, *, by_target: bool) -> bool | None:
    return judged(sign, by_target).alive if sign.carrier else False


@settings(max_examples=300, deadline=None)
@given(HISTORIES)
def test_switches_respect_hold_down_and_avoid_dead_gateways(
    drawn: History,
) -> None:
    timers, steps = drawn
    lead = ActiveGateway("grf1", START)
    switched = None
    for now, signs, forced in steps:
        before = lead
        lead, decision = decide(GATEWAYS, timers, before, signs, forced=forced, now=now)
        assert (lead, decision) == decide(GATEWAYS, timers, before, signs, forced=forced, now=now)
        assert decision is None or (decision.from_gateway, decision.to_gateway) == (
            before.gateway,
            lead.gateway,
        )
        if decision is None or not decision.switches:
            assert lead.gateway == before.gateway
            continue
        by_target = counts_by_target(signs)
        states = {name: alive(sign, by_target=by_target) for name, sign in signs.items()}
        if decision.reason == "tried":
            left = signs[before.gateway].through
            assert not by_target
            assert left is not None
            assert left.alive is False
        elif True in states.values():
            assert states[lead.gateway] is True
        if decision.reason == "recovered":
            assert switched is None or now >= switched + timers.hold_down_s * SECOND
            assert timers.revert != "manual"
            assert GATEWAYS.index(lead.gateway) < GATEWAYS.index(before.gateway)
            assert not before.dampers.get(lead.gateway) or not lead.dampers[lead.gateway].holds(now)
        elif decision.reason in ("failed", "carrier"):
            assert states[before.gateway] is False
        if decision.reason == "failed":
            # It has answered since the previous one failed; otherwise it may be dead as well.
            left, taken = (judged(signs[name], by_target) for name in (before.gateway, lead.gateway))
            loop = signs[lead.gateway].loop
            answered = [
                taken.last_answered_ns,
                loop.last_answered_ns if loop is not None and not by_target else None,
            ]
            assert max(item or 0 for item in answered) >= (left.silent_ns or now)
        switched = now


@dataclass
class Oracle:
    """The same rules, written out for policies without target, moves, hold-down and damping."""

    gateway: str

    def step(self, alive_now: dict[str, bool]) -> str:
        living = [name for name in GATEWAYS if alive_now[name]]
        if living:
            self.gateway = living[0]
        return self.gateway


@settings(max_examples=100, deadline=None)
@given(st.binary(min_size=1, max_size=20))
def test_without_hysteresis_the_first_alive_gateway_is_active(drawn: bytes) -> None:
    timers, oracle = Timers(hold_down_s=0, revert="now"), Oracle("grf1")
    lead, now = ActiveGateway("grf1", START), START
    for bits in drawn:
        states = {name: bool(bits >> place & 1) for place, name in enumerate(GATEWAYS)}
        now += 1000 * SECOND  # longer than any damping
        signs = {name: GatewayStatus(own=_mark(now, alive_now)) for name, alive_now in states.items()}
        expected = oracle.step(states)
        for _ in range(2):  # a failover is one step, the failback may be the next
            lead, _ = decide(GATEWAYS, timers, lead, signs, now=now)
            now += 301 * SECOND
        assert lead.gateway == expected


def _mark(now: int, alive_now: bool) -> ProbeState:
    if alive_now:
        return ProbeState(True, now - SECOND, now, 0, None, False, 500)
    return ProbeState(False, now - SECOND, now - SECOND, 5, now - SECOND // 2, True, 500)
