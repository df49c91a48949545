#!/usr/bin/env bash
# The synthetic kernel: the same digest however it is computed, and what it cannot use.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
json=$work/out/run.json
small=(--size 30x60 --beats 20 --work 50)

# same PROFILE: the digest of 1 rank is the digest of all.
same() {
    local one='' how
    local -a words
    while read -ra words; do
        run_well "${words[0]}" synthetic "${small[@]}" --profile "$1" --quiet --json "$json" \
            "${words[@]:1}"
        one=${one:-$(told digest)} how=${words[*]}
        holds "digest $(told digest) with $how, on 1 rank $one" [ "$(told digest)" = "$one" ]
        holds "not checked" [ "$(told checked)" = True ]
    done <<TABLE
1
2 --balance random --balance-every 1 --vote tree --wait yield
3 --halo-depth 2
5 --halo-depth 4 --balance random --balance-every 1
4 --decomposition 1x4 --halo-depth 2 --balance random --balance-every 3
4 --decomposition blocks --halo-depth 2
4 --decomposition auto --balance random --balance-every 3
TABLE
    digests+=("$one")
}
digests=()
for profile in constant linear:ratio=4 step:at=.7 hot:width=.2,speed=2.5,ratio=6 random \
    random:seed=2; do
    same "$profile"
done
holds "profiles with the same digest: ${digests[*]}" \
    [ "$(printf '%s\n' "${digests[@]}" | sort -u | wc -l)" = 6 ]

# Balanced, with a rank that is slow on purpose.
run_well 2 synthetic --size 100x200 --beats 60 --work 500 --profile linear:ratio=5 \
    --slow 0:2@10 --balance chain --balance-every 5 --balance-log "$work/decisions" --json "$json" -v
holds "nothing about balancing" grep -q '^balance    chain: [0-9]* plans' "$work/stdout"
holds "not checked" [ "$(told checked)" = True ]
holds "no decisions in the log" [ "$(grep -c 'moved\|kept' "$work/decisions")" -ge 5 ]

# Fewer rows than ranks, and single cells.
for size in 1x1 2x5 5x2 4x1; do
    run_well 5 synthetic --size "$size" --beats 4 --work 10
    holds "not checked" grep -q -x 'digest     [0-9a-f]\{16\}, checked' "$work/stdout"
done

# The summary, for people and for programs.
run_well 3 synthetic "${small[@]}" --profile hot:ratio=2.5 --verbose --json "$json"
for word in 'profile    hot:ratio=2.5,width=0.1,speed=1' 'grid       60 rows of 30 cells; 50 steps' \
    '57.5 in a row on average' 'beats      20' ', checked' 'seconds a beat' 'efficiency .* %' \
    'load imbalance .* %' 'messages' 'vote' 'compute' 'check' 'written .*run.json' 'rank ' \
    'waiting'; do
    holds "nothing about $word" grep -q -e "$word" <(unbroken)
done
holds "the JSON is not as it should be" "$python" - "$json" <<'PYTHON'
import json, sys

with open(sys.argv[1]) as file:
    run = json.load(file)
wanted = {
    "command": "synthetic", "profile": "hot:ratio=2.5,width=0.1,speed=1", "rows": 60,
    "columns": 30, "work_steps": 50, "steps_per_beat": 54 * 50 + 6 * 125, "halo_depth": 1,
    "beats": 20, "ranks": 3, "parts": [3, 1], "checked": True, "wrong_cells": 0,
}
assert {key: run[key] for key in wanted} == wanted, run
assert len(run["digest"]) == 16 and int(run["digest"], 16) >= 0
assert 0 < run["efficiency"] <= 1.01 and 0 <= run["imbalance"] <= 1, run
assert run["beats_seconds"] > 0 and run["check_seconds"] >= 0
assert abs(run["seconds_per_beat"] * 20 / run["beats_seconds"] - 1) < 1e-6, run
assert abs(run["steps_per_second"] * run["seconds_per_beat"] / 3450 - 1) < 1e-6, run
assert run["exchange"]["messages"] == 4 * 20, run["exchange"]
assert sum(line["rows"] for line in run["rank_table"]) == 60
PYTHON
run_well 4 synthetic "${small[@]}" --decomposition 2x2 -v
holds "nothing about blocks" grep -q -x 'blocks     2 x 2' "$work/stdout"
holds "ranks without their blocks" [ "$(grep -c '^ *[0-3]  *30 x 15 ' "$work/stdout")" = 4 ]
run_well 2 synthetic "${small[@]}" --quiet
holds "quiet is not quiet" [ ! -s "$work/stdout" ]
run 2 synthetic "${small[@]}" --quiet --progress always
holds "no progress" grep -q 'beating' "$work/stderr"

# A signal stops it at a beat; what was computed until then is checked.
start_with 1
what='SIGTERM: halobeat synthetic'
: >"$work/stderr" # the last run beat, too, and this one may not have begun yet
"${starter[@]}" "$program" synthetic --size 10x5 --work 10 --beats 1000000000 --progress always \
    --json "$json" </dev/null >"$work/stdout" 2>"$work/stderr" &
process=$!
until grep -q 'beating' "$work/stderr" || ! kill -0 "$process"; do sleep 0.05; done 2>/dev/null
kill -s TERM "$process"
status=0
wait "$process" || status=$?
check_sanitizers
holds "exit status $status, not 1" [ "$status" = 1 ]
holds "no word about the signal" grep -q '^beats  *[0-9]*: stopped by a signal' <(unbroken)
holds "no message" grep -q "synthetic: stopped by a signal at beat $(told beats)$" "$work/stderr"
holds "not checked" [ "$(told checked)" = True ]

# Help names every profile.
run_well 1 synthetic --help
for word in constant: linear: step: hot: random:; do
    holds "nothing about $word" grep -q -F -e "$word" "$work/stdout"
done

refusing=synthetic

bad size 10 x10 10x 0x5 5x0 10x-5 10x10x10 1e3x5 '10x10 ' 9999999999x1 1x9999999999
bad decomposition '' rings 2x 0x4 x2 2x-2
bad profile cubic '' lin constant:ratio=3 linear:at=.5 linear:ratio=.5 linear:ratio step:at=2 \
    hot:speed=-1 random:seed=.5 hot:ratio=x,width=.1
refuse 'work.*steps.*beyond' --work 1000000 --profile linear:ratio=1000 --work 500000000
refuse 'too many' 10x10
# A halo deeper than a strip, more cells than any memory holds.
fails 1 'halo' 3 synthetic --size 30x30 --halo-depth 11
run_well 3 synthetic --size 30x30 --halo-depth 10 --beats 20 --work 10 --quiet
fails 1 'memory\|bytes' 2 synthetic --size 2147483647x2147483647
finish
