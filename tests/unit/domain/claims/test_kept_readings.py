"""What was read of statements is kept, up to a number of characters."""

from __future__ import annotations

from lobes.domain.claims.kept import Kept


def test_what_was_asked_for_longest_ago_goes_first_and_too_long_a_text_never_stays() -> None:
    made: list[str] = []

    def make(text: str) -> str:
        made.append(text)
        return text.upper()

    kept = Kept(make, most=10)
    assert [kept(one) for one in ("aaaa", "bbbb", "aaaa", "cccc", "aaaa")] == [
        "AAAA", "BBBB", "AAAA", "CCCC", "AAAA",
    ]  # fmt: skip
    assert made == ["aaaa", "bbbb", "cccc"]
    assert kept("bbbb") == "BBBB"
    assert made[-1] == "bbbb"
    assert kept("x" * 11) == "X" * 11
    kept("x" * 11)
    assert made[-2:] == ["x" * 11, "x" * 11]
