"""Where a YAML head ends."""

from __future__ import annotations

import pytest

from lobes.domain.front_matter import MOST_LINES, front_matter


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", 0),
        ("# A heading", 0),
        ("---\na: 1\n---\n# A", 3),
        ("---\na: 1\n...\n# A", 3),
        ("--- \na: 1\n---\r\n# A", 3),
        ("---\nnever closed", 0),
        ("---\n" + "a: 1\n" * MOST_LINES + "---\n", 0),
    ],
)
def test_a_head_is_what_its_two_marks_enclose(text: str, lines: int) -> None:
    assert front_matter(text.split("\n")) == lines
