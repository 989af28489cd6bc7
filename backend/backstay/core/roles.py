"""Roles of people."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """Permissions of a person; each role includes the ones before it."""

    VIEWER = "viewer"
    OPERATOR = "operator"
    APPROVER = "approver"
    ADMIN = "admin"
