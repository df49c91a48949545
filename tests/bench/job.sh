#!/usr/bin/env bash
# ./run bench job: seconds and memory of a whole job from file to file: a volume of 16 bits is smoothed, cut off by
# Otsu's method, filled, split where balls touch, and measured; beside the same in scipy and scikit-image, whose
# start and imports do not count.
#   --size N          of N x N x N voxels (512; with --quick 192)
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
takes=(size)
begin job "$@"
# shellcheck disable=SC2034 # for common.bash
rounds=${rounds:-3} size=${size:-$(either 512 192)} unit=seconds words=(mbytes parts)

find_python numpy scipy skimage || exit 0
volume=$work/balls-$size.npy
[ -s "$volume" ] || "$python" "$peers/peer_job.py" --make "$volume" "$size"

# job KEY RANKS: the command as a whole, a table of the parts in the end.
job() {
    timed "$bin/halobeat" label "$volume" --ranks "$2" --filter gaussian:1 -t otsu --mask-filter fill_holes \
        --split distance -c 26 -o "$work/labels.npy" --regions "$work/parts.csv" --json "$work/run.json" -q
    keep "$1" "seconds=$passed cpu_seconds=$worked mbytes=$(calculate "$(peak_memory) / 2^20" %.0f) parts=$(($(wc -l <"$work/parts.csv") - 1))"
}
peer() { measure_peer "$1" 1 peer_job.py "$volume" "$work/peer.npy" "$work/peer.csv"; }

echo "A volume of 16 bits, $size^3: gaussian of sigma 1, Otsu, filled holes, distances, split, a table. Seconds as they"
echo "pass, and on the processor, medians of $rounds rounds in turn, MiB at most, and the parts found. $(nproc) cores."
for ranks in 1 2; do way "job$ranks" "$ranks" "halobeat label" job; done
most=1 program=python way peer 1 "scipy and scikit-image" peer
measure_ways
table
echo
compared "one rank beside scipy and scikit-image, times as fast" job1 peer 25
compared "the same by time on the processor" job1/cpu peer/cpu 25
compared "two ranks beside one, times as fast" job2 job1 1.7
echo "memory on one rank: $(calculate "$(median peer/mbytes) / $(median job1/mbytes)" %.1f) times less (target 5)"
finish
