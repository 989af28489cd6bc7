"""The only modules that touch the machine: sockets, files, clocks. Everything above them receives values."""
