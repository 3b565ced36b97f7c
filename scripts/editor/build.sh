#!/bin/sh
# Bundles the editor of the lab in a browser tab anew: grader/release/browser/editor.js, which is committed.
set -eu
cd "${0%/*}"
npm ci --no-audit --no-fund --ignore-scripts
node node_modules/esbuild/bin/esbuild editor.js --bundle --minify --format=esm --target=es2022 \
    --legal-comments=none --log-level=warning "--banner:js=/*
$(cat node_modules/@codemirror/view/LICENSE)
*/" --outfile=../../grader/release/browser/editor.js
rm -rf node_modules
