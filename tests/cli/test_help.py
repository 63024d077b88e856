"""What `--help` says: each command and each of its options, in words."""

from __future__ import annotations

from collections.abc import Iterator

import click

from lobes.cli.app import LazyGroup, root


def commands(group: LazyGroup, *words: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None, name
        yield (*words, name), found
        if isinstance(found, LazyGroup):
            yield from commands(found, *words, name)


EVERY = dict(commands(root))


def test_every_command_and_every_option_says_what_it_does() -> None:
    silent = [
        (*words, option.name)
        for words, command in EVERY.items()
        for option in command.params
        if isinstance(option, click.Option) and not option.hidden and not option.help
    ]
    assert len(EVERY) > 80
    assert silent == []
    assert [words for words, command in EVERY.items() if not command.help] == []
