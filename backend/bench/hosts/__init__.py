"""The service on three hosts as in docs/hosts.md, each host a network namespace, with the files of deploy/hosts."""
