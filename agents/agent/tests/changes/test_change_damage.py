"""Changes that fail in many ways on real kernels and daemons, all in parallel: within the change's timeout
plus five seconds, ip(8) and the disk show the node's old state."""

import contextlib
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Semaphore

import pytest

from backstay_testing.change_node import ChangedNode, changed_node
from backstay_testing.cutoffs import CUTOFFS
from backstay_testing.namespaces import Namespace
from backstay_wire import ChangeReport, EngineKind, NodePhase, Phase

pytestmark = [pytest.mark.netns, pytest.mark.slow, pytest.mark.timeout(300)]
TIMEOUT_S, GRACE_S = 5.0, 5.0
_INSTALLED = {
    EngineKind.KERNEL: True,
    EngineKind.BIRD: shutil.which("bird") is not None,
    EngineKind.FRR: Path("/usr/lib/frr/staticd").exists(),
}
Damage = Callable[[ChangedNode], object]


def settings(node: ChangedNode) -> None:
    node.node.ask("sysctl", "-w", "net.ipv4.conf.all.arp_ignore=8", "net.ipv4.conf.p2.rp_filter=1")


def daemon_killed(node: ChangedNode) -> None:
    node.engine.kill()


def port_down(node: ChangedNode) -> None:
    node.node.space.run("link", "set", "p2", "down")


def address_gone(node: ChangedNode) -> None:
    node.node.space.run("address", "delete", "10.77.2.2/24", "dev", "p2")


def both_killed_and_the_agent_started(node: ChangedNode) -> None:
    node.kill_driver()
    node.kill_guard()
    node.start()


def guard_stopped_for_a_while(node: ChangedNode) -> None:
    os.kill(node.guard_pid(), signal.SIGSTOP)
    time.sleep(2)
    os.kill(node.guard_pid(), signal.SIGCONT)


def nothing(node: ChangedNode) -> None:
    """Only the confirmation is missing."""


@dataclass(frozen=True)
class Kind:
    """A fault after applying, its engine, and who must restore the state."""

    damage: Damage
    engine: EngineKind = EngineKind.KERNEL
    gateways: tuple[str, ...] = ("atmgw", "grf1")
    by: str = "guard"


KINDS = {
    **{
        cutoff.name: Kind(cutoff.apply, gateways=cutoff.gateways, by="agent" if cutoff.by_itself else "guard")
        for cutoff in CUTOFFS
        if EngineKind.KERNEL in cutoff.engines
    },
    "no confirmation": Kind(nothing),
    "port down": Kind(port_down),
    "wrong gateway in BIRD": Kind(nothing, EngineKind.BIRD, ("nobody", "grf1"), by="agent"),
    "wrong gateway in FRR": Kind(nothing, EngineKind.FRR, ("nobody", "grf1"), by="agent"),
    "ARP and source filter": Kind(settings),
    "address gone": Kind(address_gone),
    "BIRD killed": Kind(daemon_killed, EngineKind.BIRD),
    "FRR killed": Kind(daemon_killed, EngineKind.FRR),
    "agent and guard killed": Kind(both_killed_and_the_agent_started),
    "guard stopped for a while": Kind(guard_stopped_for_a_while),
}
"""Every kind of cut-off once with plain kernel routes, and what else was tried."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of one kind of fault."""

    late_s: float
    """Between arming and equality, beyond the timeout."""
    report: ChangeReport


def suffer(kind: Kind, starting: Semaphore) -> Outcome:
    with contextlib.ExitStack() as stack:
        with starting:
            node = stack.enter_context(changed_node(kind.engine))
            before = node.seen()
            node.propose(*kind.gateways, timeout_s=TIMEOUT_S)
            node.until(NodePhase.PREPARED)
        node.want(Phase.APPLY)
        if kind.by == "agent":
            node.until(NodePhase.ROLLED_BACK, NodePhase.FAILED)
            node.until_as(before, 1.0)
            return Outcome(0.0, node.reports()[-1])
        armed = node.until(NodePhase.APPLIED)
        assert armed.guard_until is not None
        assert node.seen() != before
        kind.damage(node)
        node.until_as(before, TIMEOUT_S + 4 * GRACE_S)
        late = time.time() - armed.guard_until / 1e9
        if not node.driver_runs:
            node.start()
        report = node.until(NodePhase.ROLLED_BACK, NodePhase.FAILED)
        assert node.seen() == before, "and it stays so"
        return Outcome(late, report)


@pytest.fixture(scope="module")
def outcomes(make_namespace: Callable[[], Namespace]) -> Iterator[dict[str, Future[Outcome]]]:
    kinds = {name: kind for name, kind in KINDS.items() if _INSTALLED[kind.engine]}
    starting = Semaphore(2)
    with ThreadPoolExecutor(max_workers=6) as pool:
        yield {name: pool.submit(suffer, kind, starting) for name, kind in kinds.items()}


@pytest.mark.parametrize("name", KINDS)
def test_damaged_change_is_rolled_back(name: str, outcomes: dict[str, Future[Outcome]]) -> None:
    if name not in outcomes:
        pytest.skip(f"{KINDS[name].engine} is not installed")
    outcome = outcomes[name].result()
    # Six at once, in parallel with other tests: `make bench-safe-change` measures the promised time alone.
    assert outcome.late_s <= 2 * GRACE_S
    report = outcome.report
    assert report.phase is NodePhase.ROLLED_BACK
    assert report.reason
    if name == "reboot":
        assert "rebooted" in report.reason
        return
    assert report.by == KINDS[name].by
    assert report.before == report.after
    looked_at = {evidence.what for evidence in report.evidence if evidence.ok}
    assert {"ports", "addresses", "routes of the main table", "permanent neighbours"} <= looked_at
    assert any(what.endswith("hops and preferences") for what in looked_at)
    assert any("as before" in evidence.found for evidence in report.evidence if evidence.what.startswith("/"))


def test_foreign_packet_filter_is_reported(outcomes: dict[str, Future[Outcome]]) -> None:
    report = outcomes["nft drop rule"].result().report
    (filters,) = [item for item in report.evidence if item.what.startswith("packet filter")]
    assert "10.77.9.1 drop" in filters.found


def test_lost_probes_are_reported_with_counts(outcomes: dict[str, Future[Outcome]]) -> None:
    report = outcomes["wrong gateway"].result().report
    assert "behind" in report.reason
    assert "controller: no answer within" in report.reason
