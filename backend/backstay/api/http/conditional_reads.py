"""Conditional requests that are answered before anything is computed.

An operation declares the tables that it reads and what it compares with the clock. A process remembers, for
each reader and request, the ETag of its last answer and the counters of these tables
(telemetry.change_counters) before it was computed. A client that has this ETag gets 304 while the counters
are the same and no state has changed by the passing of time. Otherwise the answer is computed, and the client
gets 304 if it has the same ETag after all. Ages are not part of an ETag (api.http.caching).
"""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from backstay.api.http.auth import Principal, reader, site_read
from backstay.api.http.caching import conditional
from backstay.inventory.models import Site
from backstay.telemetry import change_counters
from backstay.telemetry.change_counters import Counts

P = ParamSpec("P")
R = TypeVar("R")
Clock = Callable[[Site, datetime], datetime | None]
"""The first moment after which a state at the site is another without a changed row; None: there is none."""
ACCESS = frozenset({"accounts_rolegrant", "accounts_user", "inventory_site"})
"""Which sites a reader may see: every operation depends on it."""
INVENTORY = frozenset({"inventory_fabric", "inventory_link", "inventory_node", "inventory_port"})
STATES = frozenset({"accounts_agent", "telemetry_nodestate", "telemetry_portstate"})
SAMPLES = frozenset({"telemetry_newest", "telemetry_portlayout"})
INCIDENTS = frozenset({"alerts_incident", "alerts_incident_paths", "alerts_siterule"})
PATHS = frozenset({"policy_failoverpolicy", "policy_path", "policy_pathroute", "policy_policygateway"})
MOST_KNOWN = 4096
"""Answers that a process remembers."""
MOST_CHARACTERS = 1000
"""Of a request that is remembered."""
DECLARED: dict[str, frozenset[str]] = {}
"""Operation id -> tables."""
_PENDING = "backstay_pending_read"


@dataclass(frozen=True, slots=True)
class Basis:
    """What an answer was computed from, or from something newer."""

    counts: Counts
    now: datetime


@dataclass(frozen=True, slots=True)
class _Read:
    """A request that is being answered."""

    key: Hashable | None
    """None: its answer is not remembered."""
    basis: Basis
    clock: Clock | None


@dataclass(slots=True)
class _Known:
    """The newest answer to a request."""

    basis: Basis
    tag: str
    site: Site | None
    clock: Clock | None
    until: datetime | None = None

    def is_current(self, now: datetime) -> bool:
        """Whether time has changed nothing; the moment until then is found once."""
        if self.clock is None:
            return True
        if self.site is None:
            return False
        if self.until is None:
            self.until = self.clock(self.site, self.basis.now) or datetime.max.replace(tzinfo=now.tzinfo)
        return now < self.until


class _Answers:
    """The requests of this process that were answered last."""

    def __init__(self) -> None:
        self._known: OrderedDict[Hashable, _Known] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> _Known | None:
        with self._lock:
            return self._known.get(key)

    def put(self, key: Hashable, known: _Known) -> None:
        with self._lock:
            self._known[key] = known
            self._known.move_to_end(key)
            while len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._known.clear()


answers = _Answers()


def depends_on(
    *tables: Iterable[str], clock: Clock | None = None
) -> Callable[
    [Callable[Concatenate[HttpRequest, P], R]], Callable[Concatenate[HttpRequest, P], R | HttpResponse]
]:
    """Declare the tables that a GET operation reads, as well as `ACCESS`; `clock`: when time changes a state.

    An operation whose answer changes with the clock in other ways must not be declared.
    """
    names = ACCESS.union(*tables)

    def decorate(
        function: Callable[Concatenate[HttpRequest, P], R],
    ) -> Callable[Concatenate[HttpRequest, P], R | HttpResponse]:
        DECLARED[function.__name__] = names

        @functools.wraps(function)
        def read(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> R | HttpResponse:
            key = _key(request)
            basis = Basis(change_counters.read(names), timezone.now())
            if key is not None and (unchanged := _unchanged(request, key, basis)) is not None:
                return unchanged
            setattr(request, _PENDING, _Read(key, basis, clock))
            answer = function(request, *args, **kwargs)
            if isinstance(answer, HttpResponse):
                remember(request, answer)
            return answer

        return read

    return decorate


def basis_of(request: HttpRequest) -> Basis:
    """What the answer to a declared operation is being computed from."""
    return _pending(request).basis


def rebase(request: HttpRequest, basis: Basis) -> None:
    """The answer was computed for an earlier request."""
    setattr(request, _PENDING, replace(_pending(request), basis=basis))


def remember(request: HttpRequest, response: HttpResponse) -> None:
    """Keep the ETag of an answer to a declared operation; others are ignored."""
    read: Any = getattr(request, _PENDING, None)
    if not isinstance(read, _Read) or read.key is None:
        return
    if response.status_code in {200, 304} and "ETag" in response:
        answers.put(read.key, _Known(read.basis, response["ETag"], site_read(request), read.clock))


def _pending(request: HttpRequest) -> _Read:
    read = getattr(request, _PENDING)
    assert isinstance(read, _Read)
    return read


def _unchanged(request: HttpRequest, key: Hashable, basis: Basis) -> HttpResponse | None:
    """304 if the client has the answer that it would get."""
    known = answers.get(key)
    if known is None or known.basis.counts != basis.counts or "If-None-Match" not in request.headers:
        return None
    answer = conditional(request, HttpResponse(), known.tag)
    return answer if answer.status_code == 304 and known.is_current(basis.now) else None


def _key(request: HttpRequest) -> Hashable | None:
    """The request and who reads; None: too long to be remembered, or of a past moment, which other tables
    keep.
    """
    path, who = request.get_full_path(), reader(request)
    if len(path) > MOST_CHARACTERS or "at" in request.GET:
        return None
    rights = (who.user.is_superuser, who.at_most) if isinstance(who, Principal) else None
    return who.reader, rights, path
