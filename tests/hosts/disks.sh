#!/usr/bin/env bash
# Hosts that share no disk for what they write, nor for what they read: rank 0's host has all of it, and
# the files are those of one rank.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"
needs_python sys

# Each host gets disks of its own in the place of these folders; the front, where mpiexec is, sees others.
mkdir "$work/in" "$work/one"
for host in "${hosts[@]}"; do
    on "$host" mount -t tmpfs tmpfs "$work/out"
    on "$host" mount -t tmpfs tmpfs "$work/in"
done

# same RANKS COMMAND ARGUMENT...: OUT/ in an argument is the folder of outputs. Hosts share this machine's cores, and
# ranks that wait leave them to others.
same() {
    local ranks=$1 file
    shift
    rm -rf "$work/one" && mkdir "$work/one"
    timeout "$limit" "$program" "${@//OUT/$work/one}" --quiet 2>"$work/stderr" ||
        wrong "one rank: exit status $?"
    run "$ranks" "${@//OUT/$work/out}" --wait sleep
    [ "$status" = 0 ] || wrong "exit status $status"
    unbroken >"$work/text"
    holds 'nothing is said about the disks' grep -q \
        "disks .*$work/out/ is not shared with host1.*: rank 0 wrote" "$work/text"
    while read -r file; do
        holds "another $file" cmp -s "$work/one/$file" <(on host0 cat "$work/out/$file")
    done < <(cd "$work/one" && find . -type f)
    for host in "${hosts[@]}"; do
        [ "$host" = host0 ] ||
            holds "$host has files" [ -z "$(on "$host" find "$work/out" -type f)" ]
    done
    holds 'other files' [ "$(on host0 find "$work/out" -type f | wc -l)" = \
        "$(find "$work/one" -type f | wc -l)" ]
    on host0 find "$work/out" -type f -delete
}

same 4 label "$data/coffee.png" -o OUT/labels.npy --colour OUT/colour.png --regions OUT/regions.csv
same 3 label "$data/text.png" -c 8 -o OUT/labels.png --regions OUT/regions.json
same 3 label "$data/grains.tif" -o OUT/plane-%02d.png --colour OUT/colour-%d.ppm
same 3 cluster "$data/text.png" -k 9 -n 5 -o OUT/labels.png --mosaic OUT/mosaic.png \
    --outline OUT/outline.png --centres OUT/centres.csv --checkpoint OUT/state
same 6 chan-vese "$data/cell.png" -n 5 -o OUT/inside.npy --overlay OUT/overlay.png \
    --checkpoint OUT/state
same 3 run heat --size 530x370 --beats 5 -o OUT/cells.npy
same 3 life soup:300x220:35%:4 -n 30 --every 10 -o OUT/cells.rle --population OUT/table.csv \
    --frames OUT --checkpoint OUT/state --checkpoint-every 10
same 2 snake "$data/coffee.png" --init grid:2x3 --beats 10 -o OUT/contours.csv
"$tools/flow_tool" make "$work/m-%d.png" 2 12 -7 160 120 8 || wrong 'no frames'
same 3 motion "$work/m-0.png" "$work/m-1.png" -k 24 --radius 16 -o OUT/flow.npy \
    --vectors OUT/vectors.csv --arrows OUT/arrows.png

# Inputs that only rank 0's host has.
timeout "$limit" "$program" run heat --size 530x370 --beats 5 -o "$work/plate.npy" --quiet
timeout "$limit" "$program" label "$data/grains.tif" -o "$work/slice-%d.pgm" --quiet
for file in "$data/horse.png" "$data/patterns/glider-gun.rle" "$work/plate.npy" "$work"/slice-*.pgm; do
    on host0 cp "$file" "$work/in"
done
# reads SEEN THERE RANKS COMMAND ARGUMENT...: IN is the input, SEEN for one rank.
reads() {
    local seen=$1 there=$2 ranks=$3
    shift 3
    timeout "$limit" "$program" "${@//IN/$seen}" -o "$work/one/o.npy" --quiet || wrong 'one rank'
    run_well "$ranks" "${@//IN/$there}" -o "$work/out/o.npy" --quiet --wait sleep
    holds 'another output' cmp -s "$work/one/o.npy" <(on host0 cat "$work/out/o.npy")
    on host0 rm -f "$work/out/o.npy"
}
reads "$data/horse.png" "$work/in/horse.png" 4 label IN
reads "$work/slice-%d.pgm" "$work/in/slice-%d.pgm" 3 label -t 2 IN
reads "$data/patterns/glider-gun.rle" "$work/in/glider-gun.rle" 3 life IN -n 50
reads "$work/plate.npy" "$work/in/plate.npy" 2 run heat --input IN --beats 7
reads "$work/plate.npy" "$work/in/plate.npy" 4 run heat --input IN --beats 7 --decomposition auto

# A checkpoint goes on where it is; others have an older file of that name.
run_well 4 life soup:300x220:35%:4 -n 30 --checkpoint "$work/out/state" --quiet --wait sleep
run_well 3 life --resume --until-beat 60 --checkpoint "$work/out/state" soup:300x220:35%:4 --quiet --wait sleep
on host0 cat "$work/out/state" >"$work/older"
on host1 cp "$work/older" "$work/out/state"
run_well 3 life --restore "$work/out/state" -n 30 --checkpoint "$work/out/state" --quiet --wait sleep
run_well 5 life --restore "$work/out/state" -n 10 -o "$work/out/o.npy" --quiet --wait sleep
timeout "$limit" "$program" life soup:300x220:35%:4 -n 100 -o "$work/one/o.npy" --quiet
holds 'another end' cmp -s "$work/one/o.npy" <(on host0 cat "$work/out/o.npy")

# Rank 0's host is another one now: it is said which host has the file, and nothing begins anew.
on host1 rm "$work/out/state"
hosts=(host1 host2 host0)
run 3 life --resume --until-beat 200 --checkpoint "$work/out/state" soup:300x220:35%:4 --quiet
holds "exit status $status" [ "$status" = 1 ]
holds 'the host is not named' grep -q 'state.* on host1; rank 2 on host0 sees it' "$work/stderr"
finish
