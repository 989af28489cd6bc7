"""Which kind of test carries out which spec: the one list."""

from collections.abc import Mapping

from backstay_agent.probes.throughput.kinds.base import ThroughputKind
from backstay_agent.probes.throughput.kinds.iperf3 import Iperf3
from backstay_agent.probes.throughput.kinds.ping import Ping
from backstay_agent.probes.throughput.kinds.rdma import Rdma
from backstay_agent.probes.throughput.kinds.request_ack import RequestAck

KINDS: Mapping[str, ThroughputKind] = {
    "tcp": Iperf3(),
    "udp": Iperf3(),
    "request_ack": RequestAck(),
    "ping": Ping(),
    "rdma": Rdma(),
}
