"""SNMP requests to one device: these objects, these columns, now.

The one narrow interface behind which engines can be changed; nothing above this package knows one of them.

    values             values, errors and limits
    interface          what every session offers
    ber                the part of the basic encoding rules that SNMP uses
    message            SNMPv2c messages
    response_template  decodes a poll's answers at the positions of the last one
    walk_cache         repeats an unchanged walk in one round trip
    readings           a poll's values as arrays
    walk               when a walk continues and when it ends
    udp                exchanges datagrams with one device
    v2c                a session of v2c: our own engine
    v3, v3_poll        a session of v3: pysnmp for discovery, gufo-snmp for the poll
    session            chooses one of the two for a source
    notification       traps and informs of v1 and v2c
    v3_receiver        traps and informs of v3: pysnmp's engine and security model
    pysnmp_types       pysnmp's names and values

Modules are imported when a source needs them: numpy and the engines take several MB.
"""
