#!/usr/bin/env bash
# `halobeat snake --init grid:RxC`: the contours of a grid begin around what is round, one each.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy scipy skimage PIL
out=$work/out here=$(dirname "$0") coins=$work/coins.png
"$python" "$here/snake_coins.py" picture "$coins" || exit 1

# found LEAST MOST: coins of the contours that were written last.
found() { holds "not $1 to $2 coins" "$python" "$here/snake_coins.py" check "$out/1.csv" "$1" "$2"; }

what='defaults'
for ranks in 1 2 3 7; do
    run_well "$ranks" snake "$coins" --init grid:4x6 -o "$out/$ranks.csv" --json "$out/run.json" \
        --overlay "$out/$ranks.png" --checkpoint "$work/state$ranks" --balance random --balance-every 3
    holds "other contours on $ranks ranks" cmp -s "$out/1.csv" "$out/$ranks.csv"
    holds "another overlay on $ranks ranks" cmp -s "$out/1.png" "$out/$ranks.png"
    holds "another checkpoint of $ranks ranks" cmp -s "$work/state1" "$work/state$ranks"
    holds 'it does not rest' grep -q '^beat .*settled' "$work/stdout"
done
found 22 24
# Who goes on finds contours where they were.
run_well 2 snake "$coins" --init grid:4x6 --beats 9 --checkpoint "$work/part" --quiet
run_well 3 snake "$coins" --restore "$work/part" -o "$out/again.csv" --quiet
holds 'other contours of a checkpoint' cmp -s "$out/1.csv" "$out/again.csv"
fails 2 'seek cannot be given with --restore' 1 snake "$coins" --restore "$work/part" --seek round

what='--seek nothing'
run_well 2 snake "$coins" --init grid:4x6 --seek nothing -o "$out/1.csv" --beats 200
found 0 12
holds 'no hint' grep -q 'hint .*points had not come to rest.*--until change:[0-9]*%' <(unbroken)
run_well 1 snake "$coins" --init grid:4x6 --seek nothing --sigma 1 --beats 200
holds 'no hint beside --sigma 1' grep -q 'hint .*had not come to rest; --until change' <(unbroken)

# Only circles of grids seek, each keeps its place in the order, and none moves where there is nothing.
what='several beginnings'
"$python" "$here/pictures.py" black 90 60 "$work/black.png"
printf '10,10\n40,10\n40,40\n' >"$work/triangle.csv"
beginnings=(--init 'circle:60,30,20' --init grid:1x2 --init "polygon:$work/triangle.csv"
    --init 'grid:2x1,10')
for seek in round nothing; do
    run_well 2 snake "$work/black.png" "${beginnings[@]}" --seek "$seek" --beats 1 --quiet \
        -o "$out/$seek.csv"
done
holds 'circles have moved on black' cmp -s "$out/round.csv" "$out/nothing.csv"
run_well 3 snake "$coins" "${beginnings[@]}" --beats 1 --quiet -o "$out/mixed.json"
run_well 1 snake "$coins" "${beginnings[@]}" --seek nothing --beats 1 --quiet -o "$out/fixed.json"
holds 'others than grids have moved' "$python" - "$out" <<'PYTHON'
import json, sys
mixed, fixed = ([contour["points"] for contour in json.load(open(f"{sys.argv[1]}/{name}.json"))["contours"]]
                for name in ("mixed", "fixed"))
assert len(mixed) == len(fixed) == 6
assert [a == b for a, b in zip(mixed, fixed)] == [True, False, False, True, False, False]
assert len(mixed[4]) == len(mixed[5]) == 10
PYTHON
finish
