#!/usr/bin/env bash
# ./run bench walk: random walkers in blurred noise, ns a walker-step of one core's processor time,
# beside pytrax (one process) where it is installed; and halobeat walk on one rank and on two.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin walk "$@"
rounds=${rounds:-$(either 5 3)}
sizes=$(either '64 512 2048 4096' '64 512')
words=(make_ns table_KiB chosen)

# pytrax takes 91.5 ns on a core with AVX-512 at 2.6 GHz: 80 times as fast with it, 20 without.
wide_target=1.144 narrow_target=4.575

image=$work/medium.png
make_picture "$image" name=blur_6 size=512

# command KEY RANKS: the command, with the time of its tasks.
command_ns() {
    "$bin/halobeat" walk "$image" --ranks "$2" -t 128 --walkers 262144 --steps 8192 --quiet \
        --json "$work/run.json" >"$work/log" 2>&1 || failed walk on "$2" ranks
    keep "$1" "ns=$(reported nanoseconds_per_walker_and_step)"
}

echo "Random walkers, 16384 of them, 8192 steps, in blurred noise (blur_6, half of it fluid): ns a"
echo "walker-step on one core, medians of $rounds runs in turn. $(nproc) cores."
for size in $sizes; do
    target=$wide_target way "size-$size" 1 "$size x $size" measure walk size="$size"
done
for isa in avx2 plain; do
    target=$narrow_target way "$isa-512" 1 "512 x 512, $isa" measure walk size=512 instructions="$isa"
done
way flow 1 '512 x 512, a flow' measure walk size=512 flow=.15
way conducting 1 '512 x 512, the solid conducts' measure walk size=512 conductivity=.5
way deep 1 '128 x 128 x 128' measure walk size=128 axes=3
if find_python pytrax numpy; then
    program=pytrax way pytrax 1 'pytrax, 512 x 512' measure_peer peer_walk.py "$image" 2000 2000
fi
for ranks in 1 2; do way "command-$ranks" "$ranks" 'halobeat walk, 512 x 512 (wall)' command_ns; done
measure_ways
table
echo
compared 'faster than pytrax by a factor of' size-512 pytrax 'at least 80'
compared 'faster than pytrax without vectors by a factor of' plain-512 pytrax 'at least 20'
compared 'two ranks faster than one by a factor of' command-2 command-1 'at least 1.9'
finish
