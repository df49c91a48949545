#!/usr/bin/env bash
# Does CI run every test? Compares the tests that ctest knows with the stages of `.ci/run --stages`:
#
#   tests/stages.sh           in the folders of all presets that CI builds; configures those that are not there
#   tests/stages.sh FOLDER    in one build folder: labels only, since the other presets' tests are
#                             not known
#
# Names every test that no stage runs, every label ci-... and all-... that is no stage, every stage without
# a test, every name in a list of a stage or of long tests that no test has, and every source of a test that is not
# registered.
# Says how many tests only the stages all-... run, those of `.ci/run --all`.
set -euo pipefail
root=$(dirname "$(readlink -f "$0")")/..
faults=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fault() {
    echo "FAILED $*"
    faults=$((faults + 1))
}

# tests_in FOLDER CTEST-OPTION...: names, sorted.
tests_in() {
    ctest --test-dir "$1" -N "${@:2}" | sed -n 's/^ *Test *#[0-9]*: \([^ ]*\).*/\1/p' | sort
}

# check_labels FOLDER: each test has a label, and each label is a stage.
check_labels() {
    local name label
    for name in $(tests_in "$1" -LE '^(ci|all)-'); do
        fault "${1##*/}: $name has no stage; say one with halobeat_test_stages"
    done
    for label in $(ctest --test-dir "$1" --print-labels | sed -n 's/^ *\(\(ci\|all\)-[^ ]*\)$/\1/p'); do
        grep -q "^$label " "$work/stages" && continue
        for name in $(tests_in "$1" -L "^$label\$"); do
            fault "${1##*/}: $name is labelled $label, which is no stage of .ci/run"
        done
    done
}

# check_lists FOLDER: each test that a list of a stage in CMakeLists.txt names is there. SimGrid's
# tests are in no list.
check_lists() {
    local name
    [ -f "$1/listed_mpi_tests" ] || return 0
    for name in $(comm -23 <(sort "$1/listed_mpi_tests") <(tests_in "$1")); do
        fault "${1##*/}: $name is in a list of tests/CMakeLists.txt, and there is no such test"
    done
}

# check_runs: each stage runs something, and each test of any preset is run by a stage.
check_runs() {
    local label preset name
    while read -r label preset _; do
        tests_in "$root/build/$preset" -L "^$label\$" >"$work/$label"
        [ -s "$work/$label" ] || fault "the stage $label runs nothing of the preset $preset"
        tests_in "$root/build/$preset" >"$work/known-$preset"
    done <"$work/stages"
    sort -u "$work"/ci-* >"$work/always"
    sort -u "$work/always" "$work"/all-[a-z]* >"$work/run"
    sort -u "$work"/known-* >"$work/known"
    for name in $(comm -23 "$work/known" "$work/run"); do
        fault "$name is run by no stage: its labels are stages whose presets do not have it"
    done
    sed -n '/^set(HALOBEAT_LONG_TESTS/,/)/ { s/^set(HALOBEAT_LONG_TESTS\|)//; p }' "$root/tests/stages.cmake" |
        tr -s ' ' '\n' | sed '/^$/d' | sort >"$work/long"
    for name in $(comm -13 "$work/known" "$work/long"); do
        fault "$name is in HALOBEAT_LONG_TESTS of tests/stages.cmake, and there is no such test"
    done
    printf '%d tests, of which .ci/run runs %d, and .ci/run --all %d\n' "$(wc -l <"$work/known")" \
        "$(wc -l <"$work/always")" "$(wc -l <"$work/run")"
}

# commands_of FOLDER: the tests of CI and their commands, as CMake wrote them: ctest shows none whose program is
# not built.
commands_of() {
    find "$1" -name CTestTestfile.cmake -exec sed -n 's/^add_test(\[=*\[\([^]]*\)\]=*\] /\1 /p' {} + |
        awk 'NR == FNR { known[$1]; next } $1 in known' <(tests_in "$1" -L '^ci-') -
}

# check_sources: a program or script that is no test's command is run by nobody; one that only tests of
# `.ci/run --all` run is run too rarely.
check_sources() {
    local preset file command
    while read -r _ preset _; do
        commands_of "$root/build/$preset"
    done <"$work/stages" >"$work/commands"
    cd "$root/tests"
    for file in unit/test_*.c mpi/test_*.c fuzz/fuzz_*.c cli/*.sh hosts/*.sh install/*.sh; do
        case $file in
            *.c) command=/$(basename "$file" .c) ;;
            *)
                grep -q '^finish$' "$file" || continue # what scripts share
                command=/tests/$file
                ;;
        esac
        grep -q -F -e "$command\"" -e "$command " <(sed 's/$/ /' "$work/commands") ||
            fault "tests/$file is no test of .ci/run: its CMakeLists.txt does not register it"
    done
}

"$root/.ci/run" --stages >"$work/stages"
if [ $# -gt 0 ]; then
    check_labels "$1"
    check_lists "$1"
else
    while read -r _ preset _; do
        [ -f "$root/build/$preset/CTestTestfile.cmake" ] ||
            (cd "$root" && cmake --preset "$preset") >"$work/configured" 2>&1 ||
            fault "build/$preset cannot be configured: $(tail -n 5 "$work/configured")"
    done <"$work/stages"
    if [ "$faults" = 0 ]; then
        while read -r _ preset _; do
            check_labels "$root/build/$preset"
            check_lists "$root/build/$preset"
        done <"$work/stages"
        check_runs
        check_sources
    fi
fi
[ "$faults" = 0 ]
