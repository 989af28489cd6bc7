"""`rip yes|no { ... };`: whether RIP is received and sent, on which ports, and which gateways are trusted.

A route learnt by RIP expires 180 s after its last announcement, so RIP detects a dead gateway where static
routes do not (RFC 2453, 3.8).
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address

from backstay_gatedconf import trace
from backstay_gatedconf.tokens import Cursor

YES_NO = ("yes", "no", "on", "off")
_FLAGS = ("broadcast", "nobroadcast", "nocheckzero")
_PORT_OPTIONS = (
    *("ripin", "noripin", "ripout", "noripout", "metricin", "metricout"),
    *("version", "authentication", "secondary"),
)


@dataclass(frozen=True, slots=True)
class Authentication:
    """`[secondary] authentication none | [simple|md5] "..."`; an empty kind is gated's default."""

    kind: str
    password: str
    secondary: bool = False


@dataclass(frozen=True, slots=True)
class RipPorts:
    """`interface LIST ...`; `receives` and `sends` are None when the file does not set them."""

    names: tuple[str, ...]
    receives: bool | None = None
    sends: bool | None = None
    metric_in: int | None = None
    metric_out: int | None = None
    version: str = ""
    """`1`, `2`, `2 multicast` or `2 broadcast`."""
    authentication: tuple[Authentication, ...] = ()


@dataclass(frozen=True, slots=True)
class Rip:
    """The one `rip` statement."""

    on: bool
    flags: tuple[str, ...] = ()
    preference: int | None = None
    default_metric: int | None = None
    ports: tuple[RipPorts, ...] = ()
    trusted: tuple[IPv4Address, ...] = ()
    sources: tuple[IPv4Address, ...] = ()
    trace: tuple[trace.Trace, ...] = ()


def yes(cursor: Cursor) -> bool:
    """`yes`, `no`, `on` or `off`."""
    return cursor.choice(*YES_NO) in {"yes", "on"}


Item = tuple[str, object]


def parse(cursor: Cursor) -> Rip:
    """After the keyword `rip`."""
    on = yes(cursor)
    items: tuple[Item, ...] = cursor.body(_item) if cursor.sees("{") else ()
    flags = {str(value) for kind, value in items if kind == "flag"}
    return Rip(
        on=on,
        flags=tuple(flag for flag in _FLAGS if flag in flags),
        preference=_last(items, "preference"),
        default_metric=_last(items, "defaultmetric"),
        ports=tuple(value for _, value in items if isinstance(value, RipPorts)),
        trusted=_addresses(items, "trustedgateways"),
        sources=_addresses(items, "sourcegateways"),
        trace=tuple(value for _, value in items if isinstance(value, trace.Trace)),
    )


def _last(items: tuple[Item, ...], kind: str) -> int | None:
    found = [value for item, value in items if item == kind and isinstance(value, int)]
    return found[-1] if found else None


def _addresses(items: tuple[Item, ...], kind: str) -> tuple[IPv4Address, ...]:
    lists = [value for item, value in items if item == kind and isinstance(value, tuple)]
    return tuple(address for item in lists for address in item)


def _item(cursor: Cursor) -> Item:
    if cursor.sees(*_FLAGS):
        return "flag", cursor.take().text
    kind = cursor.choice(
        "preference", "defaultmetric", "interface", "trustedgateways", "sourcegateways", "traceoptions"
    )
    if kind == "preference":
        return kind, cursor.number(0, 255)
    if kind == "defaultmetric":
        return kind, cursor.number(0, 16)
    if kind == "interface":
        return kind, _ports(cursor)
    return kind, trace.parse(cursor) if kind == "traceoptions" else cursor.addresses()


def _ports(cursor: Cursor) -> RipPorts:
    names = cursor.names(_PORT_OPTIONS)
    receives = sends = metric_in = metric_out = None
    version = ""
    authentication: list[Authentication] = []
    while not cursor.sees(";"):
        keyword = cursor.choice(*_PORT_OPTIONS)
        if keyword in {"ripin", "noripin"}:
            receives = keyword == "ripin"
        elif keyword in {"ripout", "noripout"}:
            sends = keyword == "ripout"
        elif keyword == "metricin":
            metric_in = cursor.number(0, 16)
        elif keyword == "metricout":
            metric_out = cursor.number(0, 16)
        elif keyword == "version":
            version = _version(cursor)
        else:
            authentication.append(_authentication(cursor, secondary=keyword == "secondary"))
    return RipPorts(names, receives, sends, metric_in, metric_out, version, tuple(authentication))


def _version(cursor: Cursor) -> str:
    number = cursor.choice("1", "2")
    how = cursor.maybe("multicast", "broadcast") if number == "2" else ""
    return f"{number} {how}".rstrip()


def _authentication(cursor: Cursor, *, secondary: bool) -> Authentication:
    if secondary:
        cursor.expect("authentication")
    if cursor.has("none"):
        return Authentication("none", "", secondary)
    return Authentication(cursor.maybe("simple", "md5"), cursor.string(), secondary)


def render(value: Rip) -> str:
    items = [
        *value.flags,
        "" if value.preference is None else f"preference {value.preference}",
        "" if value.default_metric is None else f"defaultmetric {value.default_metric}",
        *(_render_ports(ports) for ports in value.ports),
        " ".join(["trustedgateways", *map(str, value.trusted)]) if value.trusted else "",
        " ".join(["sourcegateways", *map(str, value.sources)]) if value.sources else "",
        *(trace.render(item) for item in value.trace),
    ]
    head = f"rip {'yes' if value.on else 'no'}"
    lines = "".join(f"    {item};\n" for item in items if item)
    return f"{head} {{\n{lines}}}" if lines else head


def _render_ports(value: RipPorts) -> str:
    parts = [
        "interface",
        *value.names,
        {None: "", True: "ripin", False: "noripin"}[value.receives],
        {None: "", True: "ripout", False: "noripout"}[value.sends],
        "" if value.metric_in is None else f"metricin {value.metric_in}",
        "" if value.metric_out is None else f"metricout {value.metric_out}",
        f"version {value.version}" if value.version else "",
        *map(_render_authentication, value.authentication),
    ]
    return " ".join(filter(None, parts))


def _render_authentication(value: Authentication) -> str:
    head = "secondary authentication" if value.secondary else "authentication"
    if value.kind == "none":
        return f"{head} none"
    return " ".join(filter(None, [head, value.kind, f'"{value.password}"']))
