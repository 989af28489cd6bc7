"""Evidence of a decision, one sentence with its numbers, for readers of the timeline."""

from collections.abc import Mapping

from backstay_agent.failover.probe_window import ProbeState
from backstay_agent.failover.types import ActiveGateway, Decision, GatewayStatus, counts_by_target
from backstay_wire import PolicyRoute

_MS = 1_000_000
_SECOND = 1_000_000_000
_FAIR_NS = 20 * _MS
"""A gateway probed only now may still answer."""


def describe(
    route: PolicyRoute,
    decision: Decision,
    signs: Mapping[str, GatewayStatus],
    now: int,
    lead: ActiveGateway | None = None,
) -> str:
    """`3 of 3 probes to 10.9.0.1 through grf1 lost in 162 ms; 10.9.0.1 answers through atmgw in 2.1 ms`.

    `lead` is the one after the decision: it shows whether a trial begins.
    """
    left, taken = decision.from_gateway, decision.to_gateway
    by_target = counts_by_target(signs)
    parts: list[str] = []
    if decision.reason == "no_gateway":
        parts += _nobody(route, signs, left, now)
    elif decision.reason == "tried":
        parts += _tried(route, decision, signs, now, lead)
    else:
        if left in signs and left != taken:
            parts.append(_gateway(route, left, signs[left], now, by_target=by_target))
        if taken in signs:
            parts.append(_gateway(route, taken, signs[taken], now, by_target=by_target))
    if decision.reason == "recovered" and taken in signs:
        since = (now - _mark(signs[taken], by_target=by_target).since_ns) / _SECOND
        parts.append(f"{taken} is preferred and alive since {since:.1f} s")
    if decision.held_back:
        parts.append(f"{decision.held_back} held back by hold-down or damping since the decision before")
    return "; ".join(parts)


def _nobody(route: PolicyRoute, signs: Mapping[str, GatewayStatus], left: str, now: int) -> list[str]:
    leader = signs.get(left)
    if route.target is not None and leader is not None and leader.carrier and leader.itself.alive:
        forwards = f", and returns probes to this node in {_rtt(leader.loop)}" if leader.loop else ""
        return [
            f"{_silent(route, signs)}, and {left} itself answers in {_rtt(leader.own)}{forwards}: either the "
            "target or its return path is dead; nothing was switched"
        ]
    lines = [_gateway(route, name, sign, now, by_target=False) for name, sign in signs.items()]
    return [*lines, f"no gateway is alive, {left or 'none'} stays"]


def _tried(
    route: PolicyRoute,
    decision: Decision,
    signs: Mapping[str, GatewayStatus],
    now: int,
    lead: ActiveGateway | None,
) -> list[str]:
    """How a trial starts, and how it ends."""
    left, taken = decision.from_gateway, decision.to_gateway
    if lead is not None and lead.trial is not None:
        known = _gateway(route, taken, signs[taken], now, by_target=False)
        seconds = (lead.trial.until_ns - now) / _SECOND
        return [
            f"{_silent(route, signs)}; {known}: tried for {seconds:.0f} s, in case the return path recovers"
        ]
    wait = max(0, lead.tries.next_ns - now) / _SECOND if lead is not None else 0
    mark = signs[taken].through
    answers = mark is not None and not mark.losing
    if left == taken and answers:
        return [f"tried: {route.target} answers through {taken} now that it leads, it is kept"]
    if left == taken:
        return [
            f"tried: {route.target} did not answer while {taken} led, but the previous gateway is dead by now"
        ]
    found = "answers again" if answers else f"did not answer while {left} led"
    return [f"tried: {route.target} {found}, {taken} leads again; next trial in {wait:.0f} s at the earliest"]


def _silent(route: PolicyRoute, signs: Mapping[str, GatewayStatus]) -> str:
    names = list(signs)
    through = "any of " + ", ".join(names) if len(names) > 1 else names[0]
    return f"{route.target} does not answer through {through}"


def _gateway(route: PolicyRoute, name: str, sign: GatewayStatus, now: int, *, by_target: bool) -> str:
    hop = next(hop for hop in route.hops if hop.gateway == name)
    mark = _mark(sign, by_target=by_target)
    through = by_target and sign.through is not None
    if not sign.carrier:
        return f"port {hop.port} towards {name} has no carrier"
    if mark is sign.loop and mark.silent_ns is not None:
        lasted = (now - mark.silent_ns) / _MS
        return (
            f"{name} does not forward: {mark.lost} of {mark.lost} probes that it should return to this node "
            f"lost in {lasted:.0f} ms{_itself(name, sign, mark.silent_ns, now)}"
        )
    if mark.lost > 1 and mark.silent_ns is not None:
        what = f"{route.target} through {name}" if through else f"{name} ({hop.address})"
        lasted = (now - mark.silent_ns) / _MS
        itself = _itself(name, sign, mark.silent_ns, now) if through else ""
        return f"{mark.lost} of {mark.lost} probes to {what} lost in {lasted:.0f} ms{itself}"
    if mark.alive is None:
        return f"no probes of {name} yet"
    if through:
        return f"{route.target} answers through {name} in {_rtt(mark)}"
    return f"{name} answers in {_rtt(mark)}"


def _itself(name: str, sign: GatewayStatus, silent_ns: int, now: int) -> str:
    """Only probes to the gateway itself since the target stopped answering count."""
    if sign.own.last_answered_ns is not None and sign.own.last_answered_ns >= silent_ns:
        return f", {name} itself answers"
    asked = sign.own.silent_ns is not None and now - sign.own.silent_ns >= _FAIR_NS
    return f", nor does {name} itself answer" if asked else ""


def _mark(sign: GatewayStatus, *, by_target: bool) -> ProbeState:
    return sign.through if by_target and sign.through is not None else sign.itself


def _rtt(mark: ProbeState | None) -> str:
    return "an unknown time" if mark is None or mark.rtt_us is None else f"{mark.rtt_us / 1000:.1f} ms"
