"""On a real terminal somebody is named and taken out; another open process heeds it at once."""

from __future__ import annotations

from tests.e2e.pty import Terminal
from tests.e2e.test_permissions import ask, held_open, shared

from shell import Shell

__all__ = ["shared"]
GONE = {"error": "not_found"}


def named_row(shown: Terminal) -> str:
    return next((line for line in shown.lines() if line[1:].startswith("Named ")), "")


def test_a_grant_is_seen_saved_and_honoured_by_the_very_next_call_of_another(
    shared: Shell,
) -> None:
    """`p`, whom, which role, the effect, `ctrl+s`, the question; then `-` takes it back."""
    with held_open(shared, "user:bob") as bob:
        assert ask(bob, "read", "prj_a", "open.md") == GONE
        shown = Terminal(["-m", "lobes", "--home", str(shared.folder)], environ=dict(shared.env))
        try:
            shown.until("prj_a")
            shown.press("6")
            shown.until("Seen by")
            shown.press("p")
            shown.until("Who sees")
            shown.press("bob")
            shown.until("1 of ")
            shown.press("enter")
            shown.until("Viewer reads.")
            shown.hold_over(0.8)
            shown.press("\x1b[C", "enter")
            shown.until("now reads")
            assert "new" in named_row(shown)
            assert ask(bob, "read", "prj_a", "open.md") == GONE, "nothing is stored before ctrl+s"
            shown.press("ctrl+s")
            shown.until("now reads. Save?")
            shown.hold_over(0.8)
            shown.press("enter")
            shown.until("Saved: who sees")
            assert "zephyr" in ask(bob, "read", "prj_a", "open.md")
            assert "viewer" in named_row(shown)
            shown.press("-")
            shown.until("goes")
            shown.until("no longer reads")
            shown.press("ctrl+s")
            shown.until(lambda: "no one" in named_row(shown))
            assert ask(bob, "read", "prj_a", "open.md") == GONE
            shown.press("z")
            shown.until(lambda: "viewer" in named_row(shown))
            assert "zephyr" in ask(bob, "read", "prj_a", "open.md")
        finally:
            shown.close()
