"""Each decision on one memory, inside the unit of work of all of them: checked, then drafted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from lobes.domain.errors import Conflict, Invalid, nothing_there
from lobes.domain.lifecycle import Lives
from lobes.domain.memories import (
    LOOK_AGAIN,
    Memory,
    Wait,
    made_of,
    shown_hash,
    wrong_status,
)
from lobes.domain.proposals import Proposal, checked
from lobes.domain.reviewing import BINDING, CONFIRM, Decides, brakes, held, is_held_here
from lobes.services.decisions import Asked, Wish
from lobes.services.ingress import looked_at, reworded
from lobes.services.review_again import Again, check_use, retargeted, waits_now
from lobes.services.review_checks import Surroundings, check_acceptance


@dataclass(frozen=True, slots=True)
class Table:
    """What lies before whoever decides: the draft, and the memories as they were read."""

    wish: Wish
    lives: Lives
    stored: Mapping[str, Memory]
    known: Surroundings
    again: Again
    asked: Sequence[str]

    @property
    def is_batch(self) -> bool:
        return len(self.asked) > 1


def perform(table: Table, asked: Asked) -> None:
    """Draft the decision on this one; `LobesError` where it can't be taken, and then nothing of
    it stands in the draft."""
    memory = table.stored.get(asked.id)
    if memory is None:
        raise nothing_there()
    _check_shown(table.wish.act, asked, memory)
    begun = len(table.lives.steps)
    with table.lives.whole():
        _ACTS[table.wish.act](table, asked, memory)
    for step in table.lives.steps[begun:]:
        if step.after.is_retrievable and not step.before.is_retrievable:
            table.known.took(step.after)


def _check_shown(act: Decides, asked: Asked, memory: Memory) -> None:
    if act in BINDING and not asked.shown_hash:
        raise held("not_shown")
    if asked.shown_hash and asked.shown_hash != shown_hash(memory):
        raise held("changed")


def _accept(table: Table, asked: Asked, memory: Memory) -> None:
    table.lives.accept(asked.id)
    check_acceptance(asked, memory, table.known, is_batch=table.is_batch)
    if memory.replaces:
        table.lives.supersede(asked.id, memory.replaces)


def _supersede(table: Table, asked: Asked, memory: Memory) -> None:
    target = table.wish.target.id if table.wish.target else memory.replaces
    if not target:
        raise _no_target("supersede")
    _take(table, asked, memory)
    for old in dict.fromkeys((target, *table.wish.also)):
        table.lives.supersede(asked.id, old)


def _dispute(table: Table, asked: Asked, memory: Memory) -> None:
    target = _target(table, "dispute")
    if table.lives.are_in_dispute(memory.id, target.id):
        raise Conflict("These two are in dispute already.", hint=LOOK_AGAIN, reason="wrong_status")
    _take(table, asked, memory)
    table.lives.dispute(asked.id, target.id)


def _settle(table: Table, asked: Asked, memory: Memory) -> None:
    table.lives.settle(memory.id, _target(table, "settle").id)


def _merge(table: Table, asked: Asked, memory: Memory) -> None:
    """The kept one gets the text, once, as one that is made of all that is folded in. What
    is folded in is not checked for being a copy, for that is what it is."""
    target = _target(table, "merge")
    kept = table.lives[target.id]
    if kept.status == "proposed":
        if not target.shown_hash:
            raise held("not_shown")
        _check_shown("merge", target, table.stored[target.id])
        check_acceptance(target, kept, table.known, is_batch=False)
    text = table.wish.text
    if text and _cleaned(text, kept) != kept.statement:
        sources = [table.stored[id] for id in table.asked if id in table.stored]
        _reword(table, target, kept, text, leaving=memory.id, sources=sources)
    table.lives.merge(memory.id, kept.id)


def _edit(table: Table, asked: Asked, memory: Memory) -> None:
    if memory.status in ("deleted", "superseded"):
        raise wrong_status(memory.status, ", so it isn't edited")
    wish = table.wish
    if not wish.text and wish.validity is None:
        raise Invalid("There is nothing to change.", hint="--text says it anew.", reason="usage")
    _reword(table, asked, memory, wish.text)


def _reword(
    table: Table,
    asked: Asked,
    memory: Memory,
    text: str,
    *,
    leaving: str = "",
    sources: Sequence[Memory] = (),
) -> None:
    """`leaving` goes out of use by the same decision, so it is in nobody's way; `sources` are what
    the text is made of besides."""
    changed = reworded(memory, _cleaned(text, memory)) if text else memory
    changed = made_of(changed, sources)
    changed = _dated(changed, table.wish)
    if memory.is_retrievable:
        _check_new_brakes(asked, memory, changed)
        check_use(asked, changed, table.again, leaving=leaving)
    waits = waits_now(changed, table.again)
    table.lives.edit(memory.id, replace(changed, waits_for=waits))


def _check_new_brakes(asked: Asked, memory: Memory, changed: Memory) -> None:
    """What is in use gets no secret, and nothing hidden or sensitive, without a yes of its own."""
    new = set(brakes(changed)) - set(brakes(memory))
    if not asked.confirmed and not CONFIRM.isdisjoint(new):
        raise held("needs_confirmation")


def _dated(memory: Memory, wish: Wish) -> Memory:
    if wish.validity is None:
        return memory
    begin, end = wish.validity
    begin, end = begin or memory.valid_from, end or memory.valid_to
    checked(Proposal(memory.statement, kind=memory.kind, valid_from=begin, valid_to=end))
    return replace(memory, valid_from=begin, valid_to=end)


def _reject(table: Table, asked: Asked, memory: Memory) -> None:
    table.lives.reject(memory.id)


def _reopen(table: Table, asked: Asked, memory: Memory) -> None:
    table.lives.reopen(memory.id)
    waits = waits_now(memory, table.again)
    if waits != memory.waits_for:
        reopened = replace(table.lives[memory.id], waits_for=waits)
        table.lives.edit(memory.id, reopened, act="recheck")


def _archive(table: Table, asked: Asked, memory: Memory) -> None:
    table.lives.archive(memory.id)


def _restore(table: Table, asked: Asked, memory: Memory) -> None:
    table.lives.restore(memory.id)
    check_use(asked, memory, table.again)


def _recheck(table: Table, asked: Asked, memory: Memory) -> None:
    """Of what is in use: it still holds. Of a proposal: what it waits for is found anew, and from
    then on it is held against what comes later."""
    if memory.is_retrievable:
        table.lives.edit(memory.id, replace(memory, verified=table.again.now), act="recheck")
        return
    if memory.status != "proposed":
        raise wrong_status(memory.status, ": only what is in use or proposed is checked again")
    changed = replace(memory, replaces=retargeted(memory, table.again))
    changed = replace(changed, waits_for=waits_now(changed, table.again))
    table.lives.edit(memory.id, changed, act="recheck")


def _move(table: Table, asked: Asked, memory: Memory) -> None:
    """What it would replace is in the lobe that it leaves, so that goes. What stays where it is
    known may go to another Space of the same owner, and into nothing wider."""
    lobe = table.wish.lobe
    assert lobe is not None
    if memory.status != "proposed":
        raise wrong_status(
            memory.status,
            ": only what waits is moved",
            hint="What is in use is proposed there: lobes memory promote ID --to LOBE.",
        )
    if memory.lobe == lobe:
        raise Invalid("It is there already.", hint="Name another lobe.", reason="same")
    owner = table.known.owner_of(lobe) if lobe.kind == "space" else ""
    if is_held_here(looked_at(memory)) and (
        not owner or owner != table.known.owner_of(memory.lobe)
    ):
        raise held("stays")
    waits = tuple(one for one in memory.waits_for if one != "wider_scope")
    wider: tuple[Wait, ...] = () if lobe.kind == "space" else ("wider_scope",)
    moved = replace(memory, lobe=lobe, replaces="", waits_for=(*waits, *wider))
    moved = replace(moved, waits_for=waits_now(moved, table.again))
    table.lives.edit(memory.id, moved, act="move")


def _delete(table: Table, asked: Asked, memory: Memory) -> None:
    table.lives.delete(memory.id)


_ACTS: dict[Decides, Callable[[Table, Asked, Memory], None]] = {
    "accept": _accept,
    "edit": _edit,
    "reject": _reject,
    "reopen": _reopen,
    "merge": _merge,
    "supersede": _supersede,
    "archive": _archive,
    "restore": _restore,
    "dispute": _dispute,
    "settle": _settle,
    "recheck": _recheck,
    "move": _move,
    "delete": _delete,
}


def _take(table: Table, asked: Asked, memory: Memory) -> None:
    """A proposal that takes part in something is accepted by it, and checked as that."""
    if memory.status == "proposed":
        check_acceptance(asked, memory, table.known, is_batch=False, has_chosen=True)


def _target(table: Table, act: Decides) -> Asked:
    if table.wish.target is None:
        raise _no_target(act)
    return table.wish.target


def _no_target(act: Decides) -> Invalid:
    return Invalid(
        "That takes another memory.",
        hint=f"Name it: lobes memory {act} ID OTHER.",
        reason="no_target",
    )


def _cleaned(text: str, memory: Memory) -> str:
    """The words as they are kept, or `Invalid` as for a proposal."""
    return checked(Proposal(text, kind=memory.kind)).statement
