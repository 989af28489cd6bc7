"""The InfiniBand service: ibsim, OpenSM and the traffic model, in the sweeping host's namespace.

ibsim listens on abstract sockets, which only programs in the same network namespace can reach. Its clients
are attached to the fabric's first node, as if they ran on that host.
"""

from __future__ import annotations

import sys
import time

from backstay_lab.blueprint import NodeSpec, Running, Service
from backstay_lab.errors import LabError
from backstay_lab.infiniband.breaker import KINDS
from backstay_lab.infiniband.files import Files, client_environment, read_faults, write_faults

NAME = "ibsim"
READY_S = 60.0
FAULT_S = 10.0
PACKAGES = {
    "ibsim": "ibsim-utils",
    "opensm": "opensm",
    "ibnetdiscover": "infiniband-diags",
    "ibqueryerrors": "infiniband-diags",
    "iblinkinfo": "infiniband-diags",
    "sminfo": "infiniband-diags",
}


def infiniband_service(host: str) -> Service:
    """The service, with the fabric that `sites.karlsruhe.FABRICS` has for the site, swept from `host`."""
    return Service(
        name=NAME,
        node=host,
        argv=_argv,
        prepare=_prepare,
        ready=lambda site: Files(site.folder).ready.exists(),
        ready_s=READY_S,
        node_environment=lambda site, node: client_environment(_socket(site)) if node.name == host else {},
        fault=_fault,
        restore=lambda site, node, _kind: _become(site, node, None),
        packages=PACKAGES,
    )


def _socket(site: Running) -> str:
    """The socket's name, unique per lab."""
    return f"{site.names.prefix}{NAME}"


def _argv(site: Running) -> list[str]:
    arguments = (site.plan.site, str(site.folder), str(site.alive), _socket(site))
    return [sys.executable, "-m", "backstay_lab.infiniband.process", *arguments]


def _prepare(site: Running) -> None:
    Files(site.folder).save_parameters(site.plan.parameters)


def _fault(site: Running, node: NodeSpec, kind: str) -> None:
    if kind not in KINDS:
        raise LabError(f"{node.name} cannot be {kind}.", f"It can be: {', '.join(KINDS)}.")
    _become(site, node, kind)


def _become(site: Running, node: NodeSpec, kind: str | None) -> None:
    """Request the faults and wait until they are applied."""
    files = Files(site.folder)
    faults = read_faults(files.faults)
    faults.pop(node.name, None)
    write_faults(files.faults, faults | ({node.name: kind} if kind else {}))
    deadline = time.monotonic() + FAULT_S
    while read_faults(files.done) != read_faults(files.faults):
        if time.monotonic() > deadline:
            raise LabError(
                "The fabric did not apply the fault.", "Check `backstay-lab status` and ibsim's log."
            )
        time.sleep(0.02)
