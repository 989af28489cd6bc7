"""A walk as it went last time, so that it can be done again in one exchange.

Where a device's tables are as they were, each of a walk's requests has the answer that it had. So what was
asked one after the other is asked together the next time, and when every answer is what it was, nothing is
taken apart and the tables are the same object as before. Where any differs, an ordinary walk is made
with the answers that are there: what it finds never depends on what is remembered.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from backstay_agent.host.snmp import message
from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.message import Answer, Request
from backstay_agent.host.snmp.values import Rows

_NUMBER = 4
"""Octets of a request's number (message.FIRST_NUMBER)."""


@dataclass(frozen=True, slots=True)
class Step:
    """One request of a walk, and its answer."""

    request: Request
    fixed: bytes
    """The answer with zeros in its holes."""
    holes: Sequence[tuple[int, int]]
    """(start, end) of what is not part of the walked tables: the request's number, and the values of what
    came from behind them."""
    beyond: frozenset[int]
    """The places of the variables from behind them."""

    def is_repeated_by(self, data: bytes) -> bool:
        """Whether `data` has the same table content as the answer."""
        if len(data) == len(self.fixed) and _without(data, self.holes) == self.fixed:
            return True
        # A counter behind the last row may have grown by an octet, and the message with it.
        return bool(self.beyond) and _content(data, self.beyond) == _content(self.fixed, self.beyond)


def step(request: Request, data: bytes, answer: Answer, beyond: Sequence[int]) -> Step:
    """The step that was answered by `data`; `beyond` are the places of its variables of no walked column."""
    values = [answer.variables[place] for place in beyond]
    holes = [(answer.number_end - _NUMBER, answer.number_end), *((v.start, v.end) for v in values)]
    return Step(request, _without(data, holes), holes, frozenset(beyond))


def _without(data: bytes, holes: Sequence[tuple[int, int]]) -> bytes:
    rest = bytearray(data)
    for start, end in holes:
        rest[start:end] = bytes(end - start)
    return bytes(rest)


def _content(data: bytes, beyond: frozenset[int]) -> object:
    """The status, names, types and values of an answer, but for the values at `beyond`; None when it is
    broken."""
    try:
        answer = message.answer(data)
    except BerError:
        return None
    variables = enumerate(answer.variables)
    return answer.status, [
        (v.name, v.tag, None if place in beyond else data[v.start : v.end]) for place, v in variables
    ]


@dataclass(frozen=True, slots=True)
class WalkCache:
    """A whole walk."""

    steps: Sequence[Step]
    found: Rows

    def is_repeated_by(self, answers: Sequence[bytes]) -> bool:
        """Whether these answers to the same requests have the same content."""
        return all(map(Step.is_repeated_by, self.steps, answers))

    def by_request(self, answers: Sequence[bytes]) -> dict[Request, bytes]:
        """These answers to the same requests."""
        return {step.request: data for step, data in zip(self.steps, answers, strict=True)}
