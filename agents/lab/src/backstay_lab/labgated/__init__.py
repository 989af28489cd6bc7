"""labgated: a stand-in for gated, to route a node as in 1998 without gated's sources.

It is not GateD and contains no part of it. It reads gated.conf, installs kernel routes by preference
(rtnetlink(7), protocol `gated`), listens to RIP and router discovery, writes gated's dump, and is
controlled by its own `gdc`. It reproduces gated's weakness: a static route stays while one of its gateways
is *on* a port that is up, whether or not the gateway is alive.

Not implemented: OSPF, BGP, EGP, ISIS, RIP and router discovery servers, redirects, SNMP, GII. All files are
in one folder instead of /etc and /var/tmp, so that every namespace can have its own (`state_files`). Only
the standard library is imported, so a daemon and its gdc start in some hundredths of a second.
"""
