"""Each failover rule, with gateways whose probes are answered as the test sets them."""

from dataclasses import dataclass, field

from backstay_agent.failover.decide import decide
from backstay_agent.failover.evidence import describe
from backstay_agent.failover.probe_window import ProbeWindow
from backstay_agent.failover.types import ActiveGateway, Decision, GatewayStatus
from backstay_wire import Detection, Hop, PolicyRoute, Timers

MS = 1_000_000
START = 1_000_000_000_000


def route(*gateways: str, timers: Timers | None = None, target: str | None = "10.9.0.1") -> PolicyRoute:
    hops = [
        Hop(gateway=name, address=f"10.1.0.{n}", port="css0", preference=50 + 10 * n)
        for n, name in enumerate(gateways, 1)
    ]
    return PolicyRoute(
        policy="out",
        prefix="10.9.0.0/16",
        hops=hops,
        detection=Detection.CHECKER,
        timers=timers or Timers(),
        target=target,
    )


@dataclass
class World:
    """Gateways and the hosts behind them; each tick sends one probe of each stream and evaluates."""

    route: PolicyRoute
    now: int = START
    lead: ActiveGateway = field(default_factory=lambda: ActiveGateway("grf1", START))
    forced: str = ""
    silent: set[str] = field(default_factory=set)
    """Gateways that answer nothing at all."""
    dropping: set[str] = field(default_factory=set)
    """Gateways that answer themselves and forward nothing."""
    no_carrier: set[str] = field(default_factory=set)
    returning_by: str = ""
    """The one gateway that the target's answers take back; empty: the one that was asked through."""
    following: bool = False
    """The target's answers take whichever gateway leads here."""
    hands_back: bool = True
    """Gateways hand back what is addressed to us."""
    target_dead: bool = False
    reported: list[tuple[float, Decision, str]] = field(default_factory=list)
    """(seconds since the start, decision, evidence)."""

    def __post_init__(self) -> None:
        self.order = tuple(hop.gateway for hop in self.route.hops)
        timers, self.number = self.route.timers, 0
        self.own = {name: ProbeWindow(timers, self.now) for name in self.order}
        self.through = {name: ProbeWindow(timers, self.now) for name in self.order}
        self.loops = {name: ProbeWindow(timers, self.now) for name in self.order}

    def run(self, seconds: float) -> "World":
        interval = self.route.timers.interval_ms
        for _ in range(round(seconds * 1000 / interval)):
            self.tick()
            # Half an interval later the replies have arrived, so missing ones count.
            self.now += interval * MS // 2
            self.judge()
            self.now += interval * MS - interval * MS // 2
        return self

    def tick(self) -> None:
        self.number += 1
        for name in self.order:
            for window in (self.own[name], self.through[name], self.loops[name]):
                window.sent(self.number, self.now)
            if name not in self.silent | self.no_carrier:
                self.own[name].answered(self.number, 900)
                if name not in self.dropping and self.hands_back:
                    self.loops[name].answered(self.number, 300)
            back = self.lead.gateway if self.following else self.returning_by or name
            if not self.target_dead and self.passes(name) and self.passes(back):
                self.through[name].answered(self.number, 2100)
        self.judge()

    def passes(self, name: str) -> bool:
        return name not in self.silent | self.no_carrier | self.dropping

    def signs(self) -> dict[str, GatewayStatus]:
        has_target = self.route.target is not None
        return {
            name: GatewayStatus(
                own=self.own[name].step(self.now),
                through=self.through[name].step(self.now) if has_target else None,
                carrier=name not in self.no_carrier,
                loop=self.loops[name].step(self.now) if self.hands_back else None,
            )
            for name in self.order
        }

    def judge(self) -> None:
        signs, timers = self.signs(), self.route.timers
        self.lead, decision = decide(self.order, timers, self.lead, signs, forced=self.forced, now=self.now)
        if decision is not None:
            tokens = describe(self.route, decision, signs, self.now, self.lead)
            self.reported.append(((self.now - START) / 1e9, decision, tokens))

    @property
    def last(self) -> tuple[str, str, str]:
        decision = self.reported[-1][1]
        return decision.reason, decision.from_gateway, decision.to_gateway


def world(**timers: object) -> World:
    return World(route("grf1", "atmgw", timers=Timers.model_validate(timers))).run(1)


