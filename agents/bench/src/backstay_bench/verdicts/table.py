"""The faults, one per row, and their expected verdicts; each matrix is realistic for an operator."""

from collections.abc import Callable

from backstay_bench.verdicts.fault import Declared, Fault, Matrix, PathSpec, matrix

K = 1024
_QUICK = {"duration_s": 2, "omit_s": 1, "congestion": "cubic"}
_METERED = {"duration_s": 6, "omit_s": 1, "congestion": "cubic"}
"""Seconds; long enough for a meaningful spread of the seconds."""


def _window() -> list[Fault]:
    """(Mb/s, ms, windows, streams, MTU): one window per round trip."""
    rows = (
        (400, 5, (16 * K, 32 * K, 64 * K), (1,), 9000),
        (200, 10, (32 * K, 64 * K), (1, 2), 9000),
        (800, 3, (64 * K, 128 * K), (1,), 9000),
        (800, 10, (128 * K, 256 * K), (1,), 9000),
        (400, 20, (128 * K,), (1, 2, 4), 9000),
        (100, 50, (64 * K, 128 * K), (1, 2), 1500),
        (400, 50, (256 * K, 1024 * K), (1,), 9000),
        (800, 1, (16 * K, 32 * K), (1,), 9000),
        (800, 3, (64 * K,), (1, 2), 65280),
    )
    return [
        Fault(
            "window",
            f"window-{number}",
            PathSpec(rate=rate, rtt_ms=rtt, end_mtu=mtu, middle_mtu=mtu),
            matrix("tcp", _QUICK, window=windows, streams=streams),
            frozenset({"window_limited"}),
        )
        for number, (rate, rtt, windows, streams, mtu) in enumerate(rows, 1)
    ]


def _stall() -> list[Fault]:
    """(Mb/s, ms, MTU, header, octets of a block, streams, reader): small writes that await a delayed ACK."""
    rows = (
        (800, 0, 1500, 64, (512, 1024), (1,), "delayed"),
        (800, 0, 1500, 64, (512,), (1, 2, 4), "delayed"),
        (400, 0, 9000, 128, (1 * K, 4 * K), (1, 2), "delayed"),
        (200, 5, 9000, 64, (2 * K, 8 * K), (1,), "delayed"),
        (800, 0, 65280, 64, (16 * K, 32 * K), (1, 2), "delayed"),
        (100, 10, 1500, 32, (256, 1024), (1,), "delayed"),
        (800, 1, 9000, 32, (4 * K, 8 * K), (1, 4), "delayed"),
        (800, 0, 1500, 32, (512, 1024), (1, 2), "system"),
    )
    return [
        Fault(
            "stall",
            f"stall-{number}",
            PathSpec(rate=rate, rtt_ms=rtt, end_mtu=mtu, middle_mtu=mtu),
            matrix(
                "request_ack",
                {"duration_s": 2, "header": header, "ack_delay": reader},
                size=sizes,
                streams=streams,
            ),
            frozenset({"delayed_ack"}),
        )
        for number, (rate, rtt, mtu, header, sizes, streams, reader) in enumerate(rows, 1)
    ]


def _pps() -> list[Fault]:
    """(packets/s, sizes, Mb/s offered, direction, MTU): a packet rate limit, independent of size."""
    rows = (
        (500, (256, 512, 1024), 20, 1500),
        (1000, (200, 600, 1400), 40, 1500),
        (2000, (256, 512, 1024, 1400), 80, 1500),
        (4000, (300, 700, 1400), 120, 1500),
        (5000, (512, 2048, 4096), 250, 9000),
        (8000, (350, 700, 1400), 150, 1500),
        (10_000, (512, 1024, 2048), 250, 9000),
        (20_000, (500, 1000, 1400), 300, 1500),
    )
    return [
        Fault(
            "pps",
            f"pps-{number}",
            PathSpec(pps=limit, end_mtu=mtu, middle_mtu=mtu),
            matrix("udp", {"duration_s": 3, "rate": 1_000_000 * offered}, size=sizes),
            frozenset({"packet_rate"}),
        )
        for number, (limit, sizes, offered, mtu) in enumerate(rows, 1)
    ]


