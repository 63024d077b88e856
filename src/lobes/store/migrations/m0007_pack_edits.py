"""Schema 7: why an edit of a pack was proposed and how it was decided; for Spaces that hold what
changes outside, the texts that were let in."""

STATEMENTS: tuple[str, ...] = (
    "ALTER TABLE pack_edit ADD COLUMN tool TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE pack_edit ADD COLUMN is_external INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE pack_edit ADD COLUMN why TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE pack_edit ADD COLUMN reason TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE pack_edit ADD COLUMN decided_by TEXT NOT NULL DEFAULT ''",
    # Two programs that see the same file change put one row before the person.
    """
    CREATE UNIQUE INDEX pack_edit_outside ON pack_edit (space, path)
    WHERE status = 'proposed' AND cause = 'changed_outside'""",
    # A row without a path says that the pack was taken in whole once.
    """
    CREATE TABLE pack_text (
        space TEXT NOT NULL REFERENCES space (id) ON DELETE CASCADE,
        path TEXT NOT NULL,
        content_hash TEXT NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (space, path)
    )
    """,
)
