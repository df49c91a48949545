# shellcheck shell=bash
# Sourced, behind lib.sh, by the tests of runs that are cut in two by a checkpoint or a signal.

# Compare the outputs of a run in one part with those of one in two.
# shellcheck disable=SC2154
whole=$work/whole out=$work/out
mkdir "$whole"

# same FILE...: both runs wrote the same.
same() {
    local file
    for file in "$@"; do holds "another $file" cmp -s "$whole/$file" "$out/$file"; done
}

# Open MPI takes a second before it passes a signal on, and another before it kills.
# shellcheck disable=SC2034,SC2154
case $launcher in
    mpich) ranks_hear_signals=yes ;;
    *) ranks_hear_signals='' ;;
esac

# shows WORDS: the program has begun to show how far it is with what these words say.
shows() { grep -q "$1.*%" "$work/stderr"; }

# exists FILE: the program has written it.
exists() { [ -e "$1" ]; }

# stop_once BEGUN WORDS SIGNAL RANKS COMMAND ARGUMENT...: send the program a signal once BEGUN WORDS
# succeeds; it must leave, say so, and say how to go on. Launchers have their own ideas about the
# exit status after a signal.
# shellcheck disable=SC2034,SC2154
stop_once() {
    local process begun=$1 words=$2 signal=$3 ranks=$4 end=$((SECONDS + limit))
    shift 4
    what="SIG$signal on $ranks ranks: halobeat $*"
    if uses_threads "$1"; then
        on_threads "$ranks" "$@"
    else
        start_with "$ranks"
        arguments=("$@")
    fi
    "${starter[@]}" "$program" "${arguments[@]}" </dev/null >"$work/stdout" 2>"$work/stderr" &
    process=$!
    # A run that cannot begin ends by itself; $limit is for one that hangs.
    until "$begun" "$words" || ! kill -0 "$process" || [ "$SECONDS" -ge "$end" ]; do
        sleep 0.05
    done 2>/dev/null
    holds "ended before it was told to, or still beginning after $limit s" "$begun" "$words"
    kill -s "$signal" "$process"
    status=0
    wait "$process" || status=$?
    check_sanitizers
    if [ ${#starter[@]} = 0 ]; then holds "exit status $status, not 1" [ "$status" = 1 ]; fi
    holds "no word about the signal" grep -q 'stopped by a signal' <(unbroken)
    holds "no message" grep -q "halobeat $1: stopped by a signal .* [0-9].*--restore.*state" \
        "$work/stderr"
}
