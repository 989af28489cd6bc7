"""Whether Backstay reports of a running lab what the lab's own kernel, daemons and tools report.

The public API is read over HTTP, as any client would; beside it, at the same time, the source of each number
is read again by other means than the agents use: /proc/net/dev where they use netlink, snmpget, perfquery,
the HIPPI fabric's own counters. A counter's growth over the very interval that the API names must lie between
the source's readings just before and just after that interval's ends; one that does not grow must be equal.
"""
