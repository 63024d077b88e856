"""Schema 3: how sensitive each document is, by what was found in it and who set it by hand."""

STATEMENTS: tuple[str, ...] = (
    """
    CREATE TABLE document_sensitivity (
        document TEXT PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
        level TEXT NOT NULL CHECK (level IN ('public', 'internal', 'restricted', 'confidential')),
        given TEXT,
        findings TEXT NOT NULL DEFAULT '[]',
        classifier INTEGER NOT NULL,
        setting TEXT
    )
    """,
    "CREATE INDEX document_sensitivity_level ON document_sensitivity (level)",
)
