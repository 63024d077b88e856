"""What every key does: one registry, read by both faces, and the file that gives other keys."""
