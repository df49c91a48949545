#!/usr/bin/env bash
# ./run bench stores: seconds a checkpoint takes on four hosts (namespaces of this machine; needs root), in
# one file on a disk that all see, in parts on their own disks, and through rank 0. All of these disks
# are one here, so that parts, of which there are two of each, take twice the writing; hosts' own disks
# would share it.
#   --size N          a grid of N x N cells, bits (24000)
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
takes=(size)
begin stores "$@"
size=${size:-$(either 24000 16000)} rounds=${rounds:-$(either 5 3)} unit=seconds ranks=8 checkpoints=4

begin_hosts 4
mkdir "$work/disk" "$work/shared"
for host in "${hosts[@]}"; do
    mkdir -p "$work/own/$host"
    on "$host" mount --bind "$work/own/$host" "$work/disk"
done

# seconds ARGUMENT...: of a run on all hosts, in $taken.
seconds() {
    start_on_hosts "$ranks"
    "${starter[@]}" "$bin/halobeat" life "soup:${size}x$size:35%:4" -n "$checkpoints" --halo-depth 1 --wait sleep -q \
        --json "$work/run.json" "$@" </dev/null >"$work/log" 2>&1 || failed "$@"
    taken=$(reported total_seconds)
}

# store KEY RANKS ARGUMENT...: the seconds of a checkpoint, from a run with $checkpoints of them and one without.
store() {
    local without
    seconds
    without=$taken
    seconds --checkpoint-every 1 "${@:3}"
    keep "$1" "seconds=$(calculate "($taken - $without) / $checkpoints")"
}

echo "A checkpoint of $((size * size / 8000000)) MB from $ranks ranks on ${#hosts[@]} hosts, which are one"
echo "machine with one disk and $(nproc) cores. Medians of $rounds rounds in turn, seconds."
way shared "$ranks" "one file that all hosts see" store --checkpoint "$work/shared/state"
way parts "$ranks" "parts and copies on their own disks" store --checkpoint state --checkpoint-store "local:$work/disk"
way through "$ranks" "one file, through rank 0" store --checkpoint "$work/disk/state"
measure_ways
table
echo
calculate "$(median parts) / $(median shared)" "parts take %.2f times as long (target 2.5)\n"
finish
