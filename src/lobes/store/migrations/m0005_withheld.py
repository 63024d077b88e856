"""Schema 5: documents with a permission of their own are found at once, and one that is gone for a
while comes back as closed as it was."""

STATEMENTS: tuple[str, ...] = (
    "CREATE INDEX document_permission ON document (space, content_hash) "
    "WHERE permission IS NOT NULL",
    """
    CREATE TABLE kept_permission (
        document TEXT PRIMARY KEY,
        space TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
        content_hash TEXT NOT NULL,
        permission TEXT NOT NULL
    )
    """,
    "CREATE INDEX kept_permission_space ON kept_permission (space, content_hash)",
)
