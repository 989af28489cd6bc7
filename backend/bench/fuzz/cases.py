"""Cases of one operation: schemathesis's boundary values and random ones, real objects, hostile values.

The same seed gives the same cases.
"""

from __future__ import annotations

import contextlib
import copy
import gzip
import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import HypothesisWarning, Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.core import NOT_SET

from bench.fuzz import bodies, hostile_values
from bench.fuzz.bodies import Sender
from bench.fuzz.documents import REPORTS, Operation
from bench.fuzz.existing_values import Known

AnyCase = Case[Any]
KNOWN_ID, KNOWN_VALUE, ACCEPTED_BODY = 0.85, 0.6, 0.5
"""Share of path parameters, of other fields and of bodies that are replaced by existing ones."""
BOTH = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]


@dataclass(frozen=True, slots=True)
class Counts:
    """Cases of one operation by origin."""

    boundary: int
    valid: int
    invalid: int
    hostile: int

    @classmethod
    def share(cls, cases: int) -> Counts:
        """That many cases in total."""
        boundary, invalid, hostile_cases = cases * 3 // 10, cases * 2 // 10, cases * 2 // 10
        return cls(boundary, cases - boundary - invalid - hostile_cases, invalid, hostile_cases)


@dataclass(frozen=True, slots=True)
class Source:
    """Makes cases from what exists; `sender`: the agent whose reports they contain."""

    known: Known
    seed: int
    sender: Sender | None = None

    def cases(self, operation: Operation, counts: Counts) -> Iterator[AnyCase]:
        """The cases of one operation."""
        random = Random(f"{self.seed} {operation.label}")  # noqa: S311  # cases, no secrets
        found = _boundary(operation, counts.boundary, random)
        made = _generated(operation, GenerationMode.POSITIVE, counts.valid, self.seed)
        valid = [_plain(case, self.known) for case in made[:1]]
        valid += [_real(case, self.known, random) for case in made[1:]]
        found += valid
        found += _generated(operation, GenerationMode.NEGATIVE, counts.invalid, self.seed)
        found += [
            hostile_values.mutate(random.choice(valid).derive(), random)
            for _ in range(counts.hostile)
            if valid
        ]
        for case in found:
            yield _packed(case, self.sender, random) if operation.path == REPORTS else case


def _boundary(operation: Operation, count: int, random: Random) -> list[AnyCase]:
    """A sample of schemathesis's coverage phase: limits of each schema, missing and repeated parameters."""
    made = list(
        operation.schema.iter_coverage_cases(
            operation, generation_modes=BOTH, generation_config=operation.schema.config.generation
        )
    )
    return random.sample(made, min(count, len(made)))


def _generated(operation: Operation, mode: GenerationMode, count: int, number: int) -> list[AnyCase]:
    """Up to `count` random cases: fewer if there are no more different ones, none if none is invalid."""
    if not count:
        return []
    made: list[AnyCase] = []

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(generation_mode=mode))
    def collect(case: AnyCase) -> None:
        made.append(case)

    with contextlib.suppress(Unsatisfiable), warnings.catch_warnings():
        warnings.simplefilter("ignore", HypothesisWarning)
        collect()
    return made[:count]


def _plain(case: AnyCase, known: Known) -> AnyCase:
    """The case with an existing object, the body that is accepted, and no optional parameter."""
    for name in case.path_parameters:
        if values := known.of_path(case.path, name):
            case.path_parameters[name] = values[0]
    required = [item.name for item in case.operation.query if item.is_required]
    case.query = {
        name: known.values[name][0] if known.values.get(name) else case.query[name] for name in required
    }
    accepted = known.bodies.get(_name(case))
    if accepted is not None:
        case.body = copy.deepcopy(accepted)
    return case


def _name(case: AnyCase) -> str:
    return str(case.operation.definition.raw.get("operationId", ""))


def _real(case: AnyCase, known: Known, random: Random) -> AnyCase:
    """The case with existing objects, names and bodies in place of some of the generated ones."""
    for name in case.path_parameters:
        values = known.of_path(case.path, name)
        if values and random.random() < KNOWN_ID:
            case.path_parameters[name] = random.choice(values)
    for name in case.query:
        if name in known.values and known.values[name] and random.random() < KNOWN_VALUE:
            case.query[name] = random.choice(known.values[name])
    accepted = known.bodies.get(_name(case))
    if accepted is not None and random.random() < ACCEPTED_BODY:
        case.body = copy.deepcopy(accepted)
    elif isinstance(case.body, dict):
        case.body = _with_known(case.body, known, random)
    return case


def _with_known(body: dict[str, Any], known: Known, random: Random) -> dict[str, Any]:
    changed: dict[str, Any] = {}
    for name, value in body.items():
        values = known.values.get(name)
        if isinstance(value, dict):
            changed[name] = _with_known(value, known, random)
        elif values and random.random() < KNOWN_VALUE:
            changed[name] = random.choice(values)
        else:
            changed[name] = value
    return changed


def _packed(case: AnyCase, sender: Sender | None, random: Random) -> AnyCase:
    """A batch as agents send it: its own reports, gzip."""
    if case.body is NOT_SET:
        return case
    if isinstance(case.body, bytes):
        body = case.body
    else:
        made = case.body if sender is None else bodies.reports(case.body, sender, random)
        body = json.dumps(made).encode()
    if random.random() < 0.95:
        body = gzip.compress(body, 1)
    case.body, case.media_type = body, "application/json"
    case.headers.setdefault("Content-Encoding", "gzip")
    return case
