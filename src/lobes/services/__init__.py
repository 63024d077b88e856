"""One module per use case: authorize, act, audit, in one unit of work."""
