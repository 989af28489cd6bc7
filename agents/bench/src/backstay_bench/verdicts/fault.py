"""A fault: the path, the site file's declaration, the tests, and the expected verdict. Pure.

    client --fab0 ga0-- gate --middle-- far --ga0 fab0-- server

`far` is a gateway without an agent. The middle is a veth pair or, to add a round trip time, the lab's HIPPI
fabric over TUN devices.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from pydantic import TypeAdapter

from backstay_wire import Spec

TCP_HEADERS, FRAME = 52, 14
"""IPv4 and TCP with time stamps; Ethernet's own."""
_SPEC: TypeAdapter[Spec] = TypeAdapter(Spec)
Matrix = tuple[Spec, ...]


@dataclass(frozen=True, slots=True)
class PathSpec:
    """The emulated path."""

    rate: float = 800.0
    """Mb/s of frames that the middle carries to the server."""
    back: float | None = None
    """Mb/s that it carries to the client; None: as much."""
    rtt_ms: float = 0.0
    """Round trip time; 0: a veth pair's own."""
    end_mtu: int = 1500
    middle_mtu: int = 1500
    loss: float = 0.0
    """Per cent of the packets to the server that the gateway drops at random."""
    pps: int | None = None
    """Maximum packets/s of `limited` forwarded to the server."""
    limited: Literal["udp", "tcp"] = "udp"
    """The limited protocol. With `udp`, the TCP control connection of a UDP test is not limited."""
    silent: bool = False
    """It does not report packets that are too large (RFC 1191's black hole)."""
    burners: int = 0
    """Number of programs that keep one processor busy each."""
    shaped: bool = True

    @property
    def middle(self) -> tuple[str, str]:
        """The middle's ports, at both gateways."""
        return ("hip0", "hip0") if self.rtt_ms else ("mid0", "mid1")

    @property
    def hop(self) -> str:
        """The middle, as a site's links are called."""
        return f"gate: {self.middle[0]}"

    @property
    def packets_apart(self) -> bool:
        """Whether each packet must pass the gateway separately, as on a wire."""
        return bool(self.loss or self.pps)

    def usable(self, rate: float | None = None) -> float:
        """Bit/s of TCP's data at a rate of frames."""
        mtu = self.middle_mtu
        return 1e6 * (self.rate if rate is None else rate) * (mtu - TCP_HEADERS) / (mtu + FRAME)


@dataclass(frozen=True, slots=True)
class Declared:
    """A site file's declaration: Mb/s of user data of the ends' fabric and of the middle; None: as built."""

    usable: float | None = None
    middle: float | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault, its tests, and the expected verdict."""

    kind: str
    name: str
    path: PathSpec
    cells: Matrix
    expected: frozenset[str]
    declared: Declared = Declared()
    suspect: str = ""
    """The hop that the verdict must name; empty: any."""

    def medium(self) -> dict[str, Any]:
        """The backend's description of the medium: declared rates, and where agents observe each hop."""
        path, declared = self.path, self.declared
        ends = path.usable() if declared.usable is None else 1e6 * declared.usable
        middle = ends if declared.middle is None else 1e6 * declared.middle
        return {
            "usable": min(ends, middle),
            "ends": ends,
            "hops": [
                {"name": "gate: ga0", "usable": ends, "mtu": path.end_mtu},
                {"name": path.hop, "usable": middle, "mtu": path.middle_mtu},
                {"name": "far: ga0", "usable": ends, "mtu": path.end_mtu},
            ],
            "senders": {"forward": [["client", "fab0"]], "reverse": [["server", "fab0"]]},
            "seen": [
                {"hop": 0, "node": "client", "port": "fab0", "forward": "out"},
                {"hop": 0, "node": "gate", "port": "ga0", "forward": "in"},
                {"hop": 1, "node": "gate", "port": path.middle[0], "forward": "out"},
                {"hop": 2, "node": "server", "port": "fab0", "forward": "in"},
            ],
            "links": [["1", True], ["2", True], ["3", True]],
            "sampled": {},
        }

    def described(self) -> str:
        """The settings as a short text."""
        path = self.path
        parts = [
            f"{path.rate:g} Mb/s" if path.shaped else "no shaper",
            f"{path.back:g} back" if path.back is not None else "",
            f"{path.rtt_ms:g} ms" if path.rtt_ms else "",
            f"MTU {path.end_mtu}"
            if path.end_mtu == path.middle_mtu
            else f"MTU {path.end_mtu}/{path.middle_mtu}",
            f"{path.loss:g} % lost" if path.loss else "",
            f"{path.pps} packets/s" if path.pps else "",
            "no ICMP" if path.silent else "",
            f"{path.burners} burning" if path.burners else "",
            *_varied(self.cells),
        ]
        return ", ".join(part for part in parts if part)


def matrix(kind: str, fixed: Mapping[str, Any], **varied: Sequence[Any]) -> Matrix:
    """Every combination of the settings, the last one fastest."""
    points = product(*varied.values())
    return tuple(
        _SPEC.validate_python({"kind": kind, **fixed, **dict(zip(varied, point, strict=True))})
        for point in points
    )


def seconds(spec: Spec) -> float:
    """How long a cell takes."""
    if spec.kind == "ping":
        return spec.count / spec.rate + spec.wait_s
    return float(spec.duration_s or 0) + getattr(spec, "omit_s", 0)


def _varied(cells: Matrix) -> list[str]:
    declared = [cell.model_dump(mode="json", exclude_none=True) for cell in cells]
    names = ("streams", "window", "size", "direction")
    found = {name: list(dict.fromkeys(one[name] for one in declared if name in one)) for name in names}
    shown = {name: "/".join(map(str, values)) for name, values in found.items() if values}
    return [f"{name} {text}" for name, text in shown.items() if text not in {"1", "forward"}]
