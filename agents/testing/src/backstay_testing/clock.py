"""A clock that moves only on request: for tests and simulations."""

from backstay_agent.schedule import SECOND


class ManualClock:
    """See host.clock.Clock. Both clocks move together; `sleep` moves them instead of waiting."""

    def __init__(self, now_ns: int = 1_000 * SECOND, epoch_ns: int = 1_700_000_000 * SECOND) -> None:
        self.now_ns = now_ns
        self._epoch_ns = epoch_ns

    def monotonic_ns(self) -> int:
        """See Clock."""
        return self.now_ns

    def wall_ns(self) -> int:
        """See Clock."""
        return self._epoch_ns + self.now_ns

    def advance(self, seconds: float) -> None:
        """Move both clocks."""
        self.now_ns += round(seconds * SECOND)

    async def sleep(self, seconds: float) -> None:
        """In place of asyncio.sleep."""
        self.advance(seconds)
