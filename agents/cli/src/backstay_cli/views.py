"""Options that commands share and do not know of: `-o FORMAT` and `--watch [SECONDS]`.

`with_format` adds `-o` to every command that has `--json`; `view` adds `--watch` as well. The options act on
the output module and the client, so no command handles them.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand
from typer.models import ArgumentInfo, OptionInfo

from backstay_cli.errors import OperatorError, Unreachable, in_terms_of_options
from backstay_cli.formatting import STRUCTURED
from backstay_cli.output import Format, begin_frame, print_note, printing
from backstay_cli.session import session
from backstay_cli.text import clock

Command = Callable[..., None]
WATCH_S = 2.0
_SECONDS = re.compile(r"\d+(\.\d+)?")
_FORMAT_HELP = "Table that fits the screen, wide with all columns, or the API response as json, yaml or csv."
_Watch = Annotated[
    float | None,
    typer.Option(
        "--watch",
        metavar="[SECONDS]",
        min=0.5,
        max=86_400,
        help=f"Repeat until Ctrl-C, every {WATCH_S:g} seconds unless given.",
    ),
]


class ViewCommand(TyperCommand):
    """A command whose `--watch` may stand without a number."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """`--watch` becomes `--watch=2` unless a number follows."""
        given: list[str] = []
        for number, text in enumerate(args):
            following = args[number + 1] if number + 1 < len(args) else ""
            bare = text == "--watch" and not _SECONDS.fullmatch(following)
            given.append(f"--watch={WATCH_S:g}" if bare else text)
        return super().parse_args(ctx, given)


def with_format(command: Command) -> Command:
    """The command with `-o FORMAT`; unchanged without `--json`."""
    hints = get_type_hints(command, include_extras=True)
    if "json" not in hints:
        return command
    declared = {name for hint in hints.values() for name in _declarations(hint)}
    if "--format" in declared:
        return command
    option = typer.Option("--format", "-o", help=_FORMAT_HELP)

    def act(context: typer.Context, output_format: Format | None, **given: Any) -> None:
        structured = output_format in STRUCTURED
        try:
            with printing(output_format):
                command(context=context, **(given | ({"json": True} if structured else {})))
        except OperatorError as error:
            raise in_terms_of_options(error, options_of(hints)) from None

    return _extended(command, act, output_format=Annotated[Format | None, option])


def view(command: Command) -> Command:
    """A command that reads, with `-o` and `--watch`; while repeated, it may only send GET."""

    def act(
        context: typer.Context, watch_s: float | None, output_format: Format | None = None, **given: Any
    ) -> None:
        if watch_s is None:
            formatted(context=context, output_format=output_format, **given)
            return
        session(context).api.only_reads = True
        with printing(output_format):
            _repeat(lambda: formatted(context=context, output_format=output_format, **given), watch_s)

    formatted = with_format(command)
    return _extended(formatted, act, watch_s=_Watch)


def _repeat(show: Callable[[], None], seconds: float) -> None:
    """Show frame after frame until Ctrl-C; a server that does not answer for a while ends nothing."""
    try:
        while True:
            begin_frame(f"Every {seconds:g} s: {clock(datetime.now().astimezone())}")
            try:
                show()
            except Unreachable as error:
                print_note(f"{error} Retrying.")
            except typer.Exit:
                pass
            sys.stdout.flush()
            time.sleep(seconds)
    except KeyboardInterrupt:
        return


def options_of(hints: Mapping[str, Any]) -> dict[str, str]:
    """Parameter of a command -> how a user writes it: `--since`, or `NODE` of an argument."""
    found = {}
    for name, hint in hints.items():
        for item in getattr(hint, "__metadata__", ()):
            long = [text for text in _declarations(hint) if text.startswith("--")]
            if isinstance(item, ArgumentInfo):
                found[name] = str(item.metavar or name.upper()).strip("[]. ")
            elif isinstance(item, OptionInfo):
                found[name] = long[0] if long else f"--{name.replace('_', '-')}"
    return found


def _declarations(hint: Any) -> tuple[str, ...]:
    """The option names in a parameter's annotation."""
    found: list[str] = []
    for item in getattr(hint, "__metadata__", ()):
        found += [
            name
            for name in (getattr(item, "default", None), *(item.param_decls or ()))
            if isinstance(name, str)
        ]
    return tuple(found)


def _extended(command: Command, act: Command, **options: Any) -> Command:
    """`act` with the command's name, help and parameters, and with these options, whose default is None."""
    hints = get_type_hints(command, include_extras=True)
    known = inspect.signature(command).parameters.values()
    parameters = [
        parameter.replace(
            annotation=hints.get(parameter.name, parameter.annotation), kind=parameter.KEYWORD_ONLY
        )
        for parameter in known
    ]
    parameters += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
        for name, annotation in options.items()
    ]

    def extended(**given: Any) -> None:
        act(**given)

    functools.update_wrapper(extended, command)
    del extended.__wrapped__  # type: ignore[attr-defined]  # its signature is not the command's
    extended.__annotations__ = {**hints, **options}
    extended.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return extended
