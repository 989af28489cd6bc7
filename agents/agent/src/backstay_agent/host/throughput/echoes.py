"""The ping test: echoes of one size at one rate, each with the kernel's own receive time.

`python -m ...echoes PARENT AT JSON`; prints the result as JSON on stdout. Exit status 3: not permitted; 4:
cannot send from the address.
"""

import json
import sys
import time
from typing import Any

from backstay_agent.host.icmp import EchoSocket
from backstay_agent.host.throughput import launcher
from backstay_agent.host.throughput.times import Times

NOT_ALLOWED, NO_ADDRESS = 3, 4
OWN_OCTETS = 28
"""Octets of our own in an echo besides the filling: cookie, target, number, time."""
_LOOK_S = 0.005
"""Maximum time that replies wait in the socket: two of 64 KB fill it."""
_SECOND = 1_000_000_000


class Echoes:
    """One test."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self._asked = asked
        self._socket = EchoSocket(6 if ":" in asked["peer"] else 4)
        self._filling = bytes(asked["size"] - OWN_OCTETS)
        self._times = Times()
        self._answered: set[int] = set()
        self._sent = 0
        self._unsendable = 0
        if asked["local"]:
            self._socket.send_from(asked["local"])

    def run(self, at_ns: int) -> None:
        """Send all on time, and wait for the last replies."""
        count, period = self._asked["count"], _SECOND / self._asked["rate"]
        for number in range(count):
            self._listen_until(at_ns + round(number * period))
            self._sent += 1
            if not self._socket.send(self._asked["peer"], 0, number, time.time_ns(), self._filling):
                self._unsendable += 1
        self._listen_until(time.monotonic_ns() + round(self._asked["wait_s"] * _SECOND), all_of=True)

    def _listen_until(self, monotonic_ns: int, *, all_of: bool = False) -> None:
        """Process replies until then; `all_of`: or until no more can arrive."""
        while True:
            for reply in self._socket.replies():
                if reply.number not in self._answered:
                    self._answered.add(reply.number)
                    self._times.add(reply.rtt_us)
            left = (monotonic_ns - time.monotonic_ns()) / 1e9
            whole = all_of and len(self._answered) + self._unsendable >= self._sent
            if left <= 0 or whole:
                return
            time.sleep(min(left, _LOOK_S))

    def result(self) -> dict[str, Any]:
        """In the form of the wire's `PingResult`."""
        return {
            "kind": "ping",
            "sent": self._sent,
            "unsendable": self._unsendable,
            "received": len(self._answered),
            "latency": self._times.reported(),
            "longest_silence": longest_silence(self._answered, self._sent),
        }


def longest_silence(answered: set[int], sent: int) -> int:
    """Longest run of echoes without a reply."""
    longest = run = 0
    for number in range(sent):
        run = 0 if number in answered else run + 1
        longest = max(longest, run)
    return longest


def main() -> int:
    """See the module."""
    launcher.die_with(int(sys.argv[1]))
    try:
        echoes = Echoes(json.loads(sys.argv[3]))
    except PermissionError as error:
        sys.stderr.write(f"{error.strerror}\n")
        return NOT_ALLOWED
    except OSError as error:
        sys.stderr.write(f"{error.strerror}\n")
        return NO_ADDRESS
    launcher.start_at(int(sys.argv[2]))
    echoes.run(max(int(sys.argv[2]), time.monotonic_ns() - _SECOND))
    sys.stdout.write(json.dumps(echoes.result()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