def test_dead_gateway_is_left_within_the_configured_time() -> None:
    found = world()
    assert found.reported == []
    found.silent = {"grf1"}
    since = (found.now - START) / 1e9
    found.run(0.5)
    assert found.last == ("failed", "grf1", "atmgw")
    assert 0.100 <= found.reported[-1][0] - since <= 0.150
    assert found.reported[-1][2] == (
        "3 of 3 probes to 10.9.0.1 through grf1 lost in 125 ms, nor does grf1 itself answer; "
        "10.9.0.1 answers through atmgw in 2.1 ms"
    )


def test_blackholed_gateway_is_left_within_the_same_time() -> None:
    found = world()
    found.dropping = {"grf1"}
    found.run(0.2)
    assert found.last == ("failed", "grf1", "atmgw")
    assert "grf1 itself answers" in found.reported[-1][2]


def test_lost_carrier_is_acted_on_without_probes() -> None:
    found = world()
    found.no_carrier = {"grf1"}
    found.judge()
    assert found.last == ("carrier", "grf1", "atmgw")
    assert found.reported[-1][2].startswith("port css0 towards grf1 has no carrier; 10.9.0.1 answers through")


def test_lost_carrier_is_left_even_for_a_gateway_never_probed() -> None:
    found = World(route("grf1", "atmgw"), no_carrier={"grf1"})
    found.judge()
    assert found.last == ("carrier", "grf1", "atmgw")


def test_unreachable_target_causes_no_immediate_switch() -> None:
    found = world()
    found.target_dead = True
    found.run(4)
    assert [decision.reason for _, decision, _ in found.reported] == ["no_gateway"]
    assert found.lead.gateway == "grf1"
    assert found.reported[0][2] == (
        "10.9.0.1 does not answer through any of grf1, atmgw, and grf1 itself answers in 0.9 ms, and "
        "returns probes to this node in 0.3 ms: either the target or its return path "
        "is dead; nothing was switched"
    )
    found.target_dead = False
    found.run(3)
    assert found.lead.gateway == "grf1"
    assert len(found.reported) == 1
    assert not found.lead.dampers


def test_gateway_not_seen_since_the_failure_is_not_used() -> None:
    found = world()
    # The target dies and grf1 is found dead first; atmgw still counts as alive, but has not replied since.
    found.run(0.5)
    number, silent = found.number, found.now
    for _ in range(3):
        number += 1
        found.through["grf1"].sent(number, found.now)
        found.now += 50 * MS
    signs = found.signs()
    assert (signs["grf1"].through.alive, signs["atmgw"].through.alive) == (False, True)  # type: ignore[union-attr]
    found.judge()
    assert found.reported == []
    found.through["atmgw"].sent(found.number + 1, silent + 120 * MS)
    found.through["atmgw"].answered(found.number + 1, 2100)
    found.judge()
    assert found.last == ("failed", "grf1", "atmgw")


def test_gateway_behind_a_port_without_carrier_is_not_used() -> None:
    found = world()
    found.no_carrier = {"atmgw"}
    found.silent = {"grf1"}
    found.now += 1  # its last probes were answered: only the port state shows the failure
    for _ in range(3):
        found.number += 1
        found.through["grf1"].sent(found.number, found.now)
        found.now += 50 * MS
    found.judge()
    assert found.last == ("no_gateway", "grf1", "grf1")


def trials(found: World) -> list[tuple[float, str]]:
    """(seconds since the first, active gateway from then on)."""
    reported = [(at, decision.to_gateway) for at, decision, _ in found.reported if decision.reason == "tried"]
    return [(round(at - reported[0][0], 1), gateway) for at, gateway in reported]


def test_blackholed_gateway_is_left_even_if_the_return_path_uses_it() -> None:
    found = world()
    found.returning_by = "grf1"
    found.run(1)
    found.dropping = {"grf1"}
    since = (found.now - START) / 1e9
    found.run(1)
    assert [decision.reason for _, decision, _ in found.reported] == ["failed", "no_gateway"]
    assert found.lead.gateway == "atmgw"
    assert found.reported[0][0] - since < 0.2
    assert found.reported[0][2].startswith(
        "grf1 does not forward: 3 of 3 probes that it should return to this node lost"
    )
    assert "grf1 itself answers; atmgw answers in 0.9 ms" in found.reported[0][2]
    # The far end still answers through grf1, so there is no trial.
    found.run(200)
    assert found.lead.gateway == "atmgw"
    assert trials(found) == []
    found.dropping, found.returning_by = set(), ""
    found.run(10)
    assert found.last == ("recovered", "atmgw", "grf1")


