"""The shell's face: words → a service → lines or one JSON document. No rule lives here."""
