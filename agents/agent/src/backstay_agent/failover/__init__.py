"""What is known about paths, as pure values and state machines: nothing here reads a clock or a socket."""
