#!/usr/bin/env bash
# ./run bench batch: seconds to label many small images, each with a file of labels, in one run, beside a
# loop of PIL and scipy, and `xargs -P` that starts the program for each image. The loop's imports and
# the start of its interpreter do not count, the start of Halobeat's ranks does.
#   --quick           fewer images and rounds
#   --images N        (2000)
#   --size N          of N x N pixels (128)
#   --rounds N        of all ways, in turn (7)
#   --vs FILE.json    compare with the result of an earlier run
#   --save FILE.json  where to keep the result (build/bench/batch.json)
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
images='' size=128 rounds=''
more_options=([--images]=images [--size]=size [--rounds]=rounds)
begin batch "$@"
images=${images:-${quick:+400}} rounds=${rounds:-${quick:+3}}
images=${images:-2000} rounds=${rounds:-7} unit=seconds
some=$((images < 200 ? images : 200)) # that a program is started for, and the time is scaled by
cores=$(nproc)

find_python numpy scipy PIL || exit 0
# Memory, where there is a disk of it: files are what is the same for all.
files=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "$work")" batch.XXXXXX)
trap 'rm -rf "$files"' EXIT
"$python" "$peers/peer_batch.py" --make "$files/in" "$images" "$size"
inputs=("$files/in"/*.png)

# fresh: an empty folder for the outputs.
fresh() { rm -rf "$files/out" && mkdir "$files/out"; }

# way KEY COMMAND...: the seconds of a whole command.
way() {
    fresh
    wall_seconds "${@:2}"
    keep "$1" "seconds=$taken"
    [ "$(find "$files/out" -name '*.png' | wc -l)" = "$images" ] || failed "${@:2}"
}

# started: the seconds of a start for each of some images.
started() {
    printf '%s\n' "${inputs[@]:0:$some}" >"$work/list"
    fresh
    # shellcheck disable=SC2016 # for the shell that xargs starts
    wall_seconds xargs -a "$work/list" -P "$cores" -I {} sh -c \
        'exec "$0" label "$2" -q -o "$1/${2##*/}"' "$bin/halobeat" "$files/out" {}
    [ "$(find "$files/out" -name '*.png' | wc -l)" = "$some" ] || failed xargs
}

echo "$images images of $size x $size pixels, labelled, each with a file of labels. Medians of $rounds"
echo "rounds in turn, seconds; xargs does $some images, and its time is that of all."
for ((round = 0; round < rounds; round++)); do
    for ranks in 1 2; do
        way "batch$ranks" mpiexec.mpich -n "$ranks" "$bin/halobeat" label "$files/in/*.png" \
            -o "$files/out/{name}.png" -q
    done
    fresh
    keep_lines loop env OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "$python" "$peers/peer_batch.py" \
        "$files/out" "${inputs[@]}"
    started
    keep xargs "seconds=$(calculate "$taken * $images / $some")"
done
head_line
row batch1 halobeat 1 "one run, 1 rank"
row batch2 halobeat 2 "one run, 2 ranks"
row loop python 1 "a loop of PIL and scipy"
row xargs xargs "$cores" "xargs -P $cores, a start for each image"
echo
compared "one run on 2 ranks beside xargs -P $cores, times as fast" batch2 xargs 40
compared "one run on 1 rank beside the loop, times as fast" batch1 loop 2
compared "2 ranks beside 1, times as fast" batch2 batch1 1.9
finish
