"""Ranking, conflicts and expiry of cable evidence."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from backstay.core.wiring.evidence import Claim, Joint, Source, ends, judge, next_due

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def claim(source: Source, a: int, b: int, *, by: int = 1, since: float = -100, until: float = 60) -> Claim:
    return Claim(source, by, ends(a, b), NOW + timedelta(seconds=since), NOW + timedelta(seconds=until))


def wired(
    *claims: Claim, declared: tuple[tuple[int, int], ...] = (), numbered: tuple[int, ...] = ()
) -> list[Joint]:
    return judge(declared, claims, frozenset(numbered), NOW)


def test_agreeing_sources_give_one_link_with_ordered_evidence() -> None:
    (joint,) = wired(claim("fdb", 1, 2), claim("lldp", 2, 1, by=2))
    assert joint.ends == (1, 2)
    assert [reported.source for reported in joint.evidence] == ["lldp", "fdb"]
    assert joint.conflicts == ()


def test_more_reliable_source_wins_and_the_other_is_a_conflict() -> None:
    (joint,) = wired(claim("fdb", 1, 3), claim("lldp", 1, 2))
    assert joint.ends == (1, 2)
    assert [reported.ends for reported in joint.conflicts] == [(1, 3)]


def test_newer_claim_of_the_same_source_wins() -> None:
    (joint,) = wired(claim("infiniband", 1, 2, since=-100), claim("infiniband", 1, 3, since=-1))
    assert joint.ends == (1, 3)
    assert [reported.ends for reported in joint.conflicts] == [(1, 2)]


def test_declared_link_stands_and_is_flagged() -> None:
    (joint,) = wired(claim("lldp", 1, 3), declared=((1, 2),))
    assert (joint.ends, joint.declared, joint.evidence) == ((1, 2), True, ())
    assert [reported.ends for reported in joint.conflicts] == [(1, 3)]


def test_swapped_cables_contradict_both_declared_links() -> None:
    joints = wired(claim("lldp", 1, 4), claim("lldp", 3, 2), declared=((1, 2), (3, 4)))
    assert [sorted(reported.ends for reported in joint.conflicts) for joint in joints] == [
        [(1, 4), (2, 3)]
    ] * 2


def test_evidence_expires_unless_repeated() -> None:
    assert wired(claim("lldp", 1, 2, until=-1)) == []
    (joint,) = wired(claim("lldp", 1, 2, until=-1), declared=((1, 2),))
    assert joint.evidence == ()


def test_small_network_across_a_switch_is_not_a_conflict() -> None:
    across = claim("subnet", 1, 3)
    (joint,) = wired(across, claim("lldp", 1, 2), numbered=(1, 3))
    assert joint.conflicts == ()
    (meant,) = wired(across, declared=((1, 2),), numbered=(1, 2, 3))
    assert [reported.ends for reported in meant.conflicts] == [(1, 3)]


def test_port_has_at_most_one_link_whatever_the_claim_order() -> None:
    claims = [claim("lldp", 1, 2), claim("lldp", 2, 3), claim("lldp", 3, 4), claim("subnet", 4, 5)]
    first = wired(*claims)
    assert first == wired(*reversed(claims))
    ports = [port for joint in first for port in joint.ends]
    assert len(ports) == len(set(ports))


def test_next_due_is_the_first_expiry_of_valid_evidence() -> None:
    claims = [claim("lldp", 1, 2, until=90), claim("lldp", 3, 4, until=30), claim("lldp", 5, 6, until=-5)]
    assert next_due(claims, NOW) == NOW + timedelta(seconds=30)
    assert next_due(claims[2:], NOW) is None
