"""State machines and values about paths: nothing here reads a clock or a socket."""