def test_fallback_stays_active_if_the_target_answers_through_it() -> None:
    found = world()
    found.hands_back = False
    found.following = True
    found.dropping = {"grf1"}
    since = (found.now - START) / 1e9
    found.run(10)
    assert [reported[1].reason for reported in found.reported[:2]] == ["no_gateway", "tried"]
    assert 1.0 <= found.reported[1][0] - since < 1.2
    assert "atmgw answers in 0.9 ms: tried for 4 s, in case the return path recovers" in found.reported[1][2]
    assert found.lead.gateway == "atmgw"
    found.run(300)
    assert [reported[1].reason for reported in found.reported] == ["no_gateway", "tried"]
    found.dropping = set()
    found.run(5)
    assert found.last == ("recovered", "atmgw", "grf1")


def test_unsuccessful_trial_returns_and_doubles_the_delay() -> None:
    found = world()
    found.hands_back = False
    found.target_dead = True
    found.run(200)
    assert trials(found) == [
        *((0.0, "atmgw"), (4.0, "grf1")),
        *((34.0, "atmgw"), (38.0, "grf1")),
        *((98.0, "atmgw"), (102.0, "grf1")),
    ]
    assert found.reported[-1][2] == (
        "tried: 10.9.0.1 did not answer while atmgw led, grf1 leads again; "
        "next trial in 120 s at the earliest"
    )
    assert not found.lead.dampers
    found.target_dead = False
    found.run(5)
    assert found.lead.gateway == "grf1"


def test_fallbacks_are_tried_in_order() -> None:
    found = World(route("grf1", "atmgw", "fddi"), hands_back=False).run(1)
    found.target_dead = True
    found.run(15)
    assert trials(found) == [(0.0, "atmgw"), (4.0, "fddi"), (8.0, "grf1")]


def test_gateway_known_to_forward_is_left_later() -> None:
    found = world()
    found.target_dead = True
    since = (found.now - START) / 1e9
    found.run(11)
    assert trials(found) == [(0.0, "atmgw"), (4.0, "grf1")]
    assert 5.0 <= found.reported[1][0] - since < 5.2


def test_no_trial_during_a_move() -> None:
    found = world()
    found.forced = "atmgw"
    found.run(1)
    found.target_dead = True
    found.run(60)
    assert trials(found) == []
    assert found.lead.gateway == "atmgw"


def test_trial_does_not_return_to_a_dead_gateway() -> None:
    found = world()
    found.hands_back = False
    found.target_dead = True
    found.run(2)
    found.silent = {"grf1"}
    found.run(10)
    assert found.last == ("tried", "atmgw", "atmgw")
    assert found.reported[-1][2].endswith("the previous gateway is dead by now")
    assert found.lead.gateway == "atmgw"


def test_gateway_that_dies_during_its_trial_is_left_at_once() -> None:
    found = world()
    found.hands_back = False
    found.target_dead = True
    found.run(2)
    assert found.lead.gateway == "atmgw"
    found.silent = {"atmgw"}
    found.run(0.5)
    assert found.last == ("failed", "atmgw", "grf1")
    assert found.lead.trial is None
    found.silent = set()
    found.run(20)
    assert found.last == ("failed", "atmgw", "grf1")


def test_gateway_probes_decide_while_the_target_is_unreachable() -> None:
    found = world()
    found.hands_back = False
    found.target_dead = True
    found.run(0.6)
    found.silent = {"grf1"}
    found.run(1)
    assert found.last == ("failed", "grf1", "atmgw")


def test_last_gateway_stays_if_none_is_alive_and_is_reported_once() -> None:
    found = world(hold_down_s=0)
    found.silent = {"grf1"}
    found.run(1)
    found.silent = {"grf1", "atmgw"}
    found.run(5)
    assert found.last == ("no_gateway", "atmgw", "atmgw")
    assert len(found.reported) == 2
    assert "no gateway is alive, atmgw stays" in found.reported[-1][2]
    found.silent = {"atmgw"}
    found.run(3)
    assert found.last == ("failed", "atmgw", "grf1")


