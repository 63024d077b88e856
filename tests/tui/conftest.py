"""In these tests a fault of the app is a fault of the test, except where surviving it is tested."""

from __future__ import annotations

import pytest

from lobes.tui.breakage import Survival


@pytest.fixture(autouse=True)
def faults_fail_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Survival, "survives", False)
