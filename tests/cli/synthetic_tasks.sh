#!/usr/bin/env bash
# Tasks that are handed out (halobeat synthetic --tasks): the same digest with every schedule, what is
# reported, and who did what when.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
json=$work/out/run.json
table=$work/out/timeline.csv
tasks=(synthetic --tasks 200 --work 300 --profile random:ratio=20 --quiet --json "$json")

# The tasks of a timeline are all there; none twice unless `again` is given.
# shellcheck disable=SC2317 # called by holds
covers() {
    "$python" - "$table" "$1" "${2:-}" <<'PYTHON'
import csv, sys
with open(sys.argv[1]) as file:
    rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
done = [0] * int(sys.argv[2])
for row in rows:
    assert 0 <= row["begun_seconds"] <= row["ended_seconds"], row
    for task in range(int(row["first_task"]), int(row["first_task"] + row["tasks"])):
        done[task] += 1
assert min(done) >= 1, f"task {done.index(0)} is missing"
assert sys.argv[3] == "again" or max(done) == 1, f"task {done.index(max(done))} is there twice"
assert all(row["again"] == 0 for row in rows) or sys.argv[3] == "again"
PYTHON
}

digest=''
for schedule in static static-weighted fixed:7 uniform:30 mfsc fsc guided guided:1987 tss factoring \
    weighted-factoring:batch awf-b awf-e af adaptive adaptive-latency exponential:3/2 hierarchical:2 \
    diffusive diffusive:2,random pipeline; do
    for ranks in 1 3; do
        run_well "$ranks" "${tasks[@]}" --schedule "$schedule" --once --timeline "$table"
        digest=${digest:-$(told digest)}
        holds "digest $(told digest), with another schedule $digest" [ "$(told digest)" = "$digest" ]
        holds "not checked" [ "$(told checked)" = True ]
        holds "tasks are missing from the timeline, or are there twice" covers 200
    done
done
run_well 3 "${tasks[@]}" --bytes 1000 --slow 2:30 --timeline "$table"
holds "digest $(told digest), without data $digest" [ "$(told digest)" = "$digest" ]
holds "tasks are missing from the timeline" covers 200 again
printf '0 1 3\n0.01 2 1\n' >"$work/out/load"
run_well 3 "${tasks[@]}" --load-trace "$work/out/load" --schedule weighted-factoring:batch --once
holds "digest $(told digest), without a load $digest" [ "$(told digest)" = "$digest" ]
rm "$work/out/load"
run_well 3 "${tasks[@]}" --master-rests
holds "rank 0 rests, and does tasks" [ "$(told tasks ranks 0 tasks)" = 0 ]

# Bars of a rank that follow each other have different colours: by what gnuplot is told, which may
# leave out narrow ones.
mkdir "$work/bin"
cat >"$work/bin/gnuplot" <<END
#!/bin/sh
cat >"$work/script"
echo svg >"\$(sed -n "s/^set output '\(..*\)'\$/\1/p" "$work/script")"
END
chmod +x "$work/bin/gnuplot"
PATH=$work/bin:$PATH run_well 2 "${tasks[@]}" --schedule fixed:5 --once --timeline "$work/out/who.svg"
holds 'two bars beside each other have one colour' "$python" - "$work/script" <<'PYTHON'
import re, sys
script = open(sys.argv[1]).read()
bars = [line.split() for line in script.split("EOD\n")[1].splitlines()]
assert len(bars) == 40, len(bars)
for one, next in zip(bars, bars[1:]):
    assert one[2] != next[2] or one[3] != next[3], (one, next)
colours = dict(re.findall(r"\(\$4==([0-3])\?[^']*'(#[0-9a-f]{6})'", script))
assert len(colours) == 4 == len(set(colours.values())), colours
PYTHON

# The summary.
run_well 2 synthetic --tasks 50 --work 2000 --profile linear:ratio=5 --schedule fixed:5 --once --verbose \
    --json "$json"
for word in 'profile    linear:ratio=5; 5[0-9]*[.0-9]* steps .* 0 bytes' \
    'tasks      50 finished; schedule fixed:5, 10 chunks$' 'balance    index of load imbalance' \
    'efficiency .* %' 'master     [0-9]* requests.* wait .* ms (median), .* ms (99 %), .* at most' 'digest .* checked' 'rank .*tasks .*chunks'; do
    holds "nothing about $word" grep -q -e "$word" <(unbroken)
done
holds "the JSON is not as it should be" "$python" - "$json" <<'PYTHON'
import json, sys
with open(sys.argv[1]) as file:
    run = json.load(file)
tasks = run["tasks"]
assert tasks["schedule"] == "fixed:5" and tasks["finished"] == 50 and tasks["failed"] == 0, tasks
assert tasks["chunks"] == 10 and tasks["again"] == 0 and tasks["requests"] >= 10, tasks
assert 0 <= tasks["imbalance"] <= 1 and 0 < tasks["efficiency"] <= 1.01, tasks
assert sum(rank["tasks"] for rank in tasks["ranks"]) == 50, tasks
assert sum(rank["chunks"] for rank in tasks["ranks"]) == 10, tasks
assert all(rank["last_task_seconds"] <= tasks["seconds"] + 1e-3 for rank in tasks["ranks"]), tasks
PYTHON
run 2 synthetic --tasks 50 --quiet --progress always
holds "no progress" grep -q 'tasks' "$work/stderr"
if has gnuplot gnuplot-nox 'pictures of who did what when'; then
    run_well 2 "${tasks[@]}" --timeline "$work/out/timeline.png"
    holds "no picture" [ "$(head -c 4 "$work/out/timeline.png" | tail -c 3)" = PNG ]
    rm -f "$work/out/timeline.png"
fi
rm -f "$table" "$json"

run_well 1 synthetic --help
for word in 'guided\[:1987\]:' 'diffusive' 'pipeline:' '--schedule' '--timeline'; do
    holds "nothing about $word" grep -q -e "$word" "$work/stdout"
done

# These options are refused.
fails 2 'tasks.*from 1' 2 synthetic --tasks 0
fails 2 'unknown schedule "gided"; use static, .* or pipeline' 2 synthetic --tasks 10 --schedule gided
fails 2 'schedule "fixed:0"; use fixed:X' 2 synthetic --tasks 10 --schedule fixed:0
fails 2 'tasks.*beats' 2 synthetic --tasks 10 --beats 5
fails 2 'need.* --tasks' 2 synthetic --schedule guided
fails 2 'bytes.*needs.*tasks' 2 synthetic --bytes 10
fails 2 'timeline' 2 synthetic --tasks 10 --timeline "$work/out/timeline.txt"
fails 1 'no/such' 2 synthetic --tasks 10 --timeline "$work/no/such/timeline.csv"
finish
