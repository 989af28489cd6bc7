"""Family `atm`: virtual channel links of ATM ports (ATM-MIB, RFC 2515)."""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

METRICS: Sequence[Metric] = (
    Metric(
        "atm.vcl",
        "Circuit",
        "state",
        "",
        "Whether this virtual channel link is up; a circuit that is down leaves two sites without a path.",
        "atmVclOperStatus 1.3.6.1.2.1.37.1.7.1.4",
        good=frozenset({"up"}),
        states={1: "up", 2: "down", 3: "unknown"},
    ),
    Metric(
        "atm.vcl_admin",
        "Circuit wanted",
        "state",
        "",
        "Administrative state of this virtual channel link.",
        "atmVclAdminStatus 1.3.6.1.2.1.37.1.7.1.3",
        good=frozenset({"up", "down"}),
        states={1: "up", 2: "down"},
    ),
    Metric(
        "atm.vccs",
        "Circuits",
        "level",
        "circuits",
        "Virtual channel connections configured on the port.",
        "atmInterfaceConfVccs 1.3.6.1.2.1.37.1.2.1.4",
    ),
    Metric(
        "atm.cross_connect",
        "Cross connection",
        "state",
        "",
        "Whether a switch passes cells from one circuit to the other and back; a circuit is only as good"
        " as each switch on its path.",
        "atmVcCrossConnectL2HOperStatus 1.3.6.1.2.1.37.1.11.1.9",
        good=frozenset({"up"}),
        states={1: "up", 2: "down", 3: "unknown"},
    ),
    Metric(
        "atm.cell_delineation",
        "Cell delineation",
        "state",
        "",
        "Whether the port finds the boundaries of cells in what it receives; lcdFailure means a broken line.",
        "atmInterfaceTCAlarmState 1.3.6.1.2.1.37.1.4.1.2",
        good=frozenset({"noAlarm"}),
        states={1: "noAlarm", 2: "lcdFailure"},
    ),
    Metric(
        "atm.out_of_cell_delineation",
        "Delineation lost",
        "growth",
        "events",
        "How often the port lost the boundaries of cells: a line about to fail.",
        "atmInterfaceOCDEvents 1.3.6.1.2.1.37.1.4.1.1",
        error=True,
    ),
)
