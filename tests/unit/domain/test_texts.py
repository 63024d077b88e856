"""What can be kept as a text is what UTF-8 can hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.domain.errors import Invalid
from lobes.domain.texts import is_utf8, require_text

ANY = st.text(st.characters(codec=None, exclude_categories=()) | st.sampled_from("\0\ud800\udfff"))


@given(ANY)
def test_a_text_is_what_utf8_holds_without_nul(text: str) -> None:
    try:
        holds = bool(text.encode("utf-8")) or not text
    except UnicodeEncodeError:
        holds = False
    assert is_utf8(text) is holds
    if holds and "\0" not in text:
        require_text(text)
    else:
        with pytest.raises(Invalid, match="That is no text"):
            require_text(text)
