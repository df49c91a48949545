# shellcheck shell=bash
# shellcheck disable=SC2154  # tests/compare has set what is not set here
# Sourced by tests/compare: what both programs say when asked for help.
: "${root:?}" "${out:=}"

# show_difference NAME OLD NEW: as diff shows it.
show_difference() {
    local found=$out/difference
    if diff -U 1 --label "old $1" --label "new $1" "$2" "$3" >"$found"; then return 0; fi
    differs "$1: $(grep -c '^[-+][^-+]' "$found") lines"
    cat "$found"
}

# help_of SIDE NAME ARGUMENT...: kept as NAME.
help_of() {
    local side=$1 name=$2 status=0
    shift 2
    (cd "$out/$side/help" && "${program[$side]}" "$@" </dev/null >"$name" 2>&1) || status=$?
    echo "$status" >"$out/$side/help/.$name"
}

compare_help() {
    local side command name texts=0
    for side in old new; do
        mkdir "$out/$side/help"
        help_of "$side" version --version
        help_of "$side" help --help
        for command in "${commands[@]}"; do help_of "$side" "$command" "$command" --help; done
        for name in heat heat3d; do help_of "$side" "run-$name" run "$name" --help; done
        # The other columns are a matter of the library that lays them out.
        for name in halobeat.1 halobeat; do
            if [ -e "${build[$side]}/manual/$name" ]; then
                cp "${build[$side]}/manual/$name" "$out/$side/help/manual-$name"
            fi
        done
    done
    while read -r name; do
        texts=$((texts + 1))
        touch "$out/old/help/$name" "$out/new/help/$name"
        cmp -s "$out/old/help/.$name" "$out/new/help/.$name" || [ ! -e "$out/old/help/.$name" ] ||
            wrong "$name: another exit status"
        show_difference "$name" "$out/old/help/$name" "$out/new/help/$name"
    done < <(cd "$out" && find old/help new/help -type f ! -name '.*' -printf '%f\n' | sort -u)
    echo "$texts texts"
}
