"""Services: their inputs, their devices, and clean-up after a failed service."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from ipaddress import IPv4Address, IPv4Interface
from pathlib import Path

import pytest

from backstay_lab import faults, lifecycle, sites, status
from backstay_lab.blueprint import (
    Blueprint,
    End,
    FabricSpec,
    LinkSpec,
    NodeSpec,
    Parameters,
    PortSpec,
    Running,
    Service,
)
from backstay_lab.errors import LabError
from backstay_lab.network import netns
from backstay_lab.sites import Site
from backstay_lab.sites.parts import MANAGEMENT, RELAY, management_port
from backstay_lab.state import Run, StateFolder

pytestmark = [
    pytest.mark.netns,
    pytest.mark.skipif(os.geteuid() != 0, reason="needs root: the lab is driven in this process"),
]

RADIO = FabricSpec("radio", "Radio", "hippi", 10**8, 10**8, 1400, 1, wiring="tun", arp="none")
INSIDE = FabricSpec("inside", "Inside", "infiniband", 10**9, 10**9, 2048, 199, wiring="none")


def write_fault(site: Running, node: NodeSpec, kind: str) -> None:
    (site.folder / f"{node.name}-{kind}").touch()


def remove_fault(site: Running, node: NodeSpec, kind: str) -> None:
    (site.folder / f"{node.name}-{kind}").unlink()


def write_plan(site: Running) -> None:
    (site.folder / "plan").write_text(site.plan.site)


SERVICE = Service(
    name="tower",
    argv=lambda _site: ["sleep", "60"],
    prepare=write_plan,
    ready=lambda site: (site.folder / "plan").exists(),
    node_environment=lambda site, node: {"TOWER": f"{site.folder}/{node.name}"},
    snmpd_lines=lambda _site, node: [f"# for {node.name}"],
    fault=write_fault,
    restore=remove_fault,
)


def tiny(service: Service) -> Blueprint:
    """A host on a fabric of the service, and a mast that exists only inside it."""
    radio = PortSpec("radio0", RADIO.name, IPv4Interface("10.7.0.1/24"))
    host = NodeSpec("host1", "Host", "host", "compute", (radio, management_port(11)), IPv4Address("10.7.0.1"))
    mast = NodeSpec(
        "mast1",
        "Mast",
        "switch",
        "switch",
        (PortSpec("p1", RADIO.name, None), PortSpec("p2", INSIDE.name, None)),
        None,
        watcher="host1",
        simulated_by="tower",
    )
    return Blueprint(
        site="tiny",
        title="Tiny",
        parameters=Parameters(),
        fabrics=(RADIO, INSIDE, MANAGEMENT),
        nodes=(host, mast),
        links=(LinkSpec(RADIO.name, End("host1", "radio0"), End("mast1", "p1")),),
        policies=(),
        flows=(),
        relay=RELAY,
        services=(service,),
    )


@pytest.fixture
def folder(namespaces_work: None) -> Iterator[StateFolder]:
    path = Path(tempfile.mkdtemp(prefix="bslab"))
    made = StateFolder(path / "lab")
    yield made
    lifecycle.down(made)
    shutil.rmtree(path)


def up(folder: StateFolder, monkeypatch: pytest.MonkeyPatch, service: Service) -> Run:
    monkeypatch.setitem(sites.SITES, "tiny", Site(lambda _parameters: tiny(service)))
    return lifecycle.up(folder, "tiny", Parameters(), 1, datetime.now(UTC))


def test_service_has_folder_devices_and_faults(folder: StateFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = up(folder, monkeypatch, SERVICE)
    running = folder.running(lab, "tower")
    assert (running.folder / "plan").read_text() == "tiny"
    assert running.alive.exists()
    report = status.status(folder, lab)
    host, mast = report["nodes"]
    assert [(port["name"], port["carrier"]) for port in host["ports"]] == [("radio0", False), ("en0", True)]
    assert (mast["namespace"], mast["agent"], mast["simulated_by"]) == (None, "host1", "tower")
    assert [port["carrier"] for port in mast["ports"]] == [None, None]
    assert netns.listed(lab.names.prefix) == sorted([lab.names.node("host1"), lab.names.fabric("management")])

    node = lab.plan().node("mast1")
    faults.apply(folder, lab, node, "cut", None)
    faults.apply(folder, lab, node, "silence", "cut")
    assert sorted(path.name for path in running.folder.iterdir()) == ["mast1-silence", "plan"]
    faults.restore(folder, lab, node, "silence")
    assert [path.name for path in running.folder.iterdir()] == ["plan"]


@pytest.mark.parametrize(
    ("service", "cause"),
    [
        (replace(SERVICE, ready=lambda _site: False, ready_s=0.2), "tower is not ready after 0.2 s"),
        (replace(SERVICE, argv=lambda _site: ["false"], ready=lambda _site: False), "tower exited at once"),
        (replace(SERVICE, packages={"no-such-program": "no-such-package"}), "no-such-program"),
    ],
)
def test_failed_service_stops_the_lab_with_its_reason(
    folder: StateFolder, monkeypatch: pytest.MonkeyPatch, service: Service, cause: str
) -> None:
    with pytest.raises(LabError, match=cause):
        up(folder, monkeypatch, service)
    assert netns.listed(f"bs{folder.id}-") == []
    assert folder.load() is None


def test_fault_unknown_to_a_service_is_refused(folder: StateFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = up(folder, monkeypatch, Service("tower", argv=lambda _site: ["sleep", "60"]))
    with pytest.raises(LabError, match="mast1 cannot be cut"):
        faults.apply(folder, lab, lab.plan().node("mast1"), "cut", None)
