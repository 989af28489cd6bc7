"""Schedule of requests for the desired state, and of complete ones. Pure; times are monotonic.

A reply to a report names the generation of the desired state. A newer one is fetched at once; ours needs no
request. The regular requests find out about a change while the agent has nothing to report: the backend
answers them by one short query while the generation is unchanged. Now and then everything is fetched, in case
a change raised no generation, such as an upgrade of the backend.
"""

from __future__ import annotations

WHOLE_EVERY = 10
"""Everything is fetched after so many intervals of regular requests."""


class DesiredSchedule:
    """`every_s`: seconds between regular requests."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._whole_s = 0.0
        self.due_s = 0.0
        """When the next regular request is due."""

    def is_whole_due(self, now: float) -> bool:
        """Whether the next request fetches everything: the first one, and again after `WHOLE_EVERY`."""
        return now >= self._whole_s

    def fetched_whole(self, asked: float) -> None:
        """Everything was fetched by a request made at `asked`."""
        self._whole_s = asked + WHOLE_EVERY * self._every_s
        self.is_current(asked)

    def is_current(self, at: float) -> None:
        """The backend named our generation in reply to a request made at `at`, for whatever it was."""
        self.due_s = max(self.due_s, min(at + self._every_s, self._whole_s))

    def failed(self, now: float, retry_s: float) -> None:
        """A request failed at `now`."""
        self.due_s = now + retry_s
