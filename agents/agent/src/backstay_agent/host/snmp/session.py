"""The session for a source's access: the only place that chooses an engine."""

from backstay_agent.host.snmp.interface import SnmpSession
from backstay_agent.host.snmp.v2c import V2cSession
from backstay_agent.host.snmp.values import Observer, PollLimits
from backstay_wire import SnmpSource, SnmpV2c

_LIMITS = PollLimits()


def open_session(
    source: SnmpSource, limits: PollLimits = _LIMITS, observe: Observer | None = None
) -> SnmpSession:
    """A session with the source's device; the first request opens its socket.

    `observe` receives the objects of every GET and walk, but not those of a poll.
    """
    if isinstance(source.access, SnmpV2c):
        return V2cSession(source, limits, observe)
    # pysnmp and gufo-snmp are imported only where a device needs them.
    from backstay_agent.host.snmp.v3 import V3Session

    return V3Session(source, limits, observe)
