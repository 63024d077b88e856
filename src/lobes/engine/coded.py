"""The vectors of a large lobe: scanned by their codes, scored by themselves, exact all the same.

The scan says of every row how near it can be at the most; only what it can't rule out is read and
scored. So the hits are those of comparing every row, and where a row lies (in a coded part or in
the tail of what came since) changes none of them, nor does a rebuild. The codes are made from the
lobe's own rows, in memory; nothing of them lasts, so nothing of them can be old.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lobes.engine.scan import Scanner, can_scan, scanner
from lobes.engine.vectors import Matrix, Stored, changed, matrix

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Doubles = NDArray[np.float64]

CODED_ABOVE = 8000
"""Passages up to which a lobe's matrix is multiplied whole.

At 5,000 a scan takes four times the product's 0.14 ms, at 10,000 less than it, and following a
saved passage 0.6 ms instead of 10.
"""
TAIL_MOST = 4096
"""Rows that came since, before they are coded too (40 ms)."""
PARTS_MOST = 16
"""Beyond it all but the first are put together: each part is a run and an open file."""
_TAIL_ERROR = 1e-5
_ROWS_AT_ONCE = 1024
_OUT = -9.0  # below every cosine


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that were coded together; `gone` marks those that don't count any more."""

    ids: NDArray[np.bytes_]
    """Sorted."""
    rows: NDArray[np.float16]
    scan: Scanner
    gone: NDArray[np.bool_]

    def places(self, ids: Iterable[str]) -> list[int]:
        """Where these ids are, of those that are here and count."""
        import numpy as np

        wanted = np.array([id.encode() for id in ids], dtype=np.bytes_)
        places = np.minimum(np.searchsorted(self.ids, wanted), len(self.ids) - 1)
        found = places[(self.ids[places] == wanted) & ~self.gone[places]]
        return found.tolist()

    def without(self, places: Sequence[int]) -> Part:
        gone = self.gone.copy()
        gone[places] = True
        return replace(self, gone=gone)


@dataclass(frozen=True, slots=True)
class Sums:
    """What the mean and the deviation of any query's cosines follow from."""

    count: int
    rows: Doubles
    products: Doubles

    def of(self, query: Floats) -> tuple[float, float]:
        """The sum of all cosines with `query`, and of their squares."""
        wide = query.astype(float)
        return float(self.rows @ wide), float(wide @ self.products @ wide)

    def plus(self, rows: NDArray[Any], *, sign: int = 1) -> Sums:
        """With these rows, or without them (`sign` −1)."""
        totals, products = self.rows.copy(), self.products.copy()
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            some = rows[start : start + _ROWS_AT_ONCE].astype(float)
            totals += sign * some.sum(axis=0)
            products += sign * (some.T @ some)
        return Sums(self.count + sign * len(rows), totals, products)


@dataclass(frozen=True, slots=True)
class Large:
    """All vectors of a large lobe; never changed, only replaced."""

    parts: tuple[Part, ...]
    tail: Matrix
    sums: Sums
    folder: Path

    @property
    def count(self) -> int:
        return self.sums.count

    @property
    def size(self) -> int:
        """Bytes in memory; the rows themselves are a file's."""
        coded = sum(part.scan.size + part.ids.nbytes + part.gone.nbytes for part in self.parts)
        return coded + self.tail.size + self.sums.products.nbytes

    def holds(self, ids: Collection[str]) -> bool:
        """Whether each of these has its vector here."""
        wanted = set(ids)
        coded = sum(len(part.places(wanted)) for part in self.parts) if wanted else 0
        return coded + len(wanted.intersection(self.tail.ids)) == len(wanted)

    def changed(self, *, drop: Iterable[str], add: Mapping[str, bytes]) -> Large | None:
        """Without `drop` and with `add` (which replaces); None once the lobe is large no more."""
        import numpy as np

        dim = self.tail.data.shape[1]
        out = {*drop, *add}
        if not out:
            return self
        sums, parts = self.sums, list[Part]()
        for part in self.parts:
            if places := part.places(out):
                sums = sums.plus(part.rows[places], sign=-1)
                part = part.without(places)
            if not part.gone.all():
                parts.append(part)
        late = [number for number, id in enumerate(self.tail.ids) if id in out]
        tail = changed(self.tail, drop=out, add=add, dim=dim)
        sums = sums.plus(self.tail.data[late], sign=-1).plus(matrix(add, dim=dim).data)
        if not is_large(sums.count, dim=dim):
            return None
        if len(tail.ids) > TAIL_MOST:
            parts.append(_part(tail.ids, tail.data.astype(np.float16), self.folder))
            tail = matrix({}, dim=dim)
            if len(parts) > PARTS_MOST:
                parts[1:] = [_joined(parts[1:], self.folder)]
        return Large(tuple(parts), tail, sums, self.folder)

    def look(self, query: Floats) -> Look:
        """Compare every row with the unit vector `query`."""
        seen: list[_Seen] = []
        for part in self.parts:
            values, error = part.scan.run(query)
            values[part.gone] = _OUT
            seen.append(_Seen(values, error, part.rows, part.ids))
        if self.tail.ids:
            values = self.tail.data @ query
            seen.append(_Seen(values, _TAIL_ERROR, self.tail.data, self.tail.ids))
        return Look(query, seen)


