"""The one row about the installation itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast

from sqlmodel import Session

from lobes.domain.errors import Corrupt
from lobes.domain.ids import Slug
from lobes.domain.lobes import CrossSpace
from lobes.store.tables import HomeTable


@dataclass(frozen=True, slots=True)
class HomeRow:
    """Whose installation it is. `epoch` rises when a backup is restored, so that what was agreed
    before is checked again."""

    owner: Slug
    presence: Literal["on", "off"]
    default_cross_space: CrossSpace
    created: datetime
    epoch: int


class Home:
    """The installation's row, inside one unit of work."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def get(self) -> HomeRow:
        row = self._session.get(HomeTable, 1)
        if row is None:
            raise Corrupt("The store names no owner.", hint="Run lobes doctor.", reason="damaged")
        return HomeRow(
            owner=Slug(row.owner),
            presence="on" if row.presence == "on" else "off",
            default_cross_space=cast("CrossSpace", row.default_cross_space),
            created=datetime.fromisoformat(row.created),
            epoch=row.epoch,
        )
