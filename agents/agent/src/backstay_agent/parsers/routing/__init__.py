"""Output and configuration files of routing daemons."""
