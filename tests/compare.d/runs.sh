# shellcheck shell=bash
# shellcheck disable=SC2154  # tests/compare has set what is not set here
# Sourced by tests/compare: the runs of runs.txt by both programs, and what they have written.
: "${root:?}" "${out:=}"

run_limit=120 # seconds; what takes longer hangs

# make_inputs: what runs find in ../in and ../so.
make_inputs() {
    local side
    python3 "$root/tests/compare.d/inputs.py" "$out/in"
    ln -s "$root"/data/*.png "$root/data/patterns" "$out/in/"
    for side in old new; do
        ln -s ../in "$out/$side/in"
        ln -s "${build[$side]}/tests/cli" "$out/$side/so"
    done
}

# rows_first SIDE: version 0.1 took sizes of run, synthetic and bench as ROWSxCOLUMNS.
rows_first() { "${program[$1]}" run --help 2>/dev/null | grep -q 'rows x columns'; }

# turn_sizes ARGUMENT...: leaves in $turned these arguments with sizes of these commands turned round.
turn_sizes() {
    local word before='' command=$1
    turned=()
    for word in "$@"; do
        if [ "$before" = --size ] && [[ $command =~ ^(run|synthetic|bench)$ ]]; then
            word=$(tr x '\n' <<<"$word" | tac | paste -s -d x)
        fi
        turned+=("$word")
        before=$word
    done
}

# one_run SIDE NAME RANKS ARGUMENT...: in an empty folder of its own. What it says, its exit status
# and what --json writes have names with a dot in front: other parts compare them.
one_run() {
    local side=$1 folder=$out/$1/$2.$3 ranks=$3 status=0
    local -a start=()
    shift 3
    mkdir "$folder"
    if [ -n "${turns[$side]}" ]; then
        turn_sizes "$@"
        set -- "${turned[@]}"
    fi
    echo "$*" >"$folder/.arguments"
    if [ "$ranks" != 1 ]; then start=(mpiexec.mpich -n "$ranks"); fi
    (
        cd "$folder"
        exec timeout -k 5 "$run_limit" "${start[@]}" "${program[$side]}" "$@" --json .json \
            </dev/null >.stdout 2>.stderr
    ) || status=$?
    echo "$status" >"$folder/.status"
    # A digest or hash stands for the cells of a run that writes none.
    grep -s -o '"\(digest\|hash\)": "[0-9a-f]*"' "$folder/.json" >"$folder/cells" ||
        rm "$folder/cells"
}

# each_run COMMAND...: COMMAND NAME RANKS ARGUMENT... for each line of the table and number of ranks.
each_run() {
    local name many arguments ranks
    local -a words
    while IFS='|' read -r name many arguments; do
        name=${name// /}
        case $name in '' | \#*) continue ;; esac
        # shellcheck disable=SC2053  # it is a pattern
        if [[ $name != ${HALOBEAT_COMPARE_RUNS:-*} ]]; then continue; fi
        read -ra words <<<"$arguments"
        for ranks in $many; do "$@" "$name" "$ranks" "${words[@]}"; done
    done <"$root/tests/compare.d/runs.txt"
}

# run_side_by_side NAME RANKS ARGUMENT...: on both cores at once; a later run may need this one's
# files, so both end before the next begins.
run_side_by_side() {
    local side last=${*: -1}
    if [ "$last" = SO ]; then
        set -- "${@:1:$#-1}"
        if [ ! -e "$out/old/so/rise.so" ] || [ ! -e "$out/new/so/rise.so" ]; then
            skipped=$((skipped + 1))
            return
        fi
    fi
    # Bench takes no --verbose.
    if [ "$3" != bench ]; then set -- "$@" --verbose; fi
    for side in old new; do one_run "$side" "$@" & done
    wait
    runs=$((runs + 1))
}

run_both() {
    local side
    runs=0 skipped=0
    make_inputs
    stage "Runs of both"
    declare -gA turns=([old]='' [new]='')
    for side in old new; do
        if rows_first "$side"; then turns[$side]=yes; fi
    done
    each_run run_side_by_side
    [ "$runs" -gt 0 ] || fail 2 "no run has a name like ${HALOBEAT_COMPARE_RUNS:-*}"
    echo "$runs runs of each, $skipped left out for want of kernels in shared objects"
}

# same_file NAME: of both; of a file with measurements the first line, or nothing.
same_file() {
    case ${1##*/} in
        untold) true ;;
        timed*) cmp -s <(head -n 1 "$out/old/$1") <(head -n 1 "$out/new/$1") ;;
        *) cmp -s "$out/old/$1" "$out/new/$1" ;;
    esac
}

# files_of SIDE: of all its runs, but for those with a dot in front.
files_of() {
    (cd "$out/$1" && find . -mindepth 2 -type f ! -name '.*' -printf '%P\n' | sort)
}

compare_results() {
    local name files=0 equal=0 old new
    (cd "$out/old" && printf '%s\n' */.status) >"$out/runs"
    while read -r name; do
        old=$(cat "$out/old/$name") new=$(cat "$out/new/$name" 2>/dev/null || echo none)
        name=${name%/.status}
        [ "$old" = "$new" ] ||
            wrong "$name: exit status $new, was $old: $(head -n 1 "$out/new/$name/.stderr")"
    done <"$out/runs"
    while read -r name; do
        files=$((files + 1))
        if [ ! -e "$out/new/$name" ]; then
            wrong "$name is not written any more"
        elif [ ! -e "$out/old/$name" ]; then
            wrong "$name was not written before"
        elif same_file "$name"; then
            equal=$((equal + 1))
        else
            wrong "$name has other bytes"
        fi
    done < <(sort -u <(files_of old) <(files_of new))
    echo "$equal of $files files are the same, of $(wc -l <"$out/runs") runs;" \
        "$(grep -l -x 0 "$out"/old/*/.status | wc -l) of them have exit status 0"
}

# count COMMAND...: shows what it prints, and counts the differences in it.
count() {
    "$@" | tee "$out/told"
    differences=$((differences + $(grep -c '^differs ' "$out/told" || true)))
    failures=$((failures + $(grep -c '^FAILED ' "$out/told" || true)))
}
told() { count python3 "$root/tests/compare.d/told.py" "$1" "$out"; }
compare_json() { told json; }
compare_summary() { told summary; }
compare_speed() {
    count python3 "$root/tests/compare.d/speed.py" "$out" "$root/data" "${program[old]}" \
        "${program[new]}" "${HALOBEAT_COMPARE_ROUNDS:-9}" "${HALOBEAT_COMPARE_RUNS:-*}"
}
