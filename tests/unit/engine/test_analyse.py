"""Terms: what is found by what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.engine.analyse import QUERY_TERMS, STOP_WORDS, analyse, parse_query


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("the gateways were restarted", "restarting gateway"),
        ("call retry_after now", "retry_after"),
        ("call retry_after now", "retry"),
        ("class HTTPServer2", "server"),
        ("class HTTPServer2", "httpserver2"),
        ("un café noir", "cafe"),
        ("Ελλάδα και Κρήτη", "ελλαδα"),
        ("Москва и ёж", "МОСКВА"),
        ("हिन्दी में लिखें", "हिन्दी"),
        ("用 docker 部署服务", "部署"),
        ("用 docker 部署服务", "部"),
        ("東京大学に行く", "大学"),
        ("ｆｕｌｌ width", "full"),
        ("서울에서 만나요", "서울"),
    ],
)
def test_a_passage_is_found_by(text: str, query: str) -> None:
    wanted = parse_query(query).terms
    assert wanted
    assert set(wanted) & set(analyse(text).counts)


def test_stop_words_count_for_nothing_but_are_known() -> None:
    found = analyse("who is the one")
    assert list(found.counts) == ["one"]
    assert found.length == 1
    assert found.stops == sum(1 << STOP_WORDS.index(word) for word in ("who", "is", "the"))


def test_parts_and_single_characters_add_no_length() -> None:
    assert analyse("retry_after HTTPServer2").length == 2
    assert analyse("東京大学").length == 3


def test_a_query_is_bounded() -> None:
    assert len(parse_query(" ".join(f"word{n}" for n in range(9000))).terms) == QUERY_TERMS
    assert len(parse_query("a" * 100_000).terms[0]) <= 64


@given(st.text())
def test_any_text_gives_terms_that_can_be_stored(text: str) -> None:
    for term in (*analyse(text).counts, *parse_query(text).terms):
        assert term.encode("utf-8")
        assert " " not in term
        assert "\0" not in term


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
def test_a_text_finds_itself(text: str) -> None:
    assert set(parse_query(text).terms) <= set(analyse(text).counts)
