"""`make bench-parsers`: damaged captures and datagrams against every parser of text and of SNMP.

Counts exceptions that a parser does not declare, and measures the processor time of the slowest call. A
failing input is printed with its number: the same SEED makes it again.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from backstay_agent.host.clock import HostClock
from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.notification import Notifications
from backstay_agent.host.snmp.values import UntrustedError
from backstay_agent.offline_parse.reader import ReadError, read
from backstay_bench.figures import bench_line, figure
from backstay_testing.mutations import (
    COMMUNITY,
    damaged_octets,
    damaged_text,
    decode_response,
    notifications,
    responses,
)
from backstay_wire import SnmpV2c

CAPTURES = Path(__file__).resolve().parents[3] / "agent/tests/golden"
_GOAL_MS = 20.0


@dataclass(frozen=True, slots=True)
class Target:
    """A parser with valid input."""

    name: str
    inputs: Sequence[bytes]
    damage: Callable[[random.Random, bytes], bytes]
    parse: Callable[[bytes], object]
    declared: tuple[type[Exception], ...]


@dataclass(slots=True)
class Result:
    """What one target's parser did."""

    cases: int = 0
    refused: int = 0
    undeclared: Counter[str] = field(default_factory=Counter)
    worst_ms: float = 0.0
    worst_case: int = -1


def captured(folder: Path) -> list[Target]:
    """One target per kind of saved output, with all its captures."""
    texts: dict[str, list[bytes]] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            try:
                texts.setdefault(read(path.read_bytes()).kind, []).append(path.read_bytes())
            except ReadError:
                continue  # a page about a capture, or one that several kinds share
    return [
        Target(kind, inputs, _damage_text, lambda data, kind=kind: read(data, kind), (ReadError,))  # type: ignore[misc]
        for kind, inputs in texts.items()
    ]


def _damage_text(rest: random.Random, data: bytes) -> bytes:
    return damaged_text(rest, data.decode(errors="replace")).encode(errors="replace")


def datagrams() -> list[Target]:
    """The SNMPv2c decoder as polls, walks and the receiver of notifications use it."""
    receiver = Notifications([SnmpV2c(community=COMMUNITY.decode())], "device", HostClock())
    return [
        Target("snmp-response", responses(), damaged_octets, decode_response, (BerError,)),
        Target(
            "snmp-notification", notifications(), damaged_octets, receiver.open, (BerError, UntrustedError)
        ),
    ]


def run(targets: Sequence[Target], cases: int, seed: int) -> dict[str, Result]:
    """`cases` damaged inputs, spread evenly over the targets."""
    rest = random.Random(seed)  # noqa: S311  # repeatable, not secret
    results = {target.name: Result() for target in targets}
    for case in range(cases):
        target = targets[case % len(targets)]
        data = target.damage(rest, rest.choice(target.inputs))
        judge(target, data, case, results[target.name])
    return results


def judge(target: Target, data: bytes, case: int, result: Result) -> None:
    """Parse one input, and add its outcome and time."""
    result.cases += 1
    began = time.thread_time()
    try:
        target.parse(data)
    except target.declared:
        result.refused += 1
    except Exception as error:  # what no parser may raise is what is counted here
        result.undeclared[f"{type(error).__name__}: {error}"[:80]] += 1
        print(f"case {case}: {target.name} raised {type(error).__name__}: {error}"[:200])
    spent_ms = 1000 * (time.thread_time() - began)
    if spent_ms > result.worst_ms:
        result.worst_ms, result.worst_case = spent_ms, case


def main() -> int:
    """Run, and print a row per parser and the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--cases", type=int, default=500_000)
    options.add_argument("--seed", type=int, default=20_261_124)
    given = options.parse_args()
    results = run([*captured(CAPTURES), *datagrams()], given.cases, given.seed)
    print(f"{'parser':<22}{'cases':>9}{'refused':>9}{'undeclared':>12}{'slowest':>11}   of case")
    for name, one in results.items():
        print(
            f"{name:<22}{one.cases:>9}{one.refused:>9}{sum(one.undeclared.values()):>12}"
            f"{one.worst_ms:>8.1f} ms   {one.worst_case}"
        )
    undeclared = sum(sum(one.undeclared.values()) for one in results.values())
    worst_ms = round(max(one.worst_ms for one in results.values()), 1)
    figures = {
        "undeclared exceptions": figure(undeclared, 0, f"of {given.cases}", met=undeclared == 0),
        "slowest call": figure(worst_ms, _GOAL_MS, "ms CPU", met=worst_ms <= _GOAL_MS),
    }
    print(bench_line("parsers", figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
