"""gated.conf itself: what the file configures, whether or not gated has read it.

The grammar is `backstay_gatedconf`, which also renders the files that we write. Files that it includes are
named and not read.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network

from backstay_agent.parsers.routing.candidates import Candidate
from backstay_agent.parsers.routing.gated import GatedError
from backstay_gatedconf import ConfError, parse
from backstay_gatedconf.document import Other
from backstay_gatedconf.static import PREFERENCE, StaticRoute, StaticStatement

_INCLUDE = "%include"


@dataclass(frozen=True, slots=True)
class GatedConf:
    """What a gated.conf configures."""

    statics: tuple[StaticRoute, ...]
    statements: dict[str, int]
    """Name of a statement -> how often it occurs."""
    included: tuple[str, ...]
    """Names of further files."""


def configuration(conf: str) -> GatedConf:
    """Raises GatedError, with the line, if gated would refuse the file."""
    try:
        document = parse(conf)
    except ConfError as error:
        raise GatedError(str(error)) from error
    statics: list[StaticRoute] = []
    names: Counter[str] = Counter()
    included = []
    for statement, value in zip(document.statements, document.values, strict=True):
        names[conf[statement.start :].split(None, 1)[0].rstrip("{;")] += 1
        if isinstance(value, StaticStatement):
            statics += value.routes
        elif isinstance(value, Other) and value.tokens[0] == _INCLUDE:
            included.append(value.tokens[1].strip('"'))
    return GatedConf(tuple(statics), dict(names), tuple(included))


def static_candidates(conf: GatedConf) -> list[Candidate]:
    """The static routes of the file, none of them selected: only gated knows that."""
    return [
        Candidate(
            prefix=route.network,
            via=", ".join(map(str, route.gateways)) or ", ".join(route.interfaces),
            source="Static",
            preference=PREFERENCE if route.preference is None else route.preference,
            selected=False,
        )
        for route in conf.statics
    ]


def not_in_table(conf: GatedConf, table: Iterable[Candidate]) -> list[IPv4Network]:
    """Destinations of static routes of the file that gated's table has no static route for."""
    known = {candidate.prefix for candidate in table if candidate.source == "Static"}
    return [route.network for route in conf.statics if route.network not in known]


def describe(conf: str, table: Sequence[Candidate], file: str) -> str:
    """How the file differs from gated's table, a sentence; empty if it does not."""
    try:
        configured = configuration(conf)
    except GatedError as error:
        return f"{file}: {error}: gated would not start with it"
    missing = not_in_table(configured, table)
    if not missing:
        return ""
    first = ", ".join(str(network) for network in missing[:3])
    return (
        f"{file}: {len(missing)} of {len(configured.statics)} static routes are not in gated's table, because"
        f" a port is down or the file is not loaded: {first}"
    )
