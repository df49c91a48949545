#!/usr/bin/env bash
# Every example gives the same bytes on 1 to 4 processes and on 1 to 64 threads, in strips and in blocks,
# with deep halos and boundaries that move; and what tests/install/expected.py computes cell by cell.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

examples=$tools/examples/bin
reference=$(dirname "$0")/expected.py
numpy=no
if has_python 'what expected.py computes' numpy; then numpy=yes; fi

# same RANKS ARGUMENT...: as the first run of this example.
same() {
    run_well "$1" "${given[@]}" --quiet -o "$work/out/next.npy" "${@:2}"
    holds 'the result is another one' cmp -s "$work/out/first.npy" "$work/out/next.npy"
}

# example NAME BLOCKS ARGUMENT...: BLOCKS of three ranks.
example() {
    local name=$1 three=$2
    given=("${@:3}")
    program=$examples/$name
    run_well 1 "${given[@]}" --quiet -o "$work/out/first.npy"
    if [ "$numpy" = yes ]; then
        what="$name against expected.py"
        holds 'it differs' "$python" "$reference" "$name" "$work/out/first.npy" \
            "${given[@]}" 2>"$work/stderr"
    fi
    same 2 --halo-depth 3
    same 3 --balance random --balance-every 1
    same 3 --decomposition "$three"
    same 4
    same 4 --decomposition blocks --halo-depth 2
    # Without a launcher: ranks are threads, as many as there are cores, or as is asked for.
    same 1
    for ranks in 1 3 5 8 64; do same 1 --ranks "$ranks" --halo-depth 1; done
    same 1 --ranks 6 --decomposition "${three//3/6}" --balance random --balance-every 1
    same 1 --ranks 3 --balance random --balance-every 1
}

example heat 1x3 --size 33x41 --beats 60
example heat3d 1x3x1 --size 11x13x17 --beats 20
example game 1x3 --size 29x37 --periodic all --beats 40
example forest 1x3 --size 67x45 --beats 80 --growth .05 --lightning .002 --seed 9
example ising 1x3 --size 50x36 --periodic all --beats 30 --temperature 2.2 --seed 4
example relax 3x1 --size 17x20 --until steady --change 1e-4

# Their tables say what they read.
for name in heat heat3d game forest ising relax; do
    program=$examples/$name
    run_well 1 --check
done

# Ising's magnet is as strong as theory says: its mean over 2^16 spins after 300 rounds.
if [ "$numpy" = yes ]; then
    program=$examples/ising
    run_well 2 --size 256x256 --periodic all --beats 600 --temperature 2 --seed 1 --quiet \
        -o "$work/out/ising.npy"
    holds 'the magnet is not as strong as L. Onsager says' "$python" "$reference" onsager \
        "$work/out/ising.npy" 2 2>"$work/stderr"
fi

# A bag of tasks.
program=$examples/primes
for words in '1' '1 guided' '2 factoring' '4' '4 diffusive' '3 hierarchical:2'; do
    read -r ranks schedule <<<"$words"
    run_well "$ranks" 1000000 ${schedule:+"$schedule"}
    holds 'there are other primes' grep -q -x '78498 primes below 1000000' "$work/stdout"
done
for ranks in 1 3 8; do # threads
    HALOBEAT_RANKS=$ranks run_well 1 1000000 guided
    holds 'there are other primes' grep -q -x '78498 primes below 1000000' "$work/stdout"
    holds 'there are other ranks' [ "$(grep -c '^rank ' "$work/stdout")" = "$ranks" ]
done
HALOBEAT_RANKS=3 run 1 1000 gided
holds 'an unknown schedule is taken' [ "$status" = 2 ]
holds "$(cat "$work/stderr")" [ "$(grep -c '^primes: .*unknown schedule "gided"; use static' "$work/stderr")" = 1 ]
run 2 1000 gided
holds 'an unknown schedule is taken' [ "$status" = 2 ]
holds 'it does not say which there are' grep -q 'unknown schedule "gided"; use static' "$work/stderr"

# A search without rounds, ended by each detector that is right there. 9!/2 boards.
program=$examples/puzzle
for words in '1' '2' '3 ack-tree' '4 fixed-energy' '3 dual-ring'; do
    read -r ranks detector <<<"$words"
    run_well "$ranks" ${detector:+"$detector"}
    holds 'there are other boards' grep -q -x '181440 boards can be reached' "$work/stdout"
done
HALOBEAT_RANKS=5 run_well 1
holds 'there are other boards' grep -q -x '181440 boards can be reached' "$work/stdout"
run 2 sonar
holds 'an unknown detector is taken' [ "$status" = 2 ]
holds 'it does not say which there are' grep -q 'detector "sonar"; use safra' "$work/stderr"

# A master and workers: whatever the shares, the centres are the same.
program=$examples/kmeans
run_well 1
centres=$(grep '^centres ' "$work/stdout")
for words in '2 none' '2 lb2' '3 lb1' '4 lb2'; do
    read -r ranks balancer <<<"$words"
    run_well "$ranks" "$balancer"
    holds 'there are other centres' grep -q -x "$centres" "$work/stdout"
    holds 'not all lines are handed out' \
        [ "$(awk '/^rank / { lines += $3 } END { print lines }' "$work/stdout")" = 1000 ]
done
for ranks in 2 5; do # threads
    HALOBEAT_RANKS=$ranks run_well 1 lb2
    holds 'there are other centres' grep -q -x "$centres" "$work/stdout"
done
run 2 lb3
holds 'an unknown balancer is taken' [ "$status" = 2 ]
holds 'it does not say which there are' grep -q 'use none, lb1 or lb2' "$work/stderr"

# A kernel of its own options says what it wants.
program=$examples/forest
run 1 --growth 2
holds 'options that make no sense are taken' [ "$status" = 2 ]
holds 'it does not say what can be' grep -q 'growth takes a number from 0 to 1' "$work/stderr"
finish
