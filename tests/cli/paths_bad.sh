#!/usr/bin/env bash
# `halobeat paths` refuses these arguments, costs, places and files.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
image=$work/grey.png # 40 x 30 pixels
"$python" "$(dirname "$0")/pictures.py" make 40 30 8 "$image"

refusing=paths
besides=("$image" --from '1,1')
bad barrier x nana 1,2 inf
bad cell-size 0 -1 2,0 2,3,4 x
bad to x 1 1, ,1 1,2,3 -1,2 1.5,2 places.txt
refuse 'which costs'
refuse 'where do paths begin' "$image"
refuse 'from takes.*-1,3' "$image" --from=-1,3
refuse 'in one file: leave out' "$image" --from 1,1 --from "$work/places.csv"
refuse 'in one file: leave out' "$image" --from "$work/places.csv" --from 1,1
refuse 'source 40,3 lies outside: columns are 0 to 39 and rows 0 to 29' "$image" --from 40,3
refuse 'target 3,30 lies outside' "$image" --from 1,1 --to 2,2 --to 3,30
refuse 'path needs --to' "$image" --from 1,1 --path "$work/out/path.csv"
many=()
for _ in {1..1025}; do many+=(--to '1,1'); done
refuse 'more than 1024 places.*CSV' "${besides[@]}" "${many[@]}"
many=()
for _ in {1..17}; do many+=(--barrier 1); done
refuse 'barrier takes 16 values at most' "${besides[@]}" "${many[@]}"
fails 2 'bucket is for one rank, and there are 3' 3 paths "${besides[@]}" --method bucket

# array NUMBER...: an array of one row.
array() {
    "$python" - "$work/costs.npy" "$@" <<'PYTHON'
import struct, sys
values = [float(word) for word in sys.argv[2:]]
head = "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, 1), }" % len(values)
head += " " * (-(len(head) + 11) % 64) + "\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode())
    file.write(struct.pack("<%dd" % len(values), *values))
PYTHON
}
array 1 2 nan 3
fails 2 'source 0,2 is on a barrier' 2 paths "$work/costs.npy" --from 0,2
array 1 2 -4.5 3
fails 1 'row 2, column 0 (from 0) is -4.5.*--barrier negative' 3 paths "$work/costs.npy" --from 0,0
fails 2 'source 0,2 is on a barrier' 2 paths "$work/costs.npy" --barrier negative --from 0,2
array 1 inf 3 4
fails 2 'source 0,1 is on a barrier' 1 paths "$work/costs.npy" --from 0,1
printf 'x' >>"$work/short.npy"
fails 1 'short.npy' 2 paths "$work/short.npy" --from 0,0
head -c 140 "$work/costs.npy" >"$work/short.npy"
fails 1 'cut off: 1 of 4 rows' 2 paths "$work/short.npy" --from 0,0
array
fails 1 'no samples' 1 paths "$work/costs.npy" --from 0,0
fails 1 'no/such' 2 paths no/such.npy --from 0,0
fails 1 'no/such' 2 paths no/such.png --from 0,0

# An unreachable target: the rest is there.
array 1 inf 3 4
run 2 paths "$work/costs.npy" --from 0,0 --to 0,0 --to 0,3 -q -o "$work/d.npy" --path "$work/p.csv"
holds "exit status $status, not 1" [ "$status" = 1 ]
holds 'no word about it' grep -q 'target 0,3 (1 of 2 are unreachable)' "$work/stderr"
holds 'no path to the other' [ "$(cat "$work/p.csv")" = 'target,step,x,y,distance
1,0,0,0,0' ]

# wrong_file STATUS PATTERN TEXT: places of a file that has this text.
wrong_file() {
    printf '%b' "$3" >"$work/places.csv"
    fails "$1" "$2" $((turns++ % 3 + 1)) paths "$image" --from "$work/places.csv"
}
wrong_file 1 'has no place' ''
wrong_file 1 'has no place' 'x,y\n\n'
wrong_file 1 'line 2: this is no place' '1,2\n3\n'
wrong_file 1 'line 3: this is no place' 'x,y\n1,2\n-1,2\n'
wrong_file 1 'line 1: this is no place' '1,2,3\n'
wrong_file 2 'source 40,1 lies outside' '1,1\n40,1\n'
fails 1 'no/such' 2 paths "$image" --from no/such.csv
fails 1 'no/such' 2 paths "$image" --from no/such.png
"$python" "$(dirname "$0")/pictures.py" make 41 30 8 "$work/other.png"
fails 2 '41 x 30 pixels, and the costs 40 x 30' 2 paths "$image" --from "$work/other.png"
"$python" "$(dirname "$0")/pictures.py" black 40 30 "$work/black.png"
fails 2 'there is no source' 2 paths "$image" --from "$work/black.png"
refuse 'same file' "$image" --from "$work/other.png" --overlay "$work/other.png"

# Checkpoints of something else.
run_well 1 paths "$image" --from 1,1 --checkpoint "$work/state" -q --beats 1 --quota 9
for other in '--from 1,2' '--from 1,1 --barrier 3' '--from 1,1 --cell-size 2'; do
    # shellcheck disable=SC2086 # words
    fails 2 'was made with another --from, --barrier, --nodata or --cell-size' 2 paths "$image" $other \
        --restore "$work/state"
done
refuse 'neighbours 4' "${besides[@]}" --neighbours 4 --restore "$work/state"
fails 2 'of another picture' 2 paths "$work/other.png" --from 1,1 --restore "$work/state"
finish
