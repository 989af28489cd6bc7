"""The routing daemons and snmpd of the lab's nodes: configuration and command line of each."""
