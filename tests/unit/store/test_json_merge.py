"""An entry goes into somebody else's file, and nothing else in it changes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.domain.errors import Invalid
from lobes.store.json_merge import merged, merged_item
from lobes.store.toml_merge import merged_toml

ENTRY: dict[str, object] = {"command": "lobes", "args": ["mcp"]}

KEPT = {
    "tabs": '{\n\t"a": 1,\n\t"mcpServers": {\n\t\t"x": {"command": "y"}\n\t}\n}\n',
    "one line": '{"mcpServers":{"x":{"command":"y"}},"z":[1,2.50,"\\u00e9"]}',
    "no section": '{\n  "z" : 1e3\n}',
    "empty section": '{"mcpServers": {}}\n',
    "empty": "{}",
    "odd blanks": ' {  "a":\n\n [1 , 2]  ,\n "mcpServers" : { "x" : null } } \n\n',
    "windows": '{\r\n  "a": 1\r\n}\r\n',
}


@pytest.mark.parametrize("name", KEPT)
def test_every_other_byte_stays(name: str) -> None:
    text = KEPT[name]
    done = merged(text, "mcpServers", "lobes", ENTRY)
    document = json.loads(text)
    document.setdefault("mcpServers", {})["lobes"] = ENTRY
    assert json.loads(done) == document
    rest = iter(done)
    assert all(char in rest for char in text if not char.isspace()), "something went"
    assert merged(done, "mcpServers", "lobes", ENTRY) == done


def test_an_older_entry_is_replaced_where_it_stands() -> None:
    text = '{"mcpServers": {"lobes": {"command": "old", "env": {}}, "x": 1}}'
    assert merged(text, "mcpServers", "lobes", {"command": "new"}) == (
        '{"mcpServers": {"lobes": {\n      "command": "new"\n    }, "x": 1}}'
    )


@pytest.mark.parametrize(
    "text",
    [
        "// a comment\n{}",
        '{"a": 1, /* or */ "b": 2}',
        '{"a": 1,}',
        '{"a": 1, "a": 2}',
        "[]",
        '{"mcpServers": []}',
        '{"a": NaN}',
        "{" * 5000,
    ],
)
def test_what_is_no_plain_json_is_left_alone(text: str) -> None:
    with pytest.raises(Invalid) as caught:
        merged(text, "mcpServers", "lobes", ENTRY)
    assert caught.value.reason == "not_json"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=5) | st.just("mcpServers"), VALUES, max_size=4),
    st.sampled_from([None, 1, 2, 4, "\t"]),
)
def test_whatever_the_file_holds_is_still_there(
    document: dict[str, object], indent: int | str | None
) -> None:
    if not isinstance(document.get("mcpServers", {}), dict):
        return
    text = json.dumps(document, indent=indent)
    done = json.loads(merged(text, "mcpServers", "lobes", ENTRY))
    assert done.pop("mcpServers")["lobes"] == ENTRY
    assert done == {key: value for key, value in document.items() if key != "mcpServers"}


def test_toml_keeps_comments_and_order() -> None:
    text = '# mine\nmodel = "x"  # why\n\n[mcp_servers.other]\ncommand = "y"\n\n[last]\na = 1\n'
    done = merged_toml(text, "mcp_servers", "lobes", ENTRY)
    for line in text.splitlines():
        assert line in done.splitlines()
    assert '[mcp_servers.lobes]\ncommand = "lobes"' in done
    assert merged_toml(done, "mcp_servers", "lobes", ENTRY) == done


@pytest.mark.parametrize("text", ["model = ", "mcp_servers = 1\n", "[[mcp_servers]]\na = 1\n"])
def test_what_is_no_plain_toml_is_left_alone(text: str) -> None:
    with pytest.raises(Invalid) as caught:
        merged_toml(text, "mcp_servers", "lobes", ENTRY)
    assert caught.value.reason == "not_toml"


LISTS = {
    "empty file": "",
    "no section": '{\n  "z" : 1e3\n}',
    "no list": '{"hooks": {"Stop": []}}',
    "empty list": '{"hooks": {"Start": [ ]}}',
    "others": '{"hooks":{"Start":[{"a":[1,2.50,"]"]}\n, {"b":{}}]},"z":[3]}',
    "windows": '{\r\n\t"hooks": {"Start": [\r\n{"a": 1}\r\n]}\r\n}\r\n',
}


def _is_ours(item: object) -> bool:
    return isinstance(item, dict) and "ours" in item


@pytest.mark.parametrize("name", LISTS)
def test_an_item_goes_to_the_end_of_a_list_and_every_other_byte_stays(name: str) -> None:
    text = LISTS[name]
    done = merged_item(text, "hooks", "Start", {"ours": 1}, is_ours=_is_ours)
    document = json.loads(text or "{}")
    document.setdefault("hooks", {}).setdefault("Start", []).append({"ours": 1})
    assert json.loads(done) == document
    rest = iter(done)
    assert all(char in rest for char in text if not char.isspace()), "something went"
    assert merged_item(done, "hooks", "Start", {"ours": 1}, is_ours=_is_ours) == done


def test_an_older_item_of_ours_is_replaced_where_it_stands() -> None:
    text = '{"hooks": {"Start": [{"ours": 1}, {"b": 2}]}}'
    done = merged_item(text, "hooks", "Start", {"ours": 2}, is_ours=_is_ours)
    assert json.loads(done) == {"hooks": {"Start": [{"ours": 2}, {"b": 2}]}}


@pytest.mark.parametrize(
    "text", ['{"hooks": []}', '{"hooks": {"Start": {}}}', '{"hooks": {"Start": null}}', "[1]"]
)
def test_what_is_no_list_is_left_alone(text: str) -> None:
    with pytest.raises(Invalid):
        merged_item(text, "hooks", "Start", {"ours": 1}, is_ours=_is_ours)
