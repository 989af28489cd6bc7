"""Release and revert without a machine: boot files, the earlier state, what is managed, when to revert."""

from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

from backstay_agent.changes.state_machine import Action, ChangeStatus, decide
from backstay_agent.engines import ENGINES
from backstay_agent.guard.snapshot import KeptFile, Snapshot
from backstay_agent.host.kernel.host_state import HostState
from backstay_agent.host.kernel.kernel_rows import PROTO_BOOT, static_route
from backstay_agent.release.baseline import Baseline, remember
from backstay_agent.release.boot_text import find, original_lines, outside, substitute
from backstay_agent.release.controller_loss import Probation, judge
from backstay_agent.release.monitor import effective
from backstay_agent.release.record import ReleaseFile, ReleaseRecord, merged, refusal
from backstay_wire import (
    ChangeAssignment,
    Desired,
    Detection,
    Engine,
    EngineKind,
    FileIntent,
    Hop,
    NodeArp,
    NodeRouting,
    Phase,
    PolicyRoute,
)

OPERATOR = "# read at boot\nroute replace default via 10.0.0.1 dev p1 metric 100\n"
BLOCK = (
    "# BEGIN backstay sp-default 0.0.0.0/0\nroute replace 0.0.0.0/0 via 10.0.0.2 dev p1 metric 60 proto 201\n"
)
END = "# END backstay sp-default 0.0.0.0/0\n"
MANAGED = f"# read at boot\n{BLOCK}{END}"
ENGINE = Engine(kind=EngineKind.KERNEL, config="/etc/backstay/routes")


def route(policy: str = "sp-default", prefix: str = "0.0.0.0/0") -> PolicyRoute:
    hop = Hop(gateway="grf1", address=ip_address("10.0.0.2"), port="p1", preference=60)
    return PolicyRoute(policy=policy, prefix=ip_network(prefix), hops=[hop], detection=Detection.CHECKER)


def routing(*routes: PolicyRoute, revision: int = 7, text: str = MANAGED) -> NodeRouting:
    file = FileIntent(path=ENGINE.config, text=text, base="")
    return NodeRouting(revision=revision, engine=ENGINE, routes=list(routes), files=[file])


def desired(*routes: PolicyRoute, revision: int = 7) -> Desired:
    return Desired(
        generation=1,
        site="lab",
        node="sp01",
        sources=[],
        paths=[],
        routing=routing(*routes, revision=revision),
    )


def record(**more: object) -> ReleaseRecord:
    values = {
        "id": "r1",
        "at_ns": 1,
        "by": "root",
        "scope": "policies",
        "policies": ("sp-default",),
        "revision": 7,
    }
    return ReleaseRecord.model_validate(values | more)


def change(*routes: PolicyRoute, phase: Phase = Phase.PREPARE) -> ChangeAssignment:
    return ChangeAssignment(change=8, revision=8, phase=phase, routing=routing(*routes, revision=8))


def snapshot(text: str | None, metric: int = 100) -> Snapshot:
    row = static_route(ip_network("0.0.0.0/0"), ip_address("10.0.0.1"), "p1", metric)
    host = HostState(
        links=(),
        addresses=(),
        neighbours=(),
        routes=(row.model_copy(update={"proto": PROTO_BOOT}),),
        settings={},
    )
    return Snapshot(host=host, running=(), engine={}, files=(KeptFile.of(ENGINE.config, text),))


@pytest.mark.parametrize(
    ("text", "without"),
    [
        (MANAGED, "# read at boot\n"),
        ("static {\n" + BLOCK + END + "} ;\n", "static {\n} ;\n"),
        ("# no end\n" + BLOCK + END.removesuffix("\n"), "# no end"),
        (MANAGED.replace("\n", "\r\n"), "# read at boot\r\n"),
        ("# BEGIN backstay arp sp-switch\nlink set dev p1 arp off\n# END backstay arp sp-switch\n", ""),
        (OPERATOR, OPERATOR),
        (BLOCK, BLOCK),
    ],
)
def test_blocks_are_cut_out_and_other_text_stays_byte_for_byte(text: str, without: str) -> None:
    assert substitute(text, lambda _: "") == without


def test_only_the_named_policys_block_is_cut_out() -> None:
    other = (
        MANAGED
        + BLOCK.replace("sp-default 0.0.0.0/0", "b 10.0.0.0/8")
        + END.replace("sp-default 0.0.0.0/0", "b 10.0.0.0/8")
    )
    left = substitute(other, lambda block: "" if block.policy == "sp-default" else None)
    assert [(block.policy, str(block.prefix)) for block in find(left)] == [("b", "10.0.0.0/8")]


@pytest.mark.parametrize(
    ("engine", "line", "prefix"),
    [
        (EngineKind.KERNEL, "route replace default via 10.0.0.1 dev p1 metric 100\n", "0.0.0.0/0"),
        (EngineKind.KERNEL, "-6 route add default via fe80::1 dev p1\n", "::/0"),
        (EngineKind.KERNEL, "route add 10.1.0.0/16 via 10.0.0.1\n", "10.1.0.0/16"),
        (EngineKind.FRR, "ip route 10.1.0.0/16 10.0.0.1 33\n", "10.1.0.0/16"),
    ],
)
def test_operators_lines_of_a_prefix_are_found_in_the_original(
    engine: EngineKind, line: str, prefix: str
) -> None:
    assert original_lines(ENGINES[engine].destination, f"# first\n{line}", ip_network(prefix)) == line
    assert original_lines(ENGINES[engine].destination, f"# first\n{line}", ip_network("192.0.2.0/24")) == ""


