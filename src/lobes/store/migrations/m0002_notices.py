"""Schema 2: notices for those whom a change concerns, and approvals for one question."""

STATEMENTS: tuple[str, ...] = (
    """
    CREATE TABLE notice (
        id TEXT PRIMARY KEY,
        person TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
        at TEXT NOT NULL,
        event TEXT NOT NULL,
        actor TEXT NOT NULL,
        resource TEXT NOT NULL,
        detail TEXT NOT NULL DEFAULT '',
        seen TEXT
    )
    """,
    "CREATE INDEX notice_person ON notice (person, id)",
    """
    CREATE TABLE approval (
        id TEXT PRIMARY KEY,
        person TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
        asking TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
        target TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
        query_hash TEXT NOT NULL,
        expires TEXT NOT NULL,
        UNIQUE (person, asking, target, query_hash)
    )
    """,
)
