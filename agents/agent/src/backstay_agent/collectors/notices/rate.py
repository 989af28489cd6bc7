"""How many notices of one sender are passed on: a token bucket. Pure."""

from dataclasses import dataclass

BURST = 50.0
PER_SECOND = 5.0


@dataclass(slots=True)
class Bucket:
    """Fifty notices at once, five a second for ever."""

    tokens: float = BURST
    at_ns: int = 0

    def take(self, now_ns: int) -> bool:
        """Whether one more may pass at monotonic time `now_ns`."""
        self.tokens = min(BURST, self.tokens + (now_ns - self.at_ns) * PER_SECOND / 1e9)
        self.at_ns = now_ns
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True
