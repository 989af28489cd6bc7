"""Test support that several packages share: namespaces, a manual clock, fake engines, a sink."""
