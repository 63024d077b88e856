"""`docs/configuration.md`, made from the settings: `python -m tests.pages.configuration`.

A test compares the page with what this makes, so a setting can't be added without it.
"""

from __future__ import annotations

import json
from pathlib import Path

from lobes.config.settings import Field, describe, json_schema

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"
_BEFORE = """\
# Configuration

This page is made from the program by `make docs`.

Settings stand in `lobes.toml` in the configuration folder: `lobes config path` says where that is,
`lobes config show` what holds now. The file is yours; Lobes writes to it only when you choose a
theme in the app. What holds is looked up in this order:

1. a variable of the environment: `LOBES_` and the setting's name in capitals (`LOBES_THEME`);
2. the file;
3. the default.

A setting that is wrong or unknown never stops a start: it is named as a warning, and the default
stays.

| setting | default | |
| --- | --- | --- |
"""
_AFTER = """
```toml
theme = "lobes-paper"
search_results = 20
```

Switches: `true`, `on` and `1`, or `false`, `off` and `0`, in the environment; `true` and `false`
in the file. `LOBES_HOME` and `LOBES_DEBUG` are no settings: they stand for `--home` and `--debug`,
see [cli.md](cli.md).

## For editors

`lobes config schema` prints this JSON Schema. An editor that knows TOML schemas completes and
checks `lobes.toml` with it.

```json
"""


def row(field: Field) -> str:
    """The setting's line of the table."""
    default = json.dumps(field.default) if field.type != "str" else field.default
    bounds = f" One of: {', '.join(field.values)}." if field.values else ""
    if field.type == "int":
        bounds = f" At least {field.least}."
    return f"| `{field.name}` | `{default}` | {field.doc}{bounds} |"


def page() -> str:
    """The whole page."""
    table = "\n".join(row(field) for field in describe())
    return f"{_BEFORE}{table}\n{_AFTER}{json.dumps(json_schema(), indent=2)}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
