#!/usr/bin/env bash
# Summaries report balancing, for people with 80 columns and for programs.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

json=$work/out/run.json soup=soup:150x120:35%:4 spots=$data/microaneurysms.png
# shellcheck disable=SC2034 # by its name
label=(label "$spots" --method settle) life=(life "$soup" -n 80 --halo-depth 2)
synthetic=(synthetic --size 20x80 --beats 30 --work 200)

# says PATTERN...: on stdout.
says() {
    local pattern
    for pattern in "$@"; do
        holds "nothing about $pattern" grep -q -e "$pattern" <(unbroken)
    done
}
fits() {
    holds "lines beyond 80 columns" [ "$(grep -c '.\{81\}' "$work/stdout")" = 0 ]
}

# The summary tells where time went: balancing if there is some, waiting always.
for command in label life synthetic; do
    declare -n words=$command
    run_well 3 "${words[@]}" --balance random --balance-every 2 -v
    says '^seconds .* balance [0-9.]*, migrate [0-9.]*, wait [0-9.]*; in all' \
        '^balance    random: [0-9]* plans\?, [0-9]* moves\? of [0-9]* rows\? in all; .*(IDC)' \
        '^balancing  planning [0-9.]* s and moving [0-9.]* s on rank 0; [1-9][0-9]* bytes moved' \
        '^link       rank 0 to rank 1, the next: [0-9.e+]* us one way'
    fits
    run_well 2 "${words[@]}" -v
    says '^seconds .* wait [0-9.]*; in all .*the maximum over the ranks'
    holds "balance without a balancer" [ "$(grep -c 'migrate\|^bal' "$work/stdout")" = 0 ]
    fits
    run_well 1 "${words[@]}" --balance chain
    says '^balance    chain: one rank, nothing to balance$'
    holds "IDC of one rank's plans" [ "$(grep -c 'plans\? *,\|last plan' "$work/stdout")" = 0 ]
done
run_well 3 "${synthetic[@]}" --balance chain --balance-every 1000
says '^balance    chain: no plan: the run ended before the first was due$'

# Blocks move columns as well as rows.
run_well 4 "${synthetic[@]}" --decomposition 2x2 --balance random --balance-every 2 -v
says '^balance    random: [0-9]* plans\?, [0-9]* moves\? of [0-9]* layers\? in all; .*(IDC)'
fits

# For programs: what moved, and every link from both of its ends.
for periodic in no yes; do
    words=("${synthetic[@]}")
    if [ $periodic = yes ]; then words=("${life[@]}"); fi
    run_well 4 "${words[@]}" --balance random --balance-every 2 --json "$json" --quiet
    holds "the JSON is not as it should be" "$python" - "$json" $periodic <<'PYTHON'
import json, sys

told = json.load(open(sys.argv[1]))
balance, periodic = told["balance"], sys.argv[2] == "yes"
assert balance["moves"] > 0 and balance["rows_moved"] > 0 and balance["bytes_moved"] > 0, balance
cells = told["columns"] if "columns" in told else told["grid"]["width_cells"] / 8
assert balance["bytes_moved"] >= balance["rows_moved"] * cells, balance
wanted = {(rank, end): (rank + step) % 4 for rank in range(4)
          for end, step in (("before", -1), ("next", 1)) if periodic or 0 <= rank + step < 4}
links = {(link["rank"], link["strip"]): link["neighbour"] for link in balance["links"]}
assert len(links) == len(balance["links"]), balance
# A strip without rows has no links, and the ranks about it have one with each other.
for key, neighbour in links.items():
    assert key in wanted and neighbour != key[0], key
assert links, balance
for link in balance["links"]:
    assert link["latency_seconds"] > 0, link
    assert link["bytes_per_second"] is None or link["bytes_per_second"] > 0, link
for rank in told["rank_table"]:
    assert rank["compute_seconds"] / told["beats"] > 0, rank
    assert 0 < rank["edge_compute_seconds"] <= rank["compute_seconds"], rank
phases = told["phases"]
for phase in ("balance", "migrate"):
    assert phases[f"{phase}_seconds"] > 0, phases
PYTHON
done
run_well 2 "${synthetic[@]}" --json "$json" --quiet
holds "links or bytes that nobody measured" [ "$(grep -c 'links\|bytes_moved' "$json")" = 0 ]

# A single rank's log is not empty without a reason.
for command in label life synthetic; do
    # shellcheck disable=SC2178 # a name for the array
    declare -n words=$command
    run_well 1 "${words[@]}" --balance chain --balance-log "$work/log.txt" --quiet
    holds "no reason" [ "$(cat "$work/log.txt")" = 'one rank: nothing to balance' ]
done

# Help: balancers with their options, ways to migrate, and what a beat is.
list_balancers
for command in label life synthetic; do
    run_well 1 "$command" --help
    fits
    table=$(sed -n '/^Balancers/,/^A beat/p' "$work/stdout")
    for word in "${balancers[@]}" auto neighbour direct; do
        holds "nothing about $word" grep -q "^  $word  *[a-z]" <<<"$table"
    done
    for key in m=1 m=4 alpha= rate= gain= alarms= lazy= horizon= seed= empty=; do
        holds "nothing about $key" grep -q -e "$key" <<<"$table"
    done
    holds "a line is torn" [ "$(grep -c -v '^  \|^Balancers\|^Ways\|^A beat' <<<"$table")" = 0 ]
    says 'boundaries stay, and nothing is measured'
    case $command in
        label) says '^A beat is a round of exchange.*union' ;;
        life) says '^A beat is a generation' ;;
        synthetic) says '^A beat is one update of all cells' ;;
    esac
done

# diagnosed INPUT OUTPUT: the diagnosis of what ranks report.
diagnosed() {
    what="diagnosis of $(head -n 1 <<<"$1")..."
    holds "$("$tools/imbalance_diagnosis" <<<"$1")" [ "$("$tools/imbalance_diagnosis" <<<"$1")" = "$2" ]
}
core='of the time no core was free for it'
diagnosed "31 % $core" "slowness   rank 0: 31 % $core"
diagnosed "$(printf '\n\n')" ''
diagnosed "$(printf '5 %% %s\n\n12.5 %% %s\n7 %% %s' "$core" "$core" "$core")" \
    "slowness   ranks 0 and 2 to 3: 5 to 12.5 % $core"
diagnosed "$(printf '5 %% %s\nheld back 2.10 s of 1.5 cores\n5 %% %s\nheld back 13 s of 1.5 cores' \
    "$core" "$core")" \
    "slowness   ranks 0 and 2: 5 % $core
slowness   ranks 1 and 3: held back 2.10 to 13 s of 1.5 cores"
diagnosed "$(for i in {1..1024}; do echo "$((i % 7 + 3)) % $core"; done)" \
    "slowness   ranks 0 to 1023: 3 to 9 % $core"
diagnosed "$(for i in {1..30}; do echo "$i s"; echo; done)" \
    "slowness   ranks 0, 2, 4, 6, 8, 10 and 24 more: 1 to 30 s"
long='it waited; 95 % of the time programs competed for its machine'\''s cores'
diagnosed "50 % $long" "slowness   rank 0: 50 % it waited; 95 % of the time programs competed for its
           machine's cores"
finish