@dataclass(frozen=True, slots=True)
class _Seen:
    values: Floats
    error: float
    rows: NDArray[Any]
    ids: Any


@dataclass(frozen=True, slots=True)
class Look:
    """One query's rough cosines over a large lobe."""

    query: Floats
    seen: Sequence[_Seen]

    def least(self, depth: int) -> Doubles:
        """At least so high are the cosines of the best `depth` rows."""
        import numpy as np

        found: list[Floats] = []
        for one in self.seen:
            values = one.values
            if len(values) > depth:
                values = np.partition(values, len(values) - depth)[len(values) - depth :]
            found.append(values[values > _OUT] - one.error)
        return np.concatenate(found).astype(float)

    def reaching(self, bar: float) -> list[tuple[str, float]]:
        """Id and cosine of every row that may reach `bar`, and of few others."""
        import numpy as np

        found: list[tuple[str, float]] = []
        for one in self.seen:
            near = np.flatnonzero(one.values >= max(bar - one.error, _OUT / 2))
            for start in range(0, len(near), _ROWS_AT_ONCE):
                some = near[start : start + _ROWS_AT_ONCE]
                ids = [_text(one.ids[place]) for place in some.tolist()]
                found += zip(ids, cosines(one.rows[some], self.query), strict=True)
        return found


def cosines(rows: NDArray[Any], query: Floats) -> list[float]:
    """Each row's cosine; it depends on that row alone, not on how many there are."""
    import numpy as np

    products = rows.astype(np.float64) * query.astype(np.float64)
    return products.sum(axis=1).astype(np.float32).astype(np.float64).tolist()


def _text(id: str | bytes) -> str:
    return id if isinstance(id, str) else id.decode()


def is_large(count: int, *, dim: int) -> bool:
    """Whether so many vectors are coded: it follows from the number alone, as the answers do."""
    return count > CODED_ABOVE and can_scan(dim)


def fit(rows: Mapping[str, Stored], *, dim: int, folder: Path) -> Matrix | Large:
    """Id → stored vector in the form for so many; `folder` has room for a copy of the rows."""
    import numpy as np

    if not is_large(len(rows), dim=dim):
        return matrix(rows, dim=dim)
    ids = sorted(rows)
    stored = np.frombuffer(b"".join(rows[id] for id in ids), "<f2").reshape(len(ids), dim)
    sums = Sums(0, np.zeros(dim), np.zeros((dim, dim))).plus(stored)
    return Large((_part(ids, stored, folder),), matrix({}, dim=dim), sums, folder)


def fewer(held: Matrix | Large, gone: Collection[str], *, dim: int) -> Matrix | Large:
    """`held` without these ids, in the form for so many as are left: as if they never were."""
    if not isinstance(held, Large):
        return changed(held, drop=gone, add={}, dim=dim)
    left = held.changed(drop=gone, add={})
    return matrix(_rows_without(held, gone), dim=dim) if left is None else left


def _rows_without(held: Large, gone: Collection[str]) -> dict[str, bytes]:
    import numpy as np

    found: dict[str, bytes] = {}
    for part in held.parts:
        for place in np.flatnonzero(~part.gone).tolist():
            found[_text(part.ids[place])] = part.rows[place].tobytes()
    for place, id in enumerate(held.tail.ids):
        found[id] = held.tail.data[place].astype("<f2").tobytes()
    return {id: row for id, row in found.items() if id not in gone}


def _joined(parts: Sequence[Part], folder: Path) -> Part:
    import numpy as np

    names = np.concatenate([part.ids[~part.gone] for part in parts])
    rows = np.concatenate([part.rows[~part.gone] for part in parts])
    order = np.argsort(names)
    return _part([_text(id) for id in names[order].tolist()], rows[order], folder)


def _part(ids: Sequence[str], rows: NDArray[np.float16], folder: Path) -> Part:
    import numpy as np

    names = np.array([id.encode() for id in ids], dtype=np.bytes_)
    return Part(names, _aside(rows, folder), scanner(rows), np.zeros(len(rows), dtype=np.bool_))


def _aside(rows: NDArray[np.float16], folder: Path) -> NDArray[np.float16]:
    """The rows in a file without a name, so that the system may take their memory back.

    It ends with this process, however that ends. Without room for it they stay in memory.
    """
    import numpy as np

    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(rows.data)
            file.flush()
            return np.memmap(file, dtype=np.float16, mode="r", shape=rows.shape)
    except OSError:
        return rows.copy()
