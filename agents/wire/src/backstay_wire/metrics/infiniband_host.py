"""Family `ib.hw_`: counters of a host's own channel adapter, below /sys/class/infiniband.

The names are those of the files in `ports/N/hw_counters`; the driver decides which exist. For mlx5 the
vendor's note "Understanding mlx5 Linux counters and status parameters" explains them.
"""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric


def _hardware(name: str, title: str, unit: str, sentence: str, *, alarming: bool = False) -> Metric:
    return Metric(f"ib.hw_{name}", title, "growth", unit, sentence, f"hw_counters/{name}", error=alarming)


METRICS: Sequence[Metric] = (
    _hardware(
        "duplicate_request",
        "Duplicate requests",
        "packets",
        "Duplicate requests: the answer to the first one was lost.",
        alarming=True,
    ),
    _hardware(
        "implied_nak_seq_err",
        "Implied NAKs",
        "packets",
        "Out-of-order answers: a request was lost.",
        alarming=True,
    ),
    _hardware(
        "local_ack_timeout_err",
        "ACK timeouts",
        "packets",
        "Requests that were not acknowledged in time and were sent again.",
        alarming=True,
    ),
    _hardware(
        "out_of_buffer",
        "Out of buffer",
        "packets",
        "Packets dropped because a receive queue had no buffer.",
        alarming=True,
    ),
    _hardware(
        "out_of_sequence",
        "Out of sequence",
        "packets",
        "Packets that arrived out of order: some before them were lost.",
        alarming=True,
    ),
    _hardware(
        "packet_seq_err",
        "Sequence errors",
        "packets",
        "Packets that the other end refused for their order.",
        alarming=True,
    ),
    _hardware(
        "rnr_nak_retry_err",
        "RNR exhausted",
        "packets",
        "Sends given up because the receiver was never ready.",
        alarming=True,
    ),
    _hardware(
        "req_cqe_error",
        "Request errors",
        "errors",
        "Own requests that completed with an error.",
        alarming=True,
    ),
    _hardware(
        "req_cqe_flush_error",
        "Requests flushed",
        "errors",
        "Own requests flushed because their queue pair had failed.",
    ),
    _hardware(
        "req_remote_access_errors",
        "Remote access",
        "errors",
        "Own requests refused: the other end's memory was not open for them.",
        alarming=True,
    ),
    _hardware(
        "req_remote_invalid_request",
        "Remote invalid",
        "errors",
        "Own requests that the other end called invalid.",
        alarming=True,
    ),
    _hardware(
        "req_transport_retries_exceeded",
        "Retries exceeded",
        "errors",
        "Own requests given up after too many retries: the path is broken.",
        alarming=True,
    ),
    _hardware(
        "resp_cqe_error", "Response errors", "errors", "Answers that completed with an error.", alarming=True
    ),
    _hardware(
        "resp_cqe_flush_error",
        "Responses flushed",
        "errors",
        "Answers flushed because their queue pair had failed.",
    ),
    _hardware(
        "resp_local_length_error",
        "Length errors",
        "errors",
        "Requests longer than the buffer for them.",
        alarming=True,
    ),
    _hardware(
        "resp_remote_access_errors",
        "Refused access",
        "errors",
        "Others' requests to memory that is not open for them.",
        alarming=True,
    ),
    _hardware(
        "rx_icrc_encapsulated",
        "ICRC errors",
        "packets",
        "RoCE packets with a wrong invariant checksum.",
        alarming=True,
    ),
    _hardware("np_cnp_sent", "CNP sent", "packets", "Congestion notifications that this port sent."),
    _hardware(
        "np_ecn_marked_roce_packets",
        "ECN marked",
        "packets",
        "RoCE packets that arrived marked for congestion.",
    ),
    _hardware(
        "rp_cnp_handled", "CNP handled", "packets", "Congestion notifications that slowed this port down."
    ),
    _hardware(
        "rp_cnp_ignored",
        "CNP ignored",
        "packets",
        "Congestion notifications that had no effect.",
        alarming=True,
    ),
    _hardware("rx_read_requests", "Read requests", "packets", "RDMA reads requested from this port."),
    _hardware(
        "rx_write_requests", "Write requests", "packets", "RDMA writes that others made through this port."
    ),
    _hardware(
        "rx_atomic_requests",
        "Atomic requests",
        "packets",
        "Atomic operations that others requested from this port.",
    ),
    _hardware(
        "roce_adp_retrans",
        "Adaptive resends",
        "packets",
        "RoCE packets sent again by adaptive retransmission.",
    ),
    _hardware(
        "roce_adp_retrans_to",
        "Adaptive timeouts",
        "packets",
        "RoCE timeouts handled by adaptive retransmission.",
    ),
    _hardware(
        "roce_slow_restart", "Slow restarts", "times", "Times that RoCE began again slowly after a pause."
    ),
    _hardware(
        "roce_slow_restart_cnps",
        "Slow restart CNPs",
        "packets",
        "Congestion notifications made for a slow restart.",
    ),
    _hardware(
        "roce_slow_restart_trans",
        "Slow restart steps",
        "times",
        "Times that a RoCE flow entered slow restart.",
    ),
    _hardware("rx_dct_connect", "DCT connects", "requests", "Requests to connect a dynamic transport."),
)
