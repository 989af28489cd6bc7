"""Roles of people."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """What a person may do; each includes the ones before it."""

    VIEWER = "viewer"
    OPERATOR = "operator"
    APPROVER = "approver"
    ADMIN = "admin"
