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
    holds 'the result is another one' cmp -s "$first" "$work/out/next.npy"
}

# example NAME BLOCKS ARGUMENT...: BLOCKS of three ranks. Its result is kept for expected.py.
example() {
    local name=$1 three=$2
    given=("${@:3}")
    program=$examples/$name first=$work/$name.npy
    run_well 1 "${given[@]}" --quiet -o "$first"
    echo "$name $first ${given[*]}" >>"$work/expected"
    same 3 --halo-depth 3 --decomposition "$three" --balance random --balance-every 1
    same 4 --decomposition blocks --halo-depth 2
    # Without a launcher: ranks are threads, as many as there are cores, or as is asked for.
    same 1
    same 1 --ranks 6 --decomposition "${three//3/6}" --balance random --balance-every 1
    same 1 --ranks 64 --halo-depth 1
    if more; then
        same 2 --halo-depth 3
        same 3 --balance random --balance-every 1
        same 3 --decomposition "$three"
        same 4
        for ranks in 1 3 5 8; do same 1 --ranks "$ranks" --halo-depth 1; done
        same 1 --ranks 3 --balance random --balance-every 1
    fi
}

example heat 1x3 --size 33x41 --beats 60
example heat3d 1x3x1 --size 11x13x17 --beats 20
example game 1x3 --size 29x37 --periodic all --beats 40
example forest 1x3 --size 67x45 --beats 80 --growth .05 --lightning .002 --seed 9
example ising 1x3 --size 50x36 --periodic all --beats 30 --temperature 2.2 --seed 4
example relax 3x1 --size 17x20 --until steady --change 1e-4

# Their tables say what they read.
for name in heat heat3d game forest ising relax; do
    program=$examples/$name size=19x17
    [ "$name" != heat3d ] || size=9x8x7
    run_well 1 --check --size $size
done

# Ising's magnet is as strong as theory says: its mean over 2^16 spins after 300 rounds.
if [ "$numpy" = yes ]; then
    program=$examples/ising
    run_well 2 --size 256x256 --periodic all --beats 600 --temperature 2 --seed 1 --quiet \
        -o "$work/magnet.npy"
    echo "onsager $work/magnet.npy 2" >>"$work/expected"
    what='examples against expected.py'
    holds 'they differ' "$python" "$reference" all "$work/expected" 2>"$work/stderr"
fi

# by RANKS ARGUMENT...: `RANKS processes`, or `RANKS threads`, of a program that has no option for them.
by() {
    case $2 in
        processes) run_well "$1" "${@:3}" ;;
        threads) HALOBEAT_RANKS=$1 run_well 1 "${@:3}" ;;
    esac
}

# A bag of tasks.
program=$examples/primes
while read -r ranks kind schedule; do
    by "$ranks" "$kind" 100000 ${schedule:+"$schedule"}
    holds 'there are other primes' grep -q -x '9592 primes below 100000' "$work/stdout"
    holds 'there are other ranks' [ "$(grep -c '^rank ' "$work/stdout")" = "$ranks" ]
done < <(rows <<'TABLE'
2 processes factoring
3 processes hierarchical:2
8 threads guided
3 threads diffusive
+ 1 processes
+ 4 processes
+ 1 processes guided
+ 4 processes diffusive
+ 1 threads guided
+ 3 threads guided
TABLE
)
HALOBEAT_RANKS=3 run 1 1000 gided
holds 'an unknown schedule is taken' [ "$status" = 2 ]
holds "$(cat "$work/stderr")" [ "$(grep -c '^primes: .*unknown schedule "gided"; use static' "$work/stderr")" = 1 ]
run 2 1000 gided
holds 'an unknown schedule is taken' [ "$status" = 2 ]
holds 'it does not say which there are' grep -q 'unknown schedule "gided"; use static' "$work/stderr"

# A search without rounds, ended by each detector that is right there. 9!/2 boards.
program=$examples/puzzle
while read -r ranks kind detector; do
    by "$ranks" "$kind" ${detector:+"$detector"}
    holds 'there are other boards' grep -q -x '181440 boards can be reached' "$work/stdout"
done < <(rows <<'TABLE'
2 processes
3 processes dual-ring
3 threads ack-tree
5 threads fixed-energy
+ 1 processes
+ 3 processes ack-tree
+ 4 processes fixed-energy
+ 5 threads
TABLE
)
run 2 sonar
holds 'an unknown detector is taken' [ "$status" = 2 ]
holds 'it does not say which there are' grep -q 'detector "sonar"; use safra' "$work/stderr"

# A master and workers: whatever the shares, the centres are the same.
program=$examples/kmeans
run_well 1
centres=$(grep '^centres ' "$work/stdout")
while read -r ranks kind balancer; do
    by "$ranks" "$kind" "$balancer"
    holds 'there are other centres' grep -q -x "$centres" "$work/stdout"
    holds 'not all lines are handed out' \
        [ "$(awk '/^rank / { lines += $3 } END { print lines }' "$work/stdout")" = 1000 ]
done < <(rows <<'TABLE'
2 processes none
3 processes lb1
5 threads lb2
+ 2 processes lb2
+ 4 processes lb2
+ 2 threads lb2
TABLE
)
run 2 lb3
holds 'an unknown balancer is taken' [ "$status" = 2 ]
holds 'it does not say which there are' grep -q 'unknown balancer "lb3"; use none, .* or ' "$work/stderr"

# A kernel of its own options says what it wants.
program=$examples/forest
run 1 --growth 2
holds 'options that make no sense are taken' [ "$status" = 2 ]
holds 'it does not say what can be' grep -q 'growth takes a number from 0 to 1' "$work/stderr"
finish
