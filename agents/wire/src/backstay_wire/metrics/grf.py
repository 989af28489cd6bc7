"""Family `grf`: the GigaRouter's own state (NETSTAR-MIB): chassis, cards, gated, circuits."""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

METRICS: Sequence[Metric] = (
    Metric(
        "grf.power_supply",
        "Power supply",
        "level",
        "",
        "Power supply status as the chassis gives it, a number whose meaning its maker did not publish: "
        "look when it changes.",
        "grPowerSupplyStatus 1.3.6.1.4.1.1080.1.1.1.1",
    ),
    Metric(
        "grf.temperature",
        "Temperature",
        "state",
        "",
        "Whether the chassis is within its temperature; over it, cards begin to fail.",
        "grTempStatus 1.3.6.1.4.1.1080.1.1.1.2",
        good=frozenset({"normal"}),
        states={1: "normal", 2: "over-temp"},
    ),
    Metric(
        "grf.fan",
        "Fan",
        "level",
        "",
        "Fan status as the chassis gives it, a number whose meaning its maker did not publish: "
        "look when it changes.",
        "grFanStatus 1.3.6.1.4.1.1080.1.1.1.3",
    ),
    Metric(
        "grf.card_state",
        "Card state",
        "state",
        "",
        "Whether the card forwards; any state but running (or empty) means that its ports carry nothing.",
        "grPortCardCurrentState 1.3.6.1.4.1.1080.1.1.1.5.1.3",
        good=frozenset({"running", "empty"}),
        states={
            1: "empty",
            2: "power-up",
            3: "boot-requested",
            4: "dumping",
            5: "loading",
            6: "configuring",
            7: "running",
            8: "not-responding",
            9: "panic",
            10: "held-reset",
            99: "other",
        },
    ),
    Metric(
        "grf.gated",
        "Routing daemon",
        "state",
        "",
        "Whether gated runs on the router; without it, routes stay as they were and no failover happens.",
        "grGatedStatus 1.3.6.1.4.1.1080.1.1.1.6",
        good=frozenset({"running"}),
        states={1: "running", 2: "not-running"},
    ),
    Metric(
        "grf.circuits",
        "Circuits",
        "level",
        "circuits",
        "ATM circuits configured on the port: one missing from the mesh is a pair of sites without a path.",
        "grAtmV1VcVci 1.3.6.1.4.1.1080.1.1.4.1.1.3",
    ),
    Metric(
        "grf.vc",
        "Circuit",
        "state",
        "",
        "Each row of the router's table of circuits: permanent ones a person configured, switched ones were"
        " set up by signalling.",
        "grAtmV1VcType 1.3.6.1.4.1.1080.1.1.4.1.1.10",
        good=frozenset({"permanent", "switched"}),
        states={1: "other", 2: "invalid", 3: "permanent", 4: "switched"},
    ),
    Metric(
        "grf.next_hop",
        "Next hop",
        "state",
        "",
        "Whether the circuit towards this neighbour is in use.",
        "grAtmV1NetToVcState 1.3.6.1.4.1.1080.1.1.4.4.1.5",
        good=frozenset({"active"}),
        states={1: "active", 2: "inactive"},
    ),
    Metric(
        "grf.last_operation",
        "Last backup operation",
        "state",
        "",
        "Last operation requested of the router's backup group: a backup, a comparison or a restoration.",
        "grLastOperation 1.3.6.1.4.1.1080.1.1.1.12",
    ),
    Metric(
        "grf.backup_status",
        "Backup status",
        "state",
        "",
        "Result of that operation, as the router reports it; later settings are not included.",
        "grStatusMsg 1.3.6.1.4.1.1080.1.1.1.13",
    ),
)
