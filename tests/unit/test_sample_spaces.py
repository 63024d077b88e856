"""The sample Spaces hold what the demo promises, and would show a leak."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from lobes.domain.display import display_text
from lobes.domain.lobes import CROSS_SPACE, parse_subscription
from lobes.domain.reasons import REASONS
from lobes.store.space_yaml import load_space_yaml

SAMPLES = Path(__file__).parents[2] / "sample_spaces"
PACKS = sorted(folder for folder in SAMPLES.iterdir() if (folder / "space.yaml").is_file())
LOBES: dict[str, dict[str, Any]] = tomllib.loads((SAMPLES / "lobes.toml").read_text("utf-8"))[
    "spaces"
]
ONLY_IN = {
    "prj_notidian": ("paper kingfisher",),
    "prj_initech": ("copper heron", "1,150 EUR", "12 December", "API v3", "Marit Oldenkamp"),
    "prj_globex": ("velvet anchor", "980 EUR", "19 December", "API v2", "Teodor Falkenrath"),
    "area_internal": ("slate compass",),
    "area_health": ("lantern walk",),
    "area_writing": ("amber comma",),
}


def manifest(pack: Path) -> dict[str, Any]:
    return yaml.safe_load((pack / "space.yaml").read_text("utf-8"))


def texts(pack: Path) -> dict[str, str]:
    return {
        path.relative_to(pack).as_posix(): path.read_text("utf-8")
        for path in sorted(pack.rglob("*"))
        if path.is_file()
    }


def test_every_pack_has_lobe_settings_and_no_other_has() -> None:
    assert {pack.name for pack in PACKS} == set(LOBES) == set(ONLY_IN)


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_manifest_names_itself_its_kind_and_files_that_exist(pack: Path) -> None:
    data = manifest(pack)
    assert load_space_yaml((pack / "space.yaml").read_text("utf-8")).warnings == ()
    is_project = data["type"] == "project"
    roles = data["context" if is_project else "context_pack"]["roles"]
    assert data["id"] == pack.name
    assert is_project == pack.name.startswith("prj_")
    assert [name for name in roles.values() if not (pack / name).is_file()] == []
    assert is_project or ("repositories" not in data and data["review_every"] == "30d")


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_access_rules_are_beside_the_packs_and_never_in_them(pack: Path) -> None:
    settings = LOBES[pack.name]
    written = (pack / "space.yaml").read_text("utf-8")
    assert set(settings) == {"is_private", "cross_space", "tags", "subscriptions"}
    assert settings["cross_space"] in CROSS_SPACE
    narrowed = manifest(pack)["memory"].get("cross_space_retrieval", settings["cross_space"])
    assert narrowed == settings["cross_space"]
    assert "private" not in written
    for source in settings["subscriptions"]:
        parse_subscription(f"{source['type']}:{source['id']}")


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_files_are_few_readable_and_worth_asking(pack: Path) -> None:
    files = {name: text for name, text in texts(pack).items() if name.endswith(".md")}
    assert 5 <= len(files) <= 10
    assert {name for name, text in files.items() if not 20 <= len(text.splitlines()) <= 80} == set()
    gated = {name: display_text(text, lines=True) for name, text in files.items()}
    assert gated == {name: text.replace("\t", "    ") for name, text in files.items()}


@pytest.mark.parametrize("owner", ONLY_IN)
def test_a_fact_of_one_space_stands_in_no_other(owner: str) -> None:
    holds = {pack.name: "\n".join(texts(pack).values()).casefold() for pack in PACKS}
    for fact in ONLY_IN[owner]:
        assert {name for name, text in holds.items() if fact.casefold() in text} == {owner}


def test_internal_names_no_client() -> None:
    internal = "\n".join(texts(SAMPLES / "area_internal").values()).casefold()
    assert [name for name in ("initech", "globex", "eur") if f" {name}" in internal] == []


def test_writing_holds_german_and_japanese() -> None:
    languages = texts(SAMPLES / "area_writing")["languages.md"]
    assert "erhalten blieb" in languages
    assert "保存されました" in languages or "保存されています" in languages


def test_notidian_subscribes_to_a_tag_that_writing_carries() -> None:
    tags = {f"tag:{tag}" for tag in LOBES["area_writing"]["tags"]}
    sources = {f"{one['type']}:{one['id']}" for one in LOBES["prj_notidian"]["subscriptions"]}
    assert tags & sources
    assert "subscribed" in REASONS
