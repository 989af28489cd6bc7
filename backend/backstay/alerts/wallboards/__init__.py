"""Wallboards: screens that show one site to whoever stands in front of them."""
