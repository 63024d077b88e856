"""A lobe's vectors: a Lance table that lasts, and a float32 matrix in memory that is searched.

The search is exact, lobe by lobe: one matrix over several lobes would let the rows of one shift the
bytes of another's scores. Vectors are rounded to float16 before their first use, so that a reload
or a rebuild gives the same scores.
"""

from __future__ import annotations

import zlib
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lobes.engine.folder import remove_tree, seal
from lobes.engine.lance import lancedb

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

TABLE = "vec"
FRAGMENTS_MAINTAIN = 20
FRAGMENTS_MOST = 50
"""Search took 16 ms at 1 fragment and 97 at 225, so small writes are folded before that."""
_ALIGN = 64


@dataclass(frozen=True, slots=True)
class Row:
    """One vector as it is stored; `vector` is the bytes of little-endian float16."""

    id: str
    embed_key: bytes
    vector: bytes

    @property
    def crc(self) -> int:
        return checksum(self.vector)


Stored = bytes | memoryview
"""One vector's bytes; a view lies in what was read with it and lives as long."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Unit vectors of one lobe, rows sorted by id; never changed, only replaced."""

    ids: tuple[str, ...]
    data: Floats

    @property
    def size(self) -> int:
        """Bytes."""
        return self.data.nbytes


def checksum(vector: Stored) -> int:
    """CRC-32, by which a damaged vector is known."""
    return zlib.crc32(vector)


def halves(vectors: Floats) -> list[bytes]:
    """Each row as it is stored."""
    return [row.tobytes() for row in vectors.astype("<f2")]


def matrix(rows: Mapping[str, Stored], *, dim: int) -> Matrix:
    """The matrix of id → stored vector; the same rows give the same bytes in any order."""
    import numpy as np

    ids = tuple(sorted(rows))
    data = _aligned(len(ids), dim)
    if ids:
        stored = np.frombuffer(b"".join(rows[id] for id in ids), "<f2")
        data[:] = stored.reshape(len(ids), dim)
    return Matrix(ids, data)


def changed(old: Matrix, *, drop: Iterable[str], add: Mapping[str, bytes], dim: int) -> Matrix:
    """`old` without `drop` and with `add` (which replaces)."""
    import numpy as np

    out = {*drop, *add}
    kept = [number for number, id in enumerate(old.ids) if id not in out]
    if len(kept) == len(old.ids) and not add:
        return old
    fresh = matrix(add, dim=dim)
    ids = [old.ids[number] for number in kept] + list(fresh.ids)
    order = sorted(range(len(ids)), key=ids.__getitem__)
    data = _aligned(len(ids), dim)
    places = np.empty(len(ids), dtype=np.intp)
    places[order] = np.arange(len(ids), dtype=np.intp)
    data[places[: len(kept)]] = old.data[kept]
    data[places[len(kept) :]] = fresh.data
    return Matrix(tuple(ids[number] for number in order), data)


def _aligned(rows: int, dim: int) -> Floats:
    """Zeros that begin at a cache line: a BLAS kernel may sum in another order elsewhere."""
    import numpy as np

    raw = np.zeros(rows * dim * 4 + _ALIGN, dtype=np.uint8)
    offset = -raw.ctypes.data % _ALIGN
    return raw[offset : offset + rows * dim * 4].view(np.float32).reshape(rows, dim)


ERRORS = (ValueError, RuntimeError, OSError, KeyError, TypeError)
"""What Lance and Arrow raise for a table that is damaged, half there or of another version."""


_PANICS = frozenset({"RustPanic", "PanicException"})


@contextmanager
def _no_panic() -> Generator[None]:
    """A panic inside Lance as one of `ERRORS`: its types can't be imported."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ not in _PANICS:
            raise
        raise RuntimeError("the table is damaged") from error


class VectorTable:
    """The Lance table of one lobe folder; any error of Lance is for the caller to heal.

    Only one process writes. Opened for each job and let go: an open table holds handles.
    """

    def __init__(self, folder: Path, *, model: str, dim: int) -> None:
        self._folder = folder
        self._model = model
        self._dim = dim

    @property
    def path(self) -> Path:
        return self._folder / f"{TABLE}.lance"

    def _connect(self) -> Any:
        return lancedb().connect(self._folder, read_consistency_interval=timedelta(0))

    def _open(self) -> Any:
        return self._connect().open_table(TABLE)

    @_no_panic()
    def read(self, ids: Sequence[str] | None = None) -> dict[str, tuple[bytes, Stored]]:
        """Id → (embed key, stored vector) of this model's rows, of all or of these ids."""
        if not self.path.exists() or (ids is not None and not ids):
            return {}
        import pyarrow as pa

        table = self._open()
        if ids is not None:
            wanted = table.search().where(_column("id").isin(list(ids))).limit(len(ids))
            return self._rows(wanted.to_arrow().combine_chunks())
        try:
            return self._rows(table.to_arrow().combine_chunks())
        finally:
            # Arrow keeps what it freed for itself: 160 MB after three lobes of 100,000.
            pa.default_memory_pool().release_unused()

    def _rows(self, data: Any) -> dict[str, tuple[bytes, Stored]]:
        if data.schema.field("vector").type.list_size != self._dim or not data.num_rows:
            return {}
        # Views: as many bytes objects of this size would leave the heap in pieces.
        flat = memoryview(data["vector"].combine_chunks().flatten().to_numpy().tobytes())
        width = self._dim * 2
        columns = (data[name].to_pylist() for name in ("id", "embed_key", "model"))
        return {
            id: (key, flat[number * width : (number + 1) * width])
            for number, (id, key, model) in enumerate(zip(*columns, strict=True))
            if model == self._model
        }

    @_no_panic()
    def upsert(self, rows: Sequence[Row]) -> None:
        """Write rows by id, all or none."""
        import numpy as np
        import pyarrow as pa

        flat = np.frombuffer(b"".join(row.vector for row in rows), "<f2")
        vectors = pa.FixedSizeListArray.from_arrays(pa.array(flat), self._dim)
        # `id` comes first: merge_insert updated nothing where the key was no leading column.
        data = pa.table(
            {
                "id": pa.array([row.id for row in rows], pa.string()),
                "embed_key": pa.array([row.embed_key for row in rows], pa.binary()),
                "model": pa.array([self._model] * len(rows), pa.string()),
                "vector": vectors,
            }
        )
        if not self.path.exists():
            self._connect().create_table(TABLE, data)
        else:
            table = self._open()
            merge = table.merge_insert("id").when_matched_update_all()
            merge.when_not_matched_insert_all().execute(data)
        seal(self.path)

    @_no_panic()
    def delete(self, ids: Sequence[str]) -> None:
        if ids and self.path.exists():
            # An expression, never a string; an empty list would match nothing.
            self._open().delete(_column("id").isin(list(ids)))

    def fragments(self) -> int:
        """Data files, which is what small writes add up to."""
        data = self.path / "data"
        return sum(1 for _ in data.iterdir()) if data.is_dir() else 0

    @_no_panic()
    def compact(self) -> None:
        """One fragment, one version: nobody else reads or writes this table."""
        if self.path.exists():
            # 0 would do the same, with a warning about readers that this table doesn't have.
            age = timedelta(milliseconds=1)
            self._open().optimize(cleanup_older_than=age, delete_unverified=True)
            seal(self.path)

    def drop(self) -> None:
        remove_tree(self.path)


def _column(name: str) -> Any:
    import importlib

    lancedb()
    return importlib.import_module("lancedb.expr").col(name)
