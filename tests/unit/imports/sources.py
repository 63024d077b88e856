"""Reading a source in one go, and making the archives that no tool would."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from lobes.domain.imports import Candidate, Found, ImportSource, Skip
from lobes.imports.limits import Limits
from lobes.imports.reading import read
from lobes.imports.recognise import recognise

FIXTURES = Path(__file__).parents[2] / "fixtures" / "imports"


def taken(
    path: Path, source: ImportSource | None = None, *, limits: Limits | None = None
) -> tuple[list[Candidate], list[Skip]]:
    if source is None:
        found = recognise(path)
        assert isinstance(found, ImportSource), found
        source = found
    return parted(read(path, source, limits=limits))


def parted(found: object) -> tuple[list[Candidate], list[Skip]]:
    every: list[Found] = list(found)  # type: ignore[call-overload]
    return (
        [one for one in every if isinstance(one, Candidate)],
        [one for one in every if isinstance(one, Skip)],
    )


def said(path: Path, **kwargs: object) -> list[str]:
    return [one.statement for one in taken(path, **kwargs)[0]]  # type: ignore[arg-type]


def reasons(skips: list[Skip]) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in skips:
        found[one.reason] = found.get(one.reason, 0) + one.count
    return found


def zipped(path: Path, members: Mapping[str, str | bytes], **kwargs: int) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = kwargs.get("mode", 0o100600) << 16
            info.create_system = 3
            file.writestr(info, data)
    return path


def raw_zip(members: list[tuple[zipfile.ZipInfo, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for info, data in members:
            file.writestr(info, data)
    return buffer.getvalue()
