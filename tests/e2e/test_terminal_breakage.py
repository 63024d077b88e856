"""A fault of ours, on a real terminal: said once, copied without texts, and the session goes on."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.broken import SECRET
from tests.e2e.pty import Terminal
from tests.e2e.test_terminal_ends import as_found

SAID = "Something broke in Lobes."
_COPIED = re.compile(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07")


@pytest.fixture
def terminal(samples: Path) -> Iterator[Terminal]:
    for log in (samples / "state").rglob("fault-*.log"):
        log.unlink()
    shown = Terminal(["-m", "tests.e2e.broken", str(samples)])
    shown.until("Notidian")
    shown.press("7")
    shown.until(SAID)
    shown.hold_over(0.6)
    yield shown
    shown.close()


def goes_on(shown: Terminal) -> None:
    """Every mode is reached, also the broken one, which says no more; the list takes a key."""
    for key, name in (("7", "Activity"), ("6", "Lobe"), ("1", "Spaces")):
        shown.press(key)
        shown.until(f"▌{key} {name}")
    shown.until("Notidian")
    shown.press("G")
    shown.until("▌◇ Writing")
    shown.settle()
    assert SAID not in shown.text()
    shown.press("ctrl+q")
    assert shown.ended() == 0
    as_found(shown)
    assert SECRET.encode()[:20] not in shown.raw


def test_a_fault_is_closed_with_esc_and_the_session_goes_on(terminal: Terminal) -> None:
    terminal.dismiss(SAID)
    goes_on(terminal)


def test_y_hands_the_terminal_a_report_without_texts_and_the_log_holds_the_same(
    terminal: Terminal, samples: Path
) -> None:
    terminal.press("y")
    terminal.without(SAID)
    terminal.until(lambda: _COPIED.search(terminal.raw) is not None)
    found = _COPIED.search(terminal.raw)
    assert found is not None
    report = base64.b64decode(found[1]).decode()
    assert "builtins.ValueError" in report
    assert "lobes.tui." in report
    (log,) = (samples / "state").rglob("fault-*.log")
    assert report.strip() in log.read_text("ascii")
    assert log.stat().st_mode & 0o777 == 0o600
    for text in (report, log.read_text("ascii")):
        assert not any(word in text for word in SECRET.split() if len(word) > 6)
        assert str(samples) not in text
    goes_on(terminal)
