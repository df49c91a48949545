#!/usr/bin/env bash
# Level sets that begin otherwise, and the end of it.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/interrupt.sh
source "$(dirname "$0")/interrupt.sh"
needs_python sys
pictures=$(dirname "$0")/pictures.py
"$python" "$pictures" make 130 90 8 "$work/grey.png"
"$python" "$pictures" make 70 61 16 "$work/deep.png"

run_well 5 chan-vese "$work/grey.png" -n 5 --smoothing 64 --quiet

# No beat at all: the beginning; and it can be the next one's.
run_well 2 chan-vese "$work/grey.png" -n 0 --init disk --quiet -o "$out/first.png"
run_well 3 chan-vese "$work/grey.png" -n 8 --init "$out/first.png" --quiet -o "$out/inside.png"
run_well 1 chan-vese "$work/grey.png" -n 8 --init disk --quiet -o "$whole/inside.png"
same inside.png

# A picture of two greys is parted, and then nothing changes, or only pixels that swing.
run_well 2 chan-vese "$work/deep.png" --until steady --json "$out/run.json"
holds "no end" grep -q 'beats .*change' "$work/stdout"
holds "no means" grep -q 'inside .*mean grey' "$work/stdout"
"$python" - "$out/run.json" <<'PYTHON' || wrong "the JSON summary"
import json, sys
run = json.load(open(sys.argv[1]))
assert run["command"] == "chan-vese" and run["ranks"] == 2 and run["pixels"] == 70 * 61
assert 0 < run["inside_pixels"] < 70 * 61 and run["beat"] < 1000
assert run["inside_mean"] != run["outside_mean"] and run["init"] == "checkerboard:5"
PYTHON

finish
