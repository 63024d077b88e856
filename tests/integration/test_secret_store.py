"""The secret store with real children and real back ends, of which most are no good."""

from __future__ import annotations

import os
import pickle
import threading
import time
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from rich.traceback import Traceback

from lobes.config.fault_log import report
from lobes.domain.secrets import CAUSES, Answer, Secret
from lobes.store.secrets import ALLOWED, Keyring, Seam

FIXTURES = Path(__file__).parents[1] / "fixtures"
KEY = Secret(bytes(range(32)))


def keyring(
    home: Path,
    *rings: str,
    folders: tuple[str, ...] = (),
    read_seconds: float = 20,
    patient_seconds: float = 20,
    **env: str,
) -> Keyring:
    seam = Seam(
        allowed=tuple(f"rings.{name}" for name in rings) or ALLOWED,
        folders=(str(FIXTURES), *folders) if rings else folders,
        environ={**os.environ, "HOME": str(home), **env},
        read_seconds=read_seconds,
        patient_seconds=patient_seconds,
    )
    return Keyring(seam)


def calls(home: Path) -> list[str]:
    path = home / "calls"
    return path.read_text().split() if path.exists() else []


def test_what_is_put_is_read_back_by_another_process(tmp_path: Path) -> None:
    store = keyring(tmp_path, "Honest")
    assert store.get("a") == Answer("ready", None, "rings.Honest")
    assert store.put("a", KEY) == Answer("ready", KEY, "rings.Honest")
    assert keyring(tmp_path, "Honest").get("a").secret == KEY
    assert store.get("b").secret is None
    assert store.delete("a").state == "ready"
    assert store.delete("a").state == "ready"
    assert store.get("a") == Answer("ready", None, "rings.Honest")


def test_the_best_of_several_is_taken_and_one_for_another_system_is_passed_over(
    tmp_path: Path,
) -> None:
    assert keyring(tmp_path, "NotHere", "Honest", "Better").status().backend == "rings.Better"
    assert calls(tmp_path) == []


def test_without_a_store_the_state_says_so(tmp_path: Path) -> None:
    """KR-01"""
    said = keyring(tmp_path, DBUS_SESSION_BUS_ADDRESS="").put("a", KEY)
    assert (said.state, said.secret, said.backend) == ("unavailable", None, "")
    assert "no secret store" in said.sentence
    assert said.hint


def test_a_plaintext_store_that_came_along_is_named_and_never_loaded(tmp_path: Path) -> None:
    """KR-03"""
    brought = str(FIXTURES / "plaintext")
    store = keyring(tmp_path, folders=(brought,), DBUS_SESSION_BUS_ADDRESS="")
    said = store.put("a", KEY)
    assert said.state == "refused"
    assert said.ignored == ("somebodys_rings.PlaintextKeyring",)
    assert "somebodys_rings.PlaintextKeyring" in said.sentence
    assert list(tmp_path.iterdir()) == []


def test_beside_a_good_store_the_plaintext_one_is_only_named(tmp_path: Path) -> None:
    """KR-03"""
    store = keyring(tmp_path, "Honest", folders=(str(FIXTURES / "plaintext"),))
    said = store.put("a", KEY)
    assert (said.state, said.backend) == ("ready", "rings.Honest")
    assert said.ignored == ("somebodys_rings.PlaintextKeyring",)
    assert not (tmp_path / "imported").exists()


@pytest.mark.parametrize("named", ["no.such.Module", "somebodys_rings.PlaintextKeyring"])
def test_what_the_environment_names_is_neither_loaded_nor_asked(tmp_path: Path, named: str) -> None:
    """KR-04: also with its folder in PYTHONPATH."""
    paths = {"PYTHON_KEYRING_BACKEND": named, "PYTHONPATH": str(FIXTURES / "plaintext")}
    assert keyring(tmp_path, DBUS_SESSION_BUS_ADDRESS="", **paths).get("a").state == "unavailable"
    assert keyring(tmp_path, "Honest", **paths).get("a").state == "ready"
    assert not (tmp_path / "imported").exists()


def test_a_module_path_of_keyrings_configuration_is_never_imported_from(tmp_path: Path) -> None:
    """KR-04"""
    folder = tmp_path / "config" / "python_keyring"
    folder.mkdir(parents=True)
    (folder / "keyringrc.cfg").write_text(
        "[backend]\ndefault-keyring=somebodys_rings.PlaintextKeyring\n"
        f"keyring-path={FIXTURES / 'plaintext'}\n"
    )
    where = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "DBUS_SESSION_BUS_ADDRESS": ""}
    assert keyring(tmp_path, **where).get("a").state == "unavailable"
    assert not (tmp_path / "imported").exists()


@pytest.mark.parametrize("kind", ["null", "fail"])
def test_a_keyring_that_the_person_turned_off_stays_off(tmp_path: Path, kind: str) -> None:
    """KR-03: with keyring's null back end, setting succeeds and keeps nothing."""
    name = f"keyring.backends.{kind}.Keyring"
    said = keyring(tmp_path, "Honest", PYTHON_KEYRING_BACKEND=name).put("a", KEY)
    assert (said.state, said.cause, said.backend) == ("refused", "turned_off", name)
    assert name in said.sentence
    assert calls(tmp_path) == []


