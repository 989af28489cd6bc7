"""Programs run within limits: slow or cancelled ones are stopped without leftovers."""

import asyncio
import os
import sys
import time
from pathlib import Path

import pytest

from backstay_agent.host.infiniband import InfinibandTools, ToolMissingError


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A program `fakediag` that writes two lines, complains, writes its process id, and then hangs."""
    path = tmp_path / "fakediag"
    path.write_text(
        f"#!{sys.executable}\n"
        "import os, sys, time\n"
        "print('one\\ntwo\\nhal', end='', flush=True)\n"
        "open('pid', 'w').write(str(os.getpid()))\n"
        "print('ibwarn: lost', file=sys.stderr, flush=True)\n"
        "time.sleep(0 if 'quick' in sys.argv else 60)\n"
    )
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    return path.name


@pytest.fixture
def tools() -> InfinibandTools:
    return InfinibandTools(ca="mlx5_1", ca_port=2)


def gone(tools: InfinibandTools) -> bool:
    return not Path("/proc", (tools.folder / "pid").read_text()).exists()


def test_output_of_a_program_that_exits_is_complete(program: str, tools: InfinibandTools) -> None:
    output = asyncio.run(tools.run(program, "quick", limit_s=20))
    assert (output.lines, output.errors, output.status, output.cut) == (
        ["one", "two", "hal"],
        ["ibwarn: lost"],
        0,
        False,
    )
    folder = tools.folder
    tools.close()
    assert not folder.exists()


def test_hanging_program_is_killed_and_its_partial_line_dropped(program: str, tools: InfinibandTools) -> None:
    output = asyncio.run(tools.run(program, limit_s=1.5))
    assert output.cut
    assert output.lines == ["one", "two"]
    assert gone(tools)
    tools.close()


def test_complete_lines_are_delivered_as_they_arrive(program: str, tools: InfinibandTools) -> None:
    received: list[str] = []
    output = asyncio.run(tools.run(program, limit_s=1.5, feed=received.extend))
    assert (received, output.lines, output.cut) == (["one", "two"], [], True)
    tools.close()


def test_program_is_stopped_at_the_stop_line(program: str, tools: InfinibandTools) -> None:
    began = time.monotonic()
    output = asyncio.run(tools.run(program, limit_s=50, stop_at=lambda line: "lost" in line))
    assert time.monotonic() - began < 20
    assert output.cut
    assert gone(tools)
    tools.close()


def test_cancelled_collector_stops_its_program(program: str, tools: InfinibandTools) -> None:
    async def impatient() -> None:
        async with asyncio.timeout(2):
            await tools.run(program, limit_s=50)

    with pytest.raises(TimeoutError):
        asyncio.run(impatient())
    assert gone(tools)
    tools.close()


def test_missing_program_is_reported_with_its_package(tools: InfinibandTools) -> None:
    with pytest.raises(ToolMissingError, match="infiniband-diags"):
        asyncio.run(tools.run("no-such-diag", limit_s=1))
    tools.close()
