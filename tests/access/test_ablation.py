"""No predicate of the core may go without a test that fails. `make ablation` says the score."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from ablation import Cut, cuts, noticed

HERE = Path(__file__).parent
_RULES = ("test_edges.py", "test_authorize_table.py", "test_resolve_table.py", "test_properties.py")
TABLES = {
    "authorize": _RULES,
    "resolve": _RULES,
    "explain": ("test_explain.py",),
    "what_if": ("test_what_if.py",),
}
"""The tests of each module, in the order in which they are asked."""
CUTS = list(cuts())

_TIME = "it saves time alone"
_NONE = "None is the key of no group either"
_GATE = "rule 5 gives nothing to whom it is not there; it saves time alone"
SAME_ANSWERS: dict[str, str] = {
    "authorize _names: `not subjects` is False": _TIME,
    "authorize _served: `key not in facts.memo` is True": _TIME,
    "authorize _is_owner: without `group is not None`": "a group that is asked for is there",
    "authorize _is_owner: without `''`": _NONE,
    "authorize _is_member: without `''`": _NONE,
    "authorize _14_agents_and_confidential: without `lobe`": "what has a level is in a lobe",
    "authorize _14_agents_and_confidential: without `space is not None`": "rule 4 knows them",
    "authorize _14_stays_with_its_owner: without `''`": "what stays has a level",
    "explain _lobe_of: without `group is not None`": "only of what is there is the lobe asked",
    "explain _lobe_of: `kind` is True": "no lobe is without a kind either",
    "explain _rights: `not authorize(human, 'read_meta', resource, facts).allowed` is False": _GATE,
    "explain may_change: `found.standing not in known` is True": _TIME,
    "explain may_change: without `not isinstance(actor, Human)`": "rule 1 bars it to the others",
    "explain why: without `isinstance(actor, (Ai, Job))`": "rules 3 and 4 are of agents alone",
    "resolve may: `id(standing) not in seen` is True": _TIME,
    "resolve may: `standing not in known` is True": _TIME,
    "resolve _judge: without `a.muted`": _TIME,
    "resolve _groups: `not gate.allowed` is False": "who may know of a group may read its lobe",
    "what_if _seen_from: `asking == space` is False": "its own links are written after",
    "resolve _guests: without if `one.type == 'guest'`": "no other source is named by a ULID",
}
"""The cuts after which every answer is the same, and why."""


def by_the_tables(cut: Cut, folder: Path) -> bool:
    """Whether the tests of the tables and of the properties fail on the cut core."""
    text = folder / "cut.py"
    text.write_text(cut.text, encoding="utf-8")
    words = [sys.executable, "-m", "pytest", "-p", "cut_core", "-x", "-q", "-n0", "-m", "not slow"]
    done = subprocess.run(
        [*words, "-p", "no:randomly", *(str(HERE / one) for one in TABLES[cut.module])],
        env={**os.environ, "CUT_MODULE": cut.module, "CUT_TEXT": str(text)},
        cwd=HERE.parents[1],
        capture_output=True,
        check=False,
    )
    return done.returncode == 1


def test_there_is_something_to_cut() -> None:
    assert len(CUTS) > 200
    assert set(SAME_ANSWERS) <= {f"{one.module} {one.what}" for one in CUTS}


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("cut", CUTS, ids=lambda one: f"{one.module} {one.what}")
def test_a_predicate_that_is_gone_is_noticed(cut: Cut, tmp_path: Path) -> None:
    if f"{cut.module} {cut.what}" in SAME_ANSWERS:
        pytest.skip(SAME_ANSWERS[f"{cut.module} {cut.what}"])
    assert (
        noticed(cut, worlds=60, every=23)
        or by_the_tables(cut, tmp_path)
        or noticed(cut, worlds=300, every=5)
    )
