"""snmpsim serving recordings: an SNMP agent that is independent of this project's code."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from grp import getgrgid
from pathlib import Path
from pwd import getpwuid

from backstay_agent.host.snmp.session import open_session
from backstay_agent.host.snmp.values import SnmpTimeoutError
from backstay_testing.ports import free_udp_port
from backstay_wire import SnmpSource, SnmpV2c

PROGRAM = Path(sys.executable).parent / "snmpsim-command-responder"
_SYS_DESCR = (1, 3, 6, 1, 2, 1, 1, 1, 0)
_STARTS_S = 240.0
"""It indexes every recording first."""


def simulated(name: str, port: int, timeout_s: float = 10) -> SnmpSource:
    """The source of one recording: its community is the file's name without `.snmprec`."""
    return SnmpSource(
        device=name,
        interval_s=2,
        address="127.0.0.1",
        port=port,
        access=SnmpV2c(community=name),
        timeout_s=timeout_s,
    )


@contextmanager
def simulating(folder: Path, recordings: Iterable[Path]) -> Iterator[int]:
    """snmpsim over copies of recordings (a link is served under its target's name); yields its UDP port."""
    data, port = folder / "data", free_udp_port()
    data.mkdir(parents=True)
    for recording in recordings:
        shutil.copy(recording, data)
    command = [
        str(PROGRAM),
        f"--data-dir={data}",
        f"--cache-dir={folder / 'cache'}",
        f"--agent-udpv4-endpoint=127.0.0.1:{port}",
        f"--process-user={getpwuid(os.getuid()).pw_name}",
        f"--process-group={getgrgid(os.getgid()).gr_name}",
        "--logging-method=null",
    ]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield port
    finally:
        server.terminate()
        server.wait(10)


async def wait_until_served(name: str, port: int) -> None:
    """Wait until it answers. Raises TimeoutError."""
    session = open_session(simulated(name, port, timeout_s=1))
    try:
        async with asyncio.timeout(_STARTS_S):
            while True:
                try:
                    if await session.get([_SYS_DESCR]):
                        return
                except SnmpTimeoutError:
                    await asyncio.sleep(0.1)
    finally:
        session.close()
