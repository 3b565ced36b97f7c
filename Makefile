# make setup | demo | check | test | test-serve | golden | marks | fuzz | fuzz-targets | lint | format | docs | bench | kit | clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Three, for two cores: the first one waits most of the time for the class, which has workers of its own.
AT_ONCE := --quiet --numprocesses 3 --dist loadfile --no-loadscope-reorder --costs 15
PYTEST_ARGS ?=
SECONDS ?= 600
TARGETS ?=

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
# Tests start hundreds of graders, each of which would read its own sources anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup system demo check quick test test-serve told golden marks fuzz fuzz-targets lint format docs bench kit clean

help:
	@echo "make setup   a virtual environment in .venv with the commands maze and grader"
	@echo "make demo    grade sample submissions and say where the feedback lies"
	@echo "make check   lint, and run the tests that start no process: what one runs while working"
	@echo "make test    install what the tests need, start the Docker engine, run those that hold the promises"
	@echo "make test-serve  run all tests of the service, for who changes it"
	@echo "make marks   write the marks of the corpus of submissions anew: tests/submissions/marks.txt"
	@echo "make golden  write anew what the program says to the inputs of tests/golden; read it as a diff"
	@echo "make fuzz    draw new examples for the properties for ten minutes, or SECONDS=...; then fuzz-targets"
	@echo "make fuzz-targets  feed each target of tests/fuzz, or TARGETS=..., with new inputs as long, two at once"
	@echo "make lint    check format, style, types and imports"
	@echo "make format  put the sources into shape"
	@echo "make docs    build the site of all pages: build/site/index.html"
	@echo "make bench   run the benchmarks and print their figures"
	@echo "make kit     make what students get: dist/kit/mazes-lab, and the same as a zip"
	@echo "make clean   remove what these made"

setup: $(VENV)/ready

$(VENV)/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.12 setup")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing the packages of constraints.txt into $(VENV) (one to three minutes) ..."
	@$(BIN)/python -m pip install -qq --constraint constraints.txt setuptools wheel
	@$(BIN)/python -m pip install -qq --no-build-isolation --constraint constraints.txt --editable '.[plot,docs,serve,dev,fuzz]'
	@touch $@
	@echo "Ready: $(BIN)/maze and $(BIN)/grader (or: . $(BIN)/activate)"

system:
	@scripts/install-system.sh
	@scripts/docker-engine.sh start
	@scripts/base-image.sh
	@scripts/pyodide.sh

demo: setup
	@$(BIN)/python scripts/demo.py

check: setup
	@$(MAKE) --no-print-directory --jobs 2 --output-sync lint quick

quick: setup
	@$(BIN)/python -m pytest --quick --quiet --numprocesses 2 --dist loadfile $(PYTEST_ARGS)

test: told setup system
	@echo "The tests:"
	@$(BIN)/python -m pytest $(AT_ONCE) $(PYTEST_ARGS)

test-serve: setup
	@$(BIN)/python -m pytest tests/grader/serve $(AT_ONCE) $(PYTEST_ARGS)

told:
	@echo "make test, on two quiet cores:"
	@test -e $(VENV)/ready || echo "  - packages for Python, in $(VENV): one to three minutes"
	@echo "  - what the sandboxes need of the system, a Docker engine and an image for its boxes:"
	@echo "    seconds where they are there; as root on Debian they are installed, in three to ten minutes"
	@echo "  - the tests, those first that take longest: five to ten minutes; a dot is a test"

marks: setup
	@$(BIN)/python scripts/corpus.py marks

golden: setup
	@$(BIN)/python -m tests.golden

fuzz: setup
	@status=0; $(BIN)/python scripts/fuzz.py $(SECONDS) || status=$$?; \
	$(BIN)/python scripts/fuzz_targets.py $(SECONDS) $(TARGETS) || status=$$?; exit $$status

fuzz-targets: setup
	@$(BIN)/python scripts/fuzz_targets.py $(SECONDS) $(TARGETS)

lint: setup
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache --no-logo

format: setup
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

docs: setup
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build
	@echo "Open build/site/index.html in a browser."

bench: setup
	@$(BIN)/python -m benchmarks

kit: setup
	@rm -rf dist/kit
	@$(BIN)/grader release --out dist/kit

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage* htmlcov demo-results
