"""Control sockets, files and processes of the daemons on this host."""
