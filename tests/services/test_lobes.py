"""The lobe: its effect is told before it is saved, by the rules that hold afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from homes import AHome
from lobes.domain.errors import Conflict, Invalid, NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.domain.lobes import CROSS_SPACE, Subscription
from lobes.services.explaining import explain
from lobes.services.installation import Installation
from lobes.services.lobe_changes import preview, put_back, save
from lobes.services.lobe_effects import Effect, Pair
from lobes.services.lobes import list_lobes, lobe_view
from lobes.services.space_changes import trash_space

SPACES = ("prj_a", "prj_b", "area_c", "area_d")
Draws = set[tuple[str, str]]


@pytest.fixture
def four(home: AHome) -> AHome:
    for space in SPACES:
        home.a_space(space, {"a.md": "# A\n\nword\n"})
    return home


def draws(home: AHome) -> Draws:
    """Who draws on which Space, by the resolver over what is saved."""
    return {
        (space, one.lobe)
        for space in SPACES
        for one in explain(home.lobes, home.me, space)
        if one.allowed
    }


def pairs(found: tuple[Pair, ...]) -> Draws:
    return {(pair.space, pair.lobe) for pair in found}


subscriptions = st.one_of(
    st.builds(Subscription, st.just("space"), st.sampled_from(SPACES)),
    st.builds(Subscription, st.just("tag"), st.sampled_from(("t", "u"))),
)
few = {"max_size": 2, "unique": True}
changes = st.builds(
    LobeChange,
    is_private=st.sampled_from([None, True, False]),
    cross_space=st.sampled_from([None, *CROSS_SPACE]),
    tag=st.lists(st.sampled_from(("t", "u")), **few).map(tuple),
    untag=st.lists(st.sampled_from(("t", "u")), **few).map(tuple),
    exclude=st.lists(st.sampled_from(SPACES), **few).map(tuple),
    no_exclude=st.lists(st.sampled_from(SPACES), **few).map(tuple),
    mute=st.lists(st.sampled_from([f"space/{one}" for one in SPACES]), **few).map(tuple),
    unmute=st.lists(st.sampled_from([f"space/{one}" for one in SPACES]), **few).map(tuple),
    subscribe=st.lists(subscriptions, max_size=2).map(tuple),
    unsubscribe=st.lists(subscriptions, max_size=2).map(tuple),
)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.tuples(st.sampled_from(SPACES), changes), min_size=1, max_size=4))
def test_the_effect_that_is_shown_is_the_effect_that_comes(
    four: AHome, steps: list[tuple[str, LobeChange]]
) -> None:
    for space, change in steps:
        before = draws(four)
        try:
            shown = preview(four.lobes, four.me, space, change)
        except Invalid:
            continue
        saved = save(four.lobes, four.me, space, change)
        after = draws(four)
        assert pairs(shown.gains) == after - before
        assert pairs(shown.loses) == before - after
        assert shown.after == explain(four.lobes, four.me, space)
        assert (saved.effect.gains, saved.effect.loses) == (shown.gains, shown.loses)
        assert shown.draws_after == sum(1 for one in shown.after if one.allowed)


def test_a_change_is_undone_to_the_letter(four: AHome) -> None:
    before = draws(four)
    config = lobe_view(four.lobes, four.me, "prj_a").config
    saved = save(
        four.lobes,
        four.me,
        "prj_a",
        LobeChange(is_private=True, tag=("t",), exclude=("prj_b",), cross_space="deny"),
    )
    assert saved.before == config
    replaced = put_back(four.lobes, four.me, "prj_a", saved.before, version=saved.version).before
    assert draws(four) == before
    assert lobe_view(four.lobes, four.me, "prj_a").config == config
    put_back(four.lobes, four.me, "prj_a", replaced)
    assert lobe_view(four.lobes, four.me, "prj_a").config == replaced


def test_subscribing_to_a_tag_shows_its_gains(four: AHome) -> None:
    for space in ("prj_a", "prj_b"):
        save(four.lobes, four.me, space, LobeChange(cross_space="deny"))
    save(four.lobes, four.me, "prj_b", LobeChange(tag=("craft",)))
    change = LobeChange(subscribe=(Subscription("tag", "craft"),))
    assert pairs(preview(four.lobes, four.me, "prj_a", change).gains) == {("prj_a", "space/prj_b")}
    save(four.lobes, four.me, "prj_a", change)
    (row,) = explain(four.lobes, four.me, "prj_a", "prj_b")[:1]
    assert (row.reason, row.by, round(row.weight, 2)) == ("subscribed", "#craft", 0.4)
    # A Space that takes the tag later is drawn on too, and loses it with the tag.
    shown = preview(four.lobes, four.me, "area_c", LobeChange(cross_space="deny", tag=("craft",)))
    assert ("prj_a", "space/area_c") in pairs(shown.gains)
    lost = preview(four.lobes, four.me, "prj_b", LobeChange(untag=("craft",)))
    assert pairs(lost.loses) == {("prj_a", "space/prj_b")}


def test_closed_and_ask_hold_in_both_directions(four: AHome) -> None:
    for setting, code in (("ask", "ask"), ("deny", "closed")):
        save(four.lobes, four.me, "prj_a", LobeChange(cross_space=setting))  # type: ignore[arg-type]
        there, back = explain(four.lobes, four.me, "prj_a", "prj_b")
        assert (there.asking, there.reason) == ("prj_a", code)
        assert (back.asking, back.reason) == ("prj_b", code)
        assert there.sentence != ""
        assert there.would_change != ""


def test_exclusion_holds_in_both_directions_and_beats_a_subscription(four: AHome) -> None:
    """AZ-11."""
    save(four.lobes, four.me, "prj_b", LobeChange(subscribe=(Subscription("space", "prj_a"),)))
    save(four.lobes, four.me, "prj_a", LobeChange(exclude=("prj_b",)))
    for row in explain(four.lobes, four.me, "prj_a", "prj_b"):
        assert (row.allowed, row.reason) == (False, "excluded")


def test_muting_is_one_sided(four: AHome) -> None:
    save(four.lobes, four.me, "prj_a", LobeChange(mute=("space/prj_b",)))
    there, back = explain(four.lobes, four.me, "prj_a", "prj_b")
    assert (there.reason, back.reason) == ("muted", "sibling")


def test_a_manifest_narrows_the_lobe_and_never_widens_it(home: AHome) -> None:
    home.a_space("prj_b", {})
    root = home.a_space("prj_a", {})
    with (root / "space.yaml").open("a") as file:
        file.write("memory:\n  cross_space_retrieval: deny\n")
    home.index("prj_a")
    view = lobe_view(home.lobes, home.me, "prj_a")
    assert (view.config.cross_space, view.cross_space, view.manifest_says) == (
        "open",
        "deny",
        "deny",
    )
    shown = preview(home.lobes, home.me, "prj_a", LobeChange(cross_space="open", tag=("x",)))
    assert shown.gains == ()


def test_another_window_saved_first(four: AHome) -> None:
    version = lobe_view(four.lobes, four.me, "prj_a").version
    save(four.lobes, four.me, "prj_a", LobeChange(tag=("t",)), version=version)
    with pytest.raises(Conflict) as refused:
        save(four.lobes, four.me, "prj_a", LobeChange(is_private=True), version=version)
    assert refused.value.reason == "changed"
    assert not lobe_view(four.lobes, four.me, "prj_a").config.is_private


@pytest.mark.parametrize(
    "change",
    [
        LobeChange(tag=("' OR 1=1 --",)),
        LobeChange(exclude=("../x",)),
        LobeChange(exclude=("prj_a",)),
        LobeChange(mute=("space/prj_a",)),
        LobeChange(mute=("personal/ada",)),
        LobeChange(mute=("nothing",)),
        LobeChange(subscribe=(Subscription("space", "prj_a"),)),
    ],
)
def test_what_can_not_be_is_refused_and_changes_nothing(four: AHome, change: LobeChange) -> None:
    """AG-11."""
    before = lobe_view(four.lobes, four.me, "prj_a")
    for act in (preview, save):
        with pytest.raises(Invalid):
            act(four.lobes, four.me, "prj_a", change)
    assert lobe_view(four.lobes, four.me, "prj_a") == before


def test_an_unknown_space_is_not_there(four: AHome) -> None:
    acts: list[Callable[[], object]] = [
        lambda: lobe_view(four.lobes, four.me, "prj_x"),
        lambda: explain(four.lobes, four.me, "prj_x"),
        lambda: explain(four.lobes, four.me, "prj_a", "prj_x"),
        lambda: preview(four.lobes, four.me, "prj_x", LobeChange(is_private=True)),
        lambda: save(four.lobes, four.me, "prj_x", LobeChange(is_private=True)),
    ]
    for act in acts:
        with pytest.raises(NotFound):
            act()


def test_a_trashed_space_is_in_no_list_and_draws_on_nothing(four: AHome) -> None:
    trash_space(four.lobes, four.me, "prj_b")
    assert "prj_b" not in {row.space for row in list_lobes(four.lobes, four.me)}
    view = lobe_view(four.lobes, four.me, "prj_a")
    assert "prj_b" not in view.answers_to
    assert "space/prj_b" not in {one.lobe for one in view.sources}
    for asked in (lobe_view, explain):
        with pytest.raises(NotFound):
            asked(four.lobes, four.me, "prj_b")


def test_the_samples_draw_on_each_other_as_the_documents_say(
    a_home: Callable[..., AHome],
) -> None:
    """A tag subscription beside private Spaces: every lobe can be shown."""
    home = a_home(samples=True)
    allowed = {
        space: {one.lobe for one in lobe_view(home.lobes, home.me, space).sources if one.allowed}
        for space in ("prj_initech", "prj_globex", "prj_notidian", "area_internal")
    }
    own = {space: {f"space/{space}", "personal/ada"} for space in allowed}
    assert allowed["prj_initech"] == own["prj_initech"]
    assert allowed["prj_globex"] == own["prj_globex"]
    assert allowed["prj_notidian"] == own["prj_notidian"] | {"space/area_writing"}
    assert allowed["area_internal"] == own["area_internal"] | {"space/area_writing"}


def effect_of(home: AHome, space: str, change: LobeChange) -> Effect:
    return preview(home.lobes, home.me, space, change)


def test_private_takes_it_from_all_others_and_from_itself_nothing(four: AHome) -> None:
    shown = effect_of(four, "prj_a", LobeChange(is_private=True))
    assert pairs(shown.loses) == {(space, "space/prj_a") for space in SPACES if space != "prj_a"}
    assert shown.gains == ()
    assert shown.draws_before == shown.draws_after


def test_since_when_two_are_kept_apart_is_told_and_goes_back_with_an_undo(four: AHome) -> None:
    first, later = (datetime(2026, month, 3, 9, tzinfo=UTC) for month in (10, 11))

    def at(now: datetime) -> Installation:
        return replace(four.lobes, clock=lambda: now)

    def since(space: str) -> datetime | None:
        return lobe_view(four.lobes, four.me, "prj_a").config.apart_since(space)

    save(at(first), four.me, "prj_a", LobeChange(exclude=("prj_b",)))
    save(at(later), four.me, "prj_a", LobeChange(exclude=("prj_b", "area_c"), tag=("t",)))
    assert (since("prj_b"), since("area_c"), since("area_d")) == (first, later, None)
    ended = save(at(later), four.me, "prj_a", LobeChange(no_exclude=("prj_b",)))
    assert since("prj_b") is None
    put_back(at(later), four.me, "prj_a", ended.before)
    assert since("prj_b") == first


def test_an_exclusion_that_nobody_noted_the_time_of_has_none(four: AHome) -> None:
    """As every one that an older program set; an undo doesn't make one up."""
    save(four.lobes, four.me, "prj_a", LobeChange(exclude=("prj_b",)))
    four.execute(
        "UPDATE space SET lobe_config = json_remove(lobe_config, '$.excluded_since')"
        " WHERE id = 'prj_a'"
    )
    ended = save(four.lobes, four.me, "prj_a", LobeChange(no_exclude=("prj_b",)))
    put_back(four.lobes, four.me, "prj_a", ended.before)
    config = lobe_view(four.lobes, four.me, "prj_a").config
    assert (config.excluded_from, config.apart_since("prj_b")) == (("prj_b",), None)
