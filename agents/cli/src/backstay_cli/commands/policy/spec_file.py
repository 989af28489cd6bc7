"""`apply -f FILE`: policies from YAML or JSON are stored if they differ, and planned.

A field that the file lacks keeps its value, or has the server's default in a new policy. So the second run of
the same file changes nothing and plans nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer
import yaml

from backstay_cli.commands.plans import propose, show_plan
from backstay_cli.errors import WRONG, Usage
from backstay_cli.lookup import ARP_POLICY, POLICY, Kind
from backstay_cli.models import ChangeDetail
from backstay_cli.output import as_json, heading, print_lines, show, table
from backstay_cli.reading import read
from backstay_cli.session import Session
from backstay_cli.text import shown

LARGEST = 1 << 20
"""Bytes of a file of policies."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of policy in files: its fields in the API, and the change that deploys it."""

    kind: Kind
    key: str
    fields: tuple[str, ...]
    change: str
    chosen: str
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Field of a file -> the field of the API's answer that has its value."""
    empty: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Field -> defaults of the object that it holds: a file replaces the object as a whole."""


FAILOVER = FileKind(
    POLICY,
    "name",
    ("name", "prefix", "nodes", "gateways", "stripe", "detection", "timers", "target", "return_path", "note"),
    "policies",
    "policies",
    {"nodes": "group"},
    {"nodes": {"names": [], "role": "", "number_from": None, "number_to": None, "labels": {}}},
)
ARP = FileKind(
    ARP_POLICY, "fabric", ("fabric", "mode", "settings", "ports", "table", "note"), "arp", "arp_policies"
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one policy of a file."""

    name: str
    result: str
    ident: int | None
    differences: list[dict[str, Any]]


def documents(file: Path) -> list[dict[str, Any]]:
    """The objects of a YAML or JSON file; `-` is standard input. Raises `Usage`."""
    try:
        text = sys.stdin.read(LARGEST + 1) if str(file) == "-" else file.read_text(encoding="utf-8")
        found = [] if len(text) > LARGEST else [one for one in yaml.safe_load_all(text) if one is not None]
    except OSError as error:
        raise Usage(f"{shown(str(file))} cannot be read: {error.strerror}.") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark is not None else ""
        raise Usage(f"{shown(str(file))} is neither YAML nor JSON{where}.") from None
    if len(text) > LARGEST:
        raise Usage(f"{shown(str(file))} is larger than {LARGEST} bytes.")
    items = [item for one in found for item in (one if isinstance(one, list) else [one])]
    if not items or not all(isinstance(item, dict) for item in items):
        raise Usage(
            f"{shown(str(file))} has no policy: write its fields as backstay policies export shows them."
        )
    return items


def spec_of(kind: FileKind, answer: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that a file may have, from the API's answer about a stored policy."""
    spec = {name: answer.get(kind.renamed.get(name, name)) for name in kind.fields}
    if spec.get("stripe"):
        spec["gateways"] = []
    return spec


def merged(kind: FileKind, current: Mapping[str, Any] | None, document: Mapping[str, Any]) -> dict[str, Any]:
    """The policy that a file describes. Pure."""
    known = {*kind.fields, "site"}
    strange = [name for name in document if name not in known]
    if strange:
        raise Usage(f"Unknown field {shown(str(strange[0]))}: use {', '.join(kind.fields)}.")
    result = dict(current or {})
    for name, value in document.items():
        before = result.get(name)
        if name in kind.empty and isinstance(value, dict):
            result[name] = {**kind.empty[name], **value}
        elif isinstance(value, dict) and isinstance(before, dict):
            result[name] = {**before, **value}
        else:
            result[name] = value
    return result


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Fields that differ, those of nested objects with their path. Pure."""
    found: list[dict[str, Any]] = []
    for name in dict.fromkeys([*before, *after]):
        old, new = before.get(name), after.get(name)
        if old == new or name == "site":
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            found += [item | {"field": f"{name}.{item['field']}"} for item in differences(old, new)]
        else:
            found.append({"field": name, "before": old, "after": new})
    return found


def apply_file(
    run: Session,
    kind: FileKind,
    file: Path,
    *,
    dry_run: bool,
    plan: bool,
    json: bool,
    texts: Mapping[str, str],
) -> None:
    """Store the policies of a file that differ, and plan one change that deploys them."""
    wanted = documents(file)
    known = {
        str(item.get(kind.key)): item for item in run.api.items(kind.kind.path, site=run.one_site())["items"]
    }
    outcomes = [_applied(run, kind, known, document, dry_run=dry_run) for document in wanted]
    if not json:
        _print(outcomes, dry_run=dry_run)
    stored = [
        outcome.ident for outcome in outcomes if outcome.result != "unchanged" and outcome.ident is not None
    ]
    answer = None
    if stored and plan:
        answer = propose(run, kind.change, {kind.chosen: stored}, **texts)
    if json:
        listed = [
            {"name": one.name, "result": one.result, "differences": one.differences} for one in outcomes
        ]
        as_json({"policies": listed, "change": answer})
        if answer is not None and (made := read(ChangeDetail, answer).plan) is not None and made.blocked:
            raise typer.Exit(WRONG)
    elif answer is not None:
        show_plan(run, answer, as_answer=False)


def _applied(
    run: Session,
    kind: FileKind,
    known: Mapping[str, dict[str, Any]],
    document: dict[str, Any],
    *,
    dry_run: bool,
) -> Outcome:
    name = str(document.get(kind.key) or "")
    if not name:
        raise Usage(f"A policy of the file lacks its {kind.key}.")
    stored = known.get(name)
    before = None if stored is None else spec_of(kind, stored)
    after = merged(kind, before, document)
    changed = differences(before or {}, after)
    ident = None if stored is None else int(stored["id"])
    if stored is not None and not changed:
        return Outcome(name, "unchanged", ident, [])
    if dry_run:
        return Outcome(name, "created" if stored is None else "changed", None, changed)
    body = {"site": run.one_site(), **after}
    if stored is None:
        made = run.api.post(kind.kind.path, body)
        return Outcome(name, "created", int(made["id"]), changed)
    made = run.api.put(f"{kind.kind.path}/{ident}", body)
    changed = differences(before or {}, spec_of(kind, made))
    return Outcome(name, "changed" if changed else "unchanged", ident, changed)


def _print(outcomes: Sequence[Outcome], *, dry_run: bool) -> None:
    for one in outcomes:
        stored = " (nothing was stored)" if dry_run and one.result != "unchanged" else ""
        print_lines(heading(f"{one.name}: {one.result}{stored}"))
        if one.differences:
            rows = [
                (item["field"], _value(item["before"]), _value(item["after"])) for item in one.differences
            ]
            show(table(("field", "before", "after"), rows))


def _value(value: Any) -> str:
    if value is None or value in ("", [], {}):
        return "-"
    if isinstance(value, (dict, list)):
        return yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=10_000).strip()
    return str(value)
