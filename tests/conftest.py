"""Being here puts `tests/` on the import path, so that tests of several layers share a world."""
