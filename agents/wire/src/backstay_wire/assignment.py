"""An agent's assignments: desired state with a generation, never commands.

`GET /api/agent/v1/desired` returns `Desired`. The reply to every report batch carries the newest generation,
so an agent learns of a change within one interval and fetches the assignments only then.
"""

from typing import Annotated, Literal

from pydantic import Field, IPvAnyAddress, IPvAnyNetwork, SecretStr, field_serializer

from backstay_wire.arp import ArpFiles, NodeArp
from backstay_wire.base import Interval, Message, Name
from backstay_wire.change import ChangeAssignment
from backstay_wire.engines import Engine, EngineSource
from backstay_wire.hold import NodeHold
from backstay_wire.path_rules import KEY, RUNTIME, program
from backstay_wire.recording import MAX_RECORDINGS, RecordingRequest
from backstay_wire.routing import NodeRouting, PathMove
from backstay_wire.throughput import MAX_TESTS, TestAssignment


class LinuxSource(Message):
    """This host's own kernel: ports, counters, addresses, routes, neighbours (rtnetlink(7))."""

    kind: Literal["linux"] = "linux"
    device: Name
    interval_s: Interval


class SnmpV2c(Message):
    """SNMPv2c (RFC 1901) access: a community string."""

    version: Literal["2c"] = "2c"
    community: SecretStr

    @field_serializer("community", when_used="json")
    def _reveal(self, value: SecretStr) -> str:
        return value.get_secret_value()


class SnmpV3(Message):
    """SNMPv3 (RFC 3414) authPriv access."""

    version: Literal["3"] = "3"
    user: Name
    auth_protocol: Literal["SHA-1", "SHA-256", "SHA-512"] = "SHA-256"
    auth_key: SecretStr
    priv_protocol: Literal["AES-128", "AES-256"] = "AES-128"
    priv_key: SecretStr

    @field_serializer("auth_key", "priv_key", when_used="json")
    def _reveal(self, value: SecretStr) -> str:
        return value.get_secret_value()


Access = Annotated[SnmpV2c | SnmpV3, Field(discriminator="version")]


class SnmpSource(Message):
    """A device polled over SNMP from a management host."""

    kind: Literal["snmp"] = "snmp"
    device: Name
    interval_s: Interval
    address: IPvAnyAddress
    port: Annotated[int, Field(ge=1, le=65535)] = 161
    access: Access
    timeout_s: Annotated[float, Field(gt=0, le=30)] = 1.0
    retries: Annotated[int, Field(ge=0, le=5)] = 1


Guid = Annotated[str, Field(pattern=r"^0x[0-9a-f]{16}$")]
"""InfiniBand node GUID (IBTA volume 1, 14.2.5.3) in lower case."""


class ExpectedCable(Message):
    """One expected cable: two ports by node and port name, in either order."""

    node: Name
    port: Name
    """A switch's port is its number, `7`; an adapter's is adapter and number, `mlx5_0/1`."""
    peer: Name
    peer_port: Name


class InfinibandSource(Message):
    """A whole InfiniBand fabric, swept from this host through one channel adapter.

    The sweep reports on every device of `devices` under its node name. Devices it does not know appear only
    as adjacencies of the others. Collectors of one fabric on several hosts see the same GUIDs.
    """

    kind: Literal["infiniband"] = "infiniband"
    device: Name
    """This host; the sweep's own results are reported for it."""
    interval_s: Interval
    fabric: Name
    ca: Annotated[str, Field(max_length=64)] = ""
    """Channel adapter (`mlx5_0`); empty: the first active one."""
    ca_port: Annotated[int, Field(ge=0, le=255)] = 0
    devices: Annotated[dict[Guid, Name], Field(max_length=50_000)]
    """Node GUID -> node name, for the devices assigned to this agent."""
    cables: Annotated[list[ExpectedCable], Field(max_length=100_000)] = []
    """The cable list that the sweep is compared to; empty: no comparison."""


class InfinibandHostSource(Message):
    """This host's own channel adapters: /sys/class/infiniband (sysfs-class-infiniband)."""

    kind: Literal["infiniband_host"] = "infiniband_host"
    device: Name
    interval_s: Interval


class KeepalivedSource(Message):
    """keepalived on this host: VRRP states."""

    kind: Literal["keepalived"] = "keepalived"
    device: Name
    interval_s: Interval
    pid_file: Annotated[Name, RUNTIME] = "/run/keepalived.pid"
    data: Annotated[Name, RUNTIME] = "/tmp/keepalived.data"  # noqa: S108  # where keepalived(8) writes on SIGUSR1
    """The file that keepalived(8) writes on SIGUSR1."""


