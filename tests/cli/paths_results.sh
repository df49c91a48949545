#!/usr/bin/env bash
# Distances, nearest sources and paths are what their definition says, also in two parts.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/interrupt.sh
source "$(dirname "$0")/interrupt.sh"
needs_python sys
scripts=$(dirname "$0")
picture() { "$python" "$scripts/pictures.py" "$@" || exit 1; }

what='the definition'
start_with 3
holds 'some results are others' "$python" "$scripts/paths_check.py" "$program" "$work" \
    "${starter[@]}"

# Stopped after some beats, or by a signal, it goes on from the checkpoint on any number of ranks.
picture make 150 110 8 "$work/grey.png"
given=("$work/grey.png" --from '5,7' --from '140,100' --to '75,55' --neighbours 16)
files=(-o distances.npy --nearest nearest.npy --path path.csv)
in_folder() { for i in 1 3 5; do files[i]=$1/${files[i]##*/}; done; }
in_folder "$whole"
run_well 1 paths "${given[@]}" "${files[@]}" --quiet
in_folder "$out"
while read -r first second options; do
    # shellcheck disable=SC2086 # words
    run_well "$first" paths "${given[@]}" --quiet --quota 500 --beats 5 --checkpoint "$work/state"
    # shellcheck disable=SC2086
    run_well "$second" paths "${given[@]}" --quiet --restore "$work/state" $options "${files[@]}"
    same distances.npy nearest.npy path.csv
done <<TABLE
1 3 --quota 100
3 1
2 4 --decomposition blocks
TABLE
for signal in INT TERM; do
    stop_once shows searching "$signal" 1 paths "${given[@]}" --quota 20 --slow 0:3000 \
        --progress always         --checkpoint "$work/state"
    run_well 2 paths "${given[@]}" --quiet --restore "$work/state" "${files[@]}"
    same distances.npy nearest.npy path.csv
done

# Outputs that follow from final distances are not written before.
what='a run that is not done'
run 1 paths "${given[@]}" --quota 10 --beats 2 "${files[@]}"
holds "exit status $status, not 1" [ "$status" = 1 ]
holds 'no word about it' grep -q 'ended before distances were final' "$work/stderr"
rm -f "${out:?}"/*

# The same sources from the command line, a file and a picture; numbers are the pixels'.
printf 'x,y\n5,7\r\n\n140,100\n' >"$work/sources.csv"
run_well 2 paths "$work/grey.png" --from "$work/sources.csv" --to "$work/sources.csv" \
    --neighbours 16 --quiet -o "$out/distances.npy" --nearest "$out/nearest.npy"
same distances.npy nearest.npy
"$python" - "$scripts" "$work/sources.png" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
import pictures
rows = [bytes(1 if (x, y) == (5, 7) else 2 if (x, y) == (140, 100) else 0 for x in range(150))
        for y in range(110)]
pictures.write_png(sys.argv[2], 150, 110, 8, pictures.GREY, rows)
PYTHON
run_well 3 paths "$work/grey.png" --from "$work/sources.png" --neighbours 16 --quiet \
    -o "$out/distances.npy" --nearest "$out/nearest.npy"
same distances.npy nearest.npy

# An unreachable target: the rest is there.
"$python" "$scripts/pictures.py" column "$work/wall.npy" 1 inf 3 4
run 2 paths "$work/wall.npy" --from 0,0 --to 0,0 --to 0,3 -q -o "$out/d.npy" --path "$out/p.csv"
holds "exit status $status, not 1" [ "$status" = 1 ]
holds 'no word about it' grep -q 'target 0,3 (1 of 2 targets are unreachable)' "$work/stderr"
holds 'no path to the other' [ "$(cat "$out/p.csv")" = 'target,step,x,y,distance
1,0,0,0,0' ]

# A cell is 1 wide if nobody has said how wide.
run_well 2 paths "$work/grey.png" --from 5,7 --quiet --json "$out/run.json"
holds 'another size of cells' "$python" -c 'import json, sys
assert json.load(open(sys.argv[1]))["cell_size"] == [1, 1]' "$out/run.json"
finish
