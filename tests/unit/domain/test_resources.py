"""Addresses are taken to the letter: two spellings never name one thing."""

from __future__ import annotations

import pytest

from lobes.domain.errors import Invalid
from lobes.domain.resources import Resource, parse_resource, resource_address

ULID = "01J8Z0000000000000000000AB"


@pytest.mark.parametrize(
    ("text", "resource"),
    [
        ("space/prj_a", Resource("space", "prj_a")),
        (f"doc/{ULID}", Resource("document", ULID)),
        (f"memory/{ULID}", Resource("memory", ULID)),
        (f"session/{ULID}", Resource("session", ULID)),
        (f"lesson/{ULID}", Resource("lesson", ULID)),
        (f"share/{ULID}", Resource("share", ULID)),
        (f"run/{ULID}", Resource("run", ULID)),
        ("group/core", Resource("group", "core")),
        ("person/ada", Resource("person", "ada")),
        ("home", Resource("home")),
    ],
)
def test_an_address_reads_back_as_it_was_written(text: str, resource: Resource) -> None:
    assert parse_resource(text) == resource
    assert resource_address(resource) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/",
        "space",
        "space/",
        "Space/prj_a",
        "space/Prj_a",
        "space/prj_a ",
        " space/prj_a",
        "space/prj_a/",
        "space//prj_a",
        "space/prj\u0430",  # Cyrillic a
        "space/cafe\u0301",
        "ｓpace/prj_a",
        f"document/{ULID}",
        f"doc/{ULID.lower()}",
        "doc/1",
        "home/",
        "home/x",
        "user:ada",
    ],
)
def test_anything_else_is_no_address(text: str) -> None:
    """AZ-10."""
    with pytest.raises(Invalid) as refused:
        parse_resource(text)
    assert refused.value.reason == "bad_resource"
    assert text == "" or text not in refused.value.message
