"""Schema 11: sessions and their turns."""

STATEMENTS: tuple[str, ...] = (
    # Never without a permission: none at all would count as public.
    """
    CREATE TABLE session (
        id TEXT PRIMARY KEY,
        space TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
        person TEXT NOT NULL,
        actor TEXT NOT NULL,
        client TEXT NOT NULL DEFAULT '',
        permission TEXT NOT NULL,
        started TEXT NOT NULL
    )
    """,
    "CREATE INDEX session_space ON session (space, id)",
    """
    CREATE TABLE session_turn (
        session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
        place INTEGER NOT NULL,
        at TEXT NOT NULL,
        actor TEXT NOT NULL,
        summary TEXT NOT NULL,
        decisions TEXT NOT NULL DEFAULT '[]',
        evidence TEXT NOT NULL DEFAULT '[]',
        is_external INTEGER NOT NULL DEFAULT 0,
        level TEXT NOT NULL DEFAULT 'internal',
        findings TEXT NOT NULL DEFAULT '[]',
        classifier INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (session, place)
    )
    """,
    # How many came of late, and of which level each is, without its text.
    "CREATE INDEX session_turn_at ON session_turn (at)",
    "CREATE INDEX session_turn_level ON session_turn (session, level, at)",
)
