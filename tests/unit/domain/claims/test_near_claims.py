"""Neighbours of a claim, groups of near copies, and the key of a subject."""

from __future__ import annotations

import random
import time

import pytest

from lobes.domain.claims import Claim, content_hash, group, neighbours, subject_of
from lobes.domain.display import display_text

EIGHT = (
    "Retry failed webhooks up to five times before giving up.",
    "Retry failed webhooks up to 5 times before giving up.",
    "Failed webhooks: retry up to five times before giving up.",
    "Retry the failed webhooks up to five times, before giving up.",
    "retry failed webhooks, up to five times, before giving up",
    "Before giving up, retry failed webhooks up to five times.",
    "Retry all failed webhooks up to five times before giving up.",
    "Always retry failed webhooks up to five times before giving up.",
)


def claims(*statements: str) -> list[Claim]:
    return [Claim(f"m{number}", text) for number, text in enumerate(statements)]


def test_eight_variants_of_one_claim_are_one_decision() -> None:
    """AG-07; field "253 turns produce 212 proposals, repeats of one fact"."""
    (found,) = group(claims(*EIGHT, "Webhooks are signed.", "The cat is called Momo."))
    assert found.representative == "m0"
    assert found.members == tuple(f"m{number}" for number in range(8))


def test_the_order_of_proposals_changes_no_group() -> None:
    made = claims(*EIGHT, *(f"Note {word} is kept." for word in ("alpha", "beta", "gamma")))
    shuffled = list(made)
    random.Random(3).shuffle(shuffled)
    assert group(shuffled) == group(made)


def test_a_chain_of_small_changes_does_not_join_its_ends() -> None:
    parts = (
        "orders", "invoices", "refunds", "payouts", "credits", "ledgers", "audits", "exports",
        "imports",
    )  # fmt: skip
    chain = claims(*(f"Nightly sync copies {', '.join(parts[n : n + 6])}." for n in range(4)))
    found = group(chain)
    assert all("m3" not in one.members or "m0" not in one.members for one in found)
    assert found
    assert found[0].members[0] == "m0"


@pytest.mark.parametrize(
    "other",
    [
        "Never retry failed webhooks up to five times before giving up.",
        "Retry failed webhooks up to nine times before giving up.",
    ],
)
def test_what_contradicts_a_claim_is_never_in_its_group(other: str) -> None:
    assert group(claims(EIGHT[0], other)) == ()


def test_names_that_differ_keep_two_claims_apart() -> None:
    text = "{} approves every invoice of the Lisbon office above the yearly limit"
    assert group(claims(text.format("Ana"), text.format("Ivo"))) == ()


def test_exact_repeats_are_grouped_however_many() -> None:
    (found,) = group(Claim(f"{n:04}", "What is kept is kept.") for n in range(500))
    assert len(found.members) == 500


def test_ten_thousand_proposals_are_not_measured_against_each_other() -> None:
    """Not a timing: a quadratic way would take minutes of CPU."""
    words = ["orders", "search", "mail", "ledger", "billing", "reports", "fleet", "audit"]
    made = [
        Claim(f"{n:05}", f"The {words[n % 8]} service of tenant {n} keeps its exports for auditors")
        for n in range(10_000)
    ]
    started = time.process_time()
    assert group(made) == ()
    assert time.process_time() - started < 30


def test_neighbours_come_conflicts_first_and_always_in_one_order() -> None:
    others = [
        Claim("copy", "Sync retries wait up to 60 s between attempts"),
        Claim("clash", "Sync retries wait up to 5 minutes between attempts."),
        Claim("same", "sync retries wait up to 60 seconds between attempts"),
        Claim("near", "Failed syncs stay visible, retries too, between attempts."),
        Claim("far", "The kettle is broken."),
        Claim("me", "Sync retries wait up to 60 seconds between attempts."),
    ]
    mine = others[-1]
    found = neighbours(mine, others)
    assert [one.id for one in found] == ["clash", "same", "copy", "near"]
    assert neighbours(mine, reversed(others)) == found


@pytest.mark.parametrize(
    ("statement", "key"),
    [
        ("Sync retries back off to at most 5 minutes.", "sync retries"),
        ("Use snake_case for JSON keys.", "json keys"),
        ("The staging database listens on port 5432.", "staging database"),
        ("Never push directly to main.", "push directly main"),
        ("", ""),
        ("?!", ""),
    ],
)
def test_a_subject_is_derived_where_none_is_given(statement: str, key: str) -> None:
    assert subject_of(statement) == key


def test_a_subject_shows_nothing_hidden() -> None:
    key = subject_of("The stag\u202eing da\u200btabase listens.")
    assert display_text(key) == key


def test_hashes_tell_texts_apart_and_forms_not() -> None:
    assert content_hash("Use tabs.") == content_hash(" use\u00a0TABS ")
    assert content_hash("Use tabs.") != content_hash("Use tabs?")
    assert content_hash("\ud800 is a lone surrogate") == content_hash("is a lone surrogate")
