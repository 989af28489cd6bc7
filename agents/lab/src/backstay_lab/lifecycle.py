"""`up` and `down`: a lab starts completely or not at all; `down` leaves only logs."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from backstay_lab import boot_files, clocks, engines, processes, site_file
from backstay_lab.atm import agent, table
from backstay_lab.blueprint import Blueprint, NodeSpec, Parameters, Service
from backstay_lab.credentials import new_credentials
from backstay_lab.daemons import snmpd
from backstay_lab.errors import LabError, StateUnreadableError
from backstay_lab.network import netns, plumbing, routing
from backstay_lab.network.privilege import stop_holder
from backstay_lab.processes import Daemon
from backstay_lab.programs import require
from backstay_lab.programs import run as run_program
from backstay_lab.sites import known
from backstay_lab.sites import site as site_of
from backstay_lab.sp import agent as sp_agent
from backstay_lab.sp import table as dependent
from backstay_lab.state import Run, StateFolder, write_private

NEEDS_A_NODE = 9
"""Neighbour entries per node (gateways, next nodes, relay); measured at `sdsc` with every agent running."""
_MOST = Path("/proc/sys/net/ipv4/neigh/default/gc_thresh3")


def require_neighbour_limit(nodes: int, setting: Path = _MOST) -> None:
    """LabError when this many nodes need more neighbour entries than the kernel's limit.

    Where the limit cannot be read, as in a user namespace, nothing is refused.
    """
    try:
        most = int(setting.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return
    needed = nodes * NEEDS_A_NODE
    if needed > most:
        raise LabError(
            f"{nodes} nodes need about {needed} neighbour entries; this kernel's limit is {most}.",
            f"Choose fewer --nodes, or as root: sysctl -w net.ipv4.neigh.default.gc_thresh3={2 * needed}",
        )


SNMP_READY_S = 5.0
SERVICE_POLL_S = 0.05
IF_TABLE_CACHE_S = 0
"""Seconds; 0 disables the cache, so polls read current counters, as on a switch. net-snmp's default of 3 s
would repeat old values, and even 1 s makes the rate of a one-second poll jump."""


def up(folder: StateFolder, site: str, parameters: Parameters, backend_port: int, now: datetime) -> Run:
    """Build the site and start its daemons; on failure undo everything and name the logs."""
    plan = site_of(site, parameters)
    for service in plan.services:
        require(service.packages)
    engines.require({node.engine for node in plan.spaces if node.routes})
    folder.check_length([node.name for node in plan.nodes])
    require_neighbour_limit(len(plan.spaces))
    lab = Run(
        site=site,
        id=folder.id,
        parameters=parameters,
        backend_port=backend_port,
        up_since=now.isoformat(timespec="seconds"),
        credentials=new_credentials(),
    )
    if netns.listed(lab.names.prefix):
        raise LabError(
            f"Namespaces {lab.names.prefix}* already exist.",
            "Run `backstay-lab down` with the --state that made them, or choose another --id.",
        )
    try:
        return _Builder(folder, plan, lab).build()
    except BaseException as error:
        down(folder)
        undone = f"All steps were undone; logs: {folder.logs}"
        if isinstance(error, LabError):
            raise LabError(error.cause, f"{error.next_step} {undone}") from error
        if isinstance(error, OSError):
            raise LabError(f"The operating system refused: {error}.", undone) from error
        raise


@dataclass
class _Builder:
    """The steps of `up`; `lab` is saved after every started daemon, so that `down` can stop it."""

    folder: StateFolder
    plan: Blueprint
    lab: Run

    def build(self) -> Run:
        self.folder.save(self.lab)
        alive = self.folder.alive_file(self.lab)
        alive.parent.mkdir(parents=True, exist_ok=True)
        alive.touch()
        plumbing.build(self.plan, self.lab.names)
        for service in self.plan.services:
            self._start_service(service)
        for node in self.plan.spaces:
            if node.routes:
                self._start_engine(node)
            if snmpd.watched(self.plan, node):
                self._start_snmpd(node)
        self._start_own("relay", "backstay_lab.network.relay")
        routing.settle(self.plan, self.lab.names, self.folder.bird_socket, self._check_daemons)
        for node in self.plan.spaces:
            if snmpd.watched(self.plan, node):
                self._tune_snmpd(node)
        if self.plan.flows:
            self._start_own("background", "backstay_lab.background")
        self._check_daemons()
        self.lab = replace(self.lab, ready=True)
        self.folder.save(self.lab)
        return self.lab

    def _keep(self, daemon: Daemon) -> None:
        self.lab = replace(self.lab, daemons=(*self.lab.daemons, daemon))
        self.folder.save(self.lab)

    def _start_service(self, service: Service) -> None:
        running = self.folder.running(self.lab, service.name)
        running.folder.mkdir(parents=True, mode=0o700)
        service.prepare(running)
        enter = netns.enter(self.lab.names.node(service.node)) if service.node else []
        log = self.folder.log(service.name)
        argv = [*enter, *service.argv(running)]
        self._keep(
            processes.start(service.name, "", argv, log, environment=dict(service.environment(running)))
        )
        deadline = time.monotonic() + service.ready_s
        while not service.ready(running):
            self._check_daemons()
            if time.monotonic() > deadline:
                raise LabError(f"{service.name} is not ready after {service.ready_s:g} s.", f"Read {log}.")
            time.sleep(SERVICE_POLL_S)

    def _start_engine(self, node: NodeSpec) -> None:
        engine, home = engines.ENGINES[node.engine], self.folder.home(node.name)
        home.folder.mkdir(parents=True, exist_ok=True)
        write_private(engine.boot_file(home), engine.text(self.plan, node))
        boot_files.boot(engine, home, self.lab.names.node(node.name), partial(self._start_in, node))

    def _start_snmpd(self, node: NodeSpec) -> None:
        home = self.folder.node_folder(node.name)
        config = home / "snmpd.conf"
        more = [
            line
            for service in self.plan.services
            for line in service.snmpd_lines(self.folder.running(self.lab, service.name), node)
        ]
        more.append(clocks.snmpd_line(home))
        circuits = table.rows_of(self.plan, node)
        if circuits:
            table.save(table.file_of(home), circuits)
            more += agent.snmpd_lines(table.file_of(home))
        row = dependent.row_of(node)
        if row is not None:
            dependent.save(dependent.file_of(home), row)
            more.append(sp_agent.snmpd_line(dependent.file_of(home)))
        write_private(config, snmpd.config(self.plan, node, self.lab.credentials, more))
        self._start_in(node, "snmpd", snmpd.argv(config), snmpd.environment(home))

    def _start_in(
        self, node: NodeSpec, name: str, argv: list[str], environment: dict[str, str] | None = None
    ) -> None:
        enter = netns.enter(self.lab.names.node(node.name))
        log = self.folder.log(name, node.name)
        self._keep(processes.start(name, node.name, [*enter, *argv], log, environment=environment))

    def _start_own(self, name: str, module: str) -> None:
        argv = [sys.executable, "-m", module, str(self.folder.path)]
        self._keep(processes.start(name, "", argv, self.folder.log(name)))

    def _tune_snmpd(self, node: NodeSpec) -> None:
        """Disable ifTable's cache; the agent answers some tenths of a second after its start."""
        argv = snmpd.set_cache_argv(self.plan, node, self.lab.credentials, IF_TABLE_CACHE_S)
        enter = [*netns.enter(self.lab.names.node(node.name)), "env", "MIBS="]
        deadline = time.monotonic() + SNMP_READY_S
        while True:
            try:
                run_program([*enter, *argv])
            except LabError as error:
                if time.monotonic() < deadline:
                    time.sleep(0.1)
                    continue
                raise LabError(
                    f"snmpd of {node.name} does not answer.", f"Read {self.folder.log('snmpd', node.name)}."
                ) from error
            return

    def _check_daemons(self) -> None:
        for daemon in self.lab.daemons:
            if not processes.running(daemon):
                log = self.folder.log(daemon.name, daemon.node)
                who = f"{daemon.name} {daemon.node}".strip()
                raise LabError(f"{who} exited at once.", f"Read {log}.")


