#!/usr/bin/env bash
# Boundaries that move, and ranks that are slow on purpose: decisions that can be read, and arguments
# that cannot be used.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

out=$work/out soup=soup:150x120:35%:4 spots=$data/microaneurysms.png
list_balancers
json=$out/run.json
synthetic=(synthetic --size 20x80 --beats 30 --work 200 --profile 'hot:ratio=5' --quiet)
run_well 1 "${synthetic[@]}" --json "$json"
digest=$(told digest)
for balancer in "${balancers[@]}"; do
    run_well 4 "${synthetic[@]}" --balance "$balancer" --balance-every 2 --json "$json"
    holds "another digest" [ "$(told digest)" = "$digest" ]
    holds "not checked" [ "$(told checked)" = True ]
    holds "another name" [ "$(told balance name)" = "$balancer" ]
done

# ---- what is told --------------------------------------------------------------------------------

# A line a decision, in words.
run_well 3 "${synthetic[@]}" --balance random --balance-every 1 --balance-log "$out/log.txt" \
    --json "$json"
lines=$(wc -l <"$out/log.txt")
holds "$lines lines for $(told balance plans) plans" [ "$lines" = "$(told balance plans)" ]
holds "only $lines decisions in 30 beats" [ "$lines" -ge 20 ]
holds "a line is no decision" [ "$(grep -c -v -E \
    '^beat [0-9]+, [0-9.]+ s, IDC [0-9.]+ %: (moved [0-9]+ rows|moved at random|kept: ).*' \
    "$out/log.txt")" = 0 ]
holds "no move among them" grep -q 'moved' "$out/log.txt"
what='a balancer that moves nothing'
run_well 3 "${synthetic[@]}" --balance none --balance-every 5 --balance-log "$out/log.txt"
holds "no reason" grep -q 'kept: this balancer moves nothing' "$out/log.txt"

# In columns.
run_well 4 "${synthetic[@]}" --balance random:seed=3 --balance-every 1 \
    --balance-log "$out/log.csv" --json "$json"
holds "the columns or the JSON are not as they should be" "$python" - "$out/log.csv" "$json" \
    <<'PYTHON'
import csv, json, sys

lines = list(csv.DictReader(open(sys.argv[1], newline="")))
names = ["beat", "seconds", "idc", "rows_moved", "axis", "decision"] + [f"cut_{i}" for i in range(5)]
names += [f"compute_seconds_{i}" for i in range(4)]
assert list(lines[0]) == names, list(lines[0])
before = [0, 20, 40, 60, 80]
moves = rows = 0
beats = [int(line["beat"]) for line in lines]
assert beats == sorted(set(beats)) and 0 < beats[0] and beats[-1] < 30, beats
seconds = [float(line["seconds"]) for line in lines]
assert seconds == sorted(seconds) and seconds[0] >= 0, seconds
for line in lines:
    assert None not in line and None not in line.values(), line
    took = [float(line[f"compute_seconds_{i}"]) for i in range(4)]
    last = max(took)
    assert min(took) >= 0 and last > 0, line
    assert abs(sum(last - t for t in took) / (3 * last) - float(line["idc"])) < 1e-4, line
    cuts = [int(line[f"cut_{i}"]) for i in range(5)]
    assert cuts[0] == 0 and cuts[-1] == 80 and cuts == sorted(cuts), cuts
    owner = lambda at, row: max(r for r in range(4) if at[r] <= row < at[r + 1])
    moved = sum(owner(before, row) != owner(cuts, row) for row in range(80))
    assert moved == int(line["rows_moved"]), line
    assert line["decision"].startswith("moved" if moved else "kept"), line
    assert 0 <= float(line["idc"]) <= 1, line
    before = cuts
    moves += moved > 0
    rows += moved
with open(sys.argv[2]) as file:
    told = json.load(file)
balance = told["balance"]
assert balance["name"] == "random:seed=3", balance
assert (balance["plans"], balance["moves"], balance["rows_moved"]) == (len(lines), moves, rows)
assert 0 <= balance["idc"] <= 1 and balance["plan_seconds"] > 0 and balance["move_seconds"] > 0
assert [rank["rank"] for rank in balance["slowness"]] == [0, 1, 2, 3], balance
assert all(rank["cores"] > 0 for rank in balance["slowness"]), balance
assert [rank["rows"] for rank in told["rank_table"]] == [
    after - cut for cut, after in zip(before, before[1:])], told["rank_table"]
PYTHON

