"""A plugin of pytest: the core module that `CUT_MODULE` names is the text in `CUT_TEXT`."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

_module = importlib.import_module(f"lobes.access.{os.environ['CUT_MODULE']}")
_text = Path(os.environ["CUT_TEXT"]).read_text(encoding="utf-8")
exec(compile(_text, str(_module.__file__), "exec"), _module.__dict__)
