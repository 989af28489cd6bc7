"""`extension-nodes`: gateways on SP switches against their routers' rows; attachment checks."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG, Usage
from backstay_cli.lookup import EXTENSION_NODE, unknown
from backstay_cli.models import CheckOut, ExtensionCheckOut, ExtensionOut, ExtensionStep
from backstay_cli.output import as_json, print_lines, show, state_label, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Session, session
from backstay_cli.states import LEVELS
from backstay_cli.text import shown

VERDICTS = {"same": "ok", "differs": "critical", "degraded": "critical", "not_reported": "unknown"}


def extension_nodes(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    node: Annotated[
        str | None,
        typer.Argument(
            metavar="[NODE]",
            help="Compare this node with its router; default: list all.",
            autocompletion=completion.gateways,
        ),
    ] = None,
    attach: Annotated[
        str | None,
        typer.Option(metavar="NODE", help="Check whether this gateway can be attached; nothing changes."),
    ] = None,
    fabric: Annotated[
        str | None, typer.Option(help="With --attach: the SP switch, if the site has several.")
    ] = None,
    port: Annotated[str, typer.Option(help="With --attach: the gateway's port to the switch.")] = "gt000",
    place: Annotated[
        str | None,
        typer.Option(metavar="FRAME/SLOT", help="With --attach: the switch port; default: a proposed one."),
    ] = None,
    number: Annotated[
        int | None, typer.Option(help="With --attach: node number; default: a proposed one.")
    ] = None,
    switch_number: Annotated[
        int | None, typer.Option(help="With --attach: switch node number; default: a proposed one.")
    ] = None,
    address: Annotated[
        str | None, typer.Option(help="With --attach: address with prefix length; default: a proposed one.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Show extension nodes of SP switches.

    Exit code 1: a router's settings differ from the intended ones, or a check failed.
    """
    run = session(context)
    if attach is not None and node is not None:
        raise Usage("Use either NODE or --attach, not both.")
    if attach is None:
        _known(run, node, as_answer=json)
        return
    frame, slot = _place(place)
    asked = {
        "site": run.one_site(), "node": attach, "fabric": fabric, "port": port, "frame": frame, "slot": slot,
        "node_number": number, "switch_node_number": switch_number, "address": address,
    }  # fmt: skip
    _check(run, asked, as_answer=json)


def list_nodes(context: typer.Context, json: AsJson = False) -> None:
    """List extension nodes of SP switches.

    Exit code 1: a router's settings differ from the intended ones.
    """
    _known(session(context), None, as_answer=json)


def show_node(
    context: typer.Context,
    node: Annotated[
        str, typer.Argument(metavar="NODE", help="An extension node.", autocompletion=completion.gateways)
    ],
    json: AsJson = False,
) -> None:
    """Compare an extension node with its router's settings.

    Exit code 1: they differ.
    """
    _known(session(context), node, as_answer=json)


def _place(text: str | None) -> tuple[int | None, int | None]:
    if text is None:
        return None, None
    frame, _, slot = text.partition("/")
    if not (frame.isdecimal() and slot.isdecimal()):
        raise Usage(f"{shown(text)} is not a switch port: write frame and slot as 1/16.")
    return int(frame), int(slot)


def _known(run: Session, node: str | None, *, as_answer: bool) -> None:
    answer = run.api.items("/extension-nodes", site=run.site)
    items = [item for item in answer["items"] if node is None or item.get("name") == node]
    if node is not None and not items:
        raise unknown(EXTENSION_NODE, node, [str(item.get("name")) for item in answer["items"]])
    if node is not None:
        items = [run.api.get(f"/extension-nodes/{items[0]['id']}")]
    known = read_all(ExtensionOut, {"items": items})
    if as_answer:
        as_json({"items": items, "next": None})
    elif node is not None:
        _side_by_side(known[0])
    else:
        rows = [
            (item.name, state_label(item.state), item.place or "-", _text(item.node_number),
             _text(item.switch_node_number), item.address or "-", item.state_text)
            for item in known
        ]  # fmt: skip
        show(
            table(("node", "state", "switch port", "number", "switch number", "address", "description"), rows)
        )
        remind(run)
    if any(item.state in {"critical", "warning"} for item in known):
        raise typer.Exit(WRONG)


def _side_by_side(known: ExtensionOut) -> None:
    rows = [
        (
            attribute.title,
            attribute.sdr or "-",
            attribute.object or "-",
            attribute.intended or "-",
            attribute.reported or "-",
            state_label(VERDICTS.get(attribute.verdict, "disabled"), attribute.verdict.replace("_", " ")),
        )
        for attribute in known.attributes
    ]
    print_lines(f"{known.name}: {known.state_text}.")
    show(table(("attribute", "SDR", "MIB object", "intended", "router", "verdict"), rows))
    print_lines(*(attribute.text for attribute in known.attributes if attribute.text))
    _checks([check for check in known.checks if check.level != "passed"])


def _check(run: Session, asked: dict[str, Any], *, as_answer: bool) -> None:
    body = {name: value for name, value in asked.items() if value is not None}
    answer = run.api.post("/extension-nodes/check", body)
    known = read(ExtensionCheckOut, answer)
    if as_answer:
        as_json(answer)
    else:
        given = known.proposal
        print_lines(
            f"{known.node} on {known.fabric}: frame {_text(given.frame)} slot {_text(given.slot)},"
            f" node {_text(given.node_number)}, switch node {_text(given.switch_node_number)},"
            f" {given.address or 'no address'}."
        )
        _checks(known.checks)
        _steps(known.steps)
        print_lines(*known.site_file.splitlines())
    if not known.attachable:
        raise typer.Exit(WRONG)


def _checks(checks: list[CheckOut]) -> None:
    rows = [
        (state_label(LEVELS[check.level], check.level), check.check.replace("_", " "), check.text)
        for check in checks
    ]
    if rows:
        show(table(("result", "check", "description"), rows))


def _steps(steps: list[ExtensionStep]) -> None:
    for step in steps:
        print_lines(f"- {step.command}: {step.text}" if step.command else f"- {step.text}")
        if step.values:
            show(table(("attribute", "value"), [(f"  {one.name}", one.value) for one in step.values]))


def _text(number: int | None) -> str:
    return "-" if number is None else str(number)
