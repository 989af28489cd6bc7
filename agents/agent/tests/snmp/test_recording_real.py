"""A real snmpd is recorded, anonymised, served by snmpsim, and polled with the same result."""

import asyncio
import contextlib
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from backstay_agent.host.clock import HostClock
from backstay_agent.host.snmp.session import open_session
from backstay_agent.host.snmp.values import Rows, SnmpError, SnmpTimeoutError
from backstay_agent.parsers import ifmib
from backstay_agent.recording.recorder import RawRecording, publish, record
from backstay_agent.recording.session import RecordingLimits
from backstay_testing.namespaces import Namespace, join, run_in
from backstay_testing.report_list import ReportList
from backstay_testing.snmp_collectors import outcome, snmp_collectors
from backstay_testing.snmpsim.server import PROGRAM, simulated, simulating, wait_until_served
from backstay_wire import (
    CollectorOutcome,
    DeviceReport,
    NeighbourReport,
    PortState,
    SnmpSource,
    SnmpV2c,
    SnmpV3,
)

pytestmark = [
    pytest.mark.netns,
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("snmpd") is None, reason="snmpd is not installed"),
    pytest.mark.skipif(not PROGRAM.exists(), reason="snmpsim is not installed"),
]
PORT = 16161
CONFIG = f"""
agentaddress udp:{PORT}
sysName gw-karlsruhe.site.example
sysDescr Linux gw-karlsruhe 5.10.0 GigaRouter of site.example at 10.5.0.1
sysLocation Building 42, Karlsruhe
rocommunity hidden-community
engineID backstay-recordings
createUser v3one SHA-256 authpass12345 AES privpass12345
rouser v3one priv
createUser v3end SHA-256 authpass12345 AES privpass12345
view last included .1.3.6.1.2.1.31.1.1.1
rouser v3end priv -V last
interface gh010 47 800000000
interface ga020 37 622080000
"""
V2C = SnmpV2c(community="hidden-community")
V3 = SnmpV3(user="v3one", auth_protocol="SHA-256", auth_key="authpass12345", priv_key="privpass12345")
SECRETS = (
    *(b"karlsruhe", b"site.example", b"Building", b"hidden-community", b"v3one", b"authpass"),
    *(b"10.5.0.", b"10.6.0.", b".10.5.0.", b".10.6.0.", b".32.1.13.184.0.66."),
    *(f"0cc47a010{net}{host}".encode() for net in (5, 6) for host in range(10, 15)),
    b"0cc47a010203",
)
"""As text, as an index, and in hexadecimal digits; 2001:db8:42::/48 is the last index."""


@pytest.fixture(scope="module")
def manager(
    make_namespace: Callable[[], Namespace], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Namespace]:
    """A management host next to a router that runs snmpd, with neighbours at both of its ports."""
    us, router, folder = make_namespace(), make_namespace(), tmp_path_factory.mktemp("snmpd")
    for ours, theirs, net in (("m0", "gh010", 5), ("t0", "ga020", 6)):
        join(us, ours, router, theirs)
        us.run("address", "add", f"10.{net}.0.2/24", "dev", ours)
        router.run("address", "add", f"10.{net}.0.1/24", "dev", theirs)
        router.run("address", "add", f"2001:db8:42:{net}::1/64", "dev", theirs, "nodad")
        for host in range(10, 15):
            mac = f"0c:c4:7a:01:0{net}:{host}"
            router.run("neigh", "add", f"10.{net}.0.{host}", "lladdr", mac, "dev", theirs)
        router.run("neigh", "add", f"2001:db8:42:{net}::99", "lladdr", "0c:c4:7a:01:02:03", "dev", theirs)
    (folder / "snmpd.conf").write_text(CONFIG)
    command = ["/usr/sbin/snmpd", "-f", "-C", "-c", str(folder / "snmpd.conf"), "-I", "-smux", "-Lf"]
    environment = {"MIBS": "", "SNMP_PERSISTENT_DIR": str(folder / "persistent")}
    process = subprocess.Popen([*router.enter(), *command, str(folder / "snmpd.log")], env=environment)
    yield us
    process.kill()
    process.wait(5)


