"""Every code that the core can give has its one sentence, and every face has its sign and words."""

from __future__ import annotations

from typing import get_args

import pytest

from lobes.access.authorize import Reason
from lobes.access.resolve import ALLOWING, Code
from lobes.cli.matrix import SIGNS
from lobes.domain.reasons import CAUSES, REASONS, about_another, sentence, would_change
from lobes.tui.glyphs import GROUPS
from lobes.tui.views.marks import reason_colour

CODES = sorted({*get_args(Reason), *get_args(Code)})


@pytest.mark.parametrize("code", CODES)
def test_every_code_of_the_core_has_its_own_sentence(code: str) -> None:
    assert code in REASONS
    for text in (sentence(code, a="A", b="B", by="C"), about_another(code, name="C")):
        assert text.endswith(".")
        assert "{" not in text
    undecided = sentence("internal_error")
    assert code == "internal_error" or sentence(code) != undecided
    assert "{" not in would_change(code, a="A", b="B", by="C")


@pytest.mark.parametrize("code", get_args(Code))
def test_every_code_of_the_resolver_is_drawn_by_both_faces(code: Code) -> None:
    assert code in GROUPS["reason"]
    assert reason_colour(code)
    assert code in SIGNS or code in ("personal", "member", "shared")
    assert (reason_colour(code) == f"reason-{code}") == (code in ALLOWING)


def test_a_cause_is_told_as_a_sentence_too() -> None:
    assert all(one.sentence.endswith(".") for one in CAUSES.values())
