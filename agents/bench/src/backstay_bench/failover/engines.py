"""The engines of the node's route: the kernel alone, FRR, BIRD with BFD, and each with an agent's checker.

Bare daemons are configured as in their manuals, with equal timers: BFD 50 ms x 3 (RFC 5880), link state
monitored. Each engine is a context manager that returns when its node forwards via gateway `a`.
"""

import contextlib
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from ipaddress import ip_network
from pathlib import Path

from backstay_bench.failover.lab import GATEWAYS, PORTS, PREFIX, TARGET, Lab
from backstay_testing.agent_process import AgentProcess
from backstay_testing.engines import write_gdc
from backstay_testing.namespaces import Namespace, run_in
from backstay_testing.sink import Sink
from backstay_wire import Desired, Detection, Engine, EngineKind, Hop, NodeRouting, PolicyRoute, Timers
from backstay_wire.routing import marks

_FRR = Path("/usr/lib/frr")
_UP_S = 90.0
_BFD = 'interface "*" { min rx interval 50 ms; min tx interval 50 ms; multiplier 3; };'
_NODE_CONF = f"""router id 10.79.0.1;
protocol device {{ scan time 10; }}
protocol bfd {{ {_BFD} }}
protocol kernel {{ ipv4 {{ import none; export all; }}; }}
protocol static lead {{ ipv4 {{ preference 200; }}; check link; route {PREFIX} via {GATEWAYS["a"]} bfd; }}
protocol static back {{ ipv4 {{ preference 190; }}; check link; route {PREFIX} via {GATEWAYS["b"]} bfd; }}
"""
_BARE_CONF = """router id 10.79.0.1;
protocol device { scan time 10; }
protocol kernel { ipv4 { import none; export all; }; }"""
_GATEWAY_CONF = """router id 10.79.0.{number};
protocol device {{ scan time 10; }}
protocol bfd {{ {bfd} neighbor 10.79.{number}.2 dev "in"; }}
"""


def timers(interval_ms: int = 50) -> Timers:
    """The checker's defaults with manual failback, because each round cuts the active gateway."""
    return Timers(interval_ms=interval_ms, hold_down_s=0, revert="manual")


def desired(
    engine: Engine, detection: Detection, how: Timers, variants: dict[str, str] | None = None
) -> Desired:
    """An agent's desired state: one policy with both gateways. `variants`: a daemon's block, by leader."""
    hops = [
        Hop(gateway=name, address=address, port=PORTS[name], preference=60 + 10 * place)
        for place, (name, address) in enumerate(GATEWAYS.items())
    ]
    route = PolicyRoute(
        policy="out",
        prefix=PREFIX,
        hops=hops,
        detection=detection,
        timers=how,
        target=TARGET,
        variants=variants or {},
    )
    routing = NodeRouting(revision=1, engine=engine, routes=[route], files=[])
    return Desired(
        generation=1, site="bench", node="node", sources=[], paths=[], engine=engine, routing=routing
    )


def set_routes(lab: Lab) -> None:
    """Plain kernel routes, as the kernel actuator sets them (protocol 201)."""
    for place, (name, address) in enumerate(GATEWAYS.items()):
        metric = str(60 + 10 * place)
        via = ("via", address, "dev", PORTS[name], "proto", "201", "metric", metric)
        lab.node.run("route", "replace", PREFIX, *via)


@contextlib.contextmanager
def kernel(lab: Lab, folder: Path) -> Iterator[None]:
    """The kernel alone, with `ignore_routes_with_linkdown`."""
    set_routes(lab)
    yield


@contextlib.contextmanager
def frr(lab: Lab, folder: Path) -> Iterator[None]:
    """FRR's zebra and staticd."""
    shutil.chown(folder, "frr", "frr")
    for name in ("vtysh.conf", "frr.conf", "zebra.conf", "staticd.conf"):
        (folder / name).write_text(_static_lines(list(GATEWAYS)) if name == "frr.conf" else "")
        shutil.chown(folder / name, "frr", "frr")
    with contextlib.ExitStack() as stack:
        for name in ("zebra", "staticd"):
            files = ["-f", f"{folder}/{name}.conf", "-i", f"{folder}/{name}.pid", "-z", f"{folder}/zserv.api"]
            argv = [str(_FRR / name), *files, "--vty_socket", str(folder), "-P", "0"]
            stack.enter_context(_daemon(lab.node, argv, folder / f"{name}.log"))
            _wait(lambda n=name: (folder / f"{n}.vty").exists(), name)  # type: ignore[misc]
        load = ["/usr/bin/vtysh", "--vty_socket", str(folder), "--config_dir", str(folder), "-b"]
        subprocess.run(load, check=True, capture_output=True)
        _wait(lambda: lab.leader() == "a", "FRR's route")
        yield


@contextlib.contextmanager
def bird(lab: Lab, folder: Path) -> Iterator[None]:
    """BIRD on the node and on both gateways: static routes with BFD and `check link`."""
    with contextlib.ExitStack() as stack:
        for number, gateway in enumerate(lab.gateways.values(), 1):
            conf = _GATEWAY_CONF.format(number=number, bfd=_BFD)
            stack.enter_context(_bird(gateway, folder / f"g{number}", conf))
        stack.enter_context(_bird(lab.node, folder / "node", _NODE_CONF))
        _wait(lambda: lab.leader() == "a", "BIRD's route")
        yield


