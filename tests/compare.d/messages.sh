# shellcheck shell=bash
# shellcheck disable=SC2154  # tests/compare has set what is not set here
# Sourced by tests/compare: the tests of arguments and files that cannot be used, of the other
# revision, with a recorder in place of the program; what it has recorded of both programs.
: "${root:?}" "${out:=}"

# Both programs understand what the other revision's tests say; what these tests make of what they
# see does not matter here.
recorded_scripts='*bad*.sh synthetic.sh bench.sh'

# record_scripts SIDE FOLDER: all scripts, one after the other.
record_scripts() {
    local side=$1 temporary=$2 script
    export TMPDIR=$temporary COMPARE_PROGRAM=${program[$1]} COMPARE_LOG COMPARE_AS
    mkdir "$temporary"
    for script in "$out"/scripts/tests/cli/*.sh; do
        # shellcheck disable=SC2086  # they are patterns
        [[ " $(cd "${script%/*}" && echo $recorded_scripts) " = *" ${script##*/} "* ]] || continue
        # shellcheck disable=SC2053  # it is a pattern
        [[ $(basename "$script" .sh) = ${HALOBEAT_COMPARE_RUNS:-*} ]] || continue
        COMPARE_LOG=$out/$side/messages/$(basename "$script" .sh)
        COMPARE_AS=$out/record/halobeat
        mkdir -p "$COMPARE_LOG"
        bash "$script" "$COMPARE_AS" "$out/record/mpiexec" "$(command -v python3)" \
            "$out/scripts/data" "$out/$side/so" </dev/null >"$COMPARE_LOG.log" 2>&1 || true
    done
    # Names of folders are those of this run and side, and free memory comes and goes.
    find "$out/$side/messages" -type f -exec sed -i -e "s#$temporary/tmp\.[A-Za-z0-9]*#WORK#g" \
        -e "s#$out/$side#OUT#g; s#$out#OUT#g; s#${build[$side]}#BUILD#g" \
        -e 's/which has [0-9.]* MiB to give/which has SOME MiB to give/' {} +
}

compare_messages() {
    local side temporary
    mkdir -p "$out/scripts" "$out/record"
    git -C "$root" archive "$revision" tests data | tar -x -C "$out/scripts"
    ln -s "$root/tests/compare.d/record" "$out/record/halobeat"
    ln -s "$root/tests/compare.d/record" "$out/record/mpiexec"
    temporary=$(mktemp -d)
    for side in old new; do
        [ -e "$out/$side/so" ] || ln -s "${build[$side]}/tests/cli" "$out/$side/so"
        record_scripts "$side" "$temporary/$side" &
    done
    wait
    rm -rf "$temporary"
    [ -e "$out/old/messages" ] || fail 2 "no script has a name like $HALOBEAT_COMPARE_RUNS"
    told messages
}
