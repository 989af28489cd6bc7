"""A cached walk, which can be repeated in one exchange.

While a device's tables do not change, each request of a walk has the same response as before. So the
sequential requests are sent together the next time; if every response is unchanged, nothing is decoded and
the tables are the same object as before. If any differs, an ordinary walk uses the responses already
received: its result never depends on the cache.
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
class WalkStep:
    """One request of a walk, and its response."""

    request: Request
    fixed: bytes
    """The response with zeros in its holes."""
    holes: Sequence[tuple[int, int]]
    """(start, end) of parts outside the walked tables: the request's number, and the values of variables
    beyond the tables."""
    beyond: frozenset[int]
    """The positions of the variables beyond the tables."""

    def is_repeated_by(self, data: bytes) -> bool:
        """Whether `data` has the same table content as the response."""
        if len(data) == len(self.fixed) and _without(data, self.holes) == self.fixed:
            return True
        # A counter after the last row may have grown by an octet, and the message with it.
        return bool(self.beyond) and _content(data, self.beyond) == _content(self.fixed, self.beyond)


def step(request: Request, data: bytes, answer: Answer, beyond: Sequence[int]) -> WalkStep:
    """The step answered by `data`; `beyond` are the positions of its variables outside the walked columns."""
    values = [answer.variables[place] for place in beyond]
    holes = [(answer.number_end - _NUMBER, answer.number_end), *((v.start, v.end) for v in values)]
    return WalkStep(request, _without(data, holes), holes, frozenset(beyond))


def _without(data: bytes, holes: Sequence[tuple[int, int]]) -> bytes:
    rest = bytearray(data)
    for start, end in holes:
        rest[start:end] = bytes(end - start)
    return bytes(rest)


def _content(data: bytes, beyond: frozenset[int]) -> object:
    """The status, names, types and values of a response, except for the values at `beyond`; None if it is
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

    steps: Sequence[WalkStep]
    found: Rows

    def is_repeated_by(self, answers: Sequence[bytes]) -> bool:
        """Whether these responses to the same requests have the same content."""
        return all(map(WalkStep.is_repeated_by, self.steps, answers))

    def by_request(self, answers: Sequence[bytes]) -> dict[Request, bytes]:
        """These responses by their requests."""
        return {step.request: data for step, data in zip(self.steps, answers, strict=True)}
