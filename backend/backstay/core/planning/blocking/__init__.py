"""Delay and loss of packets toward a busy HIPPI destination, and the hold time that suits each traffic class.

The model of Chinoy and Fall, "TCP/IP and HIPPI performance in the CASA gigabit testbed", section 5.
"""
