"""How far back, as a person writes it: `30m`, `12h`, `7d`, `2w`, or a day as `2026-11-30`."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from lobes.domain.errors import Invalid

_AGO = re.compile(r"([0-9]{1,5})([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def parse_since(text: str, *, now: datetime) -> datetime:
    """The moment that is meant, with its zone; a day begins in the zone of `now`. `Invalid`
    (`bad_since`) for anything else."""
    try:
        if found := _AGO.fullmatch(text.strip().lower()):
            return now - timedelta(**{_UNITS[found[2]]: int(found[1])})
        moment = datetime.fromisoformat(text.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Invalid(
            "That is no time.",
            hint="Write 30m, 12h, 7d, 2w or a day as 2026-11-30.",
            reason="bad_since",
        ) from None
