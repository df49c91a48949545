#!/usr/bin/env bash
# Files that cannot be written while a run computes: it goes on, keeps its last good checkpoint, writes
# what can be written, reports each failure once, and exits with 1.
if [ -z "${HALOBEAT_OWN_MOUNTS:-}" ] && unshare --mount true 2>/dev/null; then
    HALOBEAT_OWN_MOUNTS=1 exec unshare --mount "$0" "$@"
fi
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
[ -n "${HALOBEAT_OWN_MOUNTS:-}" ] || skip 'a disk that fills up needs root, to mount one'

# disk KIB: the output folder becomes a disk of this size.
disk() {
    umount "$work/out" 2>/dev/null
    mount -t tmpfs -o "size=$1k" tmpfs "$work/out"
}
trap 'umount "$work/out" 2>/dev/null; clean_up' EXIT

# lost STATUS MESSAGES FILE...: these files were not written, all others were.
lost() {
    local wanted=$1 count=$2 file
    holds "exit status $status, not $wanted" [ "$status" = "$wanted" ]
    holds "$(messages | grep -c '^halobeat ') messages, not $count" \
        [ "$(messages | grep -c '^halobeat ')" = "$count" ]
    for file in "${@:3}"; do
        holds "$file is there" [ ! -e "$work/out/$file" ]
        holds "$file is not reported" grep -q "^lost .*$file" "$work/stdout"
    done
    holds 'something is left' [ -z "$(find "$work/out" -name '.*partial*')" ]
}

# A pattern that grows outgrows the limit: the last checkpoint that fits stays.
for ranks in 1 3; do
    disk 24
    run $ranks life "$data/patterns/r-pentomino.rle" -n 900 --checkpoint "$work/out/state" \
        --checkpoint-every 50 --population "$work/out/table.csv" --every 100
    lost 1 2 # when that begins, and at the end
    holds 'no word about what the file has' grep -q 'the file has the state at beat [1-9]' "$work/stderr"
    holds 'no checkpoint was kept' [ -e "$work/out/state" ]
    holds 'no table' [ -s "$work/out/table.csv" ]
    run_well 1 life --restore "$work/out/state" -n 1 --quiet
done

# An output that does not fit leaves the others.
disk 200
run 2 cluster "$data/coffee.png" -k 50 -n 3 -o "$work/out/labels.npy" \
    --centres "$work/out/centres.csv" --mosaic "$work/out/mosaic.png"
lost 1 1 labels.npy
holds 'no table' [ -s "$work/out/centres.csv" ]
holds 'no picture' [ -s "$work/out/mosaic.png" ]

# Nor do files of steps, of which the ones that fit are there.
disk 700
run 2 filter "$data/coffee.png" --grey uniform:3:dtype=uint8 gaussian:1:dtype=float32 threshold:otsu -o "$work/out/mask.png" \
    --steps "$work/out/steps/"
holds "exit status $status, not 1" [ "$status" = 1 ]
holds "$(messages | grep -c '^halobeat ') messages, not 1" [ "$(messages | grep -c '^halobeat ')" = 1 ]
holds 'steps are not reported' grep -q '^lost .*steps/' "$work/stdout"
holds 'no result' [ -s "$work/out/mask.png" ]
holds 'no step that fits' [ -s "$work/out/steps/03-threshold.png" ]
holds 'a step does not fit' [ ! -e "$work/out/steps/02-gaussian.tif" ]
holds 'something is left' [ -z "$(find "$work/out" -name '.*partial*')" ]

# A pass that cannot be saved costs the checkpoint, not the result.
disk 200
run 2 filter "$data/coffee.png" --grey threshold:otsu fill_holes gaussian:1 gaussian:1:mode=wrap -o "$work/out/mask.png" \
    --checkpoint "$work/out/state"
holds "exit status $status, not 1" [ "$status" = 1 ]
holds 'no result' [ -s "$work/out/mask.png" ]
holds 'the pass that fits is not there' grep -aq '"beat": 2,' "$work/out/state"
holds 'something is left' [ -z "$(find "$work/out" -name '.*partial*')" ]

# A movie is dropped; what comes after it is written.
if has ffmpeg ffmpeg 'a movie that cannot be written'; then
    disk 20
    run 2 life soup:400x400:35% -n 60 --every 1 --movie "$work/out/soup.gif" \
        -o "$work/out/soup.rle"
    holds "exit status $status, not 1" [ "$status" = 1 ]
    holds 'the movie is there' [ ! -e "$work/out/soup.gif" ]
fi
# Pictures in files, too.
disk 20
run 2 life soup:400x400:35% -n 60 --every 1 --frames "$work/out/pictures" --quiet
lost 1 1
disk 20
run 2 life soup:400x400:35% -n 60 --every 1 --frames "$work/out/pictures"
holds 'pictures are not reported' grep -q '^lost .*pictures' "$work/stdout"
finish
