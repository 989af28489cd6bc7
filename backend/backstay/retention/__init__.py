"""Removes expired history of all apps, by the rules of `core.retention`, in bounded batches."""
