#!/usr/bin/env bash
# check.sh BENCH DATA MPIEXEC...: does each benchmark of the program run, small, on one rank and on two, as the
# scripts beside this one run it, and does each line that it prints hold a measurement? Figures do not count here.
set -euo pipefail
bench=$1 data=$2 start=("${@:3}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
faults=0
fault() {
    echo "FAILED $*"
    faults=$((faults + 1))
}

# small NAME WORD...: on one rank and on two, unless $only says on how many; $by: threads, or processes of MPI.
declare -A seen=()
small() {
    local ranks
    local -a command
    seen[$1]=yes
    for ranks in ${only:-1 2}; do
        command=("$bench" "$@" threads="$ranks")
        if [ "${by:-threads}" = mpi ]; then command=("${start[@]}" -n "$ranks" "$bench" "$@"); fi
        if ! "${command[@]}" >"$work/out" 2>"$work/err" </dev/null; then
            fault "$* on $ranks ranks: $(cat "$work/err")"
        elif ! grep -q . "$work/out" || grep -vE "\b(ns|us|ms|seconds|gcells|gbytes|beat|version)=[0-9]*\.?[0-9]*[1-9].* ranks=$ranks\$" "$work/out"; then
            fault "$* on $ranks ranks printed: $(cat "$work/out")"
        fi
        cat "$work/out"
    done
}

# agrees CONDITION: of each line, by awk, with the values of its words in v["WORD"].
agrees() {
    awk '{ for (i = 1; i <= NF; i++) { split($i, w, "="); v[w[1]] = w[2] } if (!('"$1"')) { print; bad = 1 } }
        END { exit bad }' "$work/out" || fault "not $1"
}

head -c 8192 "$data/camera.png" >"$work/frames"
small chan_vese picture="$data/camera.png" size=64 beats=4
small cluster picture="$data/camera.png" clusters=16 beats=3
by=mpi only=3 small clustering
small graph scale=8 sources=2
small filters size=64 repeats=1 steps="gaussian:2 invert"
small filters size=16 axes=3 type=float32 repeats=1 steps=sobel
small label size=64 repeats=1 kind=blur_6
small life size=256 seconds=.01
for by in threads mpi; do
    small memory seconds=.001
    small memory seconds=.001 cells=1
done
unset by
small motion frames="$work/frames" rows=64 columns=64 clusters=4 radius=2 out="$work/flow"
[ "$(stat -c %s "$work/flow")" = $((64 * 64 * 8)) ] || fault "no flow"
small paths size=64 save="$work/costs"
[ "$(stat -c %s "$work/costs")" = $((64 * 64)) ] || fault "no costs"
only=1 small plan parts=4 rows=512 plans=3
small gradient side=64
small points side=256 contours=2 points=16 beats=2
by=mpi only=2 small repeated batches=1
small stencil size=64 seconds=.001 programs=heat,heat:4,user
by=mpi small stencil size=64 seconds=.001 programs=hand
small volumes size=16 repeats=1 neighbours=26
for by in threads mpi; do small wait seconds=.001 work=10; done
unset by
small walk size=64 walkers=16384 steps=8
small watershed size=64 save="$work/flood"
small watershed size=16 kind=volume neighbours=26 seeds=5
[ "$(stat -c %s "$work/flood.markers")" = $((4 * 64 * 64)) ] || fault "no markers"
for by in threads mpi; do
    only=2 small termination runs=2
    agrees 'v["messages"] > 0 && v["announcements"] == 1 && v["found_us"] <= v["us"] + .1'
    agrees 'v["key"] !~ /ack-tree/ || v["control"] == v["messages"] + 1'
    agrees 'v["key"] !~ /energy/ || (v["control"] >= 1 && v["control"] <= v["messages"] + 1)'
    agrees 'v["key"] !~ /safra|ring/ || v["control"] == v["ranks"] * v["rounds"]'
done
unset by
"$bench" picture size=64 out="$work/picture.png" kind=binary threads=1
[ "$(head -c 4 "$work/picture.png" | tail -c 3)" = PNG ] || fault "no picture"
seen[picture]=yes

# The usage names all of them.
"$bench" 2>"$work/usage" && fault "no benchmark, and no complaint"
while read -r name; do
    [ -n "${seen[$name]:-}" ] || fault "$name is not tested"
done < <(sed -n 's/^  \([a-z_][a-z_]*\) .*/\1/p' "$work/usage")
"$bench" life sise=4 2>/dev/null && fault "a key that is none is taken"

# Ranks that are threads are refused what only processes can do.
for words in clustering 'stencil size=64 programs=hand'; do
    # shellcheck disable=SC2086 # these are words
    "$bench" $words threads=2 2>"$work/err" && fault "$words runs on threads"
    grep -q '^bench: ' "$work/err" || fault "$words: $(cat "$work/err")"
done
[ "$faults" = 0 ]
