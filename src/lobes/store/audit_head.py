"""The copy of the chain's head beside the audit file, with its seal; never written over."""

from __future__ import annotations

import json
import os
from pathlib import Path

from lobes.store.audit_chain import Head
from lobes.store.audit_seal import Seal, from_json, to_json
from lobes.store.pragmas import make_private_file

_MOST_ROWS = 2**53


def read_head(path: Path) -> tuple[Head | None, Seal | None]:
    """The head as it was noted, and its seal; None where there is none that can be read."""
    try:
        data = json.loads(path.read_bytes())
        seq, digest = int(data["seq"]), str(data["hash"])
    except (OSError, ValueError, KeyError, TypeError):
        return None, None
    if not 0 < seq < _MOST_ROWS:
        return None, None
    return Head(seq, digest), from_json(data)


def write_head(path: Path, head: Head, seal: Seal | None) -> None:
    """Raises `OSError`; the head before is then still there."""
    draft = path.with_suffix(".head-new")
    draft.unlink(missing_ok=True)
    make_private_file(draft)
    with open(draft, "w", encoding="ascii") as file:
        json.dump({"seq": head.seq, "hash": head.hash, **to_json(seal)}, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)
