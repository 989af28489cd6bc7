"""The demo: databases, backend, a lab and its agents, started and monitored by one supervisor.

It starts and stops all parts in order and leaves nothing behind. It runs every part by its command line and
imports neither backend nor agent. It writes only below one data folder, so demos can run side by side.
"""
