"""The strict input layer: what fits is given as it came, everything else is an error."""

from __future__ import annotations

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lobes.domain.errors import Invalid
from lobes.mcp.fields import Field, Flag, Kind, Number, Share, Text, Texts, schema_of, taken
from lobes.mcp.tools import TOOLS

ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV"


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Text(5), ""),
        (Text(5), "   "),
        (Text(5), "123456"),
        (Text(5), 12),
        (Text(5), None),
        (Text(5), b"12"),
        (Text(5), "a\ud800"),
        (Text(5, choices=("one", "two")), "One"),
        (Text(26, form="id"), ID.lower()),
        (Text(26, form="id"), f"{ID} "),
        (Number(1, 5), "3"),
        (Number(1, 5), True),
        (Number(1, 5), 3.0),
        (Number(1, 5), 6),
        (Number(1, 5), 10**40),
        (Share(), "0.5"),
        (Share(), True),
        (Share(), 1.1),
        (Share(), float("nan")),
        (Share(), 10**400),
        (Share(), -(10**400)),
        (Flag(), 1),
        (Flag(), "true"),
        (Texts(Text(5), 2), "ab"),
        (Texts(Text(5), 2), ["a", "a"]),
        (Texts(Text(5), 2), ["a", "b", "c"]),
        (Texts(Text(5), 2), ["a", 1]),
        (Texts(Text(5), 2), [["a"]]),
    ],
)
def test_nothing_is_turned_into_what_would_fit(kind: Kind, value: object) -> None:
    with pytest.raises(Invalid) as caught:
        taken((Field("one", kind, "About."),), {"one": value})
    assert caught.value.reason == "bad_field"


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Text(5), "12345"),
        (Text(5, least=0), ""),
        (Text(26, form="id"), ID),
        (Number(1, 5), 5),
        (Share(), 1),
        (Flag(), False),
    ],
)
def test_what_fits_is_given_as_it_came(kind: Kind, value: object) -> None:
    assert taken((Field("one", kind, "About."),), {"one": value}) == {"one": value}


def test_a_missing_field_is_named_and_a_foreign_one_is_not() -> None:
    fields = (Field("one", Text(5), "About.", is_required=True),)
    with pytest.raises(Invalid, match="one"):
        taken(fields, {})
    with pytest.raises(Invalid) as caught:
        taken(fields, {"one": "a", "QZX": 1})
    assert "QZX" not in caught.value.message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | st.just(ID),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@pytest.mark.parametrize("tool", TOOLS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_what_is_taken_fits_the_schema_that_the_agent_was_shown(
    tool: str, data: st.DataObject
) -> None:
    """The check is never laxer than the schema."""
    fields = TOOLS[tool].fields
    names = st.sampled_from([*(one.name for one in fields), "other"])
    sent = data.draw(st.dictionaries(names, JSON, max_size=4))
    try:
        taken(fields, sent)
    except Invalid:
        return
    assert list(jsonschema.Draft202012Validator(schema_of(fields)).iter_errors(sent)) == []


def test_every_schema_is_one() -> None:
    of_schemas = jsonschema.Draft202012Validator(jsonschema.Draft202012Validator.META_SCHEMA)
    wrong = {
        spec.name: list(of_schemas.iter_errors(schema_of(spec.fields))) for spec in TOOLS.values()
    }
    assert [name for name, found in wrong.items() if found] == []
