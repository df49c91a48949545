#!/usr/bin/env bash
# Motion that is known is found, in files that agree with each other.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
tool=$tools/flow_tool

make() { "$tool" make "$@" || wrong "no frames: $*"; }
make "$work/m-%d.png" 4 12 -7 160 120 8

# error FILE U V MOST: its mean end-point error is small.
error() {
    local found
    found=$("$tool" error "$1" "$2" "$3") || found=1000
    holds "an error of $found pixels" awk -v a="$found" -v b="$4" 'BEGIN { exit !(a <= b) }'
}

# The pair on one rank, everything written, is what all others are compared with.
first=$work/out/first
mkdir "$first"
pair=("$work/m-0.png" "$work/m-1.png" -k 24 --radius 16)
run_well 1 motion "${pair[@]}" -o "$first/flow.flo" --vectors "$first/vectors.csv" \
    --arrows "$first/arrows.png" --json "$first/run.json" -v
for word in 'm-0.png to' '160 x 120' '1 pair' '24 (weight 1)' '16 pixels away' 'right 1[12]\.' \
    'up [67]\.' 'ns a pixel' 'master and workers' ' read [0-9]' 'flow.flo' 'vectors.csv'; do
    holds "nothing about $word" grep -q -e "$word" <(unbroken)
done
error "$first/flow.flo" 12 -7 0.05
holds "no line for each cluster" [ "$(wc -l <"$first/vectors.csv")" = 25 ]
holds "no vector of 12, -7" grep -q ',12\.000000,-7\.000000,' "$first/vectors.csv"
run_well 1 motion "${pair[@]}" -q -o "$first/flow.npy"
holds "the array is another flow" "$tool" same "$first/flow.flo" "$first/flow.npy"
# In all formats of arrays, of which compressed ones, and those with one component after the other, are written
# otherwise by several ranks.
for ending in raw mha mhd nrrd nii nii.gz h5 zarr; do
    rm -f "$first/flow.raw" # the samples of .mhd have this name, too
    run_well 3 motion "${pair[@]}" -q -o "$first/flow.$ending"
    case $ending in
        nii*) module=nibabel ;; h5) module=h5py ;; zarr) module=zarr ;; *) module=numpy ;;
    esac
    if has_python "flow.$ending" "$module"; then
        holds "flow.$ending is another flow" "$python" "$(dirname "$0")/check_flow.py" "$first" "$ending"
    fi
done
if has_python 'MetaImage in VTK' vtk; then
    holds 'VTK sees another flow' "$python" "$(dirname "$0")/check_flow.py" "$first" vtk
fi
run_well 1 run heat --input "$first/flow.nii.gz:z=0,c=1" -n 1 -q -o "$first/down.npy"
run_well 1 run heat --input "$first/flow.mha:c=1" -n 1 -q -o "$first/same.npy"
holds 'another component is read' cmp -s "$first/down.npy" "$first/same.npy"

# More ranks than rows, 16 bits, nothing that moves.
make "$work/s-%d.png" 2 0 0 30 4 16
run_well 5 motion "$work/s-%d.png" -k 3 --flow cluster -q -o "$work/out/still-%d.flo"
error "$work/out/still-0.flo" 0 0 0

# A sequence: as a name with numbers, as a list, and interrupted.
mkdir "$work/out/a" "$work/out/b"
sequence=(-k 24 --radius 16 -q)
run_well 2 motion "$work/m-%d.png" "${sequence[@]}" --balance lb2 -o "$work/out/a/%02d.flo" \
    --json "$work/out/a/run.json"
for i in 0 1 2; do error "$work/out/a/0$i.flo" 12 -7 0.3; done
for word in '"name": "lb2"' '"pairs": 3' '"lb1": [0-9]' '"later": ".*m-3.png"' '"rank_table"'; do
    holds "the JSON has no $word" grep -q -e "$word" "$work/out/a/run.json"
done
run_well 1 motion "$work"/m-[0-3].png "${sequence[@]}" -o "$work/out/b/%d.flo"
for i in 0 1 2; do
    holds "flow of a list differs" cmp -s "$work/out/a/0$i.flo" "$work/out/b/$((i + 1)).flo"
done
rm "$work"/out/b/*.flo
saved=$work/out/b/c.halo
run_well 3 motion "$work/m-%d.png" --frames 2 "${sequence[@]}" -o "$work/out/b/%02d.flo" \
    --checkpoint "$saved"
run_well 2 motion "$work/m-%d.png" --restore "$saved" -q --balance lb1 -o "$work/out/b/%02d.flo" \
    --checkpoint "$saved"
for i in 0 1 2; do
    holds "flow $i of an interrupted sequence differs" \
        cmp -s "$work/out/a/0$i.flo" "$work/out/b/0$i.flo"
done
# A radius and a weight of 0 are not those that nobody gave, after a checkpoint either.
for option in '--radius 0' '--weight 0'; do
    read -r name value <<<"$option"
    run_well 1 motion "$work/m-%d.png" --frames 3 -k 24 "$name" "$value" -q -o "$work/whole-%d.flo"
    run_well 2 motion "$work/m-%d.png" --frames 2 -k 24 "$name" "$value" -q -o "$work/part-%d.flo" \
        --checkpoint "$work/zero.halo"
    run_well 2 motion "$work/m-%d.png" --frames 3 --restore "$work/zero.halo" -q -o "$work/part-%d.flo"
    holds "$option is lost in the checkpoint" cmp -s "$work/whole-1.flo" "$work/part-1.flo"
done
fails 2 'nothing is left to do' 1 motion "$work/m-%d.png" --restore "$saved"
fails 2 'has been through 3 pairs of frames, and --frames 3 has fewer: give --frames 4 or more' 2 \
    motion "$work/m-%d.png" --frames 3 -k 24 --checkpoint "$saved" --resume
# The same command again, after the last pair, has nothing to do and no fault to find.
before=$(listing)
for ranks in 1 3; do
    run_well $ranks motion "$work/m-%d.png" --frames 4 "${sequence[@]}" -o "$work/out/b/%02d.flo" \
        --checkpoint "$saved" --resume --json "$work/again.json"
    holds 'the output folder has changed' [ "$before" = "$(listing)" ]
    run_well $ranks motion "$work/m-%d.png" --frames 4 -k 24 --radius 16 --checkpoint "$saved" --resume
    holds 'nan in the summary' [ "$(grep -c -i -w -e nan -e inf "$work/stdout" "$work/again.json" | grep -c -v ':0$')" = 0 ]
    # A file of a pair that is not computed again.
    for name in 01 02; do
        mv "$work/out/b/$name.flo" "$work/kept.flo"
        fails 1 "\"$work/out/b/$name.flo\" of -o is missing, and the checkpoint \"$saved\" is behind its pair of frames; remove" \
            $ranks motion "$work/m-%d.png" --frames 4 "${sequence[@]}" -o "$work/out/b/%02d.flo" \
            --checkpoint "$saved" --resume
        mv "$work/kept.flo" "$work/out/b/$name.flo"
    done
    fails 1 'lists.csv" of --vectors is missing' $ranks motion "$work/m-%d.png" --frames 4 "${sequence[@]}" \
        --vectors "$work/%d-lists.csv" --checkpoint "$saved" --resume
    # Nor are these, and the frames of these pairs, overwritten.
    for file in "$work/out/b/01.flo" "$work/m-1.png"; do
        fails 2 "$file\" are the same file" $ranks motion "$work/m-%d.png" --frames 4 "${sequence[@]}" \
            -o "$work/out/b/%02d.flo" --checkpoint "$saved" --resume --json "$file"
    done
done
finish
