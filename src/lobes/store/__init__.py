"""The truth: SQLite, the audit file, and the one gate to files (`SafeRoot`)."""
