"""One packet per millisecond, counted at the other end: `python -m backstay_bench.failover.stream`.

`send ADDRESS PORT COUNT` keeps its schedule: after a delay it sends all overdue packets, so that each lost
packet is a millisecond of outage. It never waits for a route or a neighbour: a packet that the kernel does
not accept at once is lost. `receive PORT` ends shortly after the last packet is due, and prints `{"sent":
.., "received": .., "last": ..}`.
"""

import contextlib
import json
import socket
import struct
import sys
import time

_PACKET = struct.Struct("!II")
_TICK_S = 0.001
_FIRST_S, _AFTER_S = 60.0, 0.5


def send(address: str, port: int, count: int) -> None:
    """Send `count` packets, one a millisecond."""
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    out.setblocking(False)
    print("sending", flush=True)
    began = time.monotonic()
    for number in range(count):
        wait = began + number * _TICK_S - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        with contextlib.suppress(OSError):
            out.sendto(_PACKET.pack(number, count), (address, port))


def receive(port: int) -> dict[str, int]:
    """Count packets until a while after the last one was due."""
    into = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    into.bind(("", port))
    into.settimeout(_FIRST_S)
    print("ready", flush=True)
    seen: set[int] = set()
    number, count = _PACKET.unpack(into.recv(64))
    end = time.monotonic() + (count - number) * _TICK_S + _AFTER_S
    while True:
        seen.add(number)
        left = end - time.monotonic()
        if left <= 0 or number == count - 1:
            break
        into.settimeout(left)
        try:
            number, _ = _PACKET.unpack(into.recv(64))
        except TimeoutError:
            break
    return {"sent": count, "received": len(seen), "last": max(seen)}


if __name__ == "__main__":
    if sys.argv[1] == "send":
        send(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        print(json.dumps(receive(int(sys.argv[2]))))
