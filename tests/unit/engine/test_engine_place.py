"""The engine's own files: endpoint, locks, socket folders, log, and the environment it gets."""

from __future__ import annotations

import json
import os
import socket
import stat
from pathlib import Path

import pytest

from lobes.engine import log
from lobes.engine.endpoint import (
    Endpoint,
    EnginePlace,
    build_order,
    read_endpoint,
    write_endpoint,
)
from lobes.engine.locking import FileLock, is_held
from lobes.engine.sockets import PATH_LIMIT, is_private_folder, listen, runtime_folders
from lobes.engine.spawn import command, environment

ENDPOINT = Endpoint("unix", "/run/x.sock", "token", 12, "1.0")


def test_an_endpoint_is_written_closed_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "engine.json"
    path.write_text("what was there", encoding="utf-8")
    inode = write_endpoint(path, ENDPOINT)
    assert read_endpoint(path) == ENDPOINT
    assert path.stat().st_ino == inode
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["engine.json"]


def test_a_folder_in_its_place_leaves_no_rest(tmp_path: Path) -> None:
    (tmp_path / "engine.json").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_endpoint(tmp_path / "engine.json", ENDPOINT)
    assert os.listdir(tmp_path) == ["engine.json"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"[" * 3000,
        b'{"kind": "pipe", "address": "a", "token": "t", "pid": 1, "build": "1"}',
        b'{"kind": "unix", "address": 1, "token": "t", "pid": 1, "build": "1"}',
        json.dumps({"kind": "unix", "address": "a" * 5000, "token": "t", "pid": 1}).encode(),
    ],
)
def test_what_is_no_endpoint_counts_as_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "engine.json"
    path.write_bytes(content)
    assert read_endpoint(path) is None


def test_a_missing_endpoint_and_a_folder_count_as_none(tmp_path: Path) -> None:
    assert read_endpoint(tmp_path / "none") is None
    assert read_endpoint(tmp_path) is None


def test_builds_are_ordered_by_their_numbers() -> None:
    assert build_order("0.10.1") > build_order("0.9") > build_order("0.8.12")
    assert build_order("1.0") == build_order("1.0")
    assert build_order("1.0.1") > build_order("1.0")


def test_a_lock_is_held_once_and_free_after_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    first, second = FileLock(path), FileLock(path)
    assert first.take()
    assert not second.take()
    assert is_held(path)
    first.close()
    assert not is_held(path)
    assert second.take()
    second.close()
    assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def test_a_lock_notices_that_its_file_is_another_one(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    lock = FileLock(path)
    assert lock.is_at(path)
    path.unlink()
    assert not lock.is_at(path)
    path.touch()
    assert not lock.is_at(path)
    lock.close()


def test_a_link_in_the_place_of_a_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic"):
        FileLock(tmp_path / "a.lock")
    assert not (tmp_path / "elsewhere").exists()


def test_runtime_folders_are_absolute_and_ours() -> None:
    user = os.getuid()
    given = {"XDG_RUNTIME_DIR": "/run/user/7", "TMPDIR": "/var/tmp"}
    assert runtime_folders(given) == (Path("/run/user/7/lobes"), Path(f"/var/tmp/lobes-{user}"))
    assert runtime_folders({"XDG_RUNTIME_DIR": "rel"}) == (Path(f"/tmp/lobes-{user}"),)


def test_only_a_real_closed_folder_of_ours_is_private(tmp_path: Path) -> None:
    assert is_private_folder(tmp_path / "fresh")
    (tmp_path / "fresh").chmod(0o750)
    assert not is_private_folder(tmp_path / "fresh")
    (tmp_path / "file").touch()
    assert not is_private_folder(tmp_path / "file")
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert not is_private_folder(tmp_path / "link")
    assert not is_private_folder(tmp_path / "none" / "deep")


def test_a_path_too_long_for_a_socket_falls_to_a_port(tmp_path: Path) -> None:
    long = tmp_path / ("x" * PATH_LIMIT)
    listener = listen(EnginePlace(tmp_path, tmp_path / "s", (long,)), {})
    with listener.socket:
        assert listener.kind == "tcp"
        assert listener.is_mine()
        with socket.create_connection(("127.0.0.1", int(listener.address)), timeout=5):
            pass
    assert not long.exists()


def test_the_log_keeps_one_old_part_and_stays_closed(tmp_path: Path) -> None:
    path = tmp_path / "engine.log"
    path.write_bytes(b"x" * (log.LIMIT + 1))
    os.close(log.open_log(path))
    assert path.stat().st_size == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (tmp_path / "engine.log.1").stat().st_size == log.LIMIT + 1
    assert not log.rotate(path)


def test_an_error_is_named_without_its_message() -> None:
    try:
        raise ValueError("my secret query")
    except ValueError as error:
        named = log.name_of(error)
    assert named.startswith("ValueError at test_engine_place.py:")
    assert "secret" not in named


def test_the_environment_is_an_allow_list() -> None:
    face = {
        "PATH": "/bin",
        "LC_ALL": "C",
        "XDG_RUNTIME_DIR": "/run",
        "PYTHONPATH": "/x",
        "PYTHONDONTWRITEBYTECODE": "1",
        "LD_PRELOAD": "/x.so",
        "API_KEY": "k",
        "LANCEDB_LOG": "debug",
    }
    assert environment(face) == {
        "PATH": "/bin",
        "LC_ALL": "C",
        "XDG_RUNTIME_DIR": "/run",
        "LANCEDB_LOG": "error",
        "OPENBLAS_NUM_THREADS": "1",
    }


def test_the_command_names_the_folder_the_store_and_the_settings(tmp_path: Path) -> None:
    line = command(EnginePlace(tmp_path, tmp_path / "s", ()))
    assert line[1:6] == ["-P", "-m", "lobes.engine", str(tmp_path), str(tmp_path / "s")]
    assert line[-1] == "--runtime"
