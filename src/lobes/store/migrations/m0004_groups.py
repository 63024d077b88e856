"""Schema 4: groups of persons, and who is in them. A removed group stays, so that no other group
ever gets its id."""

STATEMENTS: tuple[str, ...] = (
    """
    CREATE TABLE person_group (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('team', 'department', 'organization')),
        name TEXT NOT NULL,
        parent TEXT REFERENCES person_group (id),
        created TEXT NOT NULL,
        removed TEXT
    )
    """,
    """
    CREATE TABLE membership (
        group_id TEXT NOT NULL REFERENCES person_group (id) ON DELETE CASCADE,
        person TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
        role TEXT NOT NULL CHECK (role IN ('owner', 'member')),
        since TEXT NOT NULL,
        PRIMARY KEY (group_id, person)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX membership_person ON membership (person)",
)
