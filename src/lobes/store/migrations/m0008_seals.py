"""Schema 8: which memories' use is sealed, by which key; the number of the store's last write.

`status` follows from what was written and from the seal, so that nothing that reads it has to think
of seals: what was put in use without one is proposed. An index never answers for such a column
alone, so what counts has one over the columns that it follows from.
"""

STATEMENTS: tuple[str, ...] = (
    "ALTER TABLE home ADD COLUMN sealed_with TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE home ADD COLUMN sealed_since TEXT",
    "ALTER TABLE home ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0",
    """
    CREATE TABLE memory_sealed (
        id TEXT PRIMARY KEY,
        lobe TEXT NOT NULL,
        space TEXT REFERENCES space (id) ON DELETE CASCADE,
        statement TEXT NOT NULL,
        kind TEXT NOT NULL,
        class TEXT NOT NULL,
        epistemic TEXT NOT NULL,
        written_status TEXT NOT NULL CHECK (written_status IN ('proposed', 'active', 'disputed',
            'superseded', 'archived', 'rejected', 'deleted')),
        seal TEXT NOT NULL DEFAULT '',
        status TEXT NOT NULL GENERATED ALWAYS AS (CASE
            WHEN seal = '' AND written_status IN ('active', 'disputed') THEN 'proposed'
            ELSE written_status END) STORED,
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
    """
    INSERT INTO memory_sealed (
        id, lobe, space, statement, kind, class, epistemic, written_status, seal, author, person,
        content_hash, subject, category, source, session, client, tool, ref, evidence, is_external,
        confidence, verified, level, given, findings, classifier, setting, permission, keep_until,
        valid_from, valid_to, waits_for, replaces, last_retrieved, use_count, version, created,
        updated
    )
    SELECT
        id, lobe, space, statement, kind, class, epistemic, status, '-', author, person,
        content_hash, subject, category, source, session, client, tool, ref, evidence, is_external,
        confidence, verified, level, given, findings, classifier, setting, permission, keep_until,
        valid_from, valid_to, waits_for, replaces, last_retrieved, use_count, version, created,
        updated
    FROM memory
    """,
    "DROP TABLE memory",
    "ALTER TABLE memory_sealed RENAME TO memory",
    "CREATE INDEX memory_lobe ON memory (lobe, status)",
    "CREATE INDEX memory_used ON memory (lobe, written_status, category, seal)",
    """
    CREATE INDEX memory_closer ON memory (lobe)
    WHERE status IN ('active', 'disputed') AND (status = 'disputed' OR valid_from IS NOT NULL
        OR valid_to IS NOT NULL OR permission IS NOT NULL
        OR level NOT IN ('public', 'internal'))""",
    "CREATE INDEX memory_queue ON memory (status, created, id)",
    "CREATE INDEX memory_hash ON memory (content_hash, lobe)",
    "CREATE INDEX memory_ref ON memory (source, ref) WHERE ref <> ''",
    "CREATE INDEX memory_session ON memory (session) WHERE session <> ''",
    # What was put in use without a seal, and nothing else: none in a home as it should be.
    """
    CREATE INDEX memory_unsealed ON memory (lobe)
    WHERE seal = '' AND written_status IN ('active', 'disputed')""",
)
