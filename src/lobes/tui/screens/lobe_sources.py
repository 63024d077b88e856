"""What the Space of Lobe draws on: sources added and removed, lobes muted, kept apart, tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from lobes.domain.errors import Invalid
from lobes.domain.ids import is_slug
from lobes.domain.lobe_change import LobeChange, changed
from lobes.domain.lobes import HIGH_SENSITIVITY, Subscription, parse_subscription
from lobes.tui.cells import plural
from lobes.tui.reading import inherit_words
from lobes.tui.screens.lobe_form import LobeForm
from lobes.tui.views.lobe_draft import Draft
from lobes.tui.widgets.dialog import Button, words
from lobes.tui.widgets.picker import Choice, Picker
from lobes.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from lobes.services.offers import Offered

_TYPED = "tag…"
_KINDS = {"space": "a Space", "user": "what they share", "guest": "shared with you"}


class LobeSources(LobeForm):
    """The keys of the two upper parts of the form."""

    def action_mute(self) -> None:
        row = self.listing.current()
        item = row and (row.source or row.refusal)
        if self.draft is None or not item:
            self.say("Choose a lobe to mute.", "warning")
            return
        muted_now = self.draft.config.muted
        if item.key in muted_now:
            left = tuple(one for one in muted_now if one != item.key)
        else:
            left = (*muted_now, item.key)
        self.change(replace(self.draft.config, muted=left))

    # -- kept apart

    def action_never_with(self) -> None:
        if self.draft is None:
            return
        config, names = self.draft.config, self.draft.view.names
        choices = [
            Choice(one, names[one], "both ways again" if one in config.excluded_from else "")
            for one in self._others(self.draft, also=config.excluded_from)
        ]
        self.app.push_screen(Picker("Never with", choices, look=self.look), self._excluded)

    def _others(self, draft: Draft, *, also: Sequence[str] = ()) -> list[str]:
        """The other Spaces in the order of their names; of those put away only `also`."""
        names, away = draft.view.names, draft.view.put_away
        return [
            one
            for one in sorted(names, key=lambda key: names[key].casefold())
            if "/" not in one and one != draft.view.space and (one not in away or one in also)
        ]

    def _excluded(self, space: str | None) -> None:
        if self.draft is None or space is None:
            return
        now = self.draft.config.excluded_from
        left = tuple(one for one in now if one != space) if space in now else (*now, space)
        self.change(replace(self.draft.config, excluded_from=left))

    # -- tags

    def action_tags(self) -> None:
        if self.draft is None:
            return
        about = "Tags of this lobe, with blanks between them. Spaces can subscribe to a tag."
        buttons = [Button("", "Not now"), Button("tags", "Take them")]
        value = " ".join(self.draft.config.tags) or " "
        self.app.push_screen(
            Prompt("Tags", words(about), buttons, look=self.look, value=value), self._tagged
        )

    def _tagged(self, typed: str | None) -> None:
        if self.draft is None or typed is None:
            return
        tags = tuple(dict.fromkeys(word.lstrip("#") for word in typed.split()))
        bad = [tag for tag in tags if not is_slug(tag)]
        if bad:
            self.say("A tag is of a-z, 0-9, _ and -.", "error")
        else:
            self.change(replace(self.draft.config, tags=tags))

    # -- inherited categories

    def ask_inherited(self) -> None:
        if self.draft is None:
            return
        name, config = self.draft.view.name, self.draft.config
        about = (
            f"Categories of your own lobe that {name} draws on, with blanks between them."
            f" none: no category. default: all but {', '.join(HIGH_SENSITIVITY)}."
        )
        buttons = [Button("", "Not now"), Button("inherits", "Take them")]
        value = " ".join(inherit_words(config))
        self.app.push_screen(
            Prompt("Inherits", words(about), buttons, look=self.look, value=value),
            self._inherited,
        )

    def _inherited(self, typed: str | None) -> None:
        if self.draft is None or typed is None:
            return
        change = LobeChange(inherit=tuple(typed.replace(",", " ").split()))
        try:
            self.change(changed(self.draft.config, change, space=self.draft.view.space))
        except Invalid as error:
            self.report(error)

    # -- sources

    def action_add_source(self) -> None:
        if self.draft is not None:
            work = partial(self.source.sources, self.draft.view.space)
            self.jobs.start("sources", work, self._offer)

    def _offer(self, offered: tuple[Offered, ...]) -> None:
        """Kinds together; what is a source already is said so. Only what may be read is here."""
        if self.draft is None:
            return
        held = set(self.draft.config.subscriptions)
        choices = [
            Choice(
                f"{one.source.type}:{one.source.id}",
                one.name,
                plural(one.count, "Space")
                if one.count
                else _KINDS.get(one.source.type, one.source.type),
                why_not="a source already" if one.source in held else "",
                also=f"{one.source.type} {one.source.id}",
            )
            for one in offered
        ]
        choices.append(Choice(_TYPED, "A tag that no Space carries yet…", "a tag"))
        names = {f"{one.source.type}:{one.source.id}": one.name for one in offered}
        picker = Picker("Add a source", choices, look=self.look)
        self.chosen(picker, partial(self._source_chosen, names))

    def _source_chosen(self, names: dict[str, str], chosen: str | None) -> None:
        if chosen == _TYPED:
            buttons = [Button("", "Not now"), Button("add", "Add it")]
            about = words("Every Space of yours that carries the tag, now and later.")
            self.app.push_screen(Prompt("A tag", about, buttons, look=self.look), self._tag_source)
        elif chosen:
            source = parse_subscription(chosen)
            label = "" if source.type in ("tag", "space") else names[chosen]
            self._subscribe(replace(source, label=label))

    def _tag_source(self, typed: str | None) -> None:
        tag = (typed or "").lstrip("#")
        if tag and is_slug(tag):
            self._subscribe(Subscription("tag", tag))
        elif typed:
            self.say("A tag is of a-z, 0-9, _ and -.", "error")

    def _subscribe(self, source: Subscription) -> None:
        if self.draft is None:
            return
        if source in self.draft.config.subscriptions:
            self.say("It is a source already.", "warning")
            return
        all_of_them = (*self.draft.config.subscriptions, source)
        self.change(replace(self.draft.config, subscriptions=all_of_them))

    def remove_source(self) -> None:
        """Take the chosen source out; one that was taken out comes back."""
        row = self.listing.current()
        if self.draft is None or row is None:
            return
        key = f"{row.added.type}:{row.added.id}" if row.added else ""
        key = key or (row.source.subscription if row.source else "")
        now, stored = self.draft.config.subscriptions, self.draft.view.config.subscriptions
        left = tuple(one for one in now if f"{one.type}:{one.id}" != key)
        if left == now:
            left = (*now, *(one for one in stored if f"{one.type}:{one.id}" == key))
        self.change(replace(self.draft.config, subscriptions=left))