def source(access: SnmpV2c | SnmpV3) -> SnmpSource:
    return SnmpSource(device="gw-karlsruhe", interval_s=2, address="10.5.0.1", port=PORT, access=access)


def recorded(manager: Namespace, given: SnmpSource) -> RawRecording:
    """Record the router once its tables are filled: an agent that has just started has not read them yet."""
    found: list[RawRecording] = []

    def work() -> None:
        deadline = time.monotonic() + 30
        while not found or len(found[-1].reading.inventory.neighbours) < 12:
            assert time.monotonic() < deadline, "snmpd does not return its tables"
            with contextlib.suppress(SnmpTimeoutError, SnmpError):
                limits = RecordingLimits(seconds=60)
                found.append(asyncio.run(record(given, limits, HostClock(), timedelta(0))))

    run_in(manager, work)
    return found[-1]


@pytest.mark.parametrize("access", [V2C, V3], ids=["v2c", "v3"])
def test_recorded_router_is_polled_with_the_same_result_from_snmpsim(
    manager: Namespace, tmp_path: Path, access: SnmpV2c | SnmpV3
) -> None:
    given = source(access)
    raw = recorded(manager, given)
    assert raw.incomplete == []
    assert {record.tag for record in raw.records} <= {2, 4, 6, *range(0x40, 0x47)}
    recording = publish(raw, given, Random(), keep=(), replace=())
    assert recording.differences == []
    assert [secret for secret in SECRETS if secret in recording.data] == []
    assert b"GigaRouter" in recording.data
    file = tmp_path / "router.snmprec"
    file.write_bytes(recording.data)

    reports, outcomes = asyncio.run(polled(tmp_path / "snmpsim", file))
    assert set(outcomes) == {CollectorOutcome.OK}
    ports = next(report for report in reports if isinstance(report, DeviceReport)).ports
    neighbours = next(report for report in reports if isinstance(report, NeighbourReport)).neighbours
    known = raw.reading.inventory
    assert [port_facts(port) for port in ports] == [port_facts(port.state) for port in known.ports]
    assert {port.name for port in ports} >= {"gh010", "ga020"}
    found = sorted((one.port, one.state, one.address.version, one.mac[:2]) for one in neighbours)
    assert found == sorted(
        (one.port, one.state, one.address.version, one.mac[:2]) for one in known.neighbours
    )
    assert len(found) >= 12


@pytest.mark.parametrize("user", ["v3one", "v3end"])
def test_walk_over_v3_to_the_end_of_what_a_user_may_see_is_whole(manager: Namespace, user: str) -> None:
    """Beyond the last object the agent returns endOfMibView, not an object of another table."""
    access = V3.model_copy(update={"user": user})
    found: list[Rows] = []

    async def walk() -> None:
        session = open_session(source(access))
        found.append(await session.walk((ifmib.IF_ALIAS,)))
        absent = await session.get([ifmib.HR_SYSTEM_DATE[:-1]])
        assert absent == {}
        session.close()

    run_in(manager, lambda: asyncio.run(walk()))
    assert len(found[0][ifmib.IF_ALIAS]) == 3


def port_facts(port: PortState) -> dict[str, object]:
    """What anonymising leaves of a port; the host parts of IPv4 addresses stay, too."""
    hosts = [address.rpartition(".")[2] for address in port.addresses if ":" not in address]
    lengths = [address.partition("/")[2] for address in port.addresses]
    changed = {"mac": bool(port.mac), "alias": len(port.alias), "addresses": (sorted(hosts), sorted(lengths))}
    return port.model_dump() | changed


async def polled(folder: Path, file: Path) -> tuple[ReportList, list[CollectorOutcome]]:
    reports = ReportList()
    with simulating(folder, [file]) as port:
        await wait_until_served(file.stem, port)
        async with snmp_collectors(simulated(file.stem, port), reports) as collectors:
            return reports, [await outcome(collector) for collector in collectors]
