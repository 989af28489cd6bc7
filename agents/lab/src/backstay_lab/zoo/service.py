"""All devices in one snmpsim, each with its own address on the management network.

One process with an SNMP engine per device: 40 of them take 100 MB and 4 s to start, 40 processes would take
60 MB each. The addresses are on the management bridge, so requests cross the same Ethernet as those to a real
device.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from grp import getgrgid
from ipaddress import IPv4Address
from pathlib import Path
from pwd import getpwuid

from backstay_lab.blueprint import NodeSpec, Running, Service
from backstay_lab.credentials import Credentials
from backstay_lab.errors import LabError
from backstay_lab.network import netns
from backstay_lab.network.plumbing import BRIDGE
from backstay_lab.programs import run
from backstay_lab.zoo.device import ZooDevice
from backstay_lab.zoo.recording import recording, snmprec

NAME = "snmpsim"
PROGRAM = Path(sys.executable).with_name("snmpsim-command-responder")
PORT = 161
READY_S = 60.0
ARGUMENTS = "arguments"
_ADDRESSES = "addresses.batch"
_START = 'cd "$1" && ip -batch "$2" && shift 2 && exec "$@"'


def engine_id(device: ZooDevice) -> str:
    """Its snmpEngineID (RFC 3411): net-snmp's enterprise number, then the device's name as text."""
    return f"80001f8804{device.name.encode().hex()}"


def write_files(
    folder: Path,
    devices: Sequence[ZooDevice],
    credentials: Credentials,
    endpoint: Callable[[ZooDevice], str],
    scale: float = 1.0,
) -> None:
    """Recordings, and snmpsim's arguments with paths relative to the folder, which should be private: both
    contain credentials. `endpoint` is ADDRESS:PORT."""
    lines: list[str] = []
    for device in devices:
        lines.append(f"--v3-engine-id={engine_id(device)}")
        # snmpsim looks for a v3 request without a context in "self", for a v2c request in its community.
        name = credentials.community
        if "v3" in device.quirks:
            name = "self"
            lines += [
                f"--v3-user={credentials.user}",
                f"--v3-auth-key={credentials.auth_key}",
                "--v3-auth-proto=SHA256",
                f"--v3-priv-key={credentials.priv_key}",
                "--v3-priv-proto=AES",
            ]
        lines += [f"--data-dir={device.name}", f"--agent-udpv4-endpoint={endpoint(device)}"]
        (folder / device.name).mkdir()
        (folder / device.name / f"{name}.snmprec").write_text(snmprec(recording(device, scale)))
    (folder / ARGUMENTS).write_text("\n".join(lines) + "\n")


def command() -> list[str]:
    """snmpsim's command line, to be run in the folder of `write_files`."""
    return [
        str(PROGRAM),
        "--cache-dir=cache",
        f"--args-from-file={ARGUMENTS}",
        f"--process-user={getpwuid(os.getuid()).pw_name}",
        f"--process-group={getgrgid(os.getgid()).gr_name}",
        "--log-level=error",
    ]


def zoo_service(devices: Sequence[ZooDevice], address_of: Callable[[ZooDevice], IPv4Address]) -> Service:
    """The service of these devices."""
    by_name = {device.name: address_of(device) for device in devices}

    def prepare(site: Running) -> None:
        if not PROGRAM.exists():
            raise LabError("snmpsim is not installed.", "Run `.ci/setup demo`, or `make demo SITE=zoo`.")
        scale = site.plan.parameters.rate_scale
        write_files(
            site.folder, devices, site.credentials, lambda device: f"{address_of(device)}:{PORT}", scale
        )
        lines = (f"address add {_interface(site, address)} dev {BRIDGE}" for address in by_name.values())
        (site.folder / _ADDRESSES).write_text("\n".join(lines) + "\n")

    return Service(
        name=NAME,
        argv=_argv,
        prepare=prepare,
        ready=lambda site: _sockets(site) >= len(devices),
        ready_s=READY_S,
        fault=lambda site, node, kind: _fault(site, node, kind, by_name[node.name]),
        restore=lambda site, node, _kind: _change(site, "add", by_name[node.name]),
    )


def _argv(site: Running) -> list[str]:
    enter = netns.enter(_namespace(site))
    return [*enter, "sh", "-c", _START, "sh", str(site.folder), _ADDRESSES, *command()]


def _namespace(site: Running) -> str:
    return site.names.fabric(site.plan.management.name)


def _interface(site: Running, address: IPv4Address) -> str:
    return f"{address}/{site.plan.relay.network.prefixlen}"


def _sockets(site: Running) -> int:
    """UDP sockets on the agents' port (proc(5), /proc/net/udp): requests to a bound socket wait for it."""
    table = netns.inside(_namespace(site), lambda: Path("/proc/thread-self/net/udp").read_text())
    return sum(line.split()[1].endswith(f":{PORT:04X}") for line in table.splitlines()[1:])


def _fault(site: Running, node: NodeSpec, kind: str, address: IPv4Address) -> None:
    """A silent device has lost its address. Its recorded ports and packets cannot be cut or dropped."""
    if kind != "silence":
        raise LabError(f"{node.name} is a recording: it cannot be {kind}.", "Use `silence`.")
    _change(site, "delete", address)


def _change(site: Running, verb: str, address: IPv4Address) -> None:
    run(["ip", "-n", _namespace(site), "address", verb, _interface(site, address), "dev", BRIDGE])
