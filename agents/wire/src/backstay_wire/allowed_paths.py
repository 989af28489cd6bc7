"""The path rules of sources, engines and ARP, by the names that a site file uses (`path_rules`)."""

from collections.abc import Mapping
from typing import get_args

from backstay_wire.arp import ArpFiles
from backstay_wire.assignment import Source
from backstay_wire.engines import CONTROL_PROGRAMS, Engine, EngineKind
from backstay_wire.path_rules import FieldRules, program, rules_of

SOURCES: Mapping[str, FieldRules] = {
    source.model_fields["kind"].default: rules
    for source in get_args(get_args(Source)[0])
    if (rules := rules_of(source))
}
"""Kind of a source -> its fields, in a site file as in an assignment."""
ENGINES: Mapping[EngineKind, FieldRules] = {
    **dict.fromkeys(EngineKind, rules_of(Engine)),
    **{kind: {**rules_of(Engine), "control": program(name)} for kind, name in CONTROL_PROGRAMS.items()},
}
"""Kind of a routing engine -> its fields; one that it does not use is empty."""
ARP: FieldRules = rules_of(ArpFiles)
"""The files of a node's ARP settings."""
