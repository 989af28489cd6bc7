"""SNMP requests to one device: these objects, these columns, now.

The one narrow interface behind which engines can be changed; nothing above this package knows one of them.

    values        what an answer holds, what can go wrong, and a session's interface
    ber           the basic encoding rules' small part that SNMP uses
    message       SNMPv2c messages
    layout        a poll's answers, decoded by where things stood last time
    readings      a poll's figures, as arrays
    walk          when a walk goes on, and when it is over
    udp           the exchange of datagrams with one device
    v2c           a session of v2c: our own engine
    v3, v3_poll   a session of v3: pysnmp for discovery, gufo-snmp for the poll
    session       which of the two a source gets
    notification  traps and informs
    usm           what v3 traps need of the user-based security model

Nothing of it is imported before a source needs it: numpy and the engines cost several MB.
"""
