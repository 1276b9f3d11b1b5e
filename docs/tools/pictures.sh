#!/usr/bin/env bash
# Draws the pictures of the README anew: docs/images/run.svg (needs Python), page.png and watch.png (need node, npm and Chromium).
# Takes the program: `docs/tools/pictures.sh target/release/ltlcrit`.
set -euo pipefail
program="$(realpath "$1")"
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

python3 tools/terminal_svg.py images/run.svg --title 'ltlcrit run --world embedded' --head 17 --tail 22 -- \
    "$program" --store "$scratch/store" run --world embedded
npm install --silent --no-save --prefix "$scratch" playwright-core@1.65.1
cp tools/picture.mjs "$scratch"
"$program" --quiet --store "$scratch/store" report last -o "$scratch/page.html"
node "$scratch/picture.mjs" "file://$scratch/page.html" images/page.png 1200 1383
"$program" --quiet --store "$scratch/store" watch last >"$scratch/address" &
watching=$!
until [[ -s "$scratch/address" ]]; do sleep 0.1; done
node "$scratch/picture.mjs" "$(cat "$scratch/address")" images/watch.png 1400 880 light 29
kill -INT "$watching"
ls -l images
