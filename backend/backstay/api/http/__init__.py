"""Shared by all routers of the public API: authentication, errors, paging, caching, idempotency."""
