"""One file of a pack for the screens: read whole, handed to an editor, taken over, put back."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lobes.domain.errors import Invalid, LobesError
from lobes.domain.line_diff import line_diff
from lobes.tui.outcomes import Outcome, Taken

if TYPE_CHECKING:
    from lobes.services.installation import Caller, Installation
    from lobes.services.pack_drafts import PackDraft, Written


def open_draft(
    lobes: Installation, caller: Caller, space: str, path: str, *, afresh: bool
) -> PackDraft:
    """The draft of a file, or of the one that says where the Space stands."""
    from lobes.services import pack_drafts
    from lobes.services.spaces import state_text

    if not path:
        state = state_text(lobes, caller, space)
        if state is None:
            raise Invalid("This pack has no file yet.", hint="Make one in its folder.")
        path = state.path
    return pack_drafts.open_draft(lobes, caller, space, path, afresh=afresh)


def take_over(lobes: Installation, caller: Caller, draft: PackDraft, *, failed: bool) -> Taken:
    """What the editor left, in the file and in the index. After a failed editor it only stays."""
    from lobes.services import pack_drafts

    if failed:
        return _kept(draft)
    try:
        done = pack_drafts.take_over(lobes, caller, draft)
    except LobesError as error:
        return Taken("refused", draft.path, fault=error.message, draft=draft)
    if done is None:
        return Taken("same", draft.path)
    if isinstance(done, pack_drafts.Clash):
        both = line_diff(done.theirs, done.mine)
        return Taken("clash", draft.path, diff=both, draft=done.draft)
    return _taken(lobes, caller, done)


def _kept(draft: PackDraft) -> Taken:
    from lobes.services import pack_drafts

    try:
        same = not draft.is_kept and pack_drafts.text_of(draft) == draft.base
    except LobesError:
        same = False
    if same:
        pack_drafts.drop(draft)
    return Taken("same" if same else "kept", draft.path)


def _taken(lobes: Installation, caller: Caller, done: Written) -> Taken:
    from lobes.services.indexing import index_space

    index_space(lobes, caller, done.space)
    name = Path(done.path).name
    outcome = Outcome(
        f"Taken over: {name}",
        undo=partial(_put_back, lobes, caller, done),
        space=done.space,
    )
    return Taken("taken", done.path, diff=line_diff(done.before, done.after), outcome=outcome)


def _put_back(
    lobes: Installation, caller: Caller, done: Written, *, again: bool = False
) -> Outcome:
    """The text before, while the file is still what was written; `again` undoes an undo."""
    from lobes.services.indexing import index_space
    from lobes.services.pack_drafts import write_pack

    back = write_pack(
        lobes, caller, done.space, done.path, text=done.before, expect_hash=done.content_hash
    )
    index_space(lobes, caller, done.space)
    name = Path(done.path).name
    said = f"Taken over again: {name}" if again else f"Undone: {name} is as it was"
    undo = partial(_put_back, lobes, caller, back, again=not again)
    return Outcome(said, undo, space=done.space)


def typed_path(typed: str) -> str:
    """The folder that is meant: one written whole behind the `~/` that stands there already wins.

    `~//srv/notes` is `/srv/notes` and `~/~/notes` is `~/notes`.
    """
    rest = typed.strip().removeprefix("~/")
    return rest if rest.startswith(("/", "~")) else typed.strip()
