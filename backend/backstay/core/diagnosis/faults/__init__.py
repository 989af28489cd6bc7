"""Faults: root causes inferred from the topology and what all nodes observe at one moment.

`find_faults` in `search.py` is a pure function of `Observations`; the order in which reports arrived does not
matter. One module per kind of evidence: `carrier`, `probing`, `forwarding`, `reporting`; `impact` assigns the
paths that each fault breaks.
"""
