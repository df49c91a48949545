#!/usr/bin/env bash
# ./run bench batch: seconds to label many small images, each with a file of labels, in one run, beside a
# loop of PIL and scipy, and `xargs -P` that starts the program for each image. The loop's imports and
# the start of its interpreter do not count, that of Halobeat does.
#   --images N        (2000)
#   --size N          of N x N pixels (128)
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
takes=(images size)
begin batch "$@"
images=${images:-$(either 2000 400)} size=${size:-128} rounds=${rounds:-$(either 7 3)} unit=seconds
some=$((images < 200 ? images : 200)) # that a program is started for, and the time is scaled by
cores=$(nproc)

find_python numpy scipy PIL || exit 0
# Memory, where there is a disk of it: files are what is the same for all.
files=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "$work")" batch.XXXXXX)
trap 'rm -rf "$files"' EXIT
"$python" "$peers/peer_batch.py" --make "$files/in" "$images" "$size"
inputs=("$files/in"/*.png)

# fresh: an empty folder for the outputs. wrote COUNT COMMAND...: are there so many of them?
fresh() { rm -rf "$files/out" && mkdir "$files/out"; }
wrote() { [ "$(find "$files/out" -name '*.png' | wc -l)" = "$1" ] || failed "${@:2}"; }

# batch KEY RANKS: the seconds of the whole command.
batch() {
    fresh
    wall_seconds "$bin/halobeat" label "$files/in/*.png" --ranks "$2" -o "$files/out/{name}.png" -q
    keep "$1" "seconds=$taken"
    wrote "$images" halobeat label
}

loop() {
    fresh
    measure_peer "$1" 1 peer_batch.py "$files/out" "${inputs[@]}"
}

# started KEY: the seconds of a start for each of some images, as of all.
started() {
    printf '%s\n' "${inputs[@]:0:$some}" >"$work/list"
    fresh
    # shellcheck disable=SC2016 # for the shell that xargs starts
    wall_seconds xargs -a "$work/list" -P "$cores" -I {} sh -c \
        'exec "$0" label "$2" -q -o "$1/${2##*/}"' "$bin/halobeat" "$files/out" {}
    wrote "$some" xargs
    keep "$1" "seconds=$(calculate "$taken * $images / $some")"
}

echo "$images images of $size x $size pixels, labelled, each with a file of labels. Medians of $rounds"
echo "rounds in turn, seconds; xargs does $some images, and its time is that of all."
for ranks in 1 2; do way "batch$ranks" "$ranks" "one run, ranks: $ranks" batch; done
program=python way loop 1 "a loop of PIL and scipy" loop
program="xargs" way xargs "$cores" "xargs -P $cores, a start for each image" started
measure_ways
table
echo
compared "one run on 2 ranks beside xargs -P $cores, times as fast" batch2 xargs 40
compared "one run on 1 rank beside the loop, times as fast" batch1 loop 2
compared "2 ranks beside 1, times as fast" batch2 batch1 1.9
finish
