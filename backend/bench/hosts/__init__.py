"""The service on three hosts, network namespaces, with the files of deploy/hosts (docs/hosts.md)."""