def _cpu() -> list[Fault]:
    """A path faster than the processors; their other load, and the tests."""
    plain = {"duration_s": 3, "omit_s": 1}
    small = PathSpec(shaped=False)
    rows: tuple[tuple[int, Matrix, PathSpec, str], ...] = (
        (100_000, matrix("tcp", plain, streams=(1, 2)), PathSpec(shaped=False, burners=2), "server"),
        (
            20_000,
            matrix("tcp", plain, streams=(2, 4)),
            PathSpec(shaped=False, burners=2, end_mtu=9000, middle_mtu=9000),
            "server",
        ),
        (20_000, matrix("tcp", plain, streams=(1, 2)), PathSpec(shaped=False, rtt_ms=0.2), "gate"),
        (20_000, matrix("tcp", plain, streams=(1, 2)), _forwarded(4352), "gate"),
        (20_000, matrix("tcp", plain, streams=(1, 4)), _forwarded(9000), "gate"),
        (20_000, matrix("tcp", plain, streams=(1, 2), direction=("reverse",)), _forwarded(1500), "gate"),
        (40_000, matrix("tcp", plain, buffer=(128, 256)), small, ""),
        (40_000, matrix("tcp", plain, buffer=(200,), streams=(1, 2)), small, ""),
    )
    return [
        Fault(
            "cpu",
            f"cpu-{number}",
            path,
            cells,
            frozenset({"cpu_gateway" if suspect == "gate" else "cpu_endpoint"}),
            Declared(usable=usable),
            suspect,
        )
        for number, (usable, cells, path, suspect) in enumerate(rows, 1)
    ]


def _forwarded(mtu: int) -> PathSpec:
    """A gateway that forwards in a program."""
    return PathSpec(shaped=False, rtt_ms=0.2, end_mtu=mtu, middle_mtu=mtu)


def _loss() -> list[Fault]:
    """(Mb/s, ms, per cent, streams, MTU, congestion control): lost at random."""
    rows = (
        (400, 10, 0.1, (1, 2, 4), 1500, "cubic"),
        (400, 10, 1.0, (1, 2, 4), 1500, "reno"),
        (800, 20, 0.5, (1, 2, 4), 1500, "cubic"),
        (200, 50, 0.1, (1, 4), 1500, "reno"),
        (100, 20, 2.0, (1, 2, 4), 1500, "cubic"),
        (200, 10, 3.0, (1, 4), 1500, "reno"),
        (800, 50, 1.0, (1, 2), 9000, "reno"),
        (400, 5, 0.5, (1, 2, 4), 1500, "reno"),
    )
    return [
        Fault(
            "loss",
            f"loss-{number}",
            PathSpec(rate=rate, rtt_ms=rtt, loss=lost, end_mtu=mtu, middle_mtu=mtu),
            matrix("tcp", {"duration_s": 5, "omit_s": 1, "congestion": control}, streams=streams),
            frozenset({"loss_limited"}),
        )
        for number, (rate, rtt, lost, streams, mtu, control) in enumerate(rows, 1)
    ]


def _narrow() -> list[Fault]:
    """(Mb/s of the ends' fabric, of the hop, whether the site file knows the hop, ms, streams, MTU)."""
    rows = (
        (800, 155, True, 0, (1, 2), 1500),
        (800, 100, True, 0, (1, 2, 4), 4352),
        (400, 50, True, 5, (1, 2), 1500),
        (800, 20, True, 0, (1, 2), 1500),
        (800, 400, True, 1, (1, 4), 9000),
        (800, 155, False, 0, (1, 2, 4), 9000),
        (800, 100, False, 0, (1, 2, 4), 1500),
        (400, 60, False, 2, (1, 2, 4), 1500),
    )
    return [
        Fault(
            "narrow",
            f"narrow-{number}",
            PathSpec(rate=hop, rtt_ms=rtt, end_mtu=mtu, middle_mtu=mtu),
            matrix("tcp", _QUICK if known else _METERED, streams=streams),
            frozenset({"narrow_hop"}),
            Declared(
                usable=0.95 * fabric,
                middle=PathSpec(rate=hop, middle_mtu=mtu).usable() / 1e6 if known else None,
            ),
            PathSpec(rtt_ms=rtt).hop if known else "",
        )
        for number, (fabric, hop, known, rtt, streams, mtu) in enumerate(rows, 1)
    ]


