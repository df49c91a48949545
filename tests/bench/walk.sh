#!/usr/bin/env bash
# ./run bench walk: random walkers in blurred noise, ns a walker-step of one core's processor time,
# beside pytrax (one process) where it is installed; and halobeat walk on one rank and on two.
#   --quick           fewer media and rounds
#   --vs FILE.json    compare with the result of an earlier run
#   --save FILE.json  where to keep the result (build/bench/walk.json)
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin walk "$@"
rounds=5 sizes=(64 512 2048 4096)
if [ -n "$quick" ]; then rounds=3 sizes=(64 512); fi
words=(make_ns table_KiB chosen)

# pytrax takes 91.5 ns on a core with AVX-512 at 2.6 GHz: 80 times as fast with it, 20 without.
wide_target=1.144 narrow_target=4.575

image=$work/medium.png
if [ ! -s "$image" ]; then
    "$bin/bench" picture name=blur_6 size=512 kind=grey out="$image.new" >"$work/log" 2>&1 ||
        failed picture
    mv "$image.new" "$image"
fi

# ranks KEY RANKS: the command, with the time of its tasks.
ranks() {
    mpiexec.mpich -n "$2" "$bin/halobeat" walk "$image" -t 128 --walkers 262144 --steps 8192 --quiet \
        --json "$work/run.json" >"$work/log" 2>&1 || failed walk on "$2" ranks
    keep "$1" "ns=$(reported nanoseconds_per_walker_and_step)"
}

echo "Random walkers, 16384 of them, 8192 steps, in blurred noise (blur_6, half of it fluid): ns a"
echo "walker-step on one core, medians of $rounds runs in turn. $(nproc) cores."
peer=''
if find_python pytrax numpy; then peer=yes; fi
for ((round = 0; round < rounds; round++)); do
    for size in "${sizes[@]}"; do measure "size-$size" 1 walk size="$size"; done
    for isa in avx2 plain; do measure "$isa-512" 1 walk size=512 instructions="$isa"; done
    measure flow 1 walk size=512 flow=.15
    measure conducting 1 walk size=512 conductivity=.5
    measure deep 1 walk size=128 axes=3
    ranks command-1 1
    ranks command-2 2
    [ -z "$peer" ] || measure_peer pytrax peer_walk.py "$image" 2000 2000
done
head_line
for size in "${sizes[@]}"; do row "size-$size" halobeat 1 "$size x $size" "$wide_target"; done
row avx2-512 halobeat 1 '512 x 512, AVX2' "$narrow_target"
row plain-512 halobeat 1 '512 x 512, without vectors' "$narrow_target"
row flow halobeat 1 '512 x 512, a flow'
row conducting halobeat 1 '512 x 512, the solid conducts'
row deep halobeat 1 '128 x 128 x 128'
row pytrax pytrax 1 'pytrax, 512 x 512'
words=()
row command-1 halobeat 1 'halobeat walk, 512 x 512 (wall)'
row command-2 halobeat 2 'halobeat walk, 512 x 512 (wall)'
echo
compared 'faster than pytrax by a factor of' size-512 pytrax 'at least 80'
compared 'faster than pytrax without vectors by a factor of' plain-512 pytrax 'at least 20'
compared 'two ranks faster than one by a factor of' command-2 command-1 'at least 1.9'
finish
