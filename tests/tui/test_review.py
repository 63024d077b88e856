"""Review: each key with its brakes, each question, each view, on the memories of the wireframes."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Thread, current_thread, main_thread

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import FixedSource
from tests.tui.sample_review import REPLACED, RETRIES, USED, WAITS, FixedReview, memory
from textual.pilot import Pilot

from lobes.domain.memories import Memory
from lobes.tui.app import LobesApp
from lobes.tui.screens.review import ReviewScreen

WIREFRAMES = Path(__file__).parent / "wireframes"
SIZES = ((80, 24), (120, 40), (160, 50))
WIDE = SIZES[1]


@pytest.fixture(autouse=True)
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Times of day are those of the machine's zone."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@dataclass
class Scene:
    app: LobesApp
    pilot: Pilot[None]
    review: FixedReview

    @property
    def screen(self) -> ReviewScreen:
        screen = self.app.screen
        assert isinstance(screen, ReviewScreen)
        return screen

    @property
    def text(self) -> str:
        return "\n".join(frame(self.app))

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await settled(self.pilot)

    async def at(self, one: Memory) -> None:
        """The cursor on this one, its evidence read."""
        self.screen.listing.select(one.id)
        await until(self.pilot, lambda: self.is_painted(one.id))

    def is_painted(self, id: str) -> bool:
        """Whether its evidence stands there."""
        return (self.screen._inspected or ("",))[0] == id and self.screen.detail.lowest >= 0

    async def answer(self, *keys: str) -> None:
        """Keys for what lies over the screen, once it takes them."""
        await until(self.pilot, lambda: len(self.app.screen_stack) > 1)
        if (guard := getattr(self.app.screen, "guard", None)) is not None:
            guard.release()
        await self.press(*keys)

    def acts(self) -> list[tuple[str, tuple[str, ...]]]:
        return [(act, ids) for act, ids, _ in self.review.decided]


@asynccontextmanager
async def scene(
    review: FixedReview | None = None, size: tuple[int, int] = WIDE
) -> AsyncIterator[Scene]:
    source = FixedSource(reviewed=review or FixedReview())
    app = make(source)
    async with running(app, size) as pilot:
        await pilot.press("3")
        await settled(pilot)
        shown = Scene(app, pilot, source.review())
        if shown.review.memories:
            await until(pilot, lambda: shown.is_painted(shown.screen.listing.cursor))
        yield shown


def only(*some: Memory) -> FixedReview:
    return FixedReview(memories={one.id: one for one in some})


# As it is drawn ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
async def test_review_is_as_it_was_drawn(size: tuple[int, int]) -> None:
    wanted = (WIREFRAMES / f"review-{size[0]}.txt").read_text(encoding="utf-8").splitlines()
    async with scene(size=size) as on:
        painted = [line.rstrip() for line in frame(on.app)]
    assert painted[: len(wanted)] == wanted


async def test_an_empty_queue_explains_itself() -> None:
    async with scene(only(), (80, 24)) as on:
        assert "nothing waiting" in on.text
        assert "Nothing waits for you." in on.text
        assert "Since yesterday 19 proposals came in" in on.text
        assert "suppressed, you rejected them before" in on.text
        assert "f show decided ones" in on.text


async def test_the_evidence_is_always_in_the_same_order() -> None:
    labels = ("Sync retries", "Waits for", "From", "Would replace", "Neighbours", "Who will be")
    async with scene() as on:
        pane = [line[59:] for line in frame(on.app)]
        places = [next(at for at, line in enumerate(pane) if one in line) for one in labels]
    assert places == sorted(places)


async def test_the_tab_counts_what_waits() -> None:
    async with scene(only(*WAITS[:3])) as on:
        assert "3 Review 3" in on.text
        await on.press("j", "a")
        assert "3 Review 2" in on.text


# One key and its brakes --------------------------------------------------------------------------


async def test_a_accepts_what_nothing_holds_back_and_goes_on() -> None:
    async with scene() as on:
        await on.at(WAITS[1])
        await on.press("a")
        assert on.acts() == [("accept", (WAITS[1].id,))]
        assert "Accepted   z undoes" in on.text
        await on.press("z")
        assert "Undone: 1 memory waits again   Z" in on.text or "Undone" in on.text
        assert on.review.memories[WAITS[1].id].status == "proposed"


async def test_a_on_a_conflict_opens_the_choice() -> None:
    async with scene() as on:
        await on.press("a")
        assert on.acts() == []
        assert "s supersede" in frame(on.app)[-1]
        assert "d dispute" in frame(on.app)[-1]
        await on.press("d")
        assert on.acts() == [("dispute", (RETRIES.id,))]
        assert on.review.decided[0][2].target is not None


async def test_a_conflict_is_settled_for_the_new_one_by_two_keys() -> None:
    async with scene() as on:
        await on.press("s")
        assert "Out of use: “Sync retries back off up to 60 seconds.”. Supersede?" in on.text
        await on.press("enter")
        (_, ids, order) = on.review.decided[0]
        assert ids == (RETRIES.id,)
        assert order.target is not None
        assert order.target.id == REPLACED.id


async def test_near_copies_of_the_old_one_go_with_it() -> None:
    copy = memory("40", "Sync retries back off up to 60 s.", **USED)
    review = FixedReview(changes={RETRIES.id: {"also_retire": (copy,)}})
    async with scene(review) as on:
        await on.press("s")
        assert "and 1 near copy of it. Supersede?" in on.text
        await on.press("enter")
        assert on.review.decided[0][2].also == (copy.id,)


async def test_a_conflict_that_came_since_asks_for_the_choice_too() -> None:
    review = FixedReview(changes={WAITS[1].id: {"stale": "conflict_since", "stale_by": REPLACED}})
    async with scene(review) as on:
        await on.at(WAITS[1])
        await on.press("a")
        assert on.acts() == []
        assert "s supersede" in frame(on.app)[-1]


async def test_what_came_in_the_way_is_said_and_asked_about() -> None:
    review = FixedReview(changes={WAITS[1].id: {"stale": "duplicate_since"}})
    async with scene(review) as on:
        await on.at(WAITS[1])
        await on.press("a")
        assert on.acts() == []
        assert "Accept?" in frame(on.app)[-1]


async def test_a_confidential_one_is_asked_about_in_one_line() -> None:
    async with scene() as on:
        await on.at(WAITS[4])
        await on.press("a")
        assert "▇ confidential, into Health. Accept?" in frame(on.app)[-1]
        await on.press("escape")
        assert on.acts() == []
        await on.press("a", "enter")
        assert on.acts() == [("accept", (WAITS[4].id,))]
        assert on.review.decided[0][2].confirmed


@pytest.mark.parametrize(
    ("brake", "what"),
    [("secret", "It holds a secret"), ("confirm", "It holds something sensitive")],
)
async def test_what_is_known_since_it_came_in_is_what_the_question_names(
    brake: str, what: str
) -> None:
    """Its row has no brake: a newer classifier found it when it was opened."""
    review = FixedReview(changes={WAITS[1].id: {"brakes": (brake,)}})
    async with scene(review) as on:
        await on.at(WAITS[1])
        await on.press("a")
        assert f"{what}, into Notidian. Accept?" in frame(on.app)[-1]
        assert "hidden character" not in frame(on.app)[-1]
        assert on.acts() == []


async def test_a_long_text_is_read_to_its_end_first() -> None:
    long = memory("50", "A long one. " * 300)
    async with scene(only(long)) as on:
        await on.press("a")
        assert on.acts() == []
        assert "Read it to the end first." in on.text
        await on.press("tab", "G", "a")
        await until(on.pilot, lambda: bool(on.review.decided))
        assert on.acts() == [("accept", (long.id,))]


async def test_hidden_characters_are_seen_and_u_shows_their_code_points() -> None:
    async with scene(only(WAITS[5])) as on:
        assert "▚ 3 hidden" in on.text
        assert "▚with▚ tenant ▚0" in on.text
        await on.press("u")
        assert "\\u{202e}" in on.text
        await on.press("u")
        assert "\\u{202e}" not in on.text
        await on.press("a")
        assert "3 hidden characters, into Initech. Accept?" in frame(on.app)[-1]


async def test_u_says_where_nothing_is_hidden() -> None:
    async with scene() as on:
        await on.press("u")
        assert "It has no hidden characters and no masked secret." in on.text


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        (("1",), "wrong"),
        (("enter",), "not_worth_keeping"),
        (("5",), "secret_or_personal"),
        (("6", *"old", "enter"), "old"),
    ],
)
async def test_r_asks_why(keys: tuple[str, ...], reason: str) -> None:
    async with scene() as on:
        await on.press("r", *keys)
        assert [(act, order.reason) for act, _, order in on.review.decided] == [("reject", reason)]


async def test_what_could_not_be_decided_stays_and_is_told() -> None:
    review = FixedReview(refuses={WAITS[1].id: "it changed since you saw it"})
    async with scene(review) as on:
        await on.at(WAITS[1])
        await on.press("a")
        assert "it changed since you saw it" in on.text
        assert on.screen.item(WAITS[1].id) is not None


# Asked before ------------------------------------------------------------------------------------


async def test_e_accepts_it_with_new_words() -> None:
    async with scene() as on:
        await on.at(WAITS[1])
        await on.press("e")
        await on.answer("!", "tab", "enter")
        assert on.acts() == [("edit", (WAITS[1].id,))]
        assert on.review.decided[0][2].text == f"{WAITS[1].statement}!"


async def test_e_without_a_change_decides_nothing() -> None:
    async with scene() as on:
        await on.at(WAITS[1])
        await on.press("e")
        await on.answer("tab", "enter")
        assert on.acts() == []
        assert "Nothing was changed." in on.text


async def test_e_leaves_hidden_characters_out() -> None:
    async with scene(only(WAITS[5])) as on:
        await on.press("e")
        await on.answer(".", "tab", "enter")
        assert on.review.decided[0][2].text == "Call the ledger API with tenant 0 first."


async def test_m_picks_among_the_neighbours() -> None:
    async with scene() as on:
        await on.press("m")
        await on.answer("down", "enter")
        (act, ids, order) = on.review.decided[0]
        assert (act, ids) == ("merge", (RETRIES.id,))
        assert order.target is not None
        assert order.target.id.endswith("22")


async def test_where_nothing_is_alike_nothing_is_merged() -> None:
    async with scene() as on:
        await on.at(WAITS[1])
        await on.press("m")
        assert "Nothing like it is known here." in on.text
        assert on.acts() == []


async def test_marked_ones_are_merged_into_the_one_under_the_cursor() -> None:
    async with scene() as on:
        await on.at(WAITS[1])
        await on.press("x", "j", "x", "m")
        (act, ids, order) = on.review.decided[0]
        kept = order.target.id if order.target else ""
        assert (act, {*ids, kept}) == ("merge", {WAITS[1].id, WAITS[2].id})
        assert kept not in ids


async def test_delete_asks_in_a_dialog_that_opens_on_keeping_it() -> None:
    async with scene() as on:
        await on.at(WAITS[1])
        await on.press("D")
        await on.answer("enter")
        assert on.acts() == []
        await on.press("D")
        await on.answer("tab", "enter")
        assert on.acts() == [("delete", (WAITS[1].id,))]


# Many --------------------------------------------------------------------------------------------


EIGHT = tuple(memory(f"6{n}", f"Deploys go out on Friday, wording {n}") for n in range(8))
ALIKE = {one.id: tuple(some.id for some in EIGHT) for one in EIGHT}


def eight() -> FixedReview:
    marked = replace(EIGHT[0], waits_for=("near_copy",))
    review = only(marked, *EIGHT[1:])
    review.others = ALIKE
    return review


async def test_eight_variants_are_one_decision() -> None:
    async with scene(eight()) as on:
        assert "≈ 8 variants" in on.text
        await on.press("a")
        assert "8 say nearly the same." in frame(on.app)[-1]
        await on.press("m")
        (act, ids, order) = on.review.decided[0]
        assert act == "merge"
        assert len(ids) == 7
        assert order.target is not None
        assert order.target.id == EIGHT[0].id
        assert "Merged 8 memories" in on.text


async def test_eight_variants_are_rejected_as_one() -> None:
    async with scene(eight()) as on:
        await on.press("a", "r", "1")
        assert [(act, len(ids)) for act, ids in on.acts()] == [("reject", 8)]


async def test_variants_are_marked_by_one_key() -> None:
    async with scene(eight()) as on:
        await on.press("=")
        assert "8 marked" in on.text


async def test_what_came_from_one_session_is_marked_and_rejected() -> None:
    same = {"provenance": RETRIES.provenance}
    some = [memory(f"7{n}", f"Some proposal {n}", **same) for n in range(4)]
    async with scene(only(*some, WAITS[1])) as on:
        assert "4 wait from the same session" in on.text
        await on.press("t", "r", "enter")
        assert [(act, len(ids)) for act, ids in on.acts()] == [("reject", 4)]


async def test_a_batch_leaves_out_what_needs_a_look() -> None:
    async with scene() as on:
        await on.press("*", "a")
        assert "Accepted 4, left 8 that need a look   z undoes" in on.text
        held = {one.id for one in (WAITS[0], *WAITS[2:6], WAITS[7], *WAITS[8:10])}
        assert not held & set(on.acts()[0][1])


# Views -------------------------------------------------------------------------------------------


async def test_views_go_round_and_what_was_put_away_comes_back() -> None:
    gone = memory("80", "No longer so", status="archived", waits_for=())
    refused = memory("81", "Never so", status="rejected")
    async with scene(only(WAITS[1], gone, refused)) as on:
        await on.press("f", "f")
        assert "Archived" in on.text
        assert "No longer so" in on.text
        await on.press("A")
        assert on.acts() == [("restore", (gone.id,))]
        await on.press("f")
        await on.press("A")
        assert on.acts()[1:] == [("reopen", (refused.id,))]


async def test_what_the_policy_accepted_says_so() -> None:
    taken = memory("82", "Taken by itself", status="active", waits_for=())
    review = only()
    review.used = {taken.id: taken}
    async with scene(review) as on:
        await on.press("f")
        assert "accepted by policy" in on.text


async def test_what_is_in_use_is_proposed_more_widely_naming_who_gains() -> None:
    used = memory("83", "In use", status="active", waits_for=())
    async with scene(only(used)) as on:
        await on.press("f", "p")
        await on.answer("down", "enter")
        await until(on.pilot, lambda: "New readers: mei, sam." in on.text)
        assert "Propose it in Core?" in on.text
        await on.answer("tab", "enter")
        assert "Proposed in Core" in on.text
        assert on.acts() == [("promote", (used.id,))]
        assert on.review.decided[0][2].reason == "team/core"


async def test_what_only_waits_is_moved_to_where_it_belongs() -> None:
    async with scene() as on:
        await on.press("p")
        assert "Where should it wait?" in on.text
        await on.answer("enter")
        ((act, (id,)),) = on.acts()
        assert (act, id in on.review.memories) == ("move", True)
        assert on.review.decided[0][2].reason == "space/prj_other"
        assert "Moved to Other" in on.text


@dataclass
class Watched(FixedSource):
    """Which threads asked for Review: with a real home that reads the store."""

    threads: list[Thread] = field(default_factory=list[Thread])

    def review(self) -> FixedReview:
        self.threads.append(current_thread())
        return super().review()


async def test_moving_and_proposing_read_nothing_where_keys_are_handled() -> None:
    used = memory("83", "In use", status="active", waits_for=())
    near = memory("84", "Said twice", waits_for=("near_copy",))
    review = FixedReview(memories={one.id: one for one in (used, near)})
    source = Watched(reviewed=review)
    app = make(source)
    async with running(app, WIDE) as pilot:
        await pilot.press("3")
        await settled(pilot)
        on = Scene(app, pilot, review)
        await on.press("p")
        await on.answer("enter")
        await on.press("f", "p")
        await on.answer("down", "enter")
        await on.answer("tab", "enter")
        assert [act for act, _ in on.acts()] == ["move", "promote"]
        assert source.count("alike") > 0
        assert source.threads
        assert main_thread() not in source.threads


async def test_what_is_out_of_use_is_neither_proposed_nor_moved() -> None:
    gone = memory("84", "Was refused", status="rejected", waits_for=())
    async with scene(only(gone)) as on:
        await on.press("f", "f", "f", "p")
        assert "Only what is in use is proposed more widely" in on.text


# Looking -----------------------------------------------------------------------------------------


async def test_w_says_why_it_waits_in_sentences() -> None:
    async with scene() as on:
        await on.press("w")
        assert "It contradicts a memory." in on.text


async def test_h_shows_the_history() -> None:
    async with scene() as on:
        await on.press("H")
        assert "checked again by ada" in on.text


async def test_nothing_new_slides_in_under_the_cursor() -> None:
    async with scene(only(*WAITS[1:4])) as on:
        await on.press("j")
        before = on.screen.listing.cursor
        new = memory("90", "Just came")
        on.review.memories = {new.id: new, **on.review.memories}
        on.screen.others_wrote()
        await settled(on.pilot)
        assert on.screen.listing.cursor == before
        assert "1 new, ctrl+r" in on.text
        assert "Just came" not in on.text
        await on.press("ctrl+r")
        assert "Just came" in on.text


# How sensitive it is, and what is masked ----------------------------------------------------------


async def test_a_stricter_level_is_one_key_and_a_laxer_one_takes_a_reason() -> None:
    async with scene(only(WAITS[1]), (80, 24)) as on:
        await on.press("S")
        asks = " ".join(frame(on.app)[-2:])
        assert "Sensitivity, ▃ internal now:" in asks
        assert "1 public, why…" in asks
        assert "2 internal" not in asks
        await on.press("3")
        assert "It is restricted now" in on.text
        assert on.review.memories[WAITS[1].id].level == "restricted"
        assert on.screen.listing.cursor == WAITS[1].id, "it stays there to be decided on"
        await until(on.pilot, lambda: "▅ restricted" in on.text)
        await on.press("S", "1", *"published", "enter")
        assert on.review.memories[WAITS[1].id].level == "public"
        await on.press("z")
        assert on.review.memories[WAITS[1].id].level == "restricted"
        await on.press("S", "escape")
        assert on.review.memories[WAITS[1].id].level == "restricted"


async def test_marked_ones_get_one_level() -> None:
    async with scene(only(*WAITS[1:5]), WIDE) as on:
        await on.press("*", "S")
        assert "Sensitivity of 4:" in frame(on.app)[-1]
        await on.press("4")
        assert {one.level for one in on.review.memories.values()} == {"confidential"}