@pytest.mark.parametrize("ring", ["Locked", "Dismissed"])
def test_a_prompt_that_was_cancelled_is_locked_and_not_shown_again(
    tmp_path: Path, ring: str
) -> None:
    """KR-05"""
    store = keyring(tmp_path, ring)
    for _ in range(5):
        assert store.get("a").state == "locked"
    assert store.put("a", KEY).state == "locked"
    assert store.calls == 1


def test_a_person_who_asks_again_has_it_tried_again(tmp_path: Path) -> None:
    """KR-05"""
    store = keyring(tmp_path, "Locked")
    assert store.get("a").state == "locked"
    (tmp_path / "unlocked").touch()
    assert store.get("a").state == "locked"
    assert store.get("a", patient=True).state == "ready"
    assert store.get("a").state == "ready"


@pytest.mark.parametrize("ring", ["Forgets", "AnotherValue", "NoSecretOfOurs"])
def test_a_store_that_gives_back_something_else_is_refused(tmp_path: Path, ring: str) -> None:
    """KR-06"""
    said = keyring(tmp_path, ring).put("a", KEY)
    assert (said.state, said.secret, said.cause) == ("refused", None, "not_kept")


def test_what_changed_or_went_behind_our_back_is_seen(tmp_path: Path) -> None:
    """KR-06"""
    keyring(tmp_path, "Honest").put("a", KEY)
    other = Secret(bytes(32))
    keyring(tmp_path, "Honest").put("a", other)
    found = keyring(tmp_path, "Honest").get("a").secret
    assert found is not None
    assert found.fingerprint() != KEY.fingerprint()
    keyring(tmp_path, "Honest").delete("a")
    assert keyring(tmp_path, "Honest").get("a") == Answer("ready", None, "rings.Honest")


@pytest.mark.parametrize(
    ("ring", "state"), [("HangsWhenChosen", "unavailable"), ("HangsWhenAsked", "locked")]
)
def test_a_store_that_hangs_ends_at_the_deadline(tmp_path: Path, ring: str, state: str) -> None:
    """KR-05: nothing of it stays behind."""
    started = time.monotonic()
    said = keyring(tmp_path, ring, read_seconds=1.5).get("a")
    assert (said.state, said.cause) == (state, "no_answer")
    assert time.monotonic() - started < 12


def test_closing_ends_a_call_that_waits_for_a_person(tmp_path: Path) -> None:
    store = keyring(tmp_path, "HangsWhenAsked", patient_seconds=300)
    said: list[Answer] = []
    asking = threading.Thread(target=lambda: said.append(store.get("a", patient=True)))
    asking.start()
    while store._child is None:
        assert asking.is_alive()
    store.close()
    asking.join(20)
    assert not asking.is_alive()
    assert said[0].state == "unavailable"
    assert store.get("a", patient=True).state == "unavailable"
    assert store.calls == 1


def test_what_a_back_end_prints_is_no_answer(tmp_path: Path) -> None:
    keyring(tmp_path, "Honest").put("a", KEY)
    assert keyring(tmp_path, "Talks").get("a").secret == KEY


@pytest.mark.parametrize("ring", ["Dies", "Breaks"])
def test_a_back_end_that_dies_or_breaks_is_a_state(tmp_path: Path, ring: str) -> None:
    """KR-04: `ModuleNotFoundError` is no error of keyring's own."""
    said = keyring(tmp_path, ring).get("a")
    assert (said.state, said.cause) == ("unavailable", "failed")
    assert f"rings.{ring}" in said.sentence


def test_a_secret_is_in_no_traceback_log_repr_or_pickle(tmp_path: Path) -> None:
    """KR-08"""
    said = keyring(tmp_path, "Honest").put("a", KEY)
    for shown in (repr(said), str(said), f"{said.secret}", f"{said.secret!r:>20}", repr([KEY])):
        assert "<secret>" in shown
        assert repr(KEY.reveal())[2:-1] not in shown
    with pytest.raises(TypeError, match="written"):
        pickle.dumps(KEY)
    try:
        _fail(KEY)
    except ZeroDivisionError as error:
        text = report(error)
        console = Console(record=True, width=200, file=StringIO())
        console.print(Traceback(show_locals=True))
        text += console.export_text()
    assert "<secret>" in text
    assert "\\x01\\x02" not in text


def _fail(secret: Secret) -> float:
    kept = secret
    return len(repr(kept)) / 0


def test_neither_arguments_nor_environment_of_the_child_hold_a_secret(tmp_path: Path) -> None:
    """KR-08: both can be read by every process of the same user."""
    store = keyring(tmp_path, "HangsWhenAsked", patient_seconds=300)
    asking = threading.Thread(target=lambda: store._ask("get", "a", KEY, patient=True))
    asking.start()
    while store._child is None:
        assert asking.is_alive()
    process = Path(f"/proc/{store._child.pid}")
    told = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
    store.close()
    asking.join(20)
    assert b"-I" in told
    assert b"AAECAwQF" not in told


def test_every_state_and_cause_has_its_sentence() -> None:
    for state in ("ready", "locked", "unavailable", "refused"):
        assert Answer(state, backend="x").sentence
    assert all(text[0].endswith(".") for text in CAUSES.values())
