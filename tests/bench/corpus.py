"""Markdown that nobody here wrote: the documentation that npm packages of @stdlib ship.

Taken by the ordinary client into a folder that is kept between runs; `LOBES_BENCH_DOCS` names
another folder of Markdown instead.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

PACKAGES = ("@stdlib/math@0.4.1", "@stdlib/stats@0.4.1", "@stdlib/blas@0.4.1")


def real_documents() -> list[Path]:
    """Every Markdown file of the corpus, in a fixed order."""
    named = os.environ.get("LOBES_BENCH_DOCS")
    root = Path(named) if named else _installed()
    return sorted(root.rglob("*.md"))


def _installed() -> Path:
    kept = Path(tempfile.gettempdir()) / "lobes-bench-docs"
    done = kept / ".done"
    if not done.exists():
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir()
        flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--prefix", str(kept)]
        subprocess.run(["npm", "install", *flags, *PACKAGES], check=True, cwd=kept)
        done.touch()
    return kept / "node_modules"


def copy_documents(target: Path, count: int) -> int:
    """Copy `count` of them below `target`, in folders of a hundred; answers with their bytes."""
    size = 0
    documents = real_documents()
    for number in range(count):
        source = documents[number % len(documents)]
        folder = target / f"part{number // 100:03}"
        folder.mkdir(parents=True, exist_ok=True)
        text = source.read_bytes()
        if number >= len(documents):
            text += f"\n\nCopy {number}.\n".encode()
        (folder / f"doc{number:05}.md").write_bytes(text)
        size += len(text)
    return size