def _asymmetric() -> list[Fault]:
    """(Mb/s to the server, Mb/s back, ms, streams, MTU): the site file knows the faster of both."""
    rows = (
        (400, 100, 0, (1, 2), 1500),
        (100, 400, 0, (1, 2), 1500),
        (800, 200, 0, (1, 4), 9000),
        (200, 20, 5, (1, 2), 1500),
        (50, 200, 10, (1, 2), 1500),
        (800, 500, 0, (1, 2), 9000),
        (20, 80, 0, (1, 2), 1500),
        (300, 155, 2, (1, 2), 4352),
    )
    return [
        Fault(
            "asymmetric",
            f"asymmetric-{number}",
            PathSpec(rate=rate, back=back, rtt_ms=rtt, end_mtu=mtu, middle_mtu=mtu),
            matrix("tcp", _QUICK, streams=streams, direction=("forward", "reverse")),
            frozenset({"one_direction"}),
            Declared(usable=PathSpec(rate=max(rate, back), middle_mtu=mtu).usable() / 1e6),
        )
        for number, (rate, back, rtt, streams, mtu) in enumerate(rows, 1)
    ]


def _mtu() -> list[Fault]:
    """A lower MTU in the middle: more packets for a gateway with a packet rate limit, or large ones lost."""
    forwarded = (
        (9000, 1500, 5000, (1, 2)),
        (65280, 9000, 2000, (1, 2)),
        (9000, 4352, 4000, (1, 2)),
        (65280, 1500, 8000, (1, 2)),
    )
    lost = (
        (9000, 1500, (1000, 1400, 4000, 8000)),
        (9000, 4352, (1400, 4000, 8000)),
        (65280, 9000, (1000, 8000, 16_000, 60_000)),
        (4352, 1500, (64, 1400, 4000)),
    )
    found = [
        Fault(
            "mtu",
            f"mtu-{number}",
            PathSpec(pps=limit, limited="tcp", end_mtu=end, middle_mtu=middle),
            matrix("tcp", _QUICK, streams=streams),
            frozenset({"low_mtu_hop"}),
            suspect=PathSpec().hop,
        )
        for number, (end, middle, limit, streams) in enumerate(forwarded, 1)
    ]
    return found + [
        Fault(
            "mtu",
            f"mtu-{number}",
            PathSpec(end_mtu=end, middle_mtu=middle, silent=True),
            matrix("ping", {"rate": 20.0, "count": 40, "wait_s": 0.5}, size=sizes),
            frozenset({"low_mtu_hop"}),
            suspect=PathSpec().hop,
        )
        for number, (end, middle, sizes) in enumerate(lost, len(found) + 1)
    ]


def _healthy() -> list[Fault]:
    """(Mb/s, ms, streams, MTU): only the medium limits."""
    rows = (
        (100, 0, (1, 2, 4), 1500),
        (800, 0, (1, 2), 9000),
        (400, 1, (1, 4), 9000),
        (20, 10, (1, 2), 1500),
        (200, 5, (1, 2, 4), 4352),
        (50, 0, (1, 2), 1500),
        (800, 1, (1, 2), 65280),
    )
    return [
        Fault(
            "healthy",
            f"healthy-{number}",
            PathSpec(rate=rate, rtt_ms=rtt, end_mtu=mtu, middle_mtu=mtu),
            matrix("tcp", _QUICK, streams=streams),
            frozenset({"medium_limited"}),
        )
        for number, (rate, rtt, streams, mtu) in enumerate(rows, 1)
    ]


KINDS: dict[str, Callable[[], list[Fault]]] = {
    "window": _window,
    "stall": _stall,
    "pps": _pps,
    "cpu": _cpu,
    "loss": _loss,
    "narrow": _narrow,
    "asymmetric": _asymmetric,
    "mtu": _mtu,
    "healthy": _healthy,
}
"""The kinds of faults, and `healthy`, where no fault is."""


def faults(only: str = "") -> list[Fault]:
    """All faults, or those whose kind or name is in `only`, separated by commas."""
    every = [one for kind in KINDS.values() for one in kind()]
    chosen = set(only.split(",")) - {""}
    return [one for one in every if not chosen or {one.kind, one.name} & chosen]
