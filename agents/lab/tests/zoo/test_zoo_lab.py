"""The running site with a few devices: they answer on the management network, count, and can be silenced."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from backstay_lab import site_file, sites
from backstay_lab.credentials import new_credentials
from backstay_lab.errors import LabError
from backstay_lab.node_files import Home
from backstay_lab.zoo.service import PROGRAM

pytestmark = [
    pytest.mark.netns,
    pytest.mark.skipif(not PROGRAM.exists(), reason="snmpsim is not installed"),
]
DEVICES = 25
"""Up to and including the first one with SNMPv3."""
UPTIME, OCTETS = "1.3.6.1.2.1.1.3.0", "1.3.6.1.2.1.31.1.1.1.6.436207616"


@pytest.fixture(scope="module")
def zoo_lab(namespaces_work: None, lab_type: type, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    lab = lab_type(tmp_path_factory.mktemp("z") / "lab")
    try:
        lab.do("up", "zoo", "--set", f"devices={DEVICES}", "--nodes", "1", timeout=120)
        yield lab
    finally:
        lab.do("down", "zoo")


def access(lab: Any, *, v3: bool) -> list[str]:
    secrets = json.loads((lab.state / "run.json").read_text())["credentials"]
    if not v3:
        return ["-v2c", "-c", secrets["community"]]
    keys = ["-a", "SHA-256", "-A", secrets["auth_key"], "-x", "AES", "-X", secrets["priv_key"]]
    return ["-v3", "-l", "authPriv", "-u", secrets["user"], *keys]


def snmpget(lab: Any, number: int, oid: str, *, v3: bool = False, tries: int = 3) -> str | None:
    """The value at device `number` as `mgmt1` reads it; None: no answer."""
    command = ["env", "MIBS=", "snmpget", *access(lab, v3=v3), "-t", "2", "-r", str(tries), "-Oqvt"]
    done = lab.try_inside("mgmt1", *command, f"10.255.0.{100 + number}", oid)
    return str(done.stdout).strip() if done.returncode == 0 else None


def wait(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_every_device_answers_at_its_own_address(zoo_lab: Any) -> None:
    for number in range(1, DEVICES + 1):
        days = int(snmpget(zoo_lab, number, UPTIME, v3=number == DEVICES) or 0) // 8_640_000
        assert days == number


def test_device_with_snmpv3_only_refuses_communities(zoo_lab: Any) -> None:
    assert snmpget(zoo_lab, DEVICES, UPTIME, tries=0) is None
    assert snmpget(zoo_lab, 1, UPTIME, v3=True, tries=0) is None


def test_counters_move(zoo_lab: Any) -> None:
    first = int(snmpget(zoo_lab, 1, OCTETS) or 0)
    wait(lambda: int(snmpget(zoo_lab, 1, OCTETS) or 0) > first > 0)


def test_silenced_device_does_not_answer_until_it_is_restored(zoo_lab: Any) -> None:
    zoo_lab.do("silence", "eos")
    assert snmpget(zoo_lab, 2, UPTIME, tries=0) is None
    assert snmpget(zoo_lab, 1, UPTIME) is not None
    zoo_lab.do("restore", "eos")
    assert snmpget(zoo_lab, 2, UPTIME) is not None


def test_recording_cannot_be_cut(zoo_lab: Any) -> None:
    done = zoo_lab.run("cut", "nxos")
    assert done.returncode != 0
    assert "recording" in done.stderr


def test_status_names_the_devices_and_snmpsim_runs_once(zoo_lab: Any) -> None:
    report = zoo_lab.status()
    assert [daemon["name"] for daemon in report["daemons"]].count("snmpsim") == 1
    devices = [node for node in report["nodes"] if node["simulated_by"] == "snmpsim"]
    assert len(devices) == DEVICES
    assert {node["agent"] for node in devices} == {"mgmt1"}
    assert len({node["management"] for node in devices}) == DEVICES


def test_site_file_has_the_credentials_of_each_kind() -> None:
    plan, secrets = sites.site("zoo", sites.parameters("zoo")), new_credentials()
    document = yaml.safe_load(site_file.render(plan, secrets, lambda node: Home(Path(node), Path(node))))
    found = {
        node["name"]: node["sources"][0]["access"]
        for node in document["nodes"]
        if node.get("sources")[0]["kind"] == "snmp"
    }
    assert len(found) == 40
    assert found["nxos"] == {"version": "2c", "community": secrets.community}
    assert {name for name, keys in found.items() if keys["version"] == "3"} == {"bmc", "panos"}


@pytest.mark.parametrize(
    "change", [{"settings": {"devices": 0}}, {"settings": {"devices": 41}}, {"nodes": 17}]
)
def test_site_that_does_not_fit_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(LabError, match="Choose 1 to 40 devices"):
        sites.site("zoo", sites.parameters("zoo", **change))
