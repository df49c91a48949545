#!/usr/bin/env bash
# Part of ./run bench paths: distances from vertices of random graphs (R-MAT, 16 arcs a vertex, as in GAP)
# and of streets (a square grid) on one rank and two, beside scipy (python3-scipy) where it is installed.
#   --quick           fewer runs, and none of 2^20 vertices
#   --vs FILE.json    compare with the result of an earlier run
#   --save FILE.json  where to keep the result (build/bench/paths_graphs.json)
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin paths_graphs "$@"
unit=ms rounds=5 scales=(16 18 20) sources=8
if [ -n "$quick" ]; then rounds=3 scales=(16 18); fi
# Seconds of GAP's delta-stepping in turn with a queue of buckets like this one, on a core of such a
# machine: they are what R-MAT is compared with, since GAP is in no distribution.
declare -A gap=([16]=17.7 [18]=102 [20]=845) aim=([16]=15.7 [18]=77 [20]=558)

# ours KEY RANKS KIND SCALE [WORD...]
ours() { measure "$1" "$2" graph kind="$3" scale="$4" sources="$sources" "${@:5}"; }

# theirs KIND: of the graphs of 2^16 vertices only; others take minutes.
theirs() {
    # shellcheck disable=SC2086 # one word each
    measure_peer "scipy-$1" peer_graph.py "$work/$1.gr" ${drawn//,/ }
}

echo "Distances of all vertices from $sources of them, one after the other: ms a source as they pass, medians"
echo "of $rounds runs in turn, and on the processors of all ranks together; how often a vertex is taken from"
echo "the queue, an arc relaxed, and a vertex's distance sent. $(nproc) cores. GAP: R-MAT ${gap[16]}, ${gap[18]}, ${gap[20]} ms."
peer='' words=(taken relaxed sent messages)
if find_python scipy numpy; then peer=yes; fi
for ((round = 0; round < rounds; round++)); do
    for kind in rmat grid; do
        for scale in "${scales[@]}"; do
            ours "$kind-$scale" 1 "$kind" "$scale"
            ours "$kind-$scale-2" 2 "$kind" "$scale"
        done
        if [ -n "$peer" ] && [ "$round" = 0 ]; then
            ours "$kind-saved" 1 "$kind" 16 save="$work/$kind.gr"
            drawn=$(value drawn "${last[$kind-saved]}")
            theirs "$kind"
        fi
    done
done
head_line
for kind in rmat grid; do
    for scale in "${scales[@]}"; do
        target=''
        if [ "$kind" = rmat ]; then target=${aim[$scale]}; fi
        row "$kind-$scale" halobeat 1 "$kind, 2^$scale vertices" "$target"
        row "$kind-$scale-2" halobeat 2 "$kind, 2^$scale vertices, 2 ranks"
    done
    row "scipy-$kind" scipy 1 "scipy, $kind, 2^16 vertices"
done
echo
for kind in rmat grid; do
    compared "times as fast as scipy, $kind, 2^16 vertices" "$kind-16" "scipy-$kind"
    for scale in "${scales[@]}"; do
        compared "times faster with 2 ranks than with 1, $kind, 2^$scale" "$kind-$scale-2" "$kind-$scale"
    done
done
finish
