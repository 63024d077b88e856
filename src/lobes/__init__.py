"""Lobes: the knowledge that a person and their AI agents use, kept apart on purpose."""

__version__ = "0.1.0"
