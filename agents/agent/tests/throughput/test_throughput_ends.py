"""Unsuccessful test assignments with real programs: refusals, cancellations, limits, restarts."""

import asyncio
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from backstay_agent.probes.throughput.journal import Journal
from backstay_agent.probes.throughput.tools import FOLDERS, Tools
from backstay_testing.throughput_agent import HERE, Side, assignment, free_port, listening, pair
from backstay_wire import (
    PingSpec,
    RequestAckSpec,
    Role,
    Spec,
    TcpSpec,
    TestState,
    TransferResult,
)

pytestmark = pytest.mark.anyio
MakeSide = Callable[..., Side]
needs_iperf3 = pytest.mark.skipif(
    not any((folder / "iperf3").exists() for folder in FOLDERS), reason="iperf3 is not installed"
)
BLOCKS = RequestAckSpec(size=4096, count=50, nodelay=True)


def script(folder: Path, body: str) -> Tools:
    """A fake iperf3: `body` is the Python code after the version check."""
    version = "import sys\nif '--version' in sys.argv:\n    print('iperf 3.12')\n    sys.exit()\n"
    (folder / "iperf3").write_text(f"#!{sys.executable} -IS\n{version}{body}\n")
    (folder / "iperf3").chmod(0o755)
    return Tools([folder])


@needs_iperf3
@pytest.mark.parametrize("spec", [TcpSpec(duration_s=1), BLOCKS])
async def test_client_without_a_listener_is_refused(make_side: MakeSide, spec: Spec) -> None:
    side, begun = make_side(), time.monotonic()
    side.want(assignment(1, Role.CLIENT, spec, free_port(), late_s=0.5))
    last = await side.last(1)
    assert last.state is TestState.REFUSED
    assert "shift7 (127.0.0.1)" in last.detail
    assert time.monotonic() - begun > 1.0, "it tries again for as long as it may be late"


@needs_iperf3
@pytest.mark.parametrize("spec", [TcpSpec(duration_s=1), BLOCKS])
async def test_server_with_an_occupied_port_is_busy(make_side: MakeSide, spec: Spec) -> None:
    side = make_side()
    with socket.create_server((HERE, 0)) as taken:
        port = int(taken.getsockname()[1])
        side.want(assignment(1, Role.SERVER, spec, port))
        last = await side.last(1)
    assert last.state is TestState.PORT_BUSY
    assert str(port) in last.detail


async def test_tests_never_share_a_port_and_the_second_waits(make_side: MakeSide) -> None:
    side, port = make_side(), free_port()
    first, second = (
        assignment(1, Role.SERVER, BLOCKS, port),
        assignment(2, Role.SERVER, BLOCKS, port, late_s=0.2),
    )
    third = assignment(3, Role.SERVER, BLOCKS, port, lead_s=4)
    side.want(first)
    await side.running(1)
    side.want(first, second, third)
    assert (await side.last(2)).state is TestState.PORT_BUSY
    assert side.states(3) == [TestState.ACCEPTED]
    side.want(third)
    assert (await side.last(1)).state is TestState.CANCELLED
    await side.running(3)


@needs_iperf3
async def test_cancelled_test_ends_long_before_its_duration(make_side: MakeSide) -> None:
    one, other = make_side(), make_side()
    server, client = pair(TcpSpec(duration_s=30), limit_s=40)
    one.want(server)
    other.want(client)
    await other.running(2)
    await asyncio.sleep(1.2)
    asked = time.monotonic()
    other.want()
    one.want()
    mine, far = await other.last(2), await one.last(1)
    assert time.monotonic() - asked < 15, "of 30 s"
    assert mine.state is far.state is TestState.CANCELLED
    assert isinstance(mine.result, TransferResult), "what was measured until then is kept"
    assert not listening(client.port)


async def test_server_without_a_client_is_ended_at_its_limit(make_side: MakeSide) -> None:
    side = make_side()
    asked = assignment(1, Role.SERVER, BLOCKS, free_port(), lead_s=0.2, limit_s=1)
    side.want(asked)
    last = await side.last(1)
    assert last.state is TestState.TIMED_OUT
    assert "did not come" in last.detail
    assert not listening(asked.port)


