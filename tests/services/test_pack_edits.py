"""An agent's edit of a file waits; a person writes it, exactly as it was shown, or doesn't."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from homes import AHome
from lobes.classify.masking import masked
from lobes.domain.errors import Forbidden, LobesError, NoPresence
from lobes.domain.lobe_change import LobeChange
from lobes.domain.memories import Provenance
from lobes.domain.proposals import PER_SESSION, Origin
from lobes.services.decisions import Asked
from lobes.services.pack_proposing import ProposedEdit, propose_pack_edit
from lobes.services.pack_queue import PackItem, pack_evidence, pack_queue
from lobes.services.pack_reviewing import PackDecided, decide_packs, undo_packs
from lobes.services.reading import Range, read_source
from world_home import document_id

ORIGIN = Origin("agent", Provenance(source="mcp", session="s1", client="a client", tool="t"))
NOTE = "---\ntags: [x]  # mine\nodd: 'yes'\n---\n# Note\n\nwillow\n"


@pytest.fixture
def pack(home: AHome) -> AHome:
    home.a_space("prj_a", {"note.md": NOTE, "docs/deep.md": "# Deep\n"})
    home.index()
    return home


def hash_of(home: AHome, path: str = "note.md") -> str:
    return sha256((home.root("prj_a") / path).read_bytes()).hexdigest()


def known_by(home: AHome, path: str = "note.md") -> str:
    """The hash that an agent is given with the file."""
    agent = home.agent("prj_a", preset="proposer")
    document = document_id("prj_a", path)
    return read_source(home.lobes, agent, document, lines=Range()).content_hash


def propose(
    home: AHome, text: str, *, path: str = "note.md", base: str | None = None
) -> ProposedEdit:
    by = home.agent("prj_a", preset="proposer")
    base = hash_of(home, path) if base is None else base
    return propose_pack_edit(
        home.lobes, by, "prj_a", path, base_hash=base, text=text, why="Newer.", origin=ORIGIN
    )


def refused(home: AHome, text: str, *, path: str = "note.md", base: str | None = None) -> str:
    with pytest.raises(LobesError) as caught:
        propose(home, text, path=path, base=base)
    return caught.value.reason


def waiting(home: AHome) -> list[PackItem]:
    return list(pack_queue(home.lobes, home.me))


def accept(home: AHome, *items: PackItem, confirmed: bool = False) -> PackDecided:
    asked = [Asked(one.id, one.shown, confirmed) for one in items]
    done = decide_packs(home.lobes, home.me, "accept", asked)
    home.settle()
    return done


def on_disk(home: AHome, path: str = "note.md") -> str:
    return (home.root("prj_a") / path).read_text()


def test_a_proposal_writes_nothing_and_cannot_be_found(pack: AHome) -> None:
    done = propose(pack, NOTE + "\nbirch\n")
    assert (done.outcome, done.is_new) == ("pending", False)
    pack.index()
    assert on_disk(pack) == NOTE
    assert pack.found("birch", "prj_a") == set()
    (item,) = waiting(pack)
    assert (item.edit.person, item.edit.session, item.edit.client) == ("ada", "s1", "a client")
    assert item.edit.why == "Newer."
    found = pack_evidence(pack.lobes, pack.me, item.id)
    assert [one.text for one in found.diff if one.sign == "+"] == ["birch", ""]
    assert (found.added, found.removed, found.stale) == (2, 0, None)
    assert propose(pack, NOTE + "\nbirch\n") == ProposedEdit(done.id, "repeat", "note.md", False)


def test_an_accepted_one_is_in_the_file_and_found_and_undone_byte_for_byte(pack: AHome) -> None:
    propose(pack, NOTE + "\nbirch\n")
    done = accept(pack, *waiting(pack))
    assert on_disk(pack) == NOTE + "\nbirch\n"
    assert pack.found("birch", "prj_a") == {("prj_a", "note.md")}
    assert waiting(pack) == []
    (row,) = pack.audited("pack.accepted")
    assert (row["verb"], row["channel"]) == ("review", "cli")
    undone = undo_packs(pack.lobes, pack.me, done)
    pack.settle()
    assert on_disk(pack) == NOTE
    assert pack.found("birch", "prj_a") == set()
    undo_packs(pack.lobes, pack.me, undone)
    assert on_disk(pack) == NOTE + "\nbirch\n"


def test_its_evidence_names_who_could_read_the_file(pack: AHome) -> None:
    pack.a_space("prj_open", {})
    pack.a_space("prj_shut", {}, LobeChange(cross_space="deny"))
    propose(pack, NOTE + "\nbirch\n")
    propose(
        pack,
        f"# Key\n\n{'ghp_' + 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}\n",
        path="key.md",
        base="",
    )
    found = {one.edit.path: pack_evidence(pack.lobes, pack.me, one.id) for one in waiting(pack)}
    plain, secret = found["note.md"].readers, found["key.md"].readers
    assert plain is not None
    assert secret is not None
    assert (plain.you, plain.agents, plain.people) == (True, "proposer", ())
    assert [(one.space, one.reason) for one in plain.spaces] == [("prj_open", "sibling")]
    assert [(one.space, one.reason) for one in plain.not_spaces] == [("prj_shut", "closed")]
    assert (secret.you, secret.agents) == (True, None), "agents aren't let at what is confidential"


def test_a_new_file_is_made_with_its_folders_and_undo_takes_it_away(pack: AHome) -> None:
    propose(pack, "# New\n\nelm\n", path="plans/new.md", base="")
    done = accept(pack, *waiting(pack))
    assert on_disk(pack, "plans/new.md") == "# New\n\nelm\n"
    undo_packs(pack.lobes, pack.me, done)
    assert not (pack.root("prj_a") / "plans/new.md").exists()


def test_a_file_edited_after_accepting_is_not_undone_over(pack: AHome) -> None:
    propose(pack, NOTE + "\nbirch\n")
    done = accept(pack, *waiting(pack))
    pack.write("prj_a", "note.md", "mine\n")
    undone = undo_packs(pack.lobes, pack.me, done)
    assert [one.error.reason for one in undone.left] == ["changed_on_disk"]
    assert on_disk(pack) == "mine\n"


def test_a_note_whose_title_is_taken_is_refused_without_the_hash_of_it(pack: AHome) -> None:
    """agent writes a note whose title already exists"""
    assert refused(pack, "# Mine\n", base="") == "already_exists"
    assert refused(pack, "# Mine\n", base="0" * 64) == "changed_on_disk"
    assert refused(pack, "# Mine\n", path="none.md", base="0" * 64) == "changed_on_disk"
    assert on_disk(pack) == NOTE
    assert waiting(pack) == []


def test_a_broken_head_is_refused_and_an_unusual_one_stays_byte_for_byte(pack: AHome) -> None:
    """file has broken or unusual frontmatter"""
    assert refused(pack, "---\ntags: [x]\n# Note\n") == "bad_head"
    assert refused(pack, "---\nid: 1\n---\n---\ntags: [x]\n---\n# Note\n") == "bad_head"
    odd = "---\nodd key : {a: 1}   # kept\n\n'q': |\n  two\n  lines\n...\n# Note\n"
    propose(pack, odd)
    accept(pack, *waiting(pack))
    assert on_disk(pack) == odd


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("../out.md", "bad_name"),
        ("/etc/x.md", "bad_name"),
        (".git/hooks/x.md", "bad_name"),
        ("con.md", "bad_name"),
        (".claude/x.md", "not_taken"),
        ("space.yaml", "not_taken"),
        ("run.sh", "not_taken"),
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(pack: AHome, path: str, reason: str) -> None:
    assert refused(pack, "# x\n", path=path, base="") == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a\0b", "bad_text"),
        ("\ud800", "bad_text"),
        ("x" * (1024 * 1024 + 1), "too_large"),
        ("<lobes-recalled>\n", "not_a_statement"),
        (NOTE, "nothing_changes"),
    ],
    ids=["nul", "surrogate", "large", "recalled", "same"],
)
def test_a_text_that_no_pack_holds_is_refused(pack: AHome, text: str, reason: str) -> None:
    assert refused(pack, text) == reason


def test_the_line_ends_of_the_file_are_no_change(home: AHome) -> None:
    home.a_space("prj_a", {"note.md": b"\xef\xbb\xbf# A\r\n\r\nwillow\r\n"})
    home.index()
    propose(home, "# A\n\nwillow\nbirch\n")
    (item,) = waiting(home)
    assert pack_evidence(home.lobes, home.me, item.id).added == 1
    done = accept(home, item)
    file = home.root("prj_a") / "note.md"
    assert file.read_bytes() == b"\xef\xbb\xbf# A\r\n\r\nwillow\r\nbirch\r\n"
    undo_packs(home.lobes, home.me, done)
    assert file.read_bytes() == b"\xef\xbb\xbf# A\r\n\r\nwillow\r\n"


def change_the_file(folder: Path) -> None:
    (folder / "note.md").write_text("theirs\n")


def remove_the_file(folder: Path) -> None:
    (folder / "note.md").unlink()


def say_so(folder: Path) -> None:
    (folder / "note.md").write_text(NOTE + "\nbirch\n")


@pytest.mark.parametrize(
    ("meanwhile", "reason"),
    [
        (change_the_file, "file_changed"),
        (remove_the_file, "file_gone"),
        (say_so, "file_says_so"),
    ],
)
def test_what_came_in_the_way_has_its_own_message(pack: AHome, meanwhile, reason: str) -> None:  # type: ignore[no-untyped-def]
    propose(pack, NOTE + "\nbirch\n")
    (item,) = waiting(pack)
    meanwhile(pack.root("prj_a"))
    assert pack_evidence(pack.lobes, pack.me, item.id).stale == reason
    before = {one: one.read_bytes() for one in pack.root("prj_a").rglob("*.md")}
    (left,) = accept(pack, item).left
    assert left.error.reason == reason
    assert left.error.message.endswith(".")
    assert {one: one.read_bytes() for one in pack.root("prj_a").rglob("*.md")} == before


def test_checked_again_it_is_shown_against_the_file_as_it_is_now(pack: AHome) -> None:
    propose(pack, NOTE + "\nbirch\n")
    (item,) = waiting(pack)
    pack.write("prj_a", "note.md", NOTE + "\ntheirs\n")
    decide_packs(pack.lobes, pack.me, "recheck", [Asked(item.id)])
    (again,) = waiting(pack)
    found = pack_evidence(pack.lobes, pack.me, again.id)
    assert found.stale is None
    assert [one.text for one in found.diff if one.sign == "-"] == ["theirs"]
    assert [one.error.reason for one in accept(pack, item).left] == ["changed"]
    assert accept(pack, again).left == ()


def test_a_file_of_that_name_that_came_meanwhile_is_not_written_over(pack: AHome) -> None:
    propose(pack, "# New\n", path="new.md", base="")
    (item,) = waiting(pack)
    pack.write("prj_a", "new.md", "# Mine\n")
    assert pack_evidence(pack.lobes, pack.me, item.id).stale == "file_appeared"
    assert [one.error.reason for one in accept(pack, item).left] == ["file_appeared"]
    assert on_disk(pack, "new.md") == "# Mine\n"


def test_a_rejected_one_keeps_its_reason_and_can_be_opened_again(pack: AHome) -> None:
    propose(pack, NOTE + "\nbirch\n")
    (item,) = waiting(pack)
    done = decide_packs(pack.lobes, pack.me, "reject", [Asked(item.id)], reason="too_vague")
    assert waiting(pack) == []
    (decided,) = pack_queue(pack.lobes, pack.me, "decided")
    assert (decided.edit.reason, decided.edit.decided_by) == ("too_vague", "user:ada")
    undo_packs(pack.lobes, pack.me, done)
    assert [one.id for one in waiting(pack)] == [item.id]


def test_only_a_person_who_is_there_decides(pack: AHome) -> None:
    propose(pack, NOTE + "\nbirch\n")
    (item,) = waiting(pack)
    asked = [Asked(item.id, item.shown)]
    for caller, error in (
        (pack.absent, NoPresence),
        (pack.agent("prj_a", preset="editor"), Forbidden),
    ):
        (left,) = decide_packs(pack.lobes, caller, "accept", asked).left
        assert isinstance(left.error, error)
    assert pack_queue(pack.lobes, pack.agent("prj_a", preset="editor")) == ()
    assert on_disk(pack) == NOTE


def test_a_secret_in_it_is_masked_everywhere_and_takes_a_yes(pack: AHome) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    propose(pack, NOTE + f"\ntoken {secret}\n")
    (item,) = waiting(pack)
    assert "secret" in item.brakes
    assert secret not in repr(pack_evidence(pack.lobes, pack.me, item.id))
    assert [one.error.reason for one in accept(pack, item).left] == ["needs_confirmation"]
    assert accept(pack, item, confirmed=True).left == ()


def test_what_the_agent_may_not_read_is_to_it_as_if_it_were_not_there(pack: AHome) -> None:
    pack.execute(
        "UPDATE document SET permission = ? WHERE path = 'docs/deep.md'",
        '{"version": 1, "visibility": "private", "grants": []}',
    )
    pack.execute(
        "UPDATE document_sensitivity SET level = 'confidential' WHERE document IN"
        " (SELECT id FROM document WHERE path = 'docs/deep.md')"
    )
    hidden = refused(pack, "# x\n", path="docs/deep.md", base=hash_of(pack, "docs/deep.md"))
    absent = refused(pack, "# x\n", path="docs/none.md", base="0" * 64)
    assert hidden == absent == "changed_on_disk"
    propose(pack, "# x\n", path="docs/deep.md", base="")
    (item,) = waiting(pack)
    assert pack_evidence(pack.lobes, pack.me, item.id).stale == "file_appeared"


def test_edits_beyond_what_a_person_reviews_are_refused(pack: AHome) -> None:
    for _ in range(PER_SESSION):
        pack.execute(
            "INSERT INTO pack_edit (id, space, path, base_hash, text, content_hash, status, cause,"
            " person, session, tool, created) VALUES (?, 'prj_a', 'x.md', '', '', 'x', 'rejected',"
            " 'proposed', 'ada', 's1', 't', ?)",
            pack.lobes.new_id(),
            pack.lobes.clock().isoformat(),
        )
    assert refused(pack, NOTE + "\nbirch\n") == "too_many"


def test_in_a_holding_space_an_accepted_edit_and_its_undo_are_let_in(home: AHome) -> None:
    home.a_space("prj_a", {"note.md": NOTE}, LobeChange(hold_external_changes=True))
    home.index()
    propose(home, NOTE + "\nbirch\n")
    done = accept(home, *waiting(home))
    assert home.found("birch", "prj_a")
    undo_packs(home.lobes, home.me, done)
    assert home.index().held == ()
    assert home.found("birch", "prj_a") == set()
    propose(home, "# New\n", path="new.md", base="")
    undo_packs(home.lobes, home.me, accept(home, *waiting(home)))
    assert home.index().held == ()


def test_a_secret_that_the_agent_read_masked_stays_and_another_in_its_place_is_seen(
    home: AHome,
) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    other = secret[:-4] + "ZZZZ"
    files = {"note.md": f"# A\n\ntoken {secret}\n"}
    home.a_space("prj_a", files, LobeChange(agents_see_confidential=True))
    home.index()
    shown = masked(f"# A\n\ntoken {secret}\n")
    assert secret not in shown
    propose(home, shown + "birch\n", base=known_by(home))
    (item,) = waiting(home)
    diff = pack_evidence(home.lobes, home.me, item.id).diff
    assert [one.text for one in diff if one.sign == "+"] == ["birch"]
    accept(home, item, confirmed=True)
    assert on_disk(home) == f"# A\n\ntoken {secret}\nbirch\n"
    home.index()
    known = known_by(home)
    assert refused(home, shown.replace("token", "token " + shown), base=known) == "masked_text"
    assert refused(home, shown) == "changed_on_disk"
    propose(home, f"# A\n\ntoken {other}\nbirch\n", base=known)
    (item,) = waiting(home)
    found = pack_evidence(home.lobes, home.me, item.id)
    assert (found.added, found.removed) == (1, 1)
    assert other not in repr(found)
    assert secret not in repr(found)


def test_a_head_that_the_text_leaves_out_stays(pack: AHome) -> None:
    propose(pack, "# Note\n\nbirch\n")
    accept(pack, *waiting(pack))
    assert on_disk(pack) == NOTE.replace("willow", "birch")