class LnetSource(Message):
    """LNet on this host: `lnetctl` in YAML."""

    kind: Literal["lnet"] = "lnet"
    device: Name
    interval_s: Interval
    lnetctl: Annotated[Name, program("lnetctl")] = "lnetctl"


class SshSource(Message):
    """A host without an agent: read from the output of its own commands over ssh. Nothing is changed
    there."""

    kind: Literal["ssh"] = "ssh"
    device: Name
    interval_s: Interval
    address: IPvAnyAddress
    port: Annotated[int, Field(ge=1, le=65535)] = 22
    system: Literal["aix", "grf", "irix", "linux", "solaris", "vyos"]
    user: Name
    host_key: Annotated[str, Field(max_length=2048)]
    """The host's public key, as a known_hosts line without its names; any other key is rejected."""
    key_file: Annotated[Name, KEY]
    """Private key on the agent's own disk; never transmitted."""


class NoticeSource(Message):
    """Ports on which this host receives SNMP notifications and syslog messages of devices."""

    kind: Literal["notices"] = "notices"
    device: Name
    interval_s: Interval
    address: IPvAnyAddress
    """Where to listen."""
    trap_port: Annotated[int, Field(ge=0, le=65535)] = 162
    """UDP; 0: none."""
    syslog_port: Annotated[int, Field(ge=0, le=65535)] = 514
    """UDP; 0: none."""
    senders: Annotated[dict[str, Name], Field(max_length=50_000)]
    """Source address -> node name; messages from other sources are counted and dropped."""
    access: Annotated[
        list[Annotated[SnmpV2c | SnmpV3, Field(discriminator="version")]], Field(max_length=64)
    ] = []
    """Users whose notifications are accepted."""


Source = Annotated[
    LinuxSource
    | EngineSource
    | SnmpSource
    | InfinibandSource
    | InfinibandHostSource
    | KeepalivedSource
    | LnetSource
    | SshSource
    | NoticeSource,
    Field(discriminator="kind"),
]


class GatewayAddress(Message):
    """One gateway of a failover policy, as this node sees it."""

    name: Name
    """The gateway's node name."""
    address: IPvAnyAddress
    """Its next-hop address on a fabric that this node is on."""


PATH_REPEAT_S, PATH_REPEAT_PROBES, PATH_REPEAT_MOST_S = 10.0, 25, 30.0
"""Of the heartbeat of an unchanged path. A node on a small machine probes rarely, and a report costs more
than a probe. The backend's `core.thresholds` has the same numbers; a test compares them."""


def path_repeat_s(probe_interval_ms: int, counters_s: float) -> float:
    """Seconds between two reports of an unchanged path, which leave with the reports of counters (each
    `counters_s`, 0: none)."""
    probes_s = PATH_REPEAT_PROBES * min(probe_interval_ms / 1000, PATH_REPEAT_S)
    return max(PATH_REPEAT_S, probes_s, min(counters_s, PATH_REPEAT_MOST_S))


class PathWatch(Message):
    """A failover policy to observe on this node: which gateway carries the prefix, and whether it
    forwards."""

    policy: Name
    prefix: IPvAnyNetwork
    gateways: Annotated[list[GatewayAddress], Field(min_length=1, max_length=16)]
    """In order of preference."""
    target: IPvAnyAddress | None = None
    """End-to-end target probed along the active path; unanswered probes give the measured outage."""
    probe_interval_ms: Annotated[int, Field(ge=10, le=10_000)] = 50


class Desired(Message):
    """All assignments of an agent at one generation."""

    generation: int
    site: Name
    node: Name
    sources: list[Source]
    paths: list[PathWatch]
    engine: Engine | None = None
    """Engine that installs this node's routes; None: its routing is not managed."""
    routing: NodeRouting | None = None
    """Configuration confirmed last; None: nothing yet."""
    arp_files: ArpFiles | None = None
    """Where this node's ARP settings are stored for its next boot; None: they are not managed."""
    arp: NodeArp | None = None
    """Configuration confirmed last; None: nothing yet."""
    changes: Annotated[list[ChangeAssignment], Field(max_length=4)] = []
    """Changes in progress, oldest first."""
    moves: Annotated[list[PathMove], Field(max_length=64)] = []
    managed_again: Annotated[str, Field(max_length=64)] = ""
    """Id of the release or revert (`ManagementReport.release`) that an operator has cleared; empty: none."""
    hold: NodeHold | None = None
    """None: the backend holds nothing; a hold set on the node itself is not affected."""
    tests: Annotated[list[TestAssignment], Field(max_length=MAX_TESTS)] = []
    """This node's assignments in throughput tests; one that disappears before its end is cancelled."""
    recordings: Annotated[
        list[RecordingRequest], Field(max_length=MAX_RECORDINGS, exclude_if=lambda value: not value)
    ] = []
    """Devices to be recorded once. Absent without any, so that older agents accept the message."""
