"""`backstay-lab hippi`: show a running HIPPI fabric, change its settings, repeat the paper's experiment."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from backstay_lab.blueprint import Running
from backstay_lab.errors import LabError
from backstay_lab.hippi import experiment, service
from backstay_lab.hippi.control import ask
from backstay_lab.hippi.snmp import hsg
from backstay_lab.hippi.snmp.value import dotted
from backstay_lab.hippi.transfer import Endpoint
from backstay_lab.programs import run
from backstay_lab.sites import casa
from backstay_lab.state import StateFolder

app = typer.Typer(no_args_is_help=True, help="Show, set and measure the site casa's HIPPI fabric.")

Factor = Annotated[float, typer.Option(min=0, max=10_000, help="Mean blocking time in ms; 0: off.")]
Duty = Annotated[
    float, typer.Option(min=0.01, max=1, help="Fraction of time during which the source requests the port.")
]


def _running(context: typer.Context) -> Running:
    folder: StateFolder = context.obj
    lab = folder.require()
    if service.NAME not in (own.name for own in lab.plan().services):
        raise LabError(f"{lab.site} has no HIPPI fabric of this kind.", "Run `backstay-lab up casa`.")
    return folder.running(lab, service.NAME)


@app.command()
def show(context: typer.Context) -> None:
    """Print every counter and setting of the fabric as JSON."""
    typer.echo(json.dumps(ask(service.control_socket(_running(context)), verb="show"), indent=1))


@app.command()
def hold(
    context: typer.Context,
    gateway: Annotated[str, typer.Argument(metavar="GATEWAY", help="HIPPI-SONET gateway, e.g. hsg-sdsc.")],
    ms: Annotated[float, typer.Argument(min=0, max=655.34, help="Hold time in ms; 0: no limit.")],
) -> None:
    """Set a gateway's hold time over SNMP."""
    ticks = round(ms * experiment.TICKS_PER_MS) or None
    set_hold(_running(context), gateway, ticks)
    typer.echo(
        f"{gateway} hold time: {'no limit' if ticks is None else f'{ticks / experiment.TICKS_PER_MS:g} ms'}."
    )


@app.command()
def block(
    context: typer.Context,
    factor_ms: Annotated[float, typer.Argument(min=0, max=10_000, help="Mean blocking time in ms; 0: off.")],
    duty: Duty = 1.0,
) -> None:
    """Start or stop the blocking source."""
    site = _running(context)
    ask(service.control_socket(site), verb="block", host=casa.BLOCKING, factor_ms=factor_ms, duty=duty)
    how = f"blocks {casa.BLOCKED} for {factor_ms:g} ms on average" if factor_ms else "does not block"
    typer.echo(f"{casa.BLOCKING} {how}.")


@app.command()
def stripes(
    context: typer.Context,
    gateway: Annotated[str, typer.Argument(metavar="GATEWAY", help="Either end of the line.")],
    count: Annotated[int, typer.Argument(min=0, max=8, help="Number of stripes with a signal.")],
) -> None:
    """Set how many OC-3 stripes of a line have a signal."""
    socket = service.control_socket(_running(context))
    gateways = ask(socket, verb="show")["gateways"]
    if gateway not in gateways:
        raise LabError(f"No gateway {gateway!r}.", f"There are: {', '.join(gateways)}.")
    for name in (gateway, gateways[gateway]["peer"]):
        ask(socket, verb="stripes", gateway=name, stripes=count)
    typer.echo(f"{gateway} and {gateways[gateway]['peer']}: {count} stripe(s) have a signal.")


@app.command("blocking")
def repeat_the_experiment(
    context: typer.Context,
    factor_ms: Factor = 20.0,
    hold_ms: Annotated[float, typer.Option(min=0.02, max=655.34, help="Finite hold time in ms.")] = 10.0,
    duty: Duty = 1.0,
    seconds: Annotated[
        float, typer.Option(min=1, max=300, help="Duration of each of the three measurements.")
    ] = 12.0,
) -> None:
    """Repeat the CASA paper's blocking experiment with TCP.

    Measures TCP without blocking, with blocking and no hold time limit, and with blocking and a hold time.
    """
    site = _running(context)
    source, target = (site.plan.node(name) for name in (casa.BLOCKED, casa.FAR))
    setup = experiment.Setup(
        socket=service.control_socket(site),
        source=Endpoint(site.names.node(source.name), str(source.service)),
        target=Endpoint(site.names.node(target.name), str(target.service)),
        blocker=casa.BLOCKING,
        set_hold=lambda ticks: set_hold(site, casa.SDSC.gateway, ticks),
    )
    cases = []
    for case in experiment.run(setup, factor_ms, hold_ms, duty, seconds):
        typer.echo(f"{case.title}: {case.goodput.mbps:.1f} Mb/s in {case.goodput.seconds:.0f} s.", err=True)
        cases.append(case)
    typer.echo("\n".join(experiment.table(cases, duty)))
    if site.plan.parameters.rate_scale != 1:
        typer.echo(f"Rates are scaled by {site.plan.parameters.rate_scale:g}, times are not.")
    if not experiment.in_order(cases):
        raise SystemExit(1)


def set_hold(site: Running, gateway: str, ticks: int | None) -> None:
    """SNMP SET of nscHippiTimeout from the management host, with the read-write community."""
    node = site.plan.node(gateway)
    value = hsg.FOR_EVER if ticks is None else ticks
    enter = ["ip", "netns", "exec", site.names.node(node.watcher or gateway), "env", "MIBS="]
    agent = f"udp:{site.plan.management_address(node)}:161"
    community = site.credentials.tuner
    run([*enter, "snmpset", "-v2c", "-c", community, agent, dotted(hsg.TIMEOUT), "i", str(value)])