def current(folder: StateFolder) -> Run | None:
    """The running lab; remains after a reboot or the end of its user namespace are removed."""
    lab = folder.load()
    if lab is None or netns.listed(lab.names.prefix) or not lab.ready:
        return lab
    processes.stop(lab.daemons)
    folder.forget()
    return None


def refuse_other_site(folder: StateFolder, site: str) -> None:
    """LabError when the folder's lab is readable and of another site."""
    known(site)
    with contextlib.suppress(StateUnreadableError):
        lab = folder.load()
        if lab is not None and lab.site != site:
            raise LabError(f"The lab in {folder.path} is {lab.site}, not {site}.", f"Name {lab.site}.")


def down(folder: StateFolder) -> bool:
    """Stop every process and namespace of the lab and remove its state; False when there was nothing.

    Works without a readable state file: namespaces are found by name, processes by namespace, and the lab's
    own two processes end when their run's file disappears.
    """
    lab = None
    with contextlib.suppress(StateUnreadableError):
        lab = folder.load()
    names = lab.names.prefix if lab else f"bs{folder.id}-"
    namespaces = netns.listed(names)
    there = bool(namespaces) or lab is not None or folder.run_file.exists()
    guests = [processes.identify("guest", pid) for pid in netns.processes(namespaces) if pid != os.getpid()]
    processes.stop([*(lab.daemons if lab else ()), *guests])
    netns.delete(namespaces)
    folder.forget()
    stop_holder(folder)
    return there


def write_site_file(folder: StateFolder, lab: Run) -> str:
    """The site file of a running lab, as text; it contains credentials."""
    return site_file.render(lab.plan(), lab.credentials, folder.home)
