"""What the screens ask for. One adapter answers from the services; tests answer with fixed values.

Every call may block and may raise `LobesError`: the screens make them in worker threads only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from lobes.domain.lobes import LobeConfig
    from lobes.domain.permissions import Permission
    from lobes.domain.resources import Resource
    from lobes.services.offers import Offered
    from lobes.services.pack_drafts import PackDraft
    from lobes.tui.access import Placing
    from lobes.tui.erasing import Erasable, EraseImpact
    from lobes.tui.memory import Left
    from lobes.tui.outcomes import Beginning, Opening, Outcome, PuttingAway, SpacesView, Taken
    from lobes.tui.people import PeopleSource
    from lobes.tui.presence import PresenceShown, PresenceState
    from lobes.tui.reviewing import ReviewSource
    from lobes.tui.triage import Settlement
    from lobes.tui.values import (
        Activity,
        Answer,
        AskedRows,
        Chain,
        Difference,
        Effect,
        FileText,
        Found,
        Grid,
        Hit,
        Impact,
        Kind,
        LobeView,
        Looked,
        Place,
        Proposed,
        Readers,
        SpaceEvidence,
        SpaceRow,
        Ties,
    )
    from lobes.tui.views.chrome import IndexState


class Stop(Protocol):
    """Whether to end: asked between two pieces of work. An `Event` is one."""

    def is_set(self) -> bool: ...

    def wait(self, timeout: float | None = None) -> bool: ...


class Source(Protocol):
    """The services as the terminal app needs them."""

    def open(self) -> Opening: ...
    def close(self) -> None: ...
    def account_name(self) -> str:
        """What the account calls the person; needs no network."""
        ...

    def begin(self, beginning: Beginning) -> Outcome:
        """Make the home, then what was chosen. Where there is a home, it stays as it is."""
        ...

    def spaces(self, view: SpacesView) -> tuple[SpaceRow, ...]: ...
    def evidence(self, space: str) -> SpaceEvidence:
        """All but the lobe: that takes longer, the more Spaces there are."""
        ...

    def ties(self, space: str) -> Ties: ...
    def read_file(self, space: str, path: str) -> FileText:
        """A file of the pack as it is on the disk now, whole."""
        ...

    def open_draft(self, space: str, path: str = "", *, afresh: bool = False) -> PackDraft:
        """A copy to edit: of `path` in the pack, or of the one that says where the Space stands.

        What an earlier editing left is handed on, unless `afresh`.
        """
        ...

    def take_over(self, draft: PackDraft, *, failed: bool = False) -> Taken:
        """After the editor has ended; `failed` when it says that it did not mean it."""
        ...

    def new_space(self, name: str, kind: Kind) -> Outcome: ...
    def look_at(self, folder: str) -> Proposed: ...
    def add(self, proposed: Proposed) -> Outcome: ...
    def put_away(
        self, act: PuttingAway, spaces: Sequence[str], *, back: PuttingAway = "archive"
    ) -> Settlement:
        """Archive these, restore them or move them to the trash: one act, each with an outcome.

        `back` is what undoes a `restore`: where they were before.
        """
        ...

    def erase_impact(self, what: Erasable, id: str) -> EraseImpact:
        """What erasing a memory or a Space would do; asked as the act itself is."""
        ...

    def erase(self, what: Erasable, id: str) -> Outcome:
        """Out of every file of Lobes. May take seconds; it can't be undone."""
        ...

    def trash_impact(self, spaces: Sequence[str]) -> Impact: ...
    def index(self, space: str) -> Outcome: ...
    def manifest_difference(self, space: str) -> Difference:
        """The present `space.yaml` against the trusted one."""
        ...

    def trust(self, space: str, content_hash: str) -> Outcome:
        """Let the `space.yaml` bind that was shown, and no other."""
        ...

    def search(self, space: str, question: str) -> Found: ...
    def note_read(self, memory: str) -> None:
        """An answer that is a memory was opened: it counts as given."""
        ...

    def allow_once(self, space: str, lobe: str, question: str) -> Outcome:
        """Let the lobe answer this one question of the Space, once."""
        ...

    def clear_lines(self, resource: Resource) -> Mapping[int, str]:
        """Line → its text, for the lines of a file, or of a memory's statement, that hold secrets;
        for its owner alone, and kept in the record."""
        ...

    def place(self, answer: Answer) -> Place:
        """The lines of the file around an answer, as they are now."""
        ...

    def lobe(self, space: str) -> LobeView: ...
    def matrix(self) -> Grid:
        """Every Space that the person may know against every other."""
        ...

    def sources(self, space: str) -> tuple[Offered, ...]:
        """What the Space can be given as a source."""
        ...

    def preview(
        self, view: LobeView, config: LobeConfig, permission: Permission | None = None
    ) -> Effect:
        """What saving these would do; without `permission`, who sees it stays as it is."""
        ...

    def save(
        self, view: LobeView, config: LobeConfig, permission: Permission | None = None
    ) -> Outcome:
        """Both or neither."""
        ...

    def placing(self, space: str, group: str) -> Placing:
        """Whom it opens the Space to, and closes it to, to put it into the group ("": none)."""
        ...

    def put_in(self, space: str, group: str) -> Outcome: ...

    def people(self) -> PeopleSource:
        """Persons and groups."""
        ...

    def review(self) -> ReviewSource:
        """What waits for the person, and their decisions."""
        ...

    def activity(self, asked: AskedRows) -> Activity:
        """A page of the record; only for the installation's owner."""
        ...

    def check_chain(self, *, asked: bool) -> Chain:
        """`asked` by the person just now: then a secret store that is locked may be unlocked."""
        ...

    def readers(self, space: str) -> Readers:
        """Who read what, and who read this Space (an id, or empty)."""
        ...

    def presence_code(self, *, asked: bool) -> PresenceShown:
        """A new code for a terminal; `asked` by the person just now, or renewed by itself."""
        ...

    def presence_state(self) -> PresenceState:
        """What became of the code that was shown last."""
        ...

    def find(self, part: str) -> tuple[Hit, ...]:
        """Spaces and pack files with `part` in their names."""
        ...

    def preferences(self) -> Mapping[str, str | int | bool]:
        """The settings that hold, by name."""
        ...

    def set_preference(self, name: str, value: str) -> None:
        """Keep a setting in the file; `value` is as it is typed."""
        ...

    def remember(self, left: Left) -> None:
        """Keep for the next start how the app is left."""
        ...

    def prewarm(self) -> None: ...
    def index_state(self) -> IndexState: ...
    def stop_indexing(self) -> Outcome:
        """End what `index` is doing, and the engine's embedding until something changes."""
        ...

    def look_through(self) -> Looked:
        """What is wrong in the home and which files are not read. May take seconds."""
        ...

    def is_kept_out(self) -> bool:
        """Whether what we write waits for another process that writes. Never blocks."""
        ...

    def can_write(self) -> None:
        """Raises why nothing can be written into the home, found by trying."""
        ...

    def version(self) -> int:
        """A number that moves whenever anybody writes to the store."""
        ...

    def follow(
        self, stop: Stop, tell: Callable[[], None], fail: Callable[[Exception], None]
    ) -> None:
        """Bring every pack up to date, then watch and index until `stop`. Blocks.

        `tell` is called when something changed, `fail` with a fault that was survived; it may
        block until the next try is due.
        """
        ...
