"""Schema 1: home, persons, Spaces with their lobe as flat columns and edges, packs, outbox."""

STATEMENTS: tuple[str, ...] = (
    """
    CREATE TABLE home (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        owner TEXT NOT NULL,
        presence TEXT NOT NULL CHECK (presence IN ('on', 'off')),
        default_cross_space TEXT NOT NULL CHECK (default_cross_space IN ('open', 'ask', 'deny')),
        created TEXT NOT NULL,
        epoch INTEGER NOT NULL DEFAULT 1
    )
    """,
    """
    CREATE TABLE person (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        is_superuser INTEGER NOT NULL DEFAULT 0,
        created TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE space (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('project', 'area')),
        name TEXT NOT NULL,
        description TEXT NOT NULL DEFAULT '',
        status TEXT NOT NULL CHECK (status IN ('active', 'finished', 'archived', 'deleted')),
        status_before TEXT,
        trashed_from TEXT,
        owner TEXT NOT NULL REFERENCES person (id),
        group_id TEXT,
        permission TEXT,
        root TEXT NOT NULL,
        root_device TEXT NOT NULL DEFAULT '',
        root_inode TEXT NOT NULL DEFAULT '',
        root_state TEXT NOT NULL DEFAULT 'new',
        review_every_days INTEGER,
        manifest TEXT NOT NULL DEFAULT '{}',
        manifest_binding TEXT NOT NULL DEFAULT '{}',
        manifest_hash TEXT NOT NULL DEFAULT '',
        manifest_seen_hash TEXT NOT NULL DEFAULT '',
        lobe_config TEXT NOT NULL,
        is_private INTEGER NOT NULL DEFAULT 0,
        cross_space TEXT NOT NULL DEFAULT 'open',
        config_ok INTEGER NOT NULL DEFAULT 1,
        version INTEGER NOT NULL DEFAULT 1,
        created TEXT NOT NULL,
        updated TEXT NOT NULL,
        trashed TEXT
    )
    """,
    """
    CREATE TABLE lobe_exclusion (
        space TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
        other TEXT NOT NULL,
        PRIMARY KEY (space, other)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX lobe_exclusion_other ON lobe_exclusion (other)",
    """
    CREATE TABLE lobe_tag (
        space TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
        tag TEXT NOT NULL,
        PRIMARY KEY (space, tag)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX lobe_tag_tag ON lobe_tag (tag)",
    """
    CREATE TABLE document (
        id TEXT PRIMARY KEY,
        space TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
        path TEXT NOT NULL,
        role TEXT NOT NULL DEFAULT '',
        title TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        tokens INTEGER NOT NULL,
        permission TEXT,
        indexed TEXT NOT NULL,
        UNIQUE (space, path)
    )
    """,
    """
    CREATE TABLE passage (
        id TEXT PRIMARY KEY,
        document TEXT NOT NULL REFERENCES document (id) ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        heading TEXT NOT NULL,
        text TEXT NOT NULL,
        first_line INTEGER NOT NULL,
        last_line INTEGER NOT NULL,
        tokens INTEGER NOT NULL,
        content_hash TEXT NOT NULL
    )
    """,
    "CREATE INDEX passage_document ON passage (document, ordinal)",
    """
    CREATE TABLE skipped_file (
        space TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
        path TEXT NOT NULL,
        reason TEXT NOT NULL,
        seen TEXT NOT NULL,
        PRIMARY KEY (space, path)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE outbox (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        op TEXT NOT NULL CHECK (op IN ('upsert', 'delete')),
        kind TEXT NOT NULL CHECK (kind IN ('document', 'lobe')),
        id TEXT NOT NULL,
        lobe TEXT NOT NULL,
        content_hash TEXT NOT NULL DEFAULT ''
    )
    """,
)
