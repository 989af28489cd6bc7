"""Other clients with the same work: every counter and state of every port of all farm devices.

Run as `python -m backstay_bench.snmp.peers NAME FIRST_PORT DEVICES PORTS SECONDS`; prints one JSON
line with the useful variables it got and the processor time that it and its children took. A walk's
variables beyond its columns are not counted.
"""

import asyncio
import importlib
import json
import resource
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

from backstay_agent.host.snmp import ber, message
from backstay_agent.parsers import ifmib

COLUMNS = [
    *(column for columns in ifmib.COUNTERS_64 for column in columns),
    ifmib.IF_ADMIN,
    ifmib.IF_OPER,
]
"""What the agent polls of each port."""
_COMMUNITY = "public"
_IN_A_GET = 60
_REPETITIONS = 49
"""A column of 48 ports and the first row after it: a walk's best case."""
_HOST = "127.0.0.1"


def _cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


class Meter:
    """Counts a client's variables over all devices. The first device is the warm-up: imports, engines and
    sockets are not measured.
    """

    def __init__(self, devices: range, ports: int, seconds: float) -> None:
        self.ports = ports
        self.devices = devices
        self.got = 0
        self.cpu_s = 0.0
        self._seconds = seconds

    def rounds(self) -> Iterator[int]:
        """UDP ports of the devices in rotation until the time is over."""
        yield self.devices[0]
        self.got, before, end = 0, _cpu_s(), time.monotonic() + self._seconds
        for port in cycle(self.devices):
            if time.monotonic() > end:
                break
            yield port
        self.cpu_s = _cpu_s() - before


def net_snmp(meter: Meter) -> None:
    """snmpbulkwalk(1), one process per column, as in a script."""
    program = shutil.which("snmpbulkwalk")
    if program is None:
        raise FileNotFoundError("snmpbulkwalk is not installed")
    flags = ["-v2c", "-c", _COMMUNITY, "-Oqn", f"-Cr{_REPETITIONS}", "-m", ""]
    for port in meter.rounds():
        for column in COLUMNS:
            where = [f"{_HOST}:{port}", ".".join(map(str, column))]
            done = subprocess.run([program, *flags, *where], capture_output=True, check=True, timeout=10)
            meter.got += done.stdout.count(b"\n")


async def _pysnmp(meter: Meter) -> None:
    api: Any = importlib.import_module("pysnmp.hlapi.v1arch.asyncio")
    dispatcher = api.SnmpDispatcher()
    community = api.CommunityData(_COMMUNITY, mpModel=1)
    for port in meter.rounds():
        target = await api.UdpTransportTarget.create((_HOST, port), timeout=1, retries=1)
        for column in COLUMNS:
            last, previous = column, tuple[int, ...]()
            while last[: len(column)] == column and last != previous:  # endOfMibView repeats the last name
                name = api.ObjectType(api.ObjectIdentity(last))
                _, _, _, rows = await api.bulk_cmd(
                    dispatcher, community, target, 0, _REPETITIONS, name, lookupMib=False
                )
                names = [tuple(row[0]) for row in rows]
                meter.got += sum(found[: len(column)] == column for found in set(names) - {last})
                previous, last = last, names[-1]
    dispatcher.transport_dispatcher.close_dispatcher()


def pysnmp(meter: Meter) -> None:
    """pysnmp's bulk walk in its fastest form: v1arch, no MIB look-ups."""
    asyncio.run(_pysnmp(meter))


async def _gufo(meter: Meter) -> None:
    from gufo.snmp.aio import SnmpSession

    names = [
        f"{'.'.join(map(str, column))}.{port}" for port in range(1, meter.ports + 1) for column in COLUMNS
    ]
    parts = [names[start : start + _IN_A_GET] for start in range(0, len(names), _IN_A_GET)]
    sessions = {port: SnmpSession(_HOST, port, community=_COMMUNITY, timeout=1.0) for port in meter.devices}
    for port in meter.rounds():
        for part in parts:
            meter.got += len(await sessions[port].get_many(part))


def gufo(meter: Meter) -> None:
    """gufo-snmp's get_many; values are discarded."""
    asyncio.run(_gufo(meter))


def sockets(meter: Meter) -> None:
    """The floor: the same datagrams through blocking sockets, nothing decoded."""
    names = [ber.encode_oid((*column, port)) for port in range(1, meter.ports + 1) for column in COLUMNS]
    requests = [
        message.request(message.GET, _COMMUNITY.encode(), names[start : start + _IN_A_GET]).numbered(1 << 30)
        for start in range(0, len(names), _IN_A_GET)
    ]
    opened: dict[int, socket.socket] = {}
    for port in meter.devices:
        opened[port] = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        opened[port].connect((_HOST, port))
    for port in meter.rounds():
        for request in requests:
            opened[port].send(request)
        for _ in requests:
            opened[port].recv(65_535)
        meter.got += len(names)


PEERS: dict[str, Callable[[Meter], None]] = {
    "pysnmp": pysnmp,
    "gufo-snmp": gufo,
    "snmpbulkwalk": net_snmp,
    "sockets": sockets,
}


def main() -> None:
    """Entry point."""
    name, first, devices, ports, seconds = sys.argv[1:]
    meter = Meter(range(int(first), int(first) + int(devices)), int(ports), float(seconds))
    PEERS[name](meter)
    print(json.dumps({"variables": meter.got, "cpu_s": meter.cpu_s}))


if __name__ == "__main__":
    main()
