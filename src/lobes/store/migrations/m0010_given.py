"""Schema 10: what an agent had been given when it proposed a memory."""

STATEMENTS: tuple[str, ...] = (
    # By addresses alone; whoever looks is told of those that they may read.
    """
    CREATE TABLE memory_given (
        memory TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
        place INTEGER NOT NULL,
        thing TEXT NOT NULL,
        reason TEXT NOT NULL,
        tokens INTEGER NOT NULL,
        PRIMARY KEY (memory, place)
    ) WITHOUT ROWID
    """,
)
