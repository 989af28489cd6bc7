"""labgated: a stand-in for gated, so that a node can be routed as in 1998 without gated's sources.

It is not GateD and contains nothing of it. Written from the grammar of gated.conf, it reads such a file,
installs kernel routes by preference (rtnetlink(7), protocol `gated`), listens to RIP and to router discovery,
writes gated's dump and is driven by a `gdc` of its own. It does what gated does also where that is wrong: a
static route stays while one of its gateways is *on* a port that is up, whether or not that gateway lives.

Not played: OSPF, BGP, EGP, ISIS, being a RIP or router discovery server, redirects, SNMP, GII. The files are
not in /etc and /var/tmp but all in one folder, so that every namespace can have its own (`place`).
Nothing but Python's own library is imported: a daemon and its gdc start in some hundredths of a second.
"""
