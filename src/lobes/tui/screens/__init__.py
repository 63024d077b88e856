"""One module a screen: what it shows, its keys, and which job each key starts."""