def test_failback_needs_enough_successes_and_hold_down() -> None:
    found = world(hold_down_s=2.0, recover_after=20)
    found.silent = {"grf1"}
    found.run(0.3)
    switched = found.reported[-1][0]
    found.silent = set()
    healed = (found.now - START) / 1e9
    found.run(5)
    assert found.last == ("recovered", "atmgw", "grf1")
    assert found.reported[-1][0] >= max(switched + 2.0, healed + 1.0)
    assert found.reported[-1][1].held_back == 1
    assert "1 held back by hold-down or damping" in found.reported[-1][2]


def test_failback_follows_the_policy() -> None:
    for revert, expected in (("after", "grf1"), ("manual", "atmgw")):
        found = world(revert=revert, revert_after_s=5, hold_down_s=0)
        found.silent = {"grf1"}
        found.run(0.3)
        found.silent = set()
        found.run(5)
        assert found.lead.gateway == "atmgw"
        found.run(2)
        assert found.lead.gateway == expected


def test_failure_of_the_active_gateway_overrides_hold_down() -> None:
    found = world(hold_down_s=600)
    found.silent = {"grf1"}
    found.run(0.3)
    found.silent = {"atmgw"}
    found.run(2)
    assert found.last == ("failed", "atmgw", "grf1")


def test_flapping_gateway_is_used_again_later_each_time() -> None:
    found = world(hold_down_s=1, recover_after=2)
    away: list[float] = []
    for _ in range(4):
        found.silent = {"grf1"}
        found.run(0.3)
        left = found.reported[-1][0]
        found.silent = set()
        while found.lead.gateway != "grf1":
            found.run(0.1)
        away.append(found.reported[-1][0] - left)
    assert [round(seconds) for seconds in away] == [1, 2, 4, 8]


def test_flapping_gateway_is_used_when_no_other_is_alive() -> None:
    found = world(hold_down_s=60, recover_after=2)
    for _ in range(3):
        found.silent = {"grf1"}
        found.run(0.3)
        found.silent = set()
        found.run(0.5)
    assert found.lead.gateway == "atmgw"
    found.silent = {"atmgw"}
    found.run(0.3)
    assert found.lead.gateway == "grf1"


def test_policy_decides_after_a_move_ends() -> None:
    found = world(hold_down_s=60)
    found.forced = "atmgw"
    found.run(3)
    assert found.last == ("moved", "grf1", "atmgw")
    found.forced = ""
    found.run(0.1)
    assert found.last == ("move_over", "atmgw", "grf1")
    assert len(found.reported) == 2


def test_move_ends_when_its_gateway_dies() -> None:
    found = world()
    found.forced = "atmgw"
    found.run(1)
    found.silent = {"atmgw"}
    found.run(1)
    assert found.last == ("failed", "atmgw", "grf1")


def test_move_to_an_unanswering_gateway_is_refused() -> None:
    found = world()
    found.silent = {"atmgw"}
    found.run(1)
    found.forced = "atmgw"
    found.run(1)
    assert found.reported == []


def test_manual_failback_is_a_move_to_the_preferred_gateway() -> None:
    found = world(revert="manual", hold_down_s=0)
    found.silent = {"grf1"}
    found.run(0.3)
    found.silent = set()
    found.run(3)
    found.forced = "grf1"
    found.run(1)
    found.forced = ""
    found.run(1)
    assert found.last == ("move_over", "grf1", "grf1")


def test_gateway_is_selected_if_the_kernel_has_no_route() -> None:
    found = World(route("grf1", "atmgw"), lead=ActiveGateway("", START), silent={"grf1"})
    found.run(1)
    assert found.last == ("start", "", "atmgw")


def test_one_delayed_evaluation_is_not_a_dead_gateway() -> None:
    found = world()
    # Not scheduled for a second: one probe is sent late and not answered yet.
    found.now += 1_000 * MS
    found.number += 1
    for name in found.order:
        found.own[name].sent(found.number, found.now)
        found.through[name].sent(found.number, found.now)
    found.judge()
    assert found.reported == []


def test_slow_path_is_not_a_dead_gateway() -> None:
    window = ProbeWindow(Timers(), START)
    # A round trip of 400 ms: eight probes are always in flight.
    for number in range(1, 200):
        now = START + number * 50 * MS
        window.sent(number, now)
        if number > 8:
            window.answered(number - 8, 400_000)
        mark = window.step(now)
        if number > 40:
            assert mark.alive is True, number
