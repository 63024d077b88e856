"""Opening and closing a home: what was opened is closed, whatever else fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from lobes.bootstrap import open_installation
from lobes.clock import utc_now
from lobes.config.folders import Folders, folders_under
from lobes.engine.client import Client
from lobes.services.homes import NewHome, make_home
from lobes.store.audit import Audit


def test_an_engine_that_fails_on_closing_loses_no_audit_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = folders_under(tmp_path / "home")
    make_home(folders, NewHome("ada"), clock=utc_now)

    def broken(self: Client) -> None:
        raise RuntimeError("the line was cut")

    monkeypatch.setattr(Client, "close", broken)
    with pytest.raises(RuntimeError, match="the line was cut"):
        leave_a_row(folders)
    assert Audit(folders.audit, clock=utc_now).count() == 1


def leave_a_row(folders: Folders) -> None:
    with open_installation(folders, environ={}) as lobes:
        lobes.audit.append(
            "space.read",
            actor="user:ada",
            verb="read_meta",
            channel="cli",
            correlation="",
            answer="owner",
        )
