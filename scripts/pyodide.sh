#!/bin/sh
# Fetches Pyodide, which runs the lab in a browser tab, into build/pyodide for the tests, by npm.
#
# Quick and silent where it is there. What it is, grader/release/browser.py knows by its digests.
set -eu
. "${0%/*}/patiently.sh"

VERSION=314.0.7
PLACE=build/pyodide

say() { echo "pyodide: $*"; }
fail() { echo "pyodide: $*" >&2; exit 1; }

cd "${0%/*}/.."
if [ -e "$PLACE/python_stdlib.zip" ]; then exit 0; fi
command -v npm >/dev/null || fail "no program npm: run scripts/install-system.sh first"
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT INT TERM
say "fetching version $VERSION"
patiently "$WORK/log" npm pack --silent --pack-destination "$WORK" "pyodide@$VERSION" || { tail -5 "$WORK/log" >&2; fail "npm failed"; }
tar -xzf "$WORK/pyodide-$VERSION.tgz" -C "$WORK"
mkdir -p build
rm -rf "$PLACE"
mv "$WORK/package" "$PLACE"
