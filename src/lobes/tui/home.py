"""The port of the screens over the services: opens the home, calls, and hands on values.

Opened in a worker after the first frame. May be used from several threads: each call reads in a
snapshot of its own, and the engine's client keeps a connection for each.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Lock
from typing import TYPE_CHECKING

from lobes.config.folders import Folders
from lobes.domain.errors import Conflict, Invalid, LobesError, NotFound, Unavailable
from lobes.tui import memory
from lobes.tui.cells import plural
from lobes.tui.files import typed_path
from lobes.tui.homes.erasing import EraseHome
from lobes.tui.homes.lobe import LobeHome
from lobes.tui.homes.secrets import SecretHome
from lobes.tui.homes.trying import Trying
from lobes.tui.outcomes import Beginning, Opening, Outcome, PuttingAway, SpacesView, Taken
from lobes.tui.ports import Stop
from lobes.tui.presence import Codes
from lobes.tui.views.put_away import IN_TRASH

if TYPE_CHECKING:
    from lobes.services.index_report import Progress
    from lobes.services.installation import Caller, Installation
    from lobes.services.pack_drafts import PackDraft
    from lobes.services.status import StoreVersion
    from lobes.tui.people import PeopleSource
    from lobes.tui.presence import PresenceShown, PresenceState
    from lobes.tui.record import Record
    from lobes.tui.reviewing import ReviewSource
    from lobes.tui.triage import Settlement
    from lobes.tui.values import (
        Activity,
        Answer,
        AskedRows,
        Chain,
        Difference,
        FileText,
        Found,
        Grid,
        Hit,
        Impact,
        Kind,
        Looked,
        Place,
        Proposed,
        Readers,
        SpaceEvidence,
        SpaceRow,
        Ties,
    )
    from lobes.tui.views.chrome import IndexState

STATE_FILE = "terminal.json"
SAMPLE_SPACE = "prj_notidian"
STATUSES: Mapping[SpacesView, tuple[str, ...]] = {
    "active": ("active", "finished"),
    "archived": ("archived",),
    "trash": ("deleted",),
}
PUT_AWAY: Mapping[str, str] = {"archived": "archived", "deleted": "in the trash"}
"""Where a Space in this status is, in the words of a list of names."""


class Home(LobeHome, SecretHome, EraseHome, Trying):
    """`ports.Source` over one home. Until it is open, lists are empty and acts are refused.

    `first` is the Space to open on where none is remembered.
    """

    def __init__(self, folders: Folders, *, first: str = "") -> None:
        self._folders = folders
        self._first = first
        self._stack = ExitStack()
        self._lock = Lock()
        self._opened: tuple[Installation, Caller] | None = None
        self._watched: StoreVersion | None = None
        self._watching = Lock()
        self._stop_index = Event()
        self._progress: Progress | None = None
        self._codes = Codes()
        self._known: tuple[int, dict[str, str], dict[str, str]] | None = None

    # -- life

    def open(self) -> Opening:
        if not self._folders.store.exists():
            return Opening(fresh=True)
        self._enter()
        left = memory.read(self._folders.state / STATE_FILE)
        return Opening(fresh=False, left=replace(left, space=left.space or self._first))

    def _enter(self) -> tuple[Installation, Caller]:
        from lobes.bootstrap import open_installation

        with self._lock:
            if self._opened is None:
                lobes = self._stack.enter_context(open_installation(self._folders))
                self._opened = lobes, lobes.owner_at("tui", is_present=True)
            return self._opened

    @property
    def _home(self) -> tuple[Installation, Caller]:
        if self._opened is None:
            raise Unavailable("There is no home here yet.", reason="no_home")
        return self._opened

    def close(self) -> None:
        with self._watching:
            if self._watched is not None:
                self._watched.close()
                self._watched = None
        with self._lock:
            if self._opened is not None:
                self._codes.end(self._opened[0])
            self._opened = None
            self._stack.close()

    def account_name(self) -> str:
        from lobes.services.homes import account_slug

        return account_slug()

    def begin(self, beginning: Beginning) -> Outcome:
        from lobes.tui import first_run

        first_run.make(self._folders, beginning)
        lobes, caller = self._enter()
        if beginning.choice == "sample":
            from lobes.services.homes import add_samples

            add_samples(lobes, caller)
            return Outcome("The sample Spaces are there", space=SAMPLE_SPACE)
        if beginning.choice == "empty":
            return self.new_space("Inbox", "area")
        space, name, files = first_run.take_folder(lobes, caller, beginning)
        return Outcome(f"Added {name}: {plural(files, 'file')}", space=space)

    # -- Spaces

    def spaces(self, view: SpacesView) -> tuple[SpaceRow, ...]:
        from lobes.services.spaces import list_spaces
        from lobes.services.waiting import waiting_in
        from lobes.tui.reading import space_row

        if self._opened is None:
            return ()
        lobes, caller = self._home
        statuses = STATUSES[view]
        now, waiting = lobes.clock(), waiting_in(lobes, caller)
        return tuple(
            space_row(row, now, waiting=waiting.get(f"space/{row.id}", 0))
            for row in list_spaces(lobes, caller, statuses=statuses)
        )

    def _names(self) -> dict[str, str]:
        """Names by id, of what was put away too: a record or an answer may still name it."""
        return self._all()[0]

    def _all(self) -> tuple[dict[str, str], dict[str, str]]:
        """The names, and which Spaces were put away and where to; read again once anybody has
        written: with many Spaces it takes a while."""
        from lobes.services.spaces import list_spaces

        version = self.version()
        if self._known is None or self._known[0] != version:
            every = tuple(one for some in STATUSES.values() for one in some)
            rows = list_spaces(*self._home, statuses=every)
            where = {row.id: PUT_AWAY[row.status] for row in rows if row.status in PUT_AWAY}
            self._known = version, {row.id: row.name for row in rows}, where
        return self._known[1:]

    @contextmanager
    def _or_in_trash(self, space: str) -> Generator[None]:
        """What is not found may lie in the trash, where its owner can take it out."""
        try:
            yield
        except NotFound as error:
            names, where = self._all()
            if where.get(space) != PUT_AWAY["deleted"]:
                raise
            raise NotFound(f"{names[space]} is in the trash.", reason=IN_TRASH) from error

    def evidence(self, space: str) -> SpaceEvidence:
        from lobes.services.spaces import root_problem, show_pack, state_text
        from lobes.tui.reading import evidence

        lobes, caller = self._home
        detail = show_pack(lobes, caller, space)
        problem = root_problem(detail.row)
        try:
            state = None if problem else state_text(lobes, caller, space)
        except LobesError as error:
            state, problem = None, error.message
        return evidence(detail, state, problem)

    def ties(self, space: str) -> Ties:
        from lobes.services.lobes import ties
        from lobes.tui import reading

        return reading.ties(ties(*self._home, space))

    def read_file(self, space: str, path: str) -> FileText:
        from lobes.services.spaces import pack_text
        from lobes.tui.values import FileText

        found = pack_text(*self._home, space, path)
        return FileText(space, found.path, found.text)

    def open_draft(self, space: str, path: str = "", *, afresh: bool = False) -> PackDraft:
        from lobes.tui.files import open_draft

        return open_draft(*self._home, space, path, afresh=afresh)

    def take_over(self, draft: PackDraft, *, failed: bool = False) -> Taken:
        from lobes.tui.files import take_over

        return take_over(*self._home, draft, failed=failed)

    def new_space(self, name: str, kind: Kind) -> Outcome:
        from lobes.domain.packs import id_from
        from lobes.domain.space_yaml import kind_of
        from lobes.services.indexing import index_space
        from lobes.services.space_adding import new_space

        lobes, caller = self._home
        wanted = kind_of(kind)
        made = new_space(lobes, caller, id_from(name, wanted), name=name, template=wanted)
        index_space(lobes, caller, made.id)
        return Outcome(f"Started {made.name}", space=made.id)

    def look_at(self, folder: str) -> Proposed:
        from lobes.services.space_adding import propose_folder
        from lobes.tui.first_run import first_look
        from lobes.tui.reading import proposed

        path = Path(typed_path(folder)).expanduser()
        if not path.is_absolute():
            raise Invalid("Write the whole path.", hint="It starts with / or ~.")
        if self._opened is None:
            return first_look(path, lambda found: proposed(found, {}))
        return proposed(propose_folder(*self._home, path), self._names())

    def add(self, proposed: Proposed) -> Outcome:
        from lobes.services.indexing import index_space
        from lobes.services.space_adding import AddOptions, add_space

        lobes, caller = self._home
        options = AddOptions(
            confirmed_overlaps=proposed.overlaps, manifest_hash=proposed.manifest_hash
        )
        made = add_space(lobes, caller, Path(proposed.folder), options)
        report = index_space(lobes, caller, made.id)
        return Outcome(f"Added {made.name}: {plural(report.indexed, 'file')}", space=made.id)

    def put_away(
        self, act: PuttingAway, spaces: Sequence[str], *, back: PuttingAway = "archive"
    ) -> Settlement:
        from lobes.tui.putting_away import put_away

        return put_away(*self._home, act, spaces, back=back)

    def trash_impact(self, spaces: Sequence[str]) -> Impact:
        from lobes.tui.putting_away import impact

        return impact(*self._home, spaces, self._names())

    def people(self) -> PeopleSource:
        from lobes.tui.people import People

        return People(*self._home)

    def review(self) -> ReviewSource:
        from lobes.tui.reviewing import Reviewing

        return Reviewing(*self._home, self._names())

    def index(self, space: str) -> Outcome:
        from lobes.services.indexing import index_space

        self._stop_index.clear()
        stop = self._stop_index.is_set
        try:
            report = index_space(*self._home, space, stop=stop, watch=self._watch)
        finally:
            self._progress = None
        if report.stopped:
            return Outcome(f"Stopped: {plural(report.indexed, 'file')} taken over so far")
        text = f"{report.indexed} changed, {report.unchanged} unchanged, {report.removed} gone"
        skipped = f", {len(report.skipped)} not read" if report.skipped else ""
        return Outcome(text + skipped)

    def manifest_difference(self, space: str) -> Difference:
        from lobes.services.manifests import waiting
        from lobes.tui.values import Difference

        found = waiting(*self._home, space)
        if found is None:
            raise Conflict("Its space.yaml has not changed.", reason="nothing_waits")
        return Difference(found.widens, found.lines, found.fault, found.content_hash)

    def trust(self, space: str, content_hash: str) -> Outcome:
        from lobes.services.manifests import trust

        done = trust(*self._home, space, content_hash=content_hash)
        return Outcome(f"This version of {done.name}'s space.yaml is trusted")

    # -- Search

    def search(self, space: str, question: str) -> Found:
        from lobes.services.search import search
        from lobes.tui.reading import found

        lobes, caller = self._home
        limit = lobes.settings.search_results
        with self._or_in_trash(space):
            # It is asked at every key: none of it was given yet.
            answer = search(lobes, caller, question, space=space, limit=limit, counts=False)
        return found(answer, question, self._names())

    def note_read(self, memory: str) -> None:
        from lobes.services.uses import count_uses

        count_uses(self._home[0], [memory])

    def matrix(self) -> Grid:
        from lobes.services.matrix import matrix
        from lobes.tui.reading import grid

        return grid(matrix(*self._home))

    def allow_once(self, space: str, lobe: str, question: str) -> Outcome:
        from lobes.services.approvals import allow_once

        allowed = allow_once(*self._home, space, lobe.removeprefix("space/"), question)
        return Outcome(
            f"{allowed.name} may answer this once, until {allowed.expires.astimezone():%H:%M}"
        )

    def place(self, answer: Answer) -> Place:
        from lobes.services.spaces import pack_text
        from lobes.tui.reading import place, place_of_memory

        if answer.memory is not None:
            return place_of_memory(answer)
        try:
            file = pack_text(*self._home, answer.space, answer.path)
        except LobesError as error:
            return place(answer, None, error.message)
        return place(answer, file.text)

    # -- Activity

    def activity(self, asked: AskedRows) -> Activity:
        return self._record.page(asked)

    def check_chain(self, *, asked: bool) -> Chain:
        return self._record.chain(asked=asked)

    def readers(self, space: str) -> Readers:
        return self._record.readers(space)

    @property
    def _record(self) -> Record:
        from lobes.tui.record import Record

        return Record(*self._home, names=self._names)

    # -- presence

    def presence_code(self, *, asked: bool) -> PresenceShown:
        return self._codes.show(*self._home, asked=asked)

    def presence_state(self) -> PresenceState:
        return self._codes.state(self._home[0])

    # -- names

    def find(self, part: str) -> tuple[Hit, ...]:
        from lobes.services.finding import find_named
        from lobes.tui.reading import hit

        return tuple(hit(one) for one in find_named(*self._home, part))

    # -- what is remembered

    def preferences(self) -> Mapping[str, str | int | bool]:
        import os
        from dataclasses import asdict

        from lobes.config.settings import load_settings

        return asdict(load_settings(self._folders, os.environ).settings)

    def set_preference(self, name: str, value: str) -> None:
        from lobes.config.settings_edit import set_value

        set_value(self._folders.settings_file, name, value)

    def remember(self, left: memory.Left) -> None:
        if self._opened is not None:
            memory.write(self._folders.state / STATE_FILE, left)

    # -- the index

    def prewarm(self) -> None:
        self._home[0].engine.prewarm()

    def _watch(self, progress: Progress) -> None:
        self._progress = progress

    def stop_indexing(self) -> Outcome:
        self._stop_index.set()
        self._home[0].engine.cancel()
        return Outcome("Indexing stops; it goes on when a file changes")

    def look_through(self) -> Looked:
        from lobes.services.doctor import examine
        from lobes.services.skipped import skipped_files
        from lobes.tui.reading import looked

        return looked(examine(*self._home), skipped_files(*self._home))

    def index_state(self) -> IndexState:
        from lobes.services.engine import engine_status
        from lobes.tui.reading import index_state
        from lobes.tui.views.chrome import IndexState

        progress = self._progress
        if progress is not None and progress.done < progress.total:
            return IndexState("files", progress.done, progress.total)
        return index_state(engine_status(self._home[0]))

    def is_kept_out(self) -> bool:
        return self._opened is not None and self._opened[0].is_kept_out()

    def version(self) -> int:
        from lobes.services.status import StoreVersion

        with self._watching:
            if self._watched is None:
                self._watched = StoreVersion(self._home[0])
            try:
                return self._watched.now()
            except Exception:
                # One that broke would say the same fault for ever.
                self._watched.close()
                self._watched = None
                raise

    def follow(
        self, stop: Stop, tell: Callable[[], None], fail: Callable[[Exception], None]
    ) -> None:
        from lobes.services.indexing import index_all
        from lobes.services.watching import follow

        lobes, caller = self._home
        index_all(lobes, caller, stop=stop.is_set)
        tell()
        follow(
            lobes,
            caller,
            tell=lambda _: tell(),
            fail=fail,
            stop=stop.is_set,
        )
