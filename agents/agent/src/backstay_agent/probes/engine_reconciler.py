"""Makes a routing daemon run what its boot file has, if that file is as intended and the daemon does not.

A daemon runs what it last read: a reconfiguration may be lost or time out, a file may be restored without a
reload, a route may be removed at the daemon's prompt. A file that differs from the intended one is not ours
to load; the backend reports it as drift. The kernel reads no file, and its routes are the checker's.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from backstay_agent.actuators import route_verification
from backstay_agent.actuators.actuator import Actuator, ActuatorError
from backstay_agent.actuators.fallback_routing import Leads, led_routing
from backstay_agent.actuators.routing_state import RoutingState
from backstay_agent.host import boot_files
from backstay_agent.logs import event
from backstay_wire import NodeRouting

_log = logging.getLogger(__name__)
_FIRST_PAUSE_S, _MOST_PAUSE_S = 2.0, 60.0
"""Seconds between attempts; they double."""
_ATTEMPT_S = 40.0
"""Longer than three attempts of the slowest engine, gated, to read its file."""
_SWITCH_S = 15.0
"""Longer than a switch of gateways may take."""


class EngineOwner(Protocol):
    """Who switches the engine's gateways meanwhile: the checker."""

    engine_lock: asyncio.Lock
    """Held while something changes the engine's routes."""

    def leads(self) -> Leads:
        """The active gateway of every route that is not left to the daemon."""


class EngineReconciler:
    """Compares one daemon's running routes with its file, and repeats loading it with growing pauses."""

    def __init__(
        self,
        actuator: Actuator,
        routing: NodeRouting | None,
        owner: Callable[[], EngineOwner | None],
        paused: Callable[[], bool],
    ) -> None:
        """`routing`: as confirmed last; None: never. `paused`: something else controls the routing."""
        self._actuator = actuator
        self._routing = routing if actuator.runs_daemon else None
        self._owner = owner
        self._paused = paused
        self._attempts = 0
        self._trouble = ""
        self._due = 0.0
        self._can_load = False

    def compare(self, state: RoutingState) -> tuple[RoutingState, str]:
        """The state with routes marked that do not run although the boot file is as intended; the reason as a
        sentence, empty: all run."""
        self._can_load = False
        try:
            led = None if self._paused() else self._led()
        except ActuatorError:
            return state, ""
        if led is None or not self._is_intended(state, led):
            return state, ""
        wanted = route_verification.static_hops(led)
        differing = route_verification.differences(wanted, state.routes)
        if not differing:
            return state, ""
        routes = [
            route.model_copy(update={"loaded": False}) if route.prefix in differing else route
            for route in state.routes
        ]
        overridden = _overridden(wanted, state)
        self._can_load = not overridden
        reason = overridden or self._describe(next(iter(differing.values())))
        return replace(state, routes=routes), reason

    def _describe(self, first: str) -> str:
        tried = f" Attempts to load it: {self._attempts}. {self._trouble}" if self._attempts else ""
        return f"{self._actuator.engine.kind} has not loaded its file: {first}.{tried}".strip()

    async def switched(self) -> None:
        """Wait for a switch of gateways in progress, for a limited time: half of one is no difference."""
        owner = self._owner()
        if owner is None:
            return
        try:
            async with asyncio.timeout(_SWITCH_S), owner.engine_lock:
                return
        except TimeoutError:
            return

    def rest(self) -> None:
        """The daemon runs what it should."""
        self._attempts, self._trouble, self._due = 0, "", 0.0

    @property
    def pause_s(self) -> float:
        """Seconds until the next attempt; 0: now."""
        return max(0.0, self._due - asyncio.get_running_loop().time())

    async def load(self) -> None:
        """One attempt to make the daemon run its file; never raises anything but cancellation."""
        owner = self._owner()
        if owner is None or self._paused() or not self._can_load:
            self._due = asyncio.get_running_loop().time() + _MOST_PAUSE_S
            return
        self._attempts += 1
        self._trouble = await self._load(owner)
        pause_s = min(_FIRST_PAUSE_S * 2 ** (self._attempts - 1), _MOST_PAUSE_S)
        self._due = asyncio.get_running_loop().time() + pause_s
        event(
            _log,
            logging.WARNING,
            "the engine had not loaded its file",
            engine=self._actuator.engine.kind,
            attempt=self._attempts,
            trouble=self._trouble,
            again_in_s=pause_s if self._trouble else None,
        )

    async def _load(self, owner: EngineOwner) -> str:
        """The failure as a sentence, or empty."""
        try:
            async with asyncio.timeout(_ATTEMPT_S), owner.engine_lock:
                led = self._led()
                if led is not None and not self._paused():
                    await self._actuator.apply(led)
        except TimeoutError:
            return f"The last one did not end within {_ATTEMPT_S:g} s."
        except (ActuatorError, OSError, ValueError) as error:
            return f"The last one failed: {error}."[:500]
        return ""

    def _led(self) -> NodeRouting | None:
        """The confirmed routing in the order in force. Raises ActuatorError."""
        owner = self._owner()
        if self._routing is None or owner is None:
            return None
        return led_routing(self._routing, owner.leads())

    def _is_intended(self, state: RoutingState, led: NodeRouting) -> bool:
        """Whether the boot file is as confirmed; if switches write it, with the order in force."""
        kept = led if self._actuator.switches_by_file else self._routing
        intended = {file.path: boot_files.digest(file.text) for file in kept.files} if kept else {}
        return any(intended.get(file.path) == file.sha256 for file in state.files)


def _overridden(wanted: route_verification.Wanted, state: RoutingState) -> str:
    """Names a kernel route set by hand, if only that keeps the engine's routes from being used."""
    running = {route.prefix: route.hops for route in state.routes}
    for prefix, hops in wanted:
        intended = {(hop.address, hop.preference) for hop in hops}
        found = {(hop.address, hop.preference): hop for hop in running.get(prefix, ())}
        others = [hop for key, hop in found.items() if key not in intended]
        if intended <= found.keys() and others and all(hop.active for hop in others):
            gateways = ", ".join(str(hop.address) for hop in others)
            return f"A kernel route set by hand overrides {prefix}: packets go via {gateways}. Remove it."
    return ""
