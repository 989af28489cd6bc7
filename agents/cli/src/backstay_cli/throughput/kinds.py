"""Kinds of throughput tests, their parameters and shapes, as the server states them (`spec.json`)."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from backstay_cli.text import SPEC

Parameter = dict[str, Any]
KINDS: dict[str, dict[str, Any]] = {kind["name"]: kind for kind in SPEC["throughput"]["kinds"]}
SHAPES: dict[str, str] = SPEC["throughput"]["shapes"]
_METAVARS = {"bytes": "SIZE", "s": "TIME", "bit/s": "RATE", "packets/s": "RATE"}


def parameters() -> dict[str, dict[str, Parameter]]:
    """Name of each parameter and its meaning per kind."""
    found: dict[str, dict[str, Parameter]] = {}
    for kind in KINDS.values():
        for one in kind["parameters"]:
            found.setdefault(one["name"], {})[kind["name"]] = one
    return found


def parameter(kind: str, name: str) -> Parameter:
    """Of this kind, else of another kind that has it; a name of a newer Backstay without a unit."""
    kinds = parameters().get(name, {})
    return kinds.get(kind) or next(iter(kinds.values()), {"name": name, "unit": "", "option": ""})


def option_name(one: Parameter) -> str:
    """`wait-for`, `ack-delay`."""
    return str(one["option"] or one["name"].removesuffix("_s").replace("_", "-"))


def with_parameters(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option per parameter, in place of its `**typed`."""
    signature = inspect.signature(command, eval_str=True)
    own = [item for item in signature.parameters.values() if item.kind is not item.VAR_KEYWORD]
    options = [_option(name, kinds) for name, kinds in parameters().items()]
    command.__signature__ = signature.replace(parameters=[*own, *options])  # type: ignore[attr-defined]
    return command


def _option(name: str, kinds: dict[str, Parameter]) -> inspect.Parameter:
    first = next(iter(kinds.values()))
    value = _METAVARS.get(first["unit"], "N" if first["type"] == "integer" else "VALUE")
    info = typer.Option(
        f"--{option_name(first)}", metavar=f"{value},..." if first["varies"] else value, help=_help(kinds)
    )
    annotation = Annotated[str | None, info]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _help(kinds: dict[str, Parameter]) -> str:
    """`tcp, udp: parallel streams; default: 1.`"""
    texts: dict[str, list[str]] = {}
    for kind, one in kinds.items():
        values = ["on, off"] if one["type"] == "boolean" else [", ".join(one["choices"])]
        default = one["empty"] or (_switch(one["default"]) if one["type"] == "boolean" else one["default"])
        label = one["label"][:1].lower() + one["label"][1:]
        parts = [one["help"] or label, *values, f"default: {default}" if default else ""]
        texts.setdefault("; ".join(part for part in parts if part), []).append(kind)
    return " ".join(f"{', '.join(names)}: {text}." for text, names in texts.items())


def _switch(value: bool) -> str:
    return "on" if value else "off"
