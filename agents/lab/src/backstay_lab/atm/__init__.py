"""Circuits of the lab's ATM fabrics: what a router's tables report of them over SNMP, and a wrong label.

A circuit is a point-to-point link with a VPI/VCI, each on a logical interface of its own, as a GigaRouter has
them. The kernel knows nothing of cells, so a watched router keeps its circuits in a file, as in gratm.conf;
the link's state is the kernel's own.
"""
