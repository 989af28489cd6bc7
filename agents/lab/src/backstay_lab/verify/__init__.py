"""Compares Backstay's reports of a running lab with the lab's kernel, daemons and tools.

It reads the public API over HTTP and, at the same time, the source of each number by other means than the
agents: /proc/net/dev instead of netlink, snmpget, perfquery, the HIPPI fabric's own counters. A counter's
growth over the API's interval must lie between the source's readings just before and just after the
interval's ends; a constant counter must be equal.
"""
