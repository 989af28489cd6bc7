"""Forty kinds of SNMP devices, as readable descriptions, and their recordings for snmpsim.

kinds/*.yaml   what each kind has: ports, addresses, neighbours, and the peculiarities of its agent
device.py      a device as a value
catalogue.py   the devices from the descriptions, with hardware addresses, neighbours and traffic filled in
recording.py   a device as the objects that its agent answers with
service.py     all devices in one snmpsim on the lab's management network
"""
