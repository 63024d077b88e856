"""How two claims stand to each other, case by case."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from lobes.domain.claims import (
    SENTENCES,
    VERDICTS,
    Cause,
    Claim,
    Relation,
    Verdict,
    compare,
    neighbours,
)


def told(new: str, old: str) -> Relation:
    return compare(Claim("new", new), Claim("old", old))


def year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Always rebase before a merge.", "Never rebase before a merge."),
        ("Use tabs in Python.", "Don't use tabs in Python."),
        ("Caching is enabled for admins.", "Caching is disabled for admins."),
        ("The job must run as root.", "The job must not run as root."),
        ("Prefer mocks in unit tests.", "Avoid mocks in unit tests."),
        ("Dark mode is on by default.", "Dark mode is off by default."),
        ("Use npm for the frontend.", "Use pnpm instead of npm for the frontend."),
        ("Backups are encrypted.", "Backups are unencrypted."),
        ("Backups are encrypted.", "Backups aren't encrypted."),
        ("Deploys on Fridays are fine.", "Deploys on Fridays are forbidden."),
        ("Prices are shown with tax.", "Prices are shown without tax."),
        ("Tokens are kept in the keyring, never in files.", "Tokens are kept in files."),
        ("Reports are cached because they don't change.", "Reports aren't cached."),
        ("Der Dienst startet nie von selbst.", "Der Dienst startet immer von selbst."),
        ("Сервер пишет логи на диск.", "Сервер не пишет логи на диск."),
        ("缓存已启用。", "缓存没有已启用。"),
    ],
)
def test_a_claim_and_its_opposite_contradict(old: str, new: str) -> None:
    found = told(new, old)
    assert (found.verdict, found.cause) == ("contradicts", "opposed")


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        ("Retries stop after 5 attempts.", "Retries stop after 8 attempts.", "other_number"),
        ("The timeout is 90 seconds.", "The timeout is 5 minutes.", "other_number"),
        ("Rent is 1,450 euros.", "Rent is €1,540.", "other_number"),
        ("The API runs on port 80.", "The API runs on port 8080.", "other_number"),
        ("We build with Gradle 8.5.", "We build with Gradle 8.7.", "other_version"),
        ("The audit is on 3 May.", "The audit is on May 17th.", "other_date"),
        ("The audit is on 2026-05-03.", "The audit is on 4 May 2026.", "other_date"),
        ("Standup is at 9:30.", "Standup is at 10:00.", "other_time"),
        ("The parser is written in Zig.", "The parser is written in OCaml.", "other_name"),
        ("Ana owns the search module.", "The search module is owned by Ivo.", "other_name"),
        ("The report is sent weekly.", "The report is sent daily.", "other_choice"),
        ("The report is due on the 15th.", "The report is due on the 20th.", "other_choice"),
    ],
)
def test_the_same_thing_with_another_value_contradicts(old: str, new: str, cause: Cause) -> None:
    found = told(new, old)
    assert (found.verdict, found.cause) == ("contradicts", cause)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The timeout is 60 seconds.", "The timeout is 1 minute."),
        ("Rent is 1,450 euros.", "Rent is 1450 euros."),
        ("The audit is on 2026-05-03.", "The audit is on 3 May."),
        ("Search is capped at fifty results.", "Search is capped at 50 results."),
        ("Caching is disabled.", "Caching is not enabled."),
        ("Backup starts at 02:00.", "Backup starts at 2:00."),
    ],
)
def test_the_same_value_spelled_otherwise_is_no_contradiction(old: str, new: str) -> None:
    assert not told(new, old).is_conflict


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Flags are enabled in staging.", "Flags are disabled in production."),
        ("Access tokens expire after 15 minutes.", "Refresh tokens expire after 30 days."),
        ("Use tabs in Makefiles.", "Don't use tabs in YAML files."),
        ("The first migration isn't reversible.", "The second migration is reversible."),
        ("Release 2.4 ships on 3 May.", "Release 2.5 ships on 9 June."),
        ("On 3 May I ran 10 km in 52 minutes.", "On 9 June I ran 10 km in 49 minutes."),
        ("If the token is missing, the API answers 401.",
         "If the scope is missing, the API answers 403."),
        ("The old gateway times out after 10 s.", "The gateway times out after 30 s."),
        ("Ivo swims on Mondays.", "Ivo swims on Thursdays too."),
        ("Private keys are forbidden in the repo.", "Public keys are allowed in the repo."),
        ("Redis is used for sessions.", "A mention of Redis is in the onboarding guide."),
    ],
)  # fmt: skip
def test_another_subject_condition_or_event_is_no_contradiction(old: str, new: str) -> None:
    assert not told(new, old).is_conflict


def test_two_disjoint_validity_periods_are_not_a_contradiction() -> None:
    old = Claim("old", "The VAT rate is 7%.", valid_from=year(2019), valid_to=year(2020))
    later = Claim("new", "The VAT rate is 5%.", valid_from=year(2020), valid_to=year(2021))
    assert compare(later, old).verdict == "succeeds"
    assert compare(later, old).cause == "later_period"
    assert compare(old, later).verdict == "related"
    assert compare(old, later).cause == "other_period"


def test_the_same_text_for_another_period_is_no_repeat() -> None:
    one = Claim("a", "On call is Ana.", valid_from=year(2024), valid_to=year(2025))
    other = Claim("b", "On call is Ana.", valid_from=year(2025))
    assert compare(other, one) == Relation("related", 1.0, "other_period")


def test_overlapping_periods_contradict_unless_the_new_one_begins_later() -> None:
    old = Claim("old", "The hourly rate is 90.", valid_from=year(2024))
    assert compare(Claim("new", "The hourly rate is 105."), old).verdict == "contradicts"
    later = Claim("new", "The hourly rate is 105.", valid_from=year(2025))
    assert compare(later, old).verdict == "succeeds"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Config files are YAML.", "Since v3, config files are TOML."),
        ("The standup is at 9:30.", "From 12 December the standup is at 10:00."),
        ("We use Redux for state.", "We no longer use Redux for state."),
        ("CI runs on Jenkins.", "CI now runs on Buildkite."),
        ("The rent is 1,200 euros.", "The rent has been raised to 1,290 euros."),
        ("The region is us-east-1.", "We moved the region from us-east-1 to eu-west-3."),
        ("Logs go to Splunk.", "Logs used to go to Splunk; they go to Loki."),
        ("Wir nutzen Slack.", "Wir nutzen Slack nicht mehr."),
    ],
)
def test_what_is_told_to_have_changed_succeeds(old: str, new: str) -> None:
    found = told(new, old)
    assert found.verdict == "succeeds"
    assert found.cause == "change_told"
    assert found.new, "the place that says so"


def test_the_old_state_told_again_after_a_change_contradicts() -> None:
    assert told("We use Redux for state.", "We no longer use Redux for state.").is_conflict


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We use Redis.", 'The user asked why somebody wrote "we should never use Redis" there.'),
        ("Deploys happen on Fridays.", "> Deploys never happen on Fridays."),
        ("The cache is cleared on a deploy.", "Is the cache not cleared on a deploy?"),
        ("The report is cached.", "It is undecided whether the report is not cached."),
    ],
)
def test_quoted_asked_and_doubted_text_asserts_nothing(old: str, new: str) -> None:
    assert not told(new, old).is_conflict


def test_a_text_with_an_exception_does_not_contradict_its_copy() -> None:
    old = "Retry payments when the network fails; don't retry payments."
    assert not told(f"{old} That was agreed in Oslo.", old).is_conflict


def test_a_question_contradicts_nothing_whatever_its_form() -> None:
    question = Claim("new", "The cache isn't cleared", kind="question")
    assert not compare(question, Claim("old", "The cache is cleared")).is_conflict


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ana owns the payments module.", "ana  OWNS the pay\u200bments module"),
        ("The cafe\u0301 closes at six.", "The café closes at six."),
        ("Paul’s car is old.", "Paul's car is old."),
        ("Бэкапы хранятся вечно.", "БЭКАПЫ хранятся вечно."),
        ("데이터는 서울에 있다.", "\u1103\u1166\u110b\u1175\u1110\u1165\u1102\u1173\u11ab"
         " \u1109\u1165\u110b\u116e\u11af\u110b\u1166 \u110b\u1175\u11bb\u1103\u1161."),
    ],
)  # fmt: skip
def test_byte_identical_but_for_what_nobody_sees_is_the_same(old: str, new: str) -> None:
    assert told(new, old) == Relation("repeat", 1.0, "same_text")


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("Reject webhooks of unknown tenants early.",
         "Reject the webhooks of unknown tenants early on.", "near_duplicate"),
        ("Deep links open in the sidebar of the editor.",
         "Deep links open in the sidebar of the editor window, with focus.", "near_duplicate"),
        ("Deep links open in the sidebar.", "Deep links open in a new tab.", "merge_candidate"),
        ("数据库的备份保存在上海。", "数据库备份保存在上海", "near_duplicate"),
        ("Ana writes the minutes.", "The kettle is broken.", "unrelated"),
    ],
)  # fmt: skip
def test_bands_of_likeness(old: str, new: str, verdict: Verdict) -> None:
    assert told(new, old).verdict == verdict


def test_a_copy_with_another_number_is_no_duplicate() -> None:
    """Whatever the likeness: one decision would settle two claims."""
    found = told(
        "Tenant 7 of the reporting cluster in Oslo keeps exports for auditors",
        "Tenant 9 of the reporting cluster in Oslo keeps exports for auditors",
    )
    assert found.score >= 0.7
    assert found.verdict != "near_duplicate"


def test_session_3_rewrites_what_session_1_noted_under_another_title() -> None:
    one = Claim("1", "Sync retries back off up to 60 seconds.", subject="sync retry")
    other = Claim("3", "Sync retries back off up to 60 s at most.", subject="back-off")
    assert compare(other, one).verdict == "near_duplicate"


def test_i_like_x_as_fact_and_as_preference_is_one_record() -> None:
    fact = Claim("1", "The user likes short answers.", kind="context")
    preference = Claim("2", "The user likes short answers", kind="preference")
    assert compare(preference, fact).verdict == "repeat"


def test_a_subject_that_both_were_given_counts_as_said() -> None:
    old, new = "At most 60 seconds.", "At most 5 minutes."
    assert not told("Up to 3 hosts.", "Up to 9 shards.").is_conflict
    both = [Claim("1", old, subject="sync retry"), Claim("2", new, subject="sync retry")]
    assert compare(both[1], both[0]).verdict == "contradicts"
    assert [one.id for one in neighbours(both[1], both)] == ["1"]


def test_the_places_that_decided_are_those_of_the_text_as_written() -> None:
    old = "The gateway  waits\u200b for 30 seconds."
    new = "The gateway waits for 90 seconds."
    found = told(new, old)
    assert [new[a:b] for a, b in found.new] == ["90", "seconds"]
    assert [old[a:b] for a, b in found.old] == ["30", "seconds"]


def test_every_cause_has_a_sentence_and_no_verdict_is_an_act() -> None:
    assert all(text.endswith(".") for text in SENTENCES.values())
    assert set(VERDICTS) >= {"repeat", "contradicts", "succeeds", "near_duplicate"}
    old = Claim("old", "Use tabs.")
    compare(Claim("new", "Don't use tabs."), old)
    assert old == Claim("old", "Use tabs.")
