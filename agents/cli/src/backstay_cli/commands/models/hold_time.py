"""`hold-time`: delay, loss and TCP throughput of a blocked HIPPI destination, and the recommended h."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from backstay_cli.errors import WRONG
from backstay_cli.models import BlockingResult, HippiModel
from backstay_cli.output import Cell, as_json, heading, print_lines, show, table
from backstay_cli.reading import read
from backstay_cli.session import AsJson, session
from backstay_cli.text import length, milliseconds, percent, rate


def hold_time(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    gateway: Annotated[
        str | None, typer.Option(help="Take what is not given from this HIPPI-SONET gateway's measurements.")
    ] = None,
    pps: Annotated[float | None, typer.Option(help="Packets per second.")] = None,
    size: Annotated[int | None, typer.Option(help="Packet size in bytes.")] = None,
    blocking: Annotated[float | None, typer.Option(metavar="MS", help="Blocking factor in ms.")] = None,
    hold: Annotated[float | None, typer.Option(metavar="MS", help="Hold time h in ms; 0: unlimited.")] = None,
    loss: Annotated[
        float | None, typer.Option(metavar="SHARE", help="Loss that requests and datagrams tolerate: 0.01.")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(metavar="MS", help="Requests are repeated after this time.")
    ] = None,
    deadline: Annotated[
        float | None, typer.Option(metavar="MS", help="Datagrams are useless after this time.")
    ] = None,
    duty: Annotated[
        float | None, typer.Option(help="Share of TCP's attempts that find the destination busy.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Calculate delay and loss by HIPPI blocking, and recommend a hold time per traffic class.

    Without options: the published case of the CASA testbed. Exit code 1: the queue is unstable.
    """
    run = session(context)
    answer = run.api.get(
        "/models/hippi", site=run.site, gateway=gateway, rate_pps=pps, packet_bytes=size,
        blocking_ms=blocking, hold_ms=hold, loss_limit=loss, timeout_ms=timeout,
        deadline_ms=deadline, duty=duty,
    )  # fmt: skip
    model = read(HippiModel, answer)
    if json:
        as_json(answer)
    else:
        _print(model)
    if model.unlimited.state == "unstable":
        raise typer.Exit(WRONG)


def _print(model: HippiModel) -> None:
    print_lines(model.headline, "")
    head = ("hold time h", "state", "delay", "loss", "TCP, ACKs blocked", "TCP, segments blocked")
    finite = milliseconds(model.curves.finite_hold_ms)
    show(
        table(
            head,
            [
                _row("unlimited", "unlimited", model.unlimited, model),
                _row(finite, "finite", model.finite, model),
            ],
        )
    )
    print_lines("", heading("Recommended h"))
    rows = [
        (item.title, item.hold, _known(item.loss, percent), item.reason) for item in model.recommendations
    ]
    show(table(("traffic", "h", "loss", "reason"), rows))
    if model.gateways:
        print_lines("", heading("Measured at gateways"))
        measured = [
            (
                item.node,
                item.hold,
                _known(item.rate_pps, "{:.4g}".format),
                _known(item.blocking_ms, milliseconds),
                _known(item.loss, percent),
                item.model.state,
                _delay(item.model),
                _known(item.model.loss, percent),
            )
            for item in model.gateways
        ]
        columns = (
            "gateway",
            "h",
            "packets/s",
            "blocking (at least)",
            "loss (at least)",
            "model",
            "delay",
            "loss",
        )
        show(table(columns, measured))
    print_lines("", heading("Limits of the model"), *(f"- {item}" for item in model.limits))


def _row(text: str, hold: str, result: BlockingResult, model: HippiModel) -> tuple[Cell, ...]:
    rates = {
        item.blocked: rate(item.bps) + (" (not as published)" if item.reproduces_paper is False else "")
        for item in model.tcp
        if item.hold == hold
    }
    return (
        text, result.state, _delay(result), _known(result.loss, percent), rates.get("acks", "-"),
        rates.get("segments", "-"),
    )  # fmt: skip


def _delay(result: BlockingResult) -> str:
    """The delay, or what is known instead of it."""
    if result.fill_s is not None:
        return f"unstable, buffer full after {length(result.fill_s)}"
    return milliseconds(result.delay_ms) if result.delay_ms is not None else result.state


def _known(value: float | None, text: Callable[[float], str]) -> str:
    return "unknown" if value is None else text(value)
