"""A lobe's settings: what can't be taken to the letter counts as private and Closed."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.domain.actors import PRESETS
from lobes.domain.errors import Invalid
from lobes.domain.lobe_change import LobeChange, changed
from lobes.domain.lobes import (
    BROKEN,
    CROSS_SPACE,
    HIGH_SENSITIVITY,
    LobeConfig,
    Subscription,
    dump_config,
    parse_config,
    parse_subscription,
    stricter,
)

ULID = "01J00000000000000000000001"
slugs = st.from_regex(r"[a-z0-9][a-z0-9_-]{0,8}", fullmatch=True)
several = st.lists(slugs, max_size=3).map(tuple)
kinds = st.sampled_from(["space", "user", "tag", "team", "department", "organization"])
subscriptions = st.builds(Subscription, kinds, slugs, st.text(max_size=5)) | st.builds(
    Subscription, st.just("guest"), st.just(ULID)
)
configs = st.builds(
    LobeConfig,
    is_private=st.booleans(),
    cross_space=st.sampled_from(CROSS_SPACE),
    excluded_from=several,
    subscriptions=st.lists(subscriptions, max_size=3).map(tuple),
    tags=several,
    muted=st.lists(slugs.map("space/{}".format), max_size=2).map(tuple),
    inherit_categories=st.none() | several,
    agent_preset=st.sampled_from(PRESETS),
)


@given(configs)
def test_a_config_reads_back_as_it_was_stored(config: LobeConfig) -> None:
    back = parse_config(dump_config(config))
    assert back == config
    assert [one.label for one in back.subscriptions] == [one.label for one in config.subscriptions]


OCTOBER = datetime(2026, 10, 3, 8, tzinfo=UTC)


def test_an_exclusion_of_another_time_is_the_same_exclusion() -> None:
    known = LobeConfig(excluded_from=("prj_b",), excluded_since=(("prj_b", OCTOBER),))
    unknown = LobeConfig(excluded_from=("prj_b",))
    assert known == unknown
    assert len({known, unknown}) == 1
    assert parse_config(dump_config(known)).apart_since("prj_b") == OCTOBER
    assert parse_config(dump_config(unknown)).apart_since("prj_b") is None
    assert "since" not in dump_config(unknown)


def test_only_what_is_newly_excluded_gets_a_time() -> None:
    old = LobeConfig(excluded_from=("prj_b", "prj_old"), excluded_since=(("prj_b", OCTOBER),))
    later = OCTOBER.replace(month=11)
    change = LobeChange(exclude=("prj_b", "prj_old", "prj_new"))
    config = changed(old, change, space="prj_a", at=later)
    since = {one: config.apart_since(one) for one in config.excluded_from}
    assert since == {"prj_b": OCTOBER, "prj_old": None, "prj_new": later}
    assert changed(old, change, space="prj_a").apart_since("prj_new") is None, "only tried"


def test_an_exclusion_that_ended_has_no_time_and_a_new_one_has_its_own() -> None:
    old = LobeConfig(excluded_from=("prj_b",), excluded_since=(("prj_b", OCTOBER),))
    ended = changed(old, LobeChange(no_exclude=("prj_b",)), space="prj_a", at=OCTOBER)
    assert ended.apart_since("prj_b") is None
    assert "prj_b" not in dump_config(ended)
    later = OCTOBER.replace(month=11)
    again = changed(ended, LobeChange(exclude=("prj_b",)), space="prj_a", at=later)
    assert again.apart_since("prj_b") == later


def test_the_default_is_the_one_of_the_specification() -> None:
    default = LobeConfig()
    assert (default.is_private, default.cross_space, default.agent_preset) == (
        False,
        "open",
        "proposer",
    )
    assert not (default.excluded_from)
    assert not (default.subscriptions)
    assert not (default.tags)
    assert not (default.muted)


def test_broken_is_private_and_closed_with_the_smallest_preset() -> None:
    assert (BROKEN.is_private, BROKEN.cross_space, BROKEN.agent_preset, BROKEN.sound) == (
        True,
        "deny",
        "reader",
        False,
    )


def altered(**fields: Any) -> str:
    data = json.loads(dump_config(LobeConfig()))
    return json.dumps(data | fields)


WRONG: list[str] = [
    "",
    "{}",
    "null",
    "[]",
    "{",
    "[" * 100_000,
    '{"version": 1, "version": 1}',
    altered(is_private="no"),
    altered(is_private=0),
    altered(is_private=None),
    altered(cross_space="Open"),
    altered(cross_space="off"),
    altered(cross_space=False),
    altered(agent_preset="owner"),
    altered(version=2),
    altered(version="1"),
    altered(version=None),
    altered(unknown=1),
    altered(excluded_from="globex"),
    altered(excluded_from=["Globex"]),
    altered(excluded_from=[1]),
    altered(excluded_from=None),
    altered(excluded_since=[]),
    altered(excluded_since={"Globex": "2026-10-03T08:00:00+00:00"}),
    altered(excluded_since={"globex": "3 Oct"}),
    altered(excluded_since={"globex": "2026-10-03"}),
    altered(excluded_since={"globex": 3}),
    altered(tags=["a b"]),
    altered(muted=["globex"]),
    altered(muted=["space/Globex"]),
    altered(inherit_categories="all"),
    altered(inherit_categories=[None]),
    altered(subscriptions=[{"type": "space"}]),
    altered(subscriptions=[{"type": "Space", "id": "x"}]),
    altered(subscriptions=[{"type": "guest", "id": "x"}]),
    altered(subscriptions=["space:x"]),
    altered(subscriptions={"type": "space", "id": "x"}),
]


@pytest.mark.parametrize("stored", WRONG, ids=range(len(WRONG)))
def test_what_can_not_be_parsed_counts_as_private_and_closed(stored: str) -> None:
    """PA-18, PA-19, PA-20"""
    assert parse_config(stored) == BROKEN


@given(st.text(max_size=60))
def test_no_text_makes_the_parser_fail_or_turn_open(stored: str) -> None:
    assert parse_config(stored) == BROKEN


def test_a_number_is_no_id() -> None:
    """PA-19, and §1: no aliasing by number or string."""
    assert parse_config(altered(subscriptions=[{"type": "space", "id": 123}])) == BROKEN


@pytest.mark.parametrize("version", [True, 1.0])
def test_a_version_of_another_type_is_unknown(version: object) -> None:
    """PA-19"""
    assert parse_config(altered(version=version)) == BROKEN


def test_an_unknown_field_of_a_subscription_is_refused() -> None:
    strange = [{"type": "space", "id": "x", "until": "2030-01-01"}]
    assert parse_config(altered(subscriptions=strange)) == BROKEN


@pytest.mark.parametrize("category", HIGH_SENSITIVITY)
def test_sensitive_categories_are_inherited_only_by_name(category: str) -> None:
    assert not LobeConfig().inherits(category)
    assert LobeConfig().inherits("taste")
    assert LobeConfig(inherit_categories=(category,)).inherits(category)
    assert not LobeConfig(inherit_categories=(category,)).inherits("taste")
    assert not LobeConfig(inherit_categories=()).inherits("taste")


@given(st.sampled_from(CROSS_SPACE), st.sampled_from(CROSS_SPACE))
def test_a_manifest_may_narrow_and_never_widen(one: Any, other: Any) -> None:
    """AZ-23"""
    order = {"open": 0, "ask": 1, "deny": 2}
    assert order[stricter(one, other)] == max(order[one], order[other])
    assert stricter(one, None) == one


@pytest.mark.parametrize(
    "text",
    [
        "",
        "space",
        "space:",
        "Space:x",
        "space:X",
        "space/x",
        "guest:x",
        "tag:#a",
        "all",
        "team:a b",
    ],
)
def test_what_is_no_source_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        parse_subscription(text)


def test_a_label_decides_nothing() -> None:
    assert Subscription("space", "x", "one") == Subscription("space", "x", "other")


@pytest.mark.parametrize(
    ("asked", "inherits"),
    [
        ((), ("was",)),
        (("taste", "health", "taste"), ("health", "taste")),
        (("none",), ()),
        (("default",), None),
    ],
)
def test_the_categories_of_the_own_lobe_are_said_anew(
    asked: tuple[str, ...], inherits: tuple[str, ...] | None
) -> None:
    config = changed(
        LobeConfig(inherit_categories=("was",)), LobeChange(inherit=asked), space="prj_a"
    )
    assert config.inherit_categories == inherits
    assert parse_config(dump_config(config)) == config


@pytest.mark.parametrize("asked", [("none", "taste"), ("default", "none"), ("Taste",), ("",)])
def test_what_is_no_category_is_refused(asked: tuple[str, ...]) -> None:
    with pytest.raises(Invalid):
        changed(LobeConfig(), LobeChange(inherit=asked), space="prj_a")
