"""Schedule of requests for the desired state, and of complete ones. Pure; times are monotonic.

A reply to a report names the generation of the desired state, so a change is fetched at once. The regular
requests find out about a change while the agent has nothing to report: the backend answers them by one short
query while the generation is unchanged. Only some of them fetch everything, in case a change raised no
generation, such as an upgrade of the backend.
"""

from __future__ import annotations

WHOLE_EVERY = 10
"""One of so many regular requests fetches everything."""


class DesiredSchedule:
    """`every_s`: seconds between regular requests."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._whole_s = 0.0

    def is_whole_due(self, now: float) -> bool:
        """Whether the next request fetches everything: the first one, and again after `WHOLE_EVERY`."""
        return now >= self._whole_s

    def fetched_whole(self, asked: float) -> None:
        """Everything was fetched by a request made at `asked`."""
        self._whole_s = asked + WHOLE_EVERY * self._every_s

    def wait_s(self, asked: float, now: float) -> float:
        """Seconds until the next regular request, after an answered one made at `asked`."""
        return max(0.0, asked + self._every_s - now)
