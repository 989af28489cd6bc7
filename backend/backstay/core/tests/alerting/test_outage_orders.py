"""Random outages, reports in random orders: one notified incident per root cause, always the same.

Rounds and ticks are played with the functions that evaluate them: `ready` and `explain` decide what is shown
and what causes what, `plan_messages` what is sent. The incidents have the ranks, scopes and coverage of the
rules about gateways, nodes, links and paths, on networks with the papers' shape: hosts on a fabric that reach
the outside through gateways.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.alerting.message_groups import GroupMember, GroupState, GroupTimes, plan_messages
from backstay.core.alerting.root_causes import MAX_WAITS, CauseRank, Scope, Trouble, explain, ready
from backstay.core.thresholds import ROUND_S

START = datetime(2026, 6, 1, tzinfo=UTC)
SPREAD_S = 8
"""From the first report of an outage to the last: more than effects wait to be shown, less than a message."""
TOLERANCE = timedelta(seconds=60)
PLAYED_S = 60


@dataclass(frozen=True)
class Network:
    """Gateways 1 to 99, hosts from 100 on; one link and one path per host, two links per gateway."""

    gateways: int
    hosts: tuple[int, ...]
    """Host -> index of the gateway that it uses."""

    def links_of(self, gateway: int) -> frozenset[int]:
        return frozenset({1000 + gateway, 1100 + gateway})

    def users(self, gateway: int) -> list[int]:
        return [100 + index for index, used in enumerate(self.hosts) if used == gateway]


@dataclass(frozen=True)
class Outage:
    """A root cause and its effects."""

    root: Trouble
    effects: tuple[Trouble, ...]


def trouble(name: str, rank: CauseRank, scope: Scope, covers: Scope | None = None) -> Trouble:
    return Trouble(0, name, rank, START, scope, Scope() if covers is None else covers)


def link(host: int) -> int:
    return 2000 + host


def path(host: int) -> int:
    return 3000 + host


def isolated_gateway(network: Network, gateway: int) -> Outage:
    """It loses all links: ports go down, its users' paths move or die."""
    number, links = gateway + 1, network.links_of(gateway)
    paths = frozenset(path(host) for host in network.users(gateway))
    mine = frozenset({number})
    root = trouble(
        f"gateway_isolated:{number}",
        CauseRank.GATEWAY_DOWN,
        Scope(nodes=mine),
        Scope(mine, links, paths, mine),
    )
    ports = [
        trouble(
            f"port_down:{one}",
            CauseRank.LINK_DOWN,
            Scope(links=frozenset({one})),
            Scope(links=frozenset({one})),
        )
        for one in sorted(links)
    ]
    moved = trouble(
        f"gateway_failed_over:{number}",
        CauseRank.FAILED_OVER,
        Scope(paths=paths, gateways=mine),
        Scope(gateways=mine),
    )
    dead = [
        trouble(f"path_dead:{one}", CauseRank.EFFECT, Scope(paths=frozenset({one}), gateways=mine))
        for one in sorted(paths)
    ]
    return Outage(root, (*ports, moved, *dead))


def cut_host(network: Network, host: int) -> Outage:
    """Its link goes down, and with it its path."""
    cable = frozenset({link(host)})
    paths = frozenset({path(host)})
    root = trouble(
        f"port_down:{link(host)}", CauseRank.LINK_DOWN, Scope(links=cable), Scope(links=cable, paths=paths)
    )
    return Outage(root, (trouble(f"path_dead:{path(host)}", CauseRank.EFFECT, Scope(paths=paths)),))


def silent_host(network: Network, host: int) -> Outage:
    """It stops reporting, and its neighbour reports the link as down."""
    node, cable = frozenset({host}), frozenset({link(host)})
    root = trouble(
        f"node_stale:{host}", CauseRank.NODE_UNREACHABLE, Scope(nodes=node), Scope(nodes=node, links=cable)
    )
    port = trouble(f"port_down:{link(host)}", CauseRank.LINK_DOWN, Scope(links=cable), Scope(links=cable))
    return Outage(root, (port,))


@st.composite
def outages(draw: st.DrawFn) -> list[Outage]:
    """One or two that share no object."""
    gateways = draw(st.integers(2, 3))
    hosts = tuple(draw(st.lists(st.integers(0, gateways - 1), min_size=2, max_size=8)))
    network = Network(gateways, hosts)
    failed = draw(st.integers(0, gateways - 1))
    spared = [100 + index for index, used in enumerate(hosts) if used != failed]
    kinds = [isolated_gateway(network, failed)]
    others = [make(network, host) for host in spared for make in (cut_host, silent_host)]
    other = [draw(st.sampled_from(others))] if others else []
    return draw(st.sampled_from([kinds, other or kinds, [*kinds, *other]]))


def play(found: Sequence[tuple[int, Trouble]]) -> dict[str, str]:
    """Reports at their seconds -> key of every reported incident -> reason of its first message."""
    shown: dict[int, datetime] = {}
    members: dict[str, GroupMember] = {}
    causes: dict[int, int | None] = {}
    newest, sent = None, dict[str, str]()
    for second in range(PLAYED_S):
        now = START + timedelta(seconds=second)
        known = [one for at, one in found if at <= second]
        if second % ROUND_S == 0:
            arrived = {one.id: START + timedelta(seconds=at) for at, one in found if at <= second}
            waiting = {
                one.id: arrived[one.id] for one in known if one.id not in shown and one.rank in MAX_WAITS
            }
            due = ready(known, waiting, {}, TOLERANCE, now)
            for one in known:
                if one.id not in shown and (one.id not in waiting or one.id in due):
                    shown[one.id] = now
            causes = explain([one for one in known if one.id in shown], {}, TOLERANCE)
        for one in known:
            if one.id in shown:
                fresh = GroupMember(
                    one.name, True, causes.get(one.id) is None, False, "critical", shown[one.id]
                )
                before = members.get(one.name)
                members[one.name] = fresh if before is None else replace(before, may_notify=fresh.may_notify)
        for message in plan_messages(
            members.values(), GroupTimes(), GroupState(newest, 0 if newest is None else 1), now
        ):
            newest = now
            for key in message.keys:
                sent.setdefault(key, message.reason)
                members[key] = replace(
                    members[key], reported="open", reported_severity="critical", first_at=now, last_at=now,
                    messages=(*members[key].messages, now),
                )  # fmt: skip
    return sent


@settings(max_examples=600)
@given(happened=outages(), data=st.data())
def test_each_root_cause_is_one_notified_incident_in_every_order(
    happened: list[Outage], data: st.DataObject
) -> None:
    every = [replace(one, id=number) for number, one in enumerate(
        [one for outage in happened for one in (outage.root, *outage.effects)], start=1
    )]  # fmt: skip
    roots = {outage.root.name for outage in happened}
    for _ in range(2):
        moments = data.draw(st.lists(st.integers(0, SPREAD_S), min_size=len(every), max_size=len(every)))
        reports = data.draw(st.permutations(list(zip(moments, every, strict=True))))
        assert play(reports).keys() == roots
