"""A difference leads from one text to the other, and no pair of texts makes it slow."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from lobes.domain.line_diff import ALIGNED, line_diff

TEXTS = st.lists(st.sampled_from("abcd"), max_size=40).map("\n".join)


@given(TEXTS, TEXTS)
def test_it_counts_what_came_and_went(before: str, after: str) -> None:
    diff = line_diff(before, after)
    assert len(after.split("\n")) - len(before.split("\n")) == diff.added - diff.removed
    assert bool(diff.lines) == (before != after)
    old, new = before.split("\n"), after.split("\n")
    assert all(one.text in old for one in diff.lines if one.sign in ("-", " "))
    assert all(one.text in new for one in diff.lines if one.sign in ("+", " "))


def test_a_little_around_a_change_is_shown_and_long_runs_are_left_out() -> None:
    lines = [f"line {n}" for n in range(40)]
    other = [*lines]
    other[10], other[30] = "ten", "thirty"
    diff = line_diff("\n".join(lines), "\n".join(other))
    shown = [f"{one.sign}{one.text}" for one in diff.lines]
    assert shown[:4] == [" line 8", " line 9", "-line 10", "+ten"]
    assert shown[6] == "", "what is between the two changes is left out"
    assert shown[-4:] == ["-line 30", "+thirty", " line 31", " line 32"]
    assert (diff.added, diff.removed) == (2, 2)


def test_two_long_texts_without_a_common_line_are_not_aligned() -> None:
    count = int(ALIGNED**0.5) + 5
    before = "\n".join(f"a{n}" for n in range(count))
    after = "\n".join(f"b{n % 7}" for n in range(count))
    began = time.process_time()
    diff = line_diff(before, after)
    assert (diff.added, diff.removed) == (count, count)
    assert time.process_time() - began < 2
