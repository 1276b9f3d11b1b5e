#!/usr/bin/env bash
# Draws the pictures of the README anew: docs/images/run.svg (needs Python) and docs/images/page.png (needs Chromium).
# Takes the program: `docs/tools/pictures.sh target/release/ltlcrit`.
set -euo pipefail
program="$(realpath "$1")"
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

python3 tools/terminal_svg.py images/run.svg --title 'ltlcrit run --world embedded' --head 17 --tail 22 -- \
    "$program" --store "$scratch/store" run --world embedded
"$program" --quiet --store "$scratch/store" report last -o "$scratch/page.html"
"$(command -v chromium || command -v google-chrome)" --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1200,1383 \
    --screenshot="$scratch/page.png" "file://$scratch/page.html" 2>/dev/null
cp "$scratch/page.png" images/page.png
ls -l images
