"""Notifications: who is notified of which incidents, when, and through which channel."""
