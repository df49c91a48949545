#!/usr/bin/env bash
# `halobeat snake` refuses these arguments, contours and files.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
image=$work/disk.png # 64 x 64 pixels
"$python" "$(dirname "$0")/snake_shapes.py" make disk 64 0 "$image"

refusing=snake
init=(--init 'circle:32,32,25')
besides=("$image" "${init[@]}")
bad init ring:1,2,3 circle: circle:32,32,0 circle:32,32,nan circle:32,32,10,2.5 \
    circle:0x10,32,5 polygon: grid:0x2 grid:2x2x2
bad until moved change change: change:1 change:101% change:-1 cycle:2
bad window 4
refuse 'seek needs --init grid:RxC' "$image" "${init[@]}" --seek round
refuse 'beats.*from 1 on, not "0"' "$image" "${init[@]}" --max-beats 0
refuse 'which image'
refuse 'where do the contours begin' "$image"
refuse '{name}' "$image" "$image" "${init[@]}" --overlay "$work/out.png"
refuse 'init cannot be given with --restore' "$image" "${init[@]}" --restore x
refuse 'spacing cannot be given with --restore.*own contours' "$image" --spacing 3 --restore x
refuse 'stop-moved cannot be given with --until' \
    "$image" "${init[@]}" --stop-moved 1% --until steady
many=()
for _ in {1..65}; do many+=("${init[@]}"); done
refuse 'more than 64 times' "$image" "${many[@]}"

# Circles that do not fit, or have too few points or too many.
refuse 'circle:32,32,33.*columns 0 to 63.*smaller radius' "$image" --init circle:32,32,33
refuse 'rows 0 to 63' "$image" --init circle:32,90,5
refuse 'radius is 1 pixel' "$image" --init circle:32,32,.5
refuse 'needs 3 points' "$image" --init circle:32,32,10,2
refuse 'less than a pixel apart; use 62' "$image" --init circle:32,32,10,64
refuse 'room for grid:9x9 at most' "$image" --init grid:10x10
refuse 'too small' "$image" --init grid:1x2000000000
"$python" "$(dirname "$0")/snake_shapes.py" make disk 4 0 "$work/tiny.png"
refuse '4 x 4 pixels is too small for any circle.*polygon:' "$work/tiny.png" --init grid:1x1

# wrong_file STATUS PATTERN TEXT: contours of a file that has this text.
wrong_file() {
    printf '%b' "$3" >"$work/contours.csv"
    fails "$1" "$2" $((turns++ % 3 + 1)) snake "$image" --init "polygon:$work/contours.csv"
}
square='10,10\n20,10\n20,20\n10,20\n'
wrong_file 1 'no points' ''
wrong_file 1 'no points' '\xEF\xBB\xBF'
wrong_file 1 'line 2: "u" is no number' '\xEF\xBB\xBFx,y\nu,1\n'
wrong_file 1 'no points' '\n\n# nothing\n'
wrong_file 1 'line 1: "hello".*names with x and y' 'hello\n'
wrong_file 1 'line 1.*names with x and y' 'a,b\n1,2\n'
wrong_file 1 'line 3: "twenty" is no number' '10,10\n20,10\ntwenty,20\n'
wrong_file 1 'line 2: "nan" is no number' '10,10\nnan,10\n'
wrong_file 1 'line 2: "1e999" is no number' '10,10\n1e999,10\n'
wrong_file 1 'line 5: "" is no number' "${square}3,"
wrong_file 1 'line 1.*this line has 1 number' '10\n'
wrong_file 1 'this line has 3 values, and those before it 2' "${square}1,2,3\n"
wrong_file 1 'no table of points' "$square\0\0\0\n"
wrong_file 2 'line 5: the point x 64, y 3 is outside.*columns go from 0 to 63' "${square}64,3\n"
wrong_file 2 'line 1: the point x -1, y 3' '-1,3\n'
wrong_file 2 'before line 3 has 2 points, and needs 3' '1,1\n9,1\n\n'
wrong_file 2 'before line 5 has 1 point' '1,1,7\n9,1,7\n9,9,7\n9,9,8\n'
wrong_file 2 'has 2 points' '1,1\n9,1\n1,1\n'
fails 1 'no/such.*No such file' 2 snake "$image" --init polygon:no/such.csv
fails 1 'no table of points\|points are' 3 snake "$image" --init "polygon:$image"

# The picture, and files that are named twice.
fails 1 'no/such' 2 snake no/such.png "${init[@]}"
fails 1 '.' 3 snake "$0" "${init[@]}"
# A pipe can be read once, and colours are read after greys.
mkfifo "$work/pipe"
timeout 30 dd if="$data/chelsea.png" of="$work/pipe" 2>/dev/null &
fails 1 'pipe.*no plain file.*save it' 2 snake "$work/pipe" "${init[@]}" --overlay "$work/x.png"
wait
printf '%b' "$square" >"$work/contours.csv"
refuse 'same file' "$image" --init "polygon:$work/contours.csv" -o "$work/contours.csv"
finish
