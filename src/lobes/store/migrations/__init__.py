"""Numbered migrations in order (`m0001_…`): each the SQL of one released schema step."""

SCHEMA = 11
"""The newest schema: what this program reads and writes. Equal to the last step of `migrate`."""
