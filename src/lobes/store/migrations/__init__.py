"""Numbered migrations in order (`m0001_…`): each the SQL of one released schema step."""
