"""Sends the cases of one operation and judges each response."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import requests
from schemathesis import Response
from schemathesis.core.failures import FailureGroup
from schemathesis.openapi.checks import IgnoredAuth
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    response_schema_conformance,
    status_code_conformance,
)

from bench.fuzz.cases import AnyCase
from bench.fuzz.documents import LIVE, Operation

CONFORMANCE = [status_code_conformance, content_type_conformance, response_schema_conformance]
BUSY = 503
"""Allowed, like 429: the client is to try again."""
REFUSED = {400, 401, 404, 405, 408, 413, 429, BUSY}
"""Statuses of a request without credentials: 401, or refused before that (address, method, body)."""
PROBES = 2
"""Accepted cases of an operation that are repeated without and with wrong credentials."""
TIMEOUT_S = 30.0
STREAM_S = 1.0
"""How long an accepted live stream is read."""


class Fault(StrEnum):
    """What a response must never be."""

    SERVER_ERROR = "server_error"
    NO_ANSWER = "no_answer"
    SCHEMA_BREAK = "schema_break"
    IGNORED_AUTH = "ignored_auth"


@dataclass(frozen=True, slots=True)
class Caller:
    """Headers of a role."""

    name: str
    headers: Mapping[str, str]

    @property
    def is_anonymous(self) -> bool:
        return not self.headers


@dataclass(slots=True)
class Tally:
    """Results of cases."""

    cases: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    faults: Counter[Fault] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    """One reproduction of each different fault."""
    accepted: set[str] = field(default_factory=set)
    """Operations that answered 2xx at least once."""

    def add(self, other: Tally) -> None:
        self.cases += other.cases
        self.statuses += other.statuses
        self.faults += other.faults
        self.examples = {**other.examples, **self.examples}
        self.accepted |= other.accepted

    def fault(self, kind: Fault, operation: str, why: str, request: str) -> None:
        """Count a fault."""
        self.faults[kind] += 1
        self.examples.setdefault(f"{kind.value}: {operation}: {why}", request)


@dataclass(frozen=True, slots=True)
class Judge:
    """Sends cases of one caller; `transport`: more arguments of `Case.call`."""

    caller: Caller
    transport: Mapping[str, Any] = field(default_factory=dict)

    def run(self, operation: Operation, cases: Iterable[AnyCase]) -> Tally:
        """Send every case."""
        tally = Tally()
        for case in cases:
            tally.cases += 1
            self._one(operation, case, tally)
        return tally

    def _one(self, operation: Operation, case: AnyCase, tally: Tally) -> None:
        more = {"timeout": STREAM_S if operation.path == LIVE else TIMEOUT_S, **self.transport}
        try:
            response = case.call(headers=dict(self.caller.headers), **more)
        except requests.RequestException as problem:
            tally.fault(Fault.NO_ANSWER, operation.label, type(problem).__name__, _text(case))
            return
        status = response.status_code
        tally.statuses[status] += 1
        if status >= 500 and status != BUSY:
            why = f"{status} {response.content[:200]!r}"
            tally.fault(Fault.SERVER_ERROR, operation.label, why, _text(case))
            return
        if 200 <= status < 300:
            tally.accepted.add(operation.label)
        for fault, why in self._broken(case, response, more, tally):
            tally.fault(fault, operation.label, f"{status} {why}", _text(case))
        if self.caller.is_anonymous and not _is_refused(operation, response):
            tally.fault(Fault.IGNORED_AUTH, operation.label, f"{status} without credentials", _text(case))

    def _broken(
        self, case: AnyCase, response: Response, more: Mapping[str, Any], tally: Tally
    ) -> list[tuple[Fault, str]]:
        """Failures of the library's checks."""
        checks: list[Any] = [*CONFORMANCE]
        # The check of credentials needs some to take away; without any, `_is_refused` is stricter.
        if tally.statuses[response.status_code] <= PROBES and not self.caller.is_anonymous:
            checks.append(ignored_auth)
        try:
            case.validate_response(
                response, checks=checks, headers=dict(self.caller.headers), transport_kwargs=dict(more)
            )
        except FailureGroup as group:
            return [_named(failure) for failure in group.exceptions]
        return []


def _named(failure: BaseException) -> tuple[Fault, str]:
    fault = Fault.IGNORED_AUTH if isinstance(failure, IgnoredAuth) else Fault.SCHEMA_BREAK
    return fault, f"{type(failure).__name__}: {' '.join(str(failure).split())[:300]}"


def _is_refused(operation: Operation, response: Response) -> bool:
    """Whether an operation that needs credentials refused a request without."""
    needs = bool(operation.definition.raw.get("security"))
    return not needs or response.status_code in REFUSED


def _text(case: AnyCase) -> str:
    """The request, shortened, without credentials."""
    body = "" if not case.body else f" body {str(case.body)[:400]}"
    headers = f" headers {str(dict(case.headers))[:200]}" if case.headers else ""
    return (
        f"{case.method} {case.path} {str(case.path_parameters)[:200]} {str(case.query)[:300]}{headers}{body}"
    )
