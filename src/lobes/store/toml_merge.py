"""One entry into a TOML file of somebody else's; comments and everything else stay as they are."""

from __future__ import annotations

from typing import Any, cast

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AbstractTable

from lobes.domain.errors import Invalid


def merged_toml(text: str, section: str, name: str, entry: dict[str, object]) -> str:
    """`text` with `entry` as the table `section.name`. Raises `Invalid` (`not_toml`) for what is
    no TOML, has something else at that place, or would change in more than that entry."""
    try:
        document = tomlkit.parse(text)
        wanted: dict[str, Any] = document.unwrap()
        tables = document.setdefault(section, tomlkit.table(is_super_table=True))
        if not isinstance(tables, AbstractTable):
            raise _not_toml()
        tables[name] = _table(entry)
        done = tomlkit.dumps(document)
        wanted.setdefault(section, {})[name] = entry
        if tomlkit.parse(done).unwrap() != wanted:
            raise _not_toml()
    except (TOMLKitError, ValueError, TypeError) as error:
        raise _not_toml() from error
    return done


def _table(entry: dict[str, object]) -> Any:
    table = tomlkit.table()
    for key, value in entry.items():
        table[key] = cast("Any", value)
    return table


def _not_toml() -> Invalid:
    return Invalid(
        "That file is no plain TOML, so it is left as it is.",
        hint="Add what is printed here by hand.",
        reason="not_toml",
    )