async def test_late_assignment_is_not_started(make_side: MakeSide) -> None:
    side = make_side()
    side.want(assignment(1, Role.CLIENT, BLOCKS, free_port(), lead_s=-3))
    last = await side.last(1)
    assert (last.state, last.started) == (TestState.TIMED_OUT, None)
    assert "3.0 s ago" in last.detail


async def test_repeated_assignment_runs_once(make_side: MakeSide, tmp_path: Path) -> None:
    journal = tmp_path / "tests.json"
    side = make_side(journal)
    asked = assignment(1, Role.CLIENT, PingSpec(count=1), 5201, lead_s=0.3)
    side.want(asked)
    assert (await side.last(1)).state is TestState.DONE
    side.want(asked)
    side.want(asked)
    await side.close()
    again = make_side(journal)
    again.want(asked)
    await asyncio.sleep(0.1)
    assert side.states(1).count(TestState.DONE) == 1
    assert again.output == []


async def test_test_aborted_by_the_agents_end_is_reported_and_not_repeated(
    make_side: MakeSide, tmp_path: Path
) -> None:
    Journal(tmp_path / "tests.json").begin(1)
    side = make_side(tmp_path / "tests.json")
    side.want(assignment(1, Role.CLIENT, PingSpec(count=1), 5201))
    last = await side.last(1)
    assert (last.state, side.states(1)) == (TestState.KILLED, [TestState.KILLED])
    assert "during the test" in last.detail


async def test_clean_stop_of_the_agent_ends_and_reports_the_test(make_side: MakeSide) -> None:
    side = make_side()
    asked = assignment(1, Role.SERVER, BLOCKS, free_port())
    side.want(asked)
    await side.running(1)
    await side.close()
    assert (await side.last(1)).state is TestState.KILLED
    assert not listening(asked.port)


async def test_clean_stop_leaves_unstarted_assignments_to_the_next_agent(
    make_side: MakeSide, tmp_path: Path
) -> None:
    side = make_side(tmp_path / "tests.json")
    asked = assignment(1, Role.CLIENT, PingSpec(count=1), 5201, lead_s=6.5)
    side.want(asked)
    await asyncio.sleep(0.1)
    await side.close()
    assert side.states(1) == [TestState.ACCEPTED]
    again = make_side(tmp_path / "tests.json")
    again.want(asked)
    assert (await again.last(1)).state is TestState.DONE


async def test_assignment_withdrawn_at_once_is_cancelled(make_side: MakeSide) -> None:
    side = make_side()
    side.want(assignment(1, Role.CLIENT, PingSpec(count=1), 5201))
    side.want()
    assert (await side.last(1)).state is TestState.CANCELLED


async def test_externally_killed_program_is_reported_as_killed(make_side: MakeSide, tmp_path: Path) -> None:
    tools = script(tmp_path, "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    side = make_side(tools=tools)
    side.want(assignment(1, Role.CLIENT, TcpSpec(duration_s=1), 5201, lead_s=0.3))
    last = await side.last(1)
    assert (last.state, "signal 9" in last.detail) == (TestState.KILLED, True)


@pytest.mark.parametrize(
    ("body", "state"),
    [
        ('print(\'{"start": {"connected": [\')', TestState.TRUNCATED),
        ("pass", TestState.FAILED),
        ("sys.exit('iperf3: parameter error')", TestState.FAILED),
    ],
)
async def test_partial_or_missing_result_is_a_typed_state(
    make_side: MakeSide, tmp_path: Path, body: str, state: TestState
) -> None:
    side = make_side(tools=script(tmp_path, body))
    side.want(assignment(1, Role.CLIENT, TcpSpec(duration_s=1), 5201, lead_s=0.3))
    assert (await side.last(1)).state is state


async def test_host_without_iperf3_reports_it_at_once(make_side: MakeSide, tmp_path: Path) -> None:
    side = make_side(tools=Tools([tmp_path]))
    side.want(assignment(1, Role.CLIENT, TcpSpec(duration_s=1), 5201, lead_s=60))
    assert (await side.last(1, 2.0)).state is TestState.MISSING_TOOL
