"""Family `sp`: a dependent node of an SP switch, as it is configured (DEPNODE-MIB, 1.3.6.1.4.1.2.6.117.4)."""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

METRICS: Sequence[Metric] = (
    Metric(
        "sp.node_state",
        "Switch node",
        "state",
        "",
        "Whether the dependent node is up on the SP switch.",
        "ibmSPDepNodeState 1.3.6.1.4.1.2.6.117.4.1.1.12",
        good=frozenset({"nodeUp"}),
        words={1: "nodeUp", 2: "nodeDown"},
    ),
    Metric(
        "sp.config_state",
        "Adapter",
        "state",
        "",
        "How far the adapter's configuration came; fullyConfigured is the only state that carries traffic.",
        "ibmSPDepConfigState 1.3.6.1.4.1.2.6.117.4.1.1.10",
        good=frozenset({"fullyConfigured"}),
        words={
            1: "notConfigured",
            2: "firmwareLoadFailed",
            3: "driverLoadFailed",
            4: "diagnosticFailed",
            5: "microcodeLoadFailed",
            6: "fullyConfigured",
        },
    ),
    Metric(
        "sp.admin_status",
        "Wanted",
        "state",
        "",
        "What the control workstation wants of the adapter.",
        "ibmSPDepAdminStatus 1.3.6.1.4.1.2.6.117.4.1.1.15",
        good=frozenset({"up"}),
        words={1: "up", 2: "down", 3: "reconfigure"},
    ),
    Metric(
        "sp.arp",
        "ARP",
        "state",
        "",
        "Whether the node resolves addresses by ARP; disabled, host part less offset must be the switch node "
        "number, or nobody reaches it.",
        "ibmSPDepSwARP 1.3.6.1.4.1.2.6.117.4.1.1.4",
        good=frozenset({"enabled", "disabled"}),
        words={1: "disabled", 2: "enabled"},
    ),
    Metric(
        "sp.switch_node_number",
        "Switch node number",
        "level",
        "",
        "The node's number on the switch, which stands in the routes of every other node.",
        "ibmSPDepSwNodeNumber 1.3.6.1.4.1.2.6.117.4.1.1.5",
    ),
    Metric(
        "sp.host_offset",
        "Host offset",
        "level",
        "",
        "What is added to the switch node number to give the host part of the address while ARP is off.",
        "ibmSPDepIPHostOffset 1.3.6.1.4.1.2.6.117.4.1.1.9",
    ),
    Metric(
        "sp.address_rule",
        "Address rule",
        "state",
        "",
        "With ARP off, whether the address is the one that switch node number and offset stand for; "
        "broken, its packets go to another node.",
        "ibmSPDepIPaddr 1.3.6.1.4.1.2.6.117.4.1.1.6",
        good=frozenset({"kept", "not needed"}),
    ),
)