@contextlib.contextmanager
def checked(lab: Lab, folder: Path) -> Iterator[None]:
    """The kernel's routes, controlled by an agent's checker, which must also detect lost carrier."""
    lab.sysctl(lab.node, *(f"net.ipv4.conf.{port}.ignore_routes_with_linkdown=0" for port in lab.watched))
    set_routes(lab)
    engine = Engine(kind=EngineKind.KERNEL, config=str(folder / "routes"))
    with agent(lab, folder, desired(engine, Detection.CHECKER, timers())):
        yield


@contextlib.contextmanager
def frr_checked(lab: Lab, folder: Path) -> Iterator[None]:
    """FRR's static routes, controlled by an agent's checker."""
    daemons = folder / "frr"
    daemons.mkdir()
    with frr(lab, daemons):
        engine = Engine(kind=EngineKind.FRR, config=str(daemons / "frr.conf"), control=str(daemons))
        with agent(lab, folder, desired(engine, Detection.CHECKER, timers(), _led(_static_lines))):
            yield


@contextlib.contextmanager
def bird_checked(lab: Lab, folder: Path) -> Iterator[None]:
    """BIRD's static routes without BFD, controlled by an agent's checker."""
    variants = _led(_static_protocols)
    begin, end = marks("out", PREFIX)
    conf = "\n".join([_BARE_CONF, begin, variants["a"].rstrip(), end, ""])
    with _bird(lab.node, folder / "node", conf):
        _wait(lambda: lab.leader() == "a", "BIRD's route")
        control, config = str(folder / "node.ctl"), str(folder / "node.conf")
        engine = Engine(kind=EngineKind.BIRD, config=config, control=control)
        with agent(lab, folder, desired(engine, Detection.CHECKER, timers(), variants)):
            yield


@contextlib.contextmanager
def gated_checked(lab: Lab, folder: Path) -> Iterator[None]:
    """Static routes of the lab's stand-in for gated, controlled by an agent's checker."""
    state = folder / "gated"
    state.mkdir()
    variants = _led(_static_statement)
    begin, end = marks("out", PREFIX)
    conf, control = state / "gated.conf", state / "gdc"
    conf.write_text("\n".join(["rip no;", "redirect no;", begin, variants["a"].rstrip(), end, ""]))
    write_gdc(control, state)
    argv = [sys.executable, "-m", "backstay_lab.labgated", "-N", "--state", str(state)]
    with _daemon(lab.node, argv, folder / "gated.log"):
        _wait(lambda: lab.leader() == "a", "gated's route")
        engine = Engine(
            kind=EngineKind.GATED, config=str(conf), control=str(control), dump=str(state / "gated_dump")
        )
        with agent(lab, folder, desired(engine, Detection.CHECKER, timers(), variants)):
            yield


def _led(text: Callable[[list[str]], str]) -> dict[str, str]:
    """The text with each gateway first, as from a planner."""
    names = list(GATEWAYS)
    return {first: text([first, *(name for name in names if name != first)]) for first in names}


def _static_lines(order: list[str]) -> str:
    return "".join(f"ip route {PREFIX} {GATEWAYS[name]} {60 + 10 * n}\n" for n, name in enumerate(order))


def _static_protocols(order: list[str]) -> str:
    return "".join(
        f"protocol static backstay_{name} {{ ipv4 {{ preference {200 - 10 * order.index(name)}; }}; "
        f"check link; route {PREFIX} via {address}; }}\n"
        for name, address in GATEWAYS.items()
    )


def _static_statement(order: list[str]) -> str:
    net = ip_network(PREFIX)
    prefix = f"{net.network_address} masklen {net.prefixlen}"
    routes = [
        f"    {prefix} gateway {GATEWAYS[name]} preference {60 + 10 * n} retain;"
        for n, name in enumerate(order)
    ]
    return "\n".join(["static {", *routes, "};", ""])


@contextlib.contextmanager
def bird_managed(lab: Lab, folder: Path) -> Iterator[None]:
    """BIRD as above, under a policy with detection bfd, with an agent that reports."""
    (folder / "bird").mkdir()
    with bird(lab, folder / "bird"):
        engine = Engine(
            kind=EngineKind.BIRD,
            config=str(folder / "bird" / "node.conf"),
            control=str(folder / "bird" / "node.ctl"),
        )
        with agent(lab, folder, desired(engine, Detection.BFD, Timers())):
            yield


@contextlib.contextmanager
def agent(lab: Lab, folder: Path, assignment: Desired) -> Iterator[Sink]:
    """A real agent on the node and a reachable backend; returns when the agent monitors its path."""
    sink = Sink(desired=assignment)
    run_in(lab.node, sink.start)
    running = AgentProcess(folder, ["--backend", sink.url, "--token", sink.token], lab.node.enter()).start()
    try:
        _wait(lambda: bool(sink.reports("path")), "the agent's first report")
        time.sleep(1.0)
        yield sink
    finally:
        running.stop()
        sink.stop()


@contextlib.contextmanager
def _bird(space: Namespace, name: Path, conf: str) -> Iterator[None]:
    name.with_suffix(".conf").write_text(conf)
    files = ["-c", f"{name}.conf", "-s", f"{name}.ctl", "-P", f"{name}.pid"]
    with _daemon(space, ["/usr/sbin/bird", "-f", *files], name.with_suffix(".log")):
        yield


@contextlib.contextmanager
def _daemon(space: Namespace, argv: list[str], log: Path) -> Iterator[None]:
    with log.open("wb") as out:
        process = subprocess.Popen([*space.enter(), *argv], stdout=out, stderr=out)
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(done: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + _UP_S
    while not done():
        if time.monotonic() > end:
            raise TimeoutError(f"{what} did not come within {_UP_S:g} s")
        time.sleep(0.05)
