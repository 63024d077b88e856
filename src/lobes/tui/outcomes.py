"""What the services hand to the screens besides rows: what was found, done, taken or begun.

Values alone, so that the first frame loads them without the port.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

from lobes.tui.memory import Left

if TYPE_CHECKING:
    from lobes.domain.line_diff import LineDiff
    from lobes.domain.lobes import CrossSpace
    from lobes.services.pack_drafts import PackDraft
    from lobes.tui.values import Kind, Proposed

FirstChoice = Literal["sample", "folder", "empty"]
SpacesView = Literal["active", "archived", "trash"]
SPACES_VIEWS: tuple[SpacesView, ...] = get_args(SpacesView)
"""In the order in which one key goes through them."""
PuttingAway = Literal["archive", "restore", "trash"]


@dataclass(frozen=True, slots=True)
class Opening:
    """The home as it was found: `fresh` asks for the first run; `left` is how it was left."""

    fresh: bool
    left: Left = field(default_factory=Left)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done, in the words of a toast, and how to undo it (None: it can't be undone).

    `hint` says what the key of undoing does, where "undoes" would not: "brings it back".
    """

    text: str
    undo: Callable[[], Outcome] | None = None
    space: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a draft once the editor had ended.

    `same`: it says what the file says, and is gone. `kept`: the editor failed. `taken`: it is in
    the file, `diff` is the difference. `refused`: `fault` says why. `clash`: the file changed
    meanwhile, `diff` leads from its text to the draft's, and `draft` now begins with its text.
    """

    state: Literal["same", "kept", "taken", "refused", "clash"]
    path: str
    diff: LineDiff | None = None
    fault: str = ""
    draft: PackDraft | None = None
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Beginning:
    """What the first run was told. `default` is how new Spaces draw on each other; the rest is
    about the folder, where one was chosen."""

    choice: FirstChoice
    name: str = ""
    default: CrossSpace = "open"
    folder: Proposed | None = None
    kind: Kind = "project"
    private: bool = False