def test_first_change_records_the_file_and_the_operators_routes() -> None:
    found = remember(Baseline(), change(route()), snapshot(OPERATOR))
    kept = found.files[ENGINE.config]
    assert kept.original.text == OPERATOR
    assert kept.outside == outside(MANAGED)
    assert [row.metric for row in found.rows()[ip_network("0.0.0.0/0")]] == [100]


def test_later_changes_keep_the_record_unless_the_operator_has_edited_the_file() -> None:
    first = remember(Baseline(), change(route()), snapshot(OPERATOR))
    second = remember(first, change(route()), snapshot(MANAGED, metric=5))
    assert second == first
    edited = remember(second, change(route()), snapshot(f"# edited\n{MANAGED}"))
    assert edited.files[ENGINE.config].original.text == OPERATOR
    assert edited.files[ENGINE.config].outside == "", "the original would undo the edit"


def test_a_file_managed_before_records_were_kept_has_no_known_original() -> None:
    found = remember(Baseline(), change(route()), snapshot(MANAGED))
    assert found.files[ENGINE.config].outside == ""
    assert found.routes == {}


def test_a_released_policy_is_not_managed_but_still_observed() -> None:
    wanted = desired(route(), route("b", "10.0.0.0/8"))
    left = effective(wanted, record())
    assert left.routing is not None
    assert [item.policy for item in left.routing.routes] == ["b"]
    assert {path.policy for path in left.paths} == {"sp-default", "b"}
    everything = effective(wanted, record(scope="routing", policies=()))
    assert everything.routing is not None
    assert everything.routing.routes == []


def test_a_cleared_release_ends_with_the_next_confirmed_change_only() -> None:
    cleared = record(resumed_ns=5, resumed_by="the backend")
    old, new = effective(desired(route()), cleared), effective(desired(route(), revision=9), cleared)
    assert old.routing is not None
    assert old.routing.routes == []
    assert new.routing is not None
    assert [item.policy for item in new.routing.routes] == ["sp-default"]


def test_a_later_arp_change_does_not_end_a_cleared_release_of_routes() -> None:
    arp = NodeArp(revision=9, ports=[])
    left = effective(desired(route()).model_copy(update={"arp": arp}), record(resumed_ns=5))
    assert left.routing is not None
    assert left.routing.routes == []


def test_a_release_after_a_revert_covers_all_routing() -> None:
    reverted = record(scope="everything", policies=(), change=7)
    assert merged(record(id="r2"), reverted).scope == "routing", "the desired state has the reverted change"


def test_an_uncleared_release_holds_whatever_the_desired_state_contains() -> None:
    left = effective(desired(route(), revision=99), record())
    assert left.routing is not None
    assert left.routing.routes == []


def test_changes_of_a_released_policy_are_refused_and_others_are_not() -> None:
    assert "released on this node by root" in refusal(change(route()), record())
    assert refusal(change(route("b", "10.0.0.0/8")), record()) == ""
    assert refusal(change(route("b", "10.0.0.0/8")), record(scope="everything", policies=())) != ""
    assert refusal(change(route()), record(resumed_ns=5)) == ""
    decision = decide(change(route()), None, ChangeStatus(highest=0, released="released on this node"))
    assert (decision.action, decision.reason) == (Action.REFUSE, "released on this node")


def test_a_reverted_change_leaves_the_routing_before_it_in_force() -> None:
    reverted = record(
        scope="everything", policies=(), change=7, previous=routing(route("old", "10.9.0.0/16"), revision=3)
    )
    left = effective(desired(route()), reverted)
    assert left.routing is not None
    assert [item.policy for item in left.routing.routes] == ["old"]
    assert refusal(change(route()), reverted) == "", "a new change is an operator's decision"


def test_a_second_release_widens_the_first() -> None:
    both = merged(record(id="r2", policies=("b",)), record())
    assert (both.id, both.policies) == ("r2", ("b", "sp-default"))
    assert (
        merged(record(id="r2", policies=("b",)), record(scope="everything", policies=())).scope
        == "everything"
    )


def test_an_unreadable_record_counts_as_a_release_of_everything(tmp_path: Path) -> None:
    file = ReleaseFile(tmp_path)
    assert file.read() is None
    file.path.write_text("{")
    found = file.read()
    assert found is not None
    assert (found.scope, found.suspends) == ("everything", True)


SECOND = 1_000_000_000


@pytest.mark.parametrize(
    ("now", "contact", "reached", "verdict"),
    [
        (5, 0, True, "wait"),
        (10, 0, True, "proven"),
        (9, 0, False, "wait"),
        (10, 0, False, "revert"),
        (15, 8, False, "wait"),
        (18, 8, False, "revert"),
    ],
)
def test_a_change_is_reverted_after_a_whole_window_without_an_answer(
    now: int, contact: int, *, reached: bool, verdict: str
) -> None:
    probation = Probation(
        change=7, revision=7, boot_id="b", since_ns=0, contact_ns=contact * SECOND, previous=None
    )
    assert judge(probation, now * SECOND, 10 * SECOND, reached=reached) == verdict
