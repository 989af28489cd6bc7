"""The real daemons inside the lab's nodes, one file a daemon: its configuration, and how it is started."""
