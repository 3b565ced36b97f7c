#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image of the autograder: Python 3.11 or later in an
# environment of its own, the grader, and bubblewrap for the sandbox.
set -euo pipefail

SOURCE=/autograder/source
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
"$PYTHON" -m venv /autograder/venv
/autograder/venv/bin/pip install --quiet --constraint "$SOURCE/project/constraints.txt" --editable "$SOURCE/project"
/autograder/venv/bin/grader doctor || true
/autograder/venv/bin/grader explain --rubric "$SOURCE/course/rubric.yaml"
