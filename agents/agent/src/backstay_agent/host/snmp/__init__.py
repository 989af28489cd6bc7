"""SNMP requests to one device: these objects, these columns, now.

The one narrow interface behind which engines can be changed; nothing above this package knows one of them.

    values    what an answer holds, and what can go wrong
    ber       the basic encoding rules' small part that SNMP uses
    message   SNMPv2c messages
    layout    the periodic poll's answers, decoded by where things stood last time
    readings  a poll's figures, as arrays
    udp       the exchange of datagrams with one device
    v2c       a session of v2c: our own engine
    v3        a session of v3: pysnmp for discovery, gufo-snmp for the poll
    usm       notifications of v3 (see `inbox`)

Nothing of it is imported before a source needs it: numpy and the engines cost several MB.
"""
