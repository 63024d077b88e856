"""A notice in the context line goes with the next success of what it told of."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.tui.frames import make
from tests.tui.sample import FixedSource
from tests.tui.test_home import source_of

from lobes.domain.errors import LobesError, Unavailable
from lobes.tui.live import Live

if TYPE_CHECKING:
    from homes import AHome


def test_a_notice_of_the_watch_goes_with_its_next_success(monkeypatch: pytest.MonkeyPatch) -> None:
    source = FixedSource()
    app = make(source)
    live = Live(app, source)
    live._failed(Unavailable("Another window is writing just now."))
    assert live._look()[2].startswith("Another window is writing just now.")
    monkeypatch.setattr(app, "post_message", lambda message: True)
    live._moved()
    assert live._look()[2] == ""


def test_a_look_at_the_store_that_broke_is_made_anew(a_home: Callable[..., AHome]) -> None:
    source = source_of(a_home())
    source.version()
    assert source._watched is not None
    assert source._watched._store is not None
    source._watched._store.close()
    with pytest.raises(LobesError):
        source.version()
    assert source.version() >= 0
