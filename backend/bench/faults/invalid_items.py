"""R6: batches with bad items: the good ones are stored, each bad one comes back with index and reason."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from bench.faults.environment import World
from bench.faults.row import Score
from bench.service.ledger import stored_of
from bench.service.sites import PORTS, Sender
from bench.site import Json, port_samples

A_BATCH = 12
HOUR_NS = 3_600_000_000_000


def run(world: World, tries: int) -> Score:
    """`tries` batches of twelve reports with 1 to 11 bad ones in random places."""
    score, dice = Score(), random.Random(6)  # noqa: S311
    sender = world.hosts[-2]
    first = (time.time_ns() - HOUR_NS) // 1_000_000 * 1_000_000
    for number in range(tries):
        bad = set(dice.sample(range(A_BATCH), dice.randint(1, A_BATCH - 1)))
        reports, ats = [], []
        for place in range(A_BATCH):
            at = first + (number * A_BATCH + place) * 1_000_000
            report = port_samples(sender.node, PORTS, world.next_seq(), boot=world.boot, at=at)
            reports.append(dice.choice(WRONG)(report, world) if place in bad else report)
            ats.append(at // 1000)
        answer = world.post(sender, *reports)
        if answer.status not in {403, 409, 422}:
            score.count(False, f"status {answer.status}")
            continue
        reply = answer.json()
        named = {item["index"] for item in reply["rejected"] if item["reason"] and item["code"]}
        stored = _stored(world, sender, ats)
        good = {ats[place] for place in range(A_BATCH) if place not in bad}
        is_right = named == bad and stored == good and reply["stored"] == len(good)
        score.count(
            is_right, f"bad {sorted(bad)}, named {sorted(named)}, stored {len(stored)} of {len(good)}"
        )
    return score


def _stored(world: World, sender: Sender, ats: list[int]) -> set[int]:
    known = stored_of(world.service, sender.site, sender.node)
    return {at_us for at_us, _ in known} & set(ats)


def _with(**values: object) -> Callable[[Json, World], Json]:
    return lambda report, _: {**report, **values}


WRONG: list[Callable[[Json, World], Json]] = [
    _with(in_octets=["many"] * len(PORTS)),
    _with(in_octets=[2**63] * len(PORTS)),
    _with(in_octets=[-7] * len(PORTS)),
    _with(ports=[]),
    _with(duration_ns=0),
    _with(kind="unknown_kind"),
    _with(extra=1),
    _with(device="host000"),
    _with(at=time.time_ns() + 24 * HOUR_NS),
    _with(at=1),
    _with(boot="no"),
    _with(seq=0),
]
