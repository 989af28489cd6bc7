"""rtnetlink(7) messages that pyroute2 encodes and decodes, whose attributes stay octets under their numbers.

So a row that was read can be sent again whatever attributes it has: pyroute2's own classes decode the
attributes that they know to values, and cannot encode the others.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from pyroute2.netlink import NlaMapAdapter, NlaSpec, nla, nlmsg
from pyroute2.netlink.rtnl.ifaddrmsg import ifaddrmsg
from pyroute2.netlink.rtnl.ifinfmsg import ifinfmsg
from pyroute2.netlink.rtnl.ndmsg import ndmsg
from pyroute2.netlink.rtnl.rtmsg import nh, rtmsg

RTA_MULTIPATH = 9
_make_spec: Any = NlaSpec
_make_map: Any = NlaMapAdapter


@cache
def _octets(kind: int) -> Any:
    return _make_spec(nlmsg.cdata, kind, kind)


@cache
def _octets_or_hops(kind: int) -> Any:
    return _make_spec(_NextHop, kind, kind, nla_array=True) if kind == RTA_MULTIPATH else _octets(kind)


_raw = {"nla_map": _make_map(_octets)}
_NextHop: Any = type(
    "NextHop", (nla,), _raw | {"fields": nh.fields, "is_nla": nh.is_nla, "cell_header": nh.cell_header}
)
"""One hop of RTA_MULTIPATH (struct rtnexthop)."""
Link: Any = type("Link", (nlmsg,), _raw | {"fields": ifinfmsg.fields})
Address: Any = type("Address", (nlmsg,), _raw | {"fields": ifaddrmsg.fields})
Neighbour: Any = type("Neighbour", (nlmsg,), _raw | {"fields": ndmsg.fields})
Route: Any = type("Route", (nlmsg,), {"nla_map": _make_map(_octets_or_hops), "fields": rtmsg.fields})


def build(kind: Any, attrs: Sequence[tuple[int, object]] = (), **fields: int) -> Any:
    """A message to be sent; fields that are left out are 0."""
    message = kind()
    message.update(fields, attrs=[*attrs])
    return message


def decode(kind: Any, raw: bytes) -> Any:
    """A whole message as it was received."""
    message = kind(raw)
    message.decode()
    return message


def attributes(message: Any) -> dict[int, Any]:
    """The octets of a decoded message's attributes by type; of RTA_MULTIPATH the hops, decoded alike."""
    return dict(message["attrs"])