# On stderr, and in the summary; a single rank plans nothing.
run 2 "${synthetic[@]}" --balance lb1 --balance-every 4 --balance-log -
holds "exit status $status" [ "$status" = 0 ]
holds "no decision on stderr" grep -q '^beat .* s, IDC .*: \(moved\|kept\)' "$work/stderr"
holds "something on stdout" [ ! -s "$work/stdout" ]
run_well 3 life "$soup" -n 60 --balance lb1 --balance-every 4 --verbose
for word in 'balance    lb1: [0-9]* plans\?, [0-9]* moves\? of [0-9]* rows' 'balancing  planning' \
    'IDC'; do
    holds "nothing about $word" grep -q -e "$word" "$work/stdout"
done
run_well 1 label "$spots" --balance chain --json "$json" --balance-log "$out/log.txt" --quiet
holds "a single rank has moved rows" [ "$(told balance moves)" = 0 ]
run_well 2 life "$soup" -n 10 --json "$json" --quiet
holds "a balancer that was not asked for" [ "$(told balance name)" = none ]
rm -rf "${out:?}"/*

# ---- what cannot be used -------------------------------------------------------------------------

echo before >"$out/log.txt"
# refuse STATUS PATTERN ARGUMENT...: by each command in turn, now and then on one rank. No rank is
# to blame for its argument.
turn=0
refuse() {
    local wanted=$1 pattern=$2 ranks=3
    local -a commands=("life $soup -n 5" "label $spots" 'synthetic --size 5x40 --beats 5') command
    read -r -a command <<<"${commands[turn % 3]} --quiet"
    if [ $((turn % 4)) = 2 ]; then ranks=1; fi
    turn=$((turn + 1))
    shift 2
    fails "$wanted" "$pattern" "$ranks" "${command[@]}" "$@"
    if [ "$wanted" = 2 ]; then
        holds "a rank is blamed" [ "$(grep -c ': rank [0-9]*: ' "$work/stderr")" = 0 ]
    fi
}
# No balancer is added without a word about it.
mapfile -t balancers < <(names_in partition/balance/balance.h HALO_BALANCER_LIST)
for name in "${balancers[@]}"; do
    holds "docs/balancing.md has no line about $name" grep -q "^|.*\`$name\`.* |" "$data/../docs/balancing.md"
done
these=$(printf ', %s' "${balancers[@]}")
for name in magic '' Chain chai 'chain ' ':gain=1' "$(printf 'long%.0s' {1..50})"; do
    refuse 2 "unknown balancer.*use $(sed 's/^, //; s/, \([^,]*\)$/ or \1/' <<<"$these")" --balance "$name"
    refuse 2 'unknown balancer' --balance "$name" --balance-log "$out/log.txt"
done
for option in chain:magic=1 lb1:alfa=1 none:x=1 random:sead=1 chain:gain 'chain:gain=.05,'; do
    refuse 2 "${option%%:*}.*option\|${option%%:*}.*takes a number" --balance "$option"
done
for option in chain:gain=x lb1:m=0 lb1:m=1.5 random:seed=-1 random:empty=2 chain:alarms=nan; do
    refuse 2 "${option%%:*}.*takes a.* number from .*, not" --balance "$option"
done
for value in 3:2 7:1.5@4 2147483647:2; do
    refuse 2 "rank ${value%%:*} cannot be made slow.*(\(--ranks\|mpiexec -n\) $((${value%%:*} + 1)))" \
        --slow "$value"
done
for value in 1:.5 1:0 1:-2 1 1: :2 x:2 1:2@x 1:2@-1 1:2@ 1:nan 1:1e9 -1:2 '' 1:2:3; do
    refuse 2 "\"$value\".*RANK:FACTOR.*1:3" --slow "$value"
done
many=()
for ((i = 0; i < 65; i++)); do many+=(--slow 0:2); done
refuse 2 'slow takes up to 64' "${many[@]}"
for value in 1:2@5 0:3@0012; do
    fails 2 'slow with @BEAT needs --method settle.*union' 2 label "$spots" --quiet --slow "$value"
    run_well 2 label "$spots" --quiet --method settle --slow "$value"
done
run_well 2 label "$spots" --quiet --slow 1:2@0

# Files. A trace's broken line is named.
broken=$work/broken.txt
for line in 'zero 0 1' '0 x 1' '0 0' '0 0 -1' '0 0 1 1' '0 -1 1' '-1 0 1' '0 0 nan'; do
    printf '# a trace\n0 0 1\n%s\n' "$line" >"$broken"
    refuse 1 'broken.txt.*line 3' --load-trace "$broken"
done
printf '1 0 1\n\n.5 0 1\n' >"$broken"
refuse 1 'broken.txt.*line 3' --load-trace "$broken"
printf '# nothing\n' >"$broken"
refuse 1 'broken.txt' --load-trace "$broken"
refuse 1 'no-trace.txt.*No such file' --load-trace "$work/no-trace.txt"
refuse 1 "$(basename "$work")" --load-trace "$work"
printf '0 9 1\n' >"$broken"
refuse 2 'rank 9 cannot be made slow' --load-trace "$broken"
finish
