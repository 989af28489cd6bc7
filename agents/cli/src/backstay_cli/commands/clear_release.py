"""`manage-again`: clear a release made on a node, or a revert."""

from __future__ import annotations

from typing import Annotated

import typer

from backstay_cli import completion
from backstay_cli.models import NodeOut
from backstay_cli.output import as_json, print_lines
from backstay_cli.reading import read
from backstay_cli.session import AsJson, session


def manage_again(
    context: typer.Context,
    node: Annotated[
        str, typer.Argument(metavar="NODE", help="Name of the node.", autocompletion=completion.nodes)
    ],
    json: AsJson = False,
) -> None:
    """Resume the management of a released or reverted node.

    A node is released with `backstay-agent release`; it reverts a change when it loses contact with the
    controller. This command installs nothing: deploy the policies afterwards with `backstay plan`.
    """
    run = session(context)
    answer = run.api.post(f"/nodes/{run.node(node)}/manage-again")
    found = read(NodeOut, answer)
    if json:
        as_json(answer)
        return
    waits = " once its agent has reported" if found.management is not None else ""
    print_lines(f"{found.name} accepts changes again{waits}.", "Next: backstay plan POLICY")
