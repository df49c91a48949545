#!/usr/bin/env bash
# Every command writes the same bytes on ranks that are threads as on ranks that are processes of MPI, reports the
# same, and goes on from the other's checkpoints. The runs are some of those in tests/compare.d/runs.txt, each on 2 and
# 3 threads, the first of each command on 1, 5, 8 and 64, too, and with `more` each of them.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
[ "$launcher" != none ] || skip 'built without MPI'
tables=$(readlink -f "$(dirname "$0")/../compare.d") here=$PWD
runs='label-png label-npy label-area label-seed label-deep label-column label-settle-persistent
    label-settle-neighbour label-settle-shared label-tree label-coordinator label-broadcast label-random label-chosen
    label-batch life-soup life-plane life-generations life-gun life-blinker life-restore life-restore-old life-restore-plane-old
    life-random life-gif cluster-png cluster-colour cluster-batch cluster-part cluster-restore-old chan-vese-npy chan-vese-gif
    chan-vese-part chan-vese-restore-old snake-circle snake-svg snake-jacobi snake-part snake-restore-old
    motion-sequence motion-part motion-restore-old filter-* distance-* watershed-* measure-* paths-* run-heat run-heat-log run-heat-persistent-log
    run-heat-neighbour-log run-heat-shared-log run-heat-gif run-heat-part run-heat-restore-old run-heat3d run-rise
    run-steer synthetic-constant synthetic-tasks tasks-* trace-* walk-grey walk-flow'
# Keys of the JSON that say how ranks are connected, count messages, tell what came first or was fastest; and names.
own_keys='transport|balance\.links|halo_depth|exchange_mode|exchange\.|migration\.(messages|bytes)|tasks\.|async\.|improvements|taken_cells|arguments\.restore|pattern\.name'

others='1 5 8 64' sides="old new 3 $others"
mkdir "$work/in"
"$python" "$tables/inputs.py" "$work/in"
ln -s "$data"/*.png "$data"/patterns "$data"/scenes "$work/in/"
for side in $sides; do
    mkdir "$work/$side"
    ln -s ../in "$work/$side/in"
    ln -s "$tools" "$work/$side/so"
done

# one SIDE NAME WORD...: a run in a new folder. Whether ranks are threads, and how many there are, is in $starter.
one() {
    local folder=$work/$1/$2
    mkdir "$folder"
    cd "$folder" || exit
    what="$2: ${starter[*]} halobeat ${*:3}" status=0
    timeout -k 5 "$limit" "${starter[@]}" "$program" "${@:3}" --json .json </dev/null >.stdout 2>"$work/stderr" ||
        status=$?
    cd "$here" || exit
    echo "${*:3}" >"$folder/.arguments"
    check_sanitizers
    holds "exit status $status" [ "$status" = 0 ]
}

# compare SIDE NAME: its files are those of MPI.
compare() {
    local name
    holds "other files: $(ls "$work/$1/$2")" cmp -s <(ls "$work/old/$2") <(ls "$work/$1/$2")
    while read -r name; do
        case $name in
            untold) ;;
            timed*) holds "another $name" cmp -s <(head -n 1 "$work/old/$2/$name") <(head -n 1 "$work/$1/$2/$name") ;;
            *) holds "another $name" cmp -s "$work/old/$2/$name" "$work/$1/$2/$name" ;;
        esac
    done < <(cd "$work/old/$2" && find . -type f ! -name '.*' -printf '%P\n')
}

declare -A many=([bench]='it writes only what it measures')

# all_ways NAME WORD...: on three threads first, from whose checkpoints those of MPI go on, and those from theirs.
all_ways() {
    local name=$1 side sides=''
    shift
    if more || [ -z "${many[$1]:-}" ]; then sides=$others; fi
    many[$1]=yes
    starter=(env HALOBEAT_RANKS=3)
    one 3 "$name" "$@"
    start_with 2
    one old "$name" "${@//..\/..\/old/../../3}"
    compare 3 "$name"
    # shellcheck disable=SC2086 # these are words
    for side in new $sides; do
        starter=(env "HALOBEAT_RANKS=${side/new/2}")
        one "$side" "$name" "$@"
        compare "$side" "$name"
    done
    [ "$1" != tasks ] || holds 'another standard output' cmp -s "$work/old/$name/.stdout" "$work/new/$name/.stdout"
}

while IFS='|' read -r name _ arguments; do
    name=${name// /}
    for pattern in $runs; do
        # shellcheck disable=SC2053 # it is a pattern
        if [[ $name = $pattern ]]; then
            read -ra words <<<"$(sed -E 's#/([a-z0-9-]+)\.[0-9]+/#/\1/#g; s# SO$##; s# \.\./([a-z-]+/state)# ../../3/\1#' <<<"$arguments")"
            all_ways "$name" "${words[@]}"
        fi
    done
done <"$tables/runs.txt"

list_commands
for command in "${all_commands[@]}"; do
    what=$command
    holds 'none of its runs is compared' [ -n "${many[$command]:-}" ]
done

what='what two ranks report'
for part in json summary; do
    "$python" "$tables/told.py" "$part" "$work" >"$work/told" 2>&1 || wrong "$(cat "$work/told")"
    holds "$(tail -n 1 "$work/told")" grep -q '^[1-9][0-9]* k' "$work/told" # keys, kinds of lines
    while read -r line; do wrong "$line"; done < <(grep -v '^[0-9]' "$work/told" | grep -v -E ": (a new key |no key )?($own_keys)")
done
finish
