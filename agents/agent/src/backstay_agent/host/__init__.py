"""The only modules that access the machine: sockets, files, clocks. Everything above them receives values."""
