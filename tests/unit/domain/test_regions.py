"""What stands between private tags is gone, however the tags are written."""

from __future__ import annotations

import pytest

from lobes.domain.errors import Invalid
from lobes.domain.proposals import Proposal, checked
from lobes.domain.regions import without_private


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a <private>b</private> c", "a  c"),
        ("a <PRIVATE reason='x'>b\nc</Private > d", "a \n d"),
        ("a <private>b <private>c</private> d</private> e", "a  e"),
        ("a <private>b", "a "),
        ("b</private> c", " c"),
        ("a <pri\u200bvate>b</pri\ufe0fvate> c", "a  c"),
        ("a <p\U000e0070rivate>b</private> c", "a  c"),
        ("a <\u202eprivate>b</private> c", "a  c"),
        ("a <pri\x01vate>b</pri\x7fvate> c", "a  c"),
        ("a <pri\u2800vate>b</priva\x85te> c", "a  c"),
        ("private is a < b\u200b", "private is a < b\u200b"),
        ("a <privateer> b\u200b", "a <privateer> b\u200b"),
    ],
)
def test_a_region_is_gone_and_the_rest_is_as_it_was(text: str, left: str) -> None:
    """Privacy, "text inside private tags in an observation"."""
    assert without_private(text)[0] == left


def test_it_goes_from_every_word_of_a_proposal() -> None:
    region = "<private>hush</private>"
    kept = checked(
        Proposal(f"Tea is hot. {region}", subject=f"tea{region}", evidence=(region, f"a{region}"))
    )
    assert kept == Proposal("Tea is hot.", subject="tea", evidence=("a",))


@pytest.mark.parametrize("text", ["<private>all of it", "<private>a</private> \n", "x</private>"])
def test_what_is_private_all_through_is_no_statement(text: str) -> None:
    with pytest.raises(Invalid) as refused:
        checked(Proposal(text))
    assert refused.value.reason == "not_a_statement"
    assert text not in f"{refused.value}{refused.value.hint}"
