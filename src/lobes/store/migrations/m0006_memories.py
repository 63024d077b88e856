"""Schema 6: memories with their versions, links and tombstones; proposed edits of packs; what the
review queue counts."""

STATEMENTS: tuple[str, ...] = (
    """
    CREATE TABLE memory (
        id TEXT PRIMARY KEY,
        lobe TEXT NOT NULL,
        space TEXT REFERENCES space (id) ON DELETE CASCADE,
        statement TEXT NOT NULL,
        kind TEXT NOT NULL,
        class TEXT NOT NULL,
        epistemic TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('proposed', 'active', 'disputed', 'superseded',
            'archived', 'rejected', 'deleted')),
        author TEXT NOT NULL CHECK (author IN ('user', 'agent', 'import', 'share')),
        person TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        subject TEXT NOT NULL DEFAULT '',
        category TEXT NOT NULL DEFAULT '',
        source TEXT NOT NULL DEFAULT '',
        session TEXT NOT NULL DEFAULT '',
        client TEXT NOT NULL DEFAULT '',
        tool TEXT NOT NULL DEFAULT '',
        ref TEXT NOT NULL DEFAULT '',
        evidence TEXT NOT NULL DEFAULT '[]',
        is_external INTEGER NOT NULL DEFAULT 0,
        confidence REAL,
        verified TEXT,
        level TEXT NOT NULL DEFAULT 'internal',
        given TEXT,
        findings TEXT NOT NULL DEFAULT '[]',
        classifier INTEGER NOT NULL DEFAULT 0,
        setting TEXT,
        permission TEXT,
        keep_until TEXT,
        valid_from TEXT,
        valid_to TEXT,
        waits_for TEXT NOT NULL DEFAULT '[]',
        replaces TEXT NOT NULL DEFAULT '',
        last_retrieved TEXT,
        use_count INTEGER NOT NULL DEFAULT 0,
        version INTEGER NOT NULL DEFAULT 1,
        created TEXT NOT NULL,
        updated TEXT NOT NULL
    )
    """,
    "CREATE INDEX memory_lobe ON memory (lobe, status, category)",
    # What a search has to ask about one by one: so few that every search can.
    """
    CREATE INDEX memory_closer ON memory (lobe)
    WHERE status IN ('active', 'disputed') AND (status = 'disputed' OR valid_from IS NOT NULL
        OR valid_to IS NOT NULL OR permission IS NOT NULL
        OR level NOT IN ('public', 'internal'))""",
    "CREATE INDEX memory_queue ON memory (status, created, id)",
    "CREATE INDEX memory_hash ON memory (content_hash, lobe)",
    "CREATE INDEX memory_ref ON memory (source, ref) WHERE ref <> ''",
    "CREATE INDEX memory_session ON memory (session) WHERE session <> ''",
    """
    CREATE TABLE memory_link (
        kind TEXT NOT NULL CHECK (kind IN ('supersedes', 'disputes', 'merged')),
        memory TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
        other TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
        since TEXT NOT NULL,
        PRIMARY KEY (kind, memory, other)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX memory_link_other ON memory_link (other, kind)",
    """
    CREATE TABLE memory_version (
        memory TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
        version INTEGER NOT NULL,
        statement TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        status TEXT NOT NULL,
        act TEXT NOT NULL,
        actor TEXT NOT NULL,
        reason TEXT NOT NULL DEFAULT '',
        at TEXT NOT NULL,
        PRIMARY KEY (memory, version)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE memory_tombstone (
        id TEXT PRIMARY KEY,
        lobe TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        cause TEXT NOT NULL CHECK (cause IN ('rejected', 'deleted', 'erased')),
        actor TEXT NOT NULL,
        at TEXT NOT NULL
    )
    """,
    "CREATE INDEX memory_tombstone_hash ON memory_tombstone (content_hash, lobe)",
    """
    CREATE TABLE proposal_count (
        day TEXT NOT NULL,
        lobe TEXT NOT NULL,
        stage TEXT NOT NULL,
        count INTEGER NOT NULL,
        PRIMARY KEY (day, lobe, stage)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE pack_edit (
        id TEXT PRIMARY KEY,
        space TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
        path TEXT NOT NULL,
        base_hash TEXT NOT NULL,
        text TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('proposed', 'accepted', 'rejected')),
        cause TEXT NOT NULL CHECK (cause IN ('proposed', 'changed_outside')),
        person TEXT NOT NULL,
        session TEXT NOT NULL DEFAULT '',
        client TEXT NOT NULL DEFAULT '',
        level TEXT NOT NULL DEFAULT 'internal',
        findings TEXT NOT NULL DEFAULT '[]',
        created TEXT NOT NULL,
        decided TEXT
    )
    """,
    "CREATE INDEX pack_edit_queue ON pack_edit (status, created, id)",
    "CREATE INDEX pack_edit_space ON pack_edit (space, path)",
)
