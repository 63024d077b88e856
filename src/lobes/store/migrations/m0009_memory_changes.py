"""Schema 9: which memories changed, in order, so that who knows a lobe reads only those anew."""

_NOTED = """
    DELETE FROM memory_change WHERE memory = {row}.id;
    INSERT INTO memory_change (memory) VALUES ({row}.id);
"""

STATEMENTS: tuple[str, ...] = (
    # One row a memory, with the number of its last change; no number is ever given twice. What is
    # gone keeps its row: that is a change, too.
    """
    CREATE TABLE memory_change (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        memory TEXT NOT NULL UNIQUE
    )
    """,
    f"CREATE TRIGGER memory_came AFTER INSERT ON memory BEGIN {_NOTED.format(row='new')} END",
    f"CREATE TRIGGER memory_went AFTER DELETE ON memory BEGIN {_NOTED.format(row='old')} END",
    # What it is compared by; a use or another date changes nothing of that.
    f"""
    CREATE TRIGGER memory_changed AFTER UPDATE ON memory
    WHEN old.lobe <> new.lobe OR old.status <> new.status OR old.statement <> new.statement
        OR old.content_hash <> new.content_hash
    BEGIN {_NOTED.format(row="new")} END
    """,
)
