"""A small switch that answers over SNMP, for tests of recordings."""

from collections.abc import Iterable
from dataclasses import dataclass

from backstay_agent.host.snmp import ber
from backstay_agent.host.snmp.values import Oid
from backstay_agent.parsers import ifmib, ipmib
from backstay_testing.snmp_responder import Asked, Content, Table, number, text
from backstay_wire import SnmpSource, SnmpV2c

LLDP_NAME = (1, 0, 8802, 1, 1, 2, 1, 4, 1, 1, 9)
_HIGH_SPEED = (1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 15)


def switch() -> dict[Oid, Content]:
    """Two ports with an address and a neighbour each."""
    objects: dict[Oid, Content] = {
        ifmib.SYS_NAME: text("gw7.site.example"),
        ifmib.SYS_DESCR: text("Linux gw7 5.10.0 of gw7 at 10.77.1.1"),
        ifmib.SYS_UPTIME: number(900_000, ber.TICKS),
        (*ifmib.MIB2, 1, 6, 0): text("never asked for"),
    }
    for port in (1, 2):
        mac = bytes((0x0C, 0xC4, 0x7A, 9, 9, port))
        objects |= {
            (*ifmib.IF_DESCR, port): text(f"swp{port}"),
            (*ifmib.IF_TYPE, port): number(6),
            (*ifmib.IF_ADMIN, port): number(1),
            (*ifmib.IF_OPER, port): number(1),
            (*ifmib.IF_PHYS, port): (ber.OCTETS, mac),
            (*ifmib.IF_ALIAS, port): text(f"uplink to gw{port}"),
            (*ifmib.IF_HC_IN_OCTETS, port): number(5, ber.COUNTER64),
            (*ifmib.IF_NAME[:-1], 10, port): number(6, ber.COUNTER64),
            (*_HIGH_SPEED, port): number(1000, ber.GAUGE),
            (*ipmib.OLD_ADDRESS_IF, 10, 77, port, 1): number(port),
            (*ipmib.OLD_ADDRESS_MASK, 10, 77, port, 1): (ber.ADDRESS, b"\xff\xff\xff\0"),
            (*ipmib.MEDIA_MAC, port, 10, 77, port, 2): (ber.OCTETS, mac[:5] + b"\x77"),
            (*ipmib.MEDIA_TYPE, port, 10, 77, port, 2): number(3),
            (*LLDP_NAME, 0, port, 1): text(f"peer{port}.site.example"),
        }
    return objects


@dataclass
class Device:
    """Answers from its table, but not about what is below `silent_below`, and after `delay_s` each."""

    table: Table
    silent_below: Oid | None = None

    def __call__(self, asked: Asked) -> Iterable[bytes]:
        below = self.silent_below
        if below is not None and any(name[: len(below)] == below for name in asked.names):
            return []
        return [self.table.answer(asked)]


def source(port: int, device: str = "sw") -> SnmpSource:
    return SnmpSource(
        device=device,
        interval_s=1,
        address="127.0.0.1",
        port=port,
        timeout_s=0.2,
        retries=0,
        access=SnmpV2c(community="hidden-community"),
    )
