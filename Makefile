# Every target makes the environment it needs by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Nothing that a test writes outlives it: in memory, where there is room, none waits for a disk.
IN_MEMORY = $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 8000000 {print $$6}')

.PHONY: setup run test test-slow ablation fuzz check fmt bench docs pictures accept clean

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m compileall -q src
	touch $(STAMP)

run: setup
	$(BIN)/lobes demo

test: setup
	$(if $(IN_MEMORY),TMPDIR=$(IN_MEMORY)) $(BIN)/python -m pytest -n 6 --dist loadscope --no-loadscope-reorder

# On the disk: the slow ones write more than memory holds, and wait for it as a home does.
test-slow: setup
	$(BIN)/python -m pytest -m slow

ablation: setup
	$(BIN)/python -m pytest tests/access/test_ablation.py -m "slow or not slow" -q -n 2

fuzz: setup
	$(BIN)/python -m pytest -m fuzz

check: setup
	$(BIN)/ruff format --check src tests
	$(BIN)/ruff check src tests
	$(BIN)/pyright
	$(BIN)/lint-imports

fmt: setup
	$(BIN)/ruff format src tests
	$(BIN)/ruff check --fix src tests

bench: setup
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m tests.bench

docs: setup
	$(BIN)/python -m tests.pages.configuration

pictures: setup
	$(BIN)/python -m tests.tui.pictures docs/pictures

accept: setup
	mkdir -p tests/tui/__snapshots__
	$(BIN)/python -m pytest tests/tui/test_snapshots.py -m "slow or not slow" --snapshot-update

clean:
	rm -rf $(VENV) build dist
