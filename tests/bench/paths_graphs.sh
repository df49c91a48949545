#!/usr/bin/env bash
# ./run bench paths_graphs, a part of ./run bench paths: distances from vertices of random graphs (R-MAT, 16
# arcs a vertex, as in GAP) and of streets (a square grid) on one rank and two, beside scipy (python3-scipy).
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin paths_graphs "$@"
rounds=${rounds:-$(either 5 3)}
scales=$(either '16 18 20' '16 18')
unit=ms sources=8 words=(taken relaxed sent messages)
# Seconds of GAP's delta-stepping in turn with a queue of buckets like this one, on a core of such a
# machine: they are what R-MAT is compared with, since GAP is in no distribution.
declare -A gap=([16]=17.7 [18]=102 [20]=845) aim=([16]=15.7 [18]=77 [20]=558)

# ours KEY RANKS KIND SCALE [WORD...]
ours() { measure "$1" "$2" graph kind="$3" scale="$4" sources="$sources" "${@:5}"; }

# theirs KEY RANKS KIND: of the graphs of 2^16 vertices only; others take minutes.
theirs() {
    local drawn
    drawn=$(value drawn "${last[$3-16]}")
    "$bin/bench" graph threads=1 kind="$3" scale=16 sources="$sources" save="$work/$3.gr" >"$work/log" 2>&1 || failed graph
    # shellcheck disable=SC2086 # one word each
    measure_peer "$1" 1 peer_graph.py "$work/$3.gr" ${drawn//,/ }
}

echo "Distances of all vertices from $sources of them, one after the other: ms a source as they pass, medians"
echo "of $rounds runs in turn, and on the processors of all ranks together; how often a vertex is taken from"
echo "the queue, an arc relaxed, and a vertex's distance sent. $(nproc) cores. GAP: R-MAT ${gap[16]}, ${gap[18]}, ${gap[20]} ms."
peer=''
if find_python scipy numpy; then peer=yes; fi
for kind in rmat grid; do
    for scale in $scales; do
        target=$([ "$kind" = grid ] || echo "${aim[$scale]}") way "$kind-$scale" 1 "$kind, 2^$scale vertices" ours "$kind" "$scale"
        way "$kind-$scale-2" 2 "$kind, 2^$scale vertices, 2 ranks" ours "$kind" "$scale"
    done
    [ -z "$peer" ] || program=scipy most=1 way "scipy-$kind" 1 "scipy, $kind, 2^16 vertices" theirs "$kind"
done
measure_ways
table
echo
for kind in rmat grid; do
    compared "times as fast as scipy, $kind, 2^16 vertices" "$kind-16" "scipy-$kind"
    for scale in $scales; do
        compared "times faster with 2 ranks than with 1, $kind, 2^$scale" "$kind-$scale-2" "$kind-$scale"
    done
done
finish
