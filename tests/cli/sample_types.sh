#!/usr/bin/env bash
# Commands take the types of samples, and the axes, that the table in docs/formats.md says, and refuse others with a
# reason and a remedy. Greys over a range, and what local thresholds make of them, are those of NumPy.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy
scripts=$(dirname "$(readlink -f "$0")")
formats=$scripts/../../docs/formats.md
"$python" "$scripts/sample_types.py" make "$work" || exit 1

# A line a run: status, command, files and options.
"$python" "$scripts/sample_types.py" table "$formats" >"$work/table" || exit 1
cd "$work" || exit 1
while read -r refused command; do
    [ "${command%% *}" = walk ] && command+=' --walkers 20 --steps 9' # it takes samples or not, however long it walks
    # shellcheck disable=SC2086 # the command's words
    run 2 $command -q
    # shellcheck disable=SC2154 # of run
    holds "$command: exit status $status" test "$((status > 0))" = "$refused"
    [ "$refused" = 0 ] || holds "$command: no remedy" grep -q '; ' "$work/stderr"
done <table
holds 'few runs' test "$(wc -l <table)" -gt 250

# The same greys from samples of any type and from those that NumPy makes of them.
for type in int16 int64 uint64 float16 float64; do
    run_well 1 chan-vese "wide-$type.pgm" -n 9 -q -o should.npy
    for ranks in 1 3; do
        run_well "$ranks" chan-vese "wide-$type.npy" -n 9 -q -o is.npy
        holds "other greys of $type on $ranks" cmp -s should.npy is.npy
    done
    run_well 2 cluster "wide-$type.pgm" -k 9 -n 5 -q -o should.npy
    run_well 2 cluster "wide-$type.npy" -k 9 -n 5 -q -o is.npy
    holds "other clusters of $type" cmp -s should.npy is.npy
done
run_well 1 chan-vese part-float64.pgm -n 9 -q -o should.npy
run_well 2 chan-vese wide-float64.npy --range -1..2.5 -n 9 -q -o is.npy
holds 'other greys over a range' cmp -s should.npy is.npy

# A range is kept in checkpoints.
run_well 2 chan-vese wide-float64.npy --range -1..2.5 -n 4 -q --checkpoint c.halo
run_well 3 chan-vese wide-float64.npy --restore c.halo -n 5 -q -o is.npy
holds 'another range after a checkpoint' cmp -s should.npy is.npy

fails 2 'has "-1..2.5"; leave --range out' 2 chan-vese wide-float64.npy --restore c.halo --range 0..1 -n 5
run_well 2 chan-vese wide-float64.npy -n 4 -q --checkpoint c.halo
fails 2 'was made without it; leave it out' 2 chan-vese wide-float64.npy --restore c.halo --range 0..1 -n 5

# Means of local thresholds, in an image and a volume, on ranks, blocks and from a pipe.
files=(wide-int16.npy solid-int16.npy wide-int64.npy solid-float32.npy nan.npy)
for file in "${files[@]}"; do
    run_well 1 label "$file" -t local:2:3 -q -o "local-$file" --regions first.csv
    for ranks in 2 3 5; do
        run_well "$ranks" label "$file" -t local:2:3 -q -o is.npy --regions is.csv
        holds "other labels of $file on $ranks ranks" cmp -s "local-$file" is.npy
        holds "other regions of $file on $ranks ranks" cmp -s first.csv is.csv
    done
    "$program" label - -t local:2:3 -q -o is.npy < <(cat "$file") || wrong "status of a pipe of $file"
    holds "other labels of a pipe of $file" cmp -s "local-$file" is.npy
done
holds 'other local thresholds' "$python" "$scripts/sample_types.py" local 2 3 "${files[@]}"

# Masks of any type.
run_well 1 chan-vese p-uint8.npy --init p-bool.npy -n 5 -q -o should.npy
for type in int16 float32; do
    run_well 2 chan-vese p-uint8.npy --init "mask-$type.npy" -n 5 -q -o is.npy
    holds "another mask of $type" cmp -s should.npy is.npy
done
run_well 1 paths p-uint8.npy --from p-bool.npy -q -o should.npy
run_well 3 paths p-uint8.npy --from mask-int32.npy -q -o is.npy
holds 'another mask of sources' cmp -s should.npy is.npy

fails 1 'nodata (NaN), and chan-vese needs all of them; .* or replace them by --fill-missing VALUE' 2 chan-vese nan.npy -n 2 -q

# Frames have one range: that of all of them, whichever brings an extreme, in files and as planes of a volume.
for ranks in 1 3; do
    run_well $ranks motion 'frame-%d.npy' -k 6 --radius 5 -q -o "is-$ranks-%d.flo"
done
run_well 2 motion 'frames.npy:z=%d' -k 6 --radius 5 -q -o 'is-2-%d.flo' --json is.json
run_well 2 motion 'frame-%d.npy' -k 6 --radius 5 -q -o 'should-%d.flo' --range="$(cat range)"
for i in 0 1 2; do
    for ranks in 1 2 3; do
        holds "another range of frames on $ranks ranks" cmp -s "should-$i.flo" "is-$ranks-$i.flo"
    done
done
holds 'the range is not reported' grep -q '"taken": ".*from -' is.json
run_well 2 motion 'frame-%d.npy' --frames 2 -k 6 --radius 5 -q -o 'part-%d.flo' --checkpoint f.halo
fails 2 "beyond the range of greys that the checkpoint's frames had; begin again" 2 motion 'frame-%d.npy' --restore f.halo
run_well 2 motion 'frames.npy:z=%d' --frames 3 -k 6 --radius 5 -q -o 'part-%d.flo' --checkpoint f.halo
run_well 1 motion 'frames.npy:z=%d' --restore f.halo -q -o 'part-%d.flo'
holds 'another range after a checkpoint' cmp -s should-2.flo part-2.flo
fails 1 'wide-int64.npy: samples of type int64, and those of the first frame have the type float32; say' 2 \
    motion frame-0.npy wide-int64.npy
fails 1 'white is 4095 in "b.pgm" and 1000 in the first frame; say .* --range 0..WHITE' 2 motion a.pgm b.pgm
run_well 2 motion a.pgm b.pgm --range 0..4095 -q -k 3 -o is.flo
run_well 2 motion thin.npy:z=0 thin.npy:z=1 --volume -k 3 --radius 2 -q -o is.flo
fails 1 'a volume of 4 planes, .* choose one of its planes, as thin.npy:z=0' 2 motion thin.npy thin.npy --volume
fails 1 'frame "frames.npy:z=4" is missing' 2 motion 'frames.npy:z=%d' --frames 5
fails 2 'or volume.npy:z=%d' 2 motion frames.npy
fails 2 'is none of its samples, which have the type int16; give two whole numbers' 2 chan-vese p-int16.npy --range .5..9
fails 2 '--range needs -t local' 2 label p-int16.npy --range 0..9
fails 2 'which -t local compares as they are; leave out --range' 2 label p-uint8.npy -t local:2 --range 0..9
"$program" chan-vese - -n 2 -q 2>pipe.err < <(cat wide-float64.npy) && wrong 'a pipe of reals was taken'
holds 'no remedy for a pipe' grep -q 'give --range LOW..HIGH, or save' pipe.err
run_well 1 chan-vese wide-float64.npy --range -1..2.5 -n 9 -q -o should.npy
"$program" chan-vese - --range -1..2.5 -n 9 -q -o is.npy < <(cat wide-float64.npy) || wrong 'no range of a pipe'
holds 'other greys of a pipe' cmp -s should.npy is.npy
finish
