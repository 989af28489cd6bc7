"""`n-1`, `what-if`: whether the fallback holds under every single failure, and under any chosen one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from backstay_cli.errors import WRONG
from backstay_cli.models import (
    CapacityFailures,
    FailureDetail,
    FailureListed,
    GatewayPacketsOut,
    LaneLoadOut,
    TrafficMove,
    WhatIf,
)
from backstay_cli.output import Cell, as_json, heading, print_lines, show, state_label, table
from backstay_cli.reading import read
from backstay_cli.session import AsJson, AsOf, session
from backstay_cli.text import count, percent, rate

VERDICTS = {"holds": "holds", "would_not_hold": "would NOT hold", "unknown": "unknown"}
SHOWN_LINKS = 20


def n_1(
    context: typer.Context,
    verdict: Annotated[
        str | None, typer.Option(help="Only failures with this verdict: holds, would_not_hold or unknown.")
    ] = None,
    shared: Annotated[
        bool | None,
        typer.Option(
            "--shared/--single", help="Only shared risks, or only single components.", show_default=False
        ),
    ] = None,
    limit: Annotated[int, typer.Option(help="Failures at most, the worst first.")] = 50,
    json: AsJson = False,
) -> None:
    """Show what every single failure would do, the worst first; exit code 1 if a fallback would not hold."""
    run = session(context)
    answer = run.api.get("/capacity/n-1", site=run.site, verdict=verdict, shared=shared, limit=limit)
    found = read(CapacityFailures, answer)
    if json:
        as_json(answer)
    else:
        _print_study(found)
    if found.status.fallbacks.would_not_hold:
        raise typer.Exit(WRONG)


def _print_study(found: CapacityFailures) -> None:
    status = found.status
    print_lines(heading(status.headline))
    if found.items:
        head = ("if this fails", "fallback", "worst part", "load after", "moves", "cut off", "full at growth")
        show(table(head, [_row(item) for item in found.items]))
    if found.next:
        print_lines("More failures follow: raise --limit.")
    for text in _limits(status.unattributed_share, status.unknown_nodes):
        print_lines(text)
    if status.error:
        print_lines(f"The last attempt failed: {status.error}")


def _row(item: FailureListed) -> tuple[Cell, ...]:
    return (
        item.name,
        state_label(item.state, _fallback(item)),
        *_worst(item),
        f"{item.moved_nodes} ({rate(item.moved_bps)})" if item.moved_nodes else "",
        f"{item.cut_off_nodes} ({rate(item.cut_off_bps)})" if item.cut_off_nodes else "",
        "" if item.growth_percent is None else f"{item.growth_percent:+.0f} %",
    )


def _fallback(item: FailureListed) -> str:
    """A failure from which nothing could move is no fallback that fails."""
    if item.verdict == "would_not_hold" and not item.has_fallback:
        return "no fallback"
    return VERDICTS.get(item.verdict, item.verdict)


def _worst(item: FailureListed) -> tuple[str, str]:
    """The link or gateway that is nearest to its limit, and its load."""
    link, gateway = item.worst, item.worst_gateway
    if gateway is not None and (link is None or gateway.share > (link.utilisation or 0.0)):
        return gateway.name, f"{percent(gateway.share)} of {gateway.limit_pps} packets/s"
    return ("", "") if link is None else (link.name, _after(link))


def _after(lane: LaneLoadOut) -> str:
    """`142 % of 134.5 Mb/s`."""
    if lane.usable_rate is None or lane.utilisation is None:
        return f"{rate(lane.after_bps)} of unknown"
    return f"{percent(lane.utilisation)} of {rate(lane.usable_rate)}"


def what_if(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    kill: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OBJECT",
            help="What fails: a node's name, link:NODE:PORT, fabric:NAME or group:NAME, a shared risk."
            " Repeatable: all fail at once.",
        ),
    ] = None,
    growth: Annotated[float, typer.Option(metavar="PERCENT", help="All traffic grows by so much.")] = 0.0,
    at: AsOf = None,
    load: Annotated[
        str,
        typer.Option(help="mean, p95 of the last whole hour, peak (busiest second), worst_hour of 30 days."),
    ] = "mean",
    json: AsJson = False,
) -> None:
    """Show what would happen if objects failed: who moves where, and the load of each link and gateway.

    Exit code 1 unless the fallback holds.
    """
    run = session(context)
    dead = [item if ":" in item else f"node:{item}" for item in kill or []]
    answer = run.api.get("/capacity/what-if", site=run.site, dead=dead, growth=growth, at=at, load=load)
    found = read(WhatIf, answer)
    if json:
        as_json(answer)
    else:
        _print_failure(found)
    if found.failure.verdict != "holds":
        raise typer.Exit(WRONG)


def _print_failure(found: WhatIf) -> None:
    failure = found.failure
    print_lines(
        heading(VERDICTS.get(failure.verdict, failure.verdict)),
        failure.sentence if failure.failed else failure.reason,
    )
    print_lines(*_effects(failure))
    if failure.moves:
        show(table(("nodes", "policy", "from", "to", "out", "in"), [_move(item) for item in failure.moves]))
    if failure.links:
        head = ("link", "direction", "before", "after", "utilisation")
        show(table(head, [_lane(item) for item in failure.links[:SHOWN_LINKS]]))
        if failure.links_total > SHOWN_LINKS:
            print_lines(f"{count(failure.links_total - SHOWN_LINKS, 'more direction')} of links change.")
    if failure.gateways:
        head = ("gateway", "packets/s before", "after", "limit", "share of limit")
        show(table(head, [_packets(item) for item in failure.gateways]))
    for text in _limits(found.unattributed_share, found.unknown_nodes):
        print_lines(text)


def _effects(failure: FailureDetail) -> Sequence[str]:
    lines = list(failure.loops)
    if failure.cut_off_nodes:
        lines.append(f"Cut off: {count(failure.cut_off_nodes, 'node')} with {rate(failure.cut_off_bps)}.")
    lines += [
        f"Traffic with {', '.join(item.hosts)} stops: {rate(item.bps)}."
        for item in failure.stopped
        if item.hosts
    ]
    if failure.redundancy_lost_nodes:
        lines.append(f"Without another fallback: {count(failure.redundancy_lost_nodes, 'node')}.")
    if failure.growth_percent is not None:
        lines.append(f"The fallback is full at {failure.growth_percent:+.0f} % traffic.")
    return lines


def _move(item: TrafficMove) -> tuple[Cell, ...]:
    to = item.to_gateway.name if item.to_gateway else item.outcome.replace("_", " ")
    start = item.from_gateway.name if item.from_gateway else "no gateway"
    return (str(item.nodes), item.policy, start, to, rate(item.out_bps), rate(item.in_bps))


def _lane(item: LaneLoadOut) -> tuple[Cell, ...]:
    used = "unknown" if item.utilisation is None else percent(item.utilisation)
    before = rate(item.before_bps) if item.is_measured else "unknown"
    return (item.name, f"{item.start} -> {item.end}", before, rate(item.after_bps), used)


def _packets(item: GatewayPacketsOut) -> tuple[Cell, ...]:
    if not item.is_known:
        return (item.name, "unknown", "unknown", str(item.limit_pps), f"at least {percent(item.share)}")
    return (item.name, str(item.before_pps), str(item.after_pps), str(item.limit_pps), percent(item.share))


def _limits(unattributed: float | None, unknown: int) -> Sequence[str]:
    lines = []
    if unattributed:
        lines.append(f"{percent(unattributed)} of the gateways' traffic belongs to no policy or path.")
    if unknown:
        lines.append(f"The traffic of {count(unknown, 'node')} is unknown.")
    return lines
