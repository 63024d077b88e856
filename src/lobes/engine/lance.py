"""The one door to LanceDB: imported late, quietly, and without the REST client nobody here calls.

0.88 of the 1.4 s that `import lancedb` takes is a generated catalogue client with hundreds of
pydantic models. Placeholder classes stand in for it; if anything goes wrong, the real one is
imported. Tests run the index both ways.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from threading import Lock
from types import ModuleType
from typing import Any

_UNUSED = "lance_namespace_urllib3_client"
_importing = Lock()


class _Placeholder(ModuleType):
    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (), {"__module__": self.__name__})
        setattr(self, name, made)
        return made


class _Finder(MetaPathFinder, Loader):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] != _UNUSED:
            return None
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Placeholder(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """A placeholder has no code to run."""


def lancedb(*, light: bool = True) -> Any:
    """The `lancedb` module; `light` leaves the REST client out. The first call decides."""
    with _importing:
        if "lancedb" in sys.modules:
            return sys.modules["lancedb"]
        # Both are read once, at import: a WARN line per query would flood a log, and two BLAS
        # threads beside Lance's pool made a scan take 70 ms instead of 11.
        os.environ.setdefault("LANCEDB_LOG", "error")
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        if light and _UNUSED not in sys.modules:
            finder = _Finder()
            sys.meta_path.insert(0, finder)
            try:
                return importlib.import_module("lancedb")
            except (ImportError, AttributeError, TypeError):
                _forget("lancedb", "lance_namespace", _UNUSED)
            finally:
                sys.meta_path.remove(finder)
        return importlib.import_module("lancedb")


def _forget(*packages: str) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
        del sys.modules[name]
