"""What a wrong try costs, how long presence holds, and what counts as a known agent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from lobes.domain.agents import MARKERS, agent_in
from lobes.domain.presence import PRESENT_FOR, code_of, holds, wait_after

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_three_wrong_tries_are_free_and_each_further_one_doubles_the_wait() -> None:
    waits = [wait_after(n).total_seconds() for n in range(1, 9)]
    assert waits == [0, 0, 0, 5, 10, 20, 40, 80]
    assert wait_after(10_000) == timedelta(minutes=15)


def test_presence_ends_and_one_from_a_clock_that_ran_ahead_never_held() -> None:
    assert holds(NOW + PRESENT_FOR, NOW)
    assert holds(NOW + timedelta(seconds=1), NOW)
    assert not holds(NOW, NOW)
    assert not holds(NOW + PRESENT_FOR + timedelta(seconds=1), NOW)


@pytest.mark.parametrize("typed", ["482913", "482 913", " 482-913 ", "48 29 13"])
def test_a_code_may_be_typed_in_groups(typed: str) -> None:
    assert code_of(typed) == "482913"


@pytest.mark.parametrize(
    "typed", ["", "48291", "4829131", "48291x", "٤٨٢٩١٣", "４８２９１３", "482_913"]
)
def test_what_is_no_six_digits_is_no_code(typed: str) -> None:
    assert code_of(typed) is None


@pytest.mark.parametrize("marker", MARKERS, ids=lambda one: one.variable)
def test_every_marker_is_found_and_an_empty_one_is_none(marker: object) -> None:
    from lobes.domain.agents import Marker

    assert isinstance(marker, Marker)
    value = marker.values[0] if marker.values else "1"
    found = agent_in({"PATH": "/bin", marker.variable: value})
    assert found is not None
    assert found.variable == marker.variable
    assert agent_in({"PATH": "/bin", marker.variable: ""}) is None


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"AGENT": "ssh"},
        {"OR_APP_NAME": "Mine"},
        {"CURSOR_EXTENSION_HOST_ROLE": "user"},
        {"CURSOR_TRACE_ID": "x", "REPL_ID": "y", "TERM_PROGRAM": "vscode"},
        {"ANTHROPIC_API_KEY": "k", "AIDER_MODEL": "m", "GEMINI_API_KEY": "k"},
        {"claudecode": "1"},
    ],
)
def test_what_a_person_has_in_the_environment_too_is_no_marker(environ: dict[str, str]) -> None:
    assert agent_in(environ) is None
