#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image of the autograder: Python 3.11 or later in an
# environment of its own, the packages that the grader needs, and bubblewrap for the sandbox.
set -euo pipefail

ROOT=${AUTOGRADER_ROOT:-/autograder}
SOURCE=$ROOT/source
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends bubblewrap python3 python3-venv

find_python() {
    local name
    for name in python3.13 python3.12 python3.11 python3; do
        if command -v "$name" >/dev/null && "$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    return 1
}

if ! PYTHON=$(find_python); then
    apt-get install -y -qq --no-install-recommends python3.11 python3.11-venv
    PYTHON=$(find_python)
fi
"$PYTHON" -m venv "$ROOT/venv"
"$ROOT/venv/bin/python" -m pip install --quiet --requirement "$SOURCE/requirements.txt"
export PYTHONPATH=$SOURCE/project
"$ROOT/venv/bin/python" -P -m grader doctor || true
"$ROOT/venv/bin/python" -P -m grader explain --rubric "$SOURCE/course/rubric.yaml"
