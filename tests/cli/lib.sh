# shellcheck shell=bash
# Sourced by the tests of the program with their own arguments: PROGRAM MPIEXEC PYTHON DATA TOOLS.
set -uo pipefail
export LC_ALL=C
# Lines are as wide as without a terminal.
unset COLUMNS LINES
# A program without a launcher has one rank, unless a script is about several: `run 1` says so.
export HALOBEAT_RANKS=1
# Under a sanitizer, too much memory is to be refused, and what it finds has a status of its own: the
# program's are 0 to 2. Faults are its own to report: UCX, below MPICH, would take their signals.
export ASAN_OPTIONS=allocator_may_return_null=1:exitcode=99:handle_segv=2:handle_sigbus=2:handle_sigfpe=2:handle_sigill=2${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export UBSAN_OPTIONS=exitcode=99:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}

# Not every script uses all of them.
# shellcheck disable=SC2034
program=$1 mpiexec=$2 python=$3 data=$4 tools=$5
# Seconds; what takes longer hangs, on a busy machine and under a sanitizer too.
limit=${HALOBEAT_TEST_LIMIT:-60}

work=$(mktemp -d)
# A child that is killed before it has become its program runs the trap that it was forked with. It has no record of
# its own processes: statuses of commands are those of others there, and `[` fails.
clean_up() { case $BASHPID in "$$") rm -rf "$work" ;; esac }
trap clean_up EXIT
mkdir "$work/out"

# Open MPI wants to be allowed things, and explains failures at length.
flags=() launcher=mpich
case $("$mpiexec" --version 2>&1) in
    *'Open MPI'* | *OpenRTE*)
        flags=(--oversubscribe --allow-run-as-root)
        launcher=openmpi
        ;;
esac
[ "$mpiexec" != no-mpiexec ] || launcher=none

checks=0 failures=0 what=''

# good; wrong WORDS...: one check more, which held or did not.
good() { checks=$((checks + 1)); }
wrong() {
    checks=$((checks + 1)) failures=$((failures + 1))
    if [ "$failures" -le 20 ]; then
        printf 'FAILED %s\n    %s\n' "$what" "$*"
        sed 's/^/    stderr: /' "$work/stderr" 2>/dev/null | cut -c 1-300 | head -n 5
    fi
}

# holds WORDS COMMAND...: check that a command succeeds.
holds() {
    if "${@:2}"; then good; else wrong "$1"; fi
}

# finish: the last line of every test.
finish() {
    echo "$checks checks, $failures failed"
    [ "$checks" -gt 0 ] && [ "$failures" = 0 ]
    exit
}

# more: is this one of the tests that `.ci/run --all` alone runs? In the others, which each .ci/run runs, scripts
# leave out what multiplies checks without being of another kind.
more() { [ -n "${HALOBEAT_TEST_MORE:-}" ]; }

# some EVERY WORD...: prints each EVERY-th of these words, from the first on; with `more` all.
some() {
    local every=$1 number
    shift
    if more; then every=1; fi
    for ((number = 1; number <= $#; number += every)); do echo "${!number}"; done
}

# names_in HEADER LIST: the names in the rows X(name...) or X(CODE, name...) of a list in the sources.
names_in() {
    sed -n "/define $2(X)/,/[^\\\\]\$/s/.*X(\([A-Z0-9_]*, \)\?\([a-z0-9_]*\).*/\2/p" "$data/../$1"
}

# rows: a table of standard input without the rows that begin with `+`; with `more`, all of them.
rows() { if more; then sed 's/^+ *//'; else sed '/^+/d'; fi; }

# skip WHY...: leave the whole test out.
skip() {
    echo "skipped: $*"
    exit 77
}

# Missing packages are reported in one form, which tools/report.sh collects: "skipped: WHAT, not
# installed: PACKAGE...", with Debian's names.

# has PROGRAM PACKAGE WHAT...: can the part WHAT of a test, which needs PROGRAM, be done?
has() {
    command -v "$1" >/dev/null && return
    echo "skipped: ${*:3}, not installed: $2"
    false
}

# has_python WHAT MODULE...: the same for Python's modules; `sys` is always there.
# They are looked for, not imported, which would take longer than many a script that uses them.
has_python() {
    local module missing=''
    if [ -x "$python" ]; then
        for module in $("$python" -c 'import importlib.util, sys
print(*(name for name in sys.argv[1:] if importlib.util.find_spec(name) is None))' "${@:2}"); do
            missing+=" $(package_of "$module")"
        done
    else
        missing=' python3'
    fi
    [ -z "$missing" ] || echo "skipped: $1, not installed:$missing"
    [ -z "$missing" ]
}

# package_of MODULE: Debian's name.
package_of() {
    case $1 in
        PIL) echo python3-pil ;;
        cv2) echo python3-opencv ;;
        vtk) echo python3-vtk9 ;;
        h5py | matplotlib | mpi4py | nibabel | numpy | scipy | skimage | sklearn | tifffile | zarr | numcodecs) echo "python3-$1" ;;
        *) echo python3 ;;
    esac
}

# needs PROGRAM PACKAGE; needs_python MODULE...: without them the whole test is left out.
needs() { has "$1" "$2" 'the whole test' || exit 77; }
needs_python() { has_python 'the whole test' "$@" || exit 77; }

# start_with RANKS: leaves in $starter what goes before the program. One rank is started without
# mpiexec.
start_with() {
    starter=()
    if [ "$1" = 1 ]; then return; fi
    if [ -n "${HALOBEAT_TEST_HOSTS:-}" ]; then
        start_on_hosts "$1"
    else
        starter=("$mpiexec" "${flags[@]}" -n "$1")
    fi
}

# check_sanitizers: has one found anything in the last run?
check_sanitizers() {
    [ "$status" -gt 2 ] || return
    local found
    found=$(grep -A 6 -e '\(ERROR\|WARNING\): .*Sanitizer' -e ': runtime error: ' "$work/stderr")
    [ -z "$found" ] || wrong "$found"
}

# uses_threads COMMAND: with HALOBEAT_TEST_THREADS in the environment, ranks of the commands that can
# have them are threads, and so are those of other programs.
uses_threads() {
    case ${HALOBEAT_TEST_THREADS:+${program##*/}} in '' | halobeat) ;; *) return 0 ;; esac
    # `bench` takes a list of numbers of ranks, `help` takes none, and what is not a word is no command.
    case ${HALOBEAT_TEST_THREADS:+$1} in '' | bench | help | [!a-z]* | *[!a-z-]*) return 1 ;; esac
}

# on_threads RANKS COMMAND ARGUMENT...: leaves in $arguments what starts so many threads, and in $starter what goes
# before the program. A kernel comes first, whose options are then known.
on_threads() {
    local first=1
    case ${2:-},${3:--} in run,[!-]*) first=2 ;; esac
    starter=() arguments=("${@:2}")
    if [ "${program##*/}" != halobeat ]; then
        starter=(env "HALOBEAT_RANKS=$1")
    elif [ "$1" != 1 ]; then
        arguments=("${@:2:first}" --ranks "$1" "${@:first+2}")
    fi
}

# start_any RANKS: as start_with for programs that others start, of which all have ranks that are threads.
start_any() {
    if [ -n "${HALOBEAT_TEST_THREADS:-}" ]; then
        starter=(env "HALOBEAT_RANKS=$1")
    else
        start_with "$1"
    fi
}

# run RANKS ARGUMENT...: start the program; leaves $status, $work/stdout and $work/stderr.
run() {
    local ranks=$1
    shift
    what="halobeat $* ($ranks ranks)"
    if uses_threads "${1:-}"; then
        on_threads "$ranks" "$@"
    else
        start_with "$ranks"
        arguments=("$@")
    fi
    status=0
    timeout -k 5 "$limit" "${starter[@]}" "$program" "${arguments[@]}" \
        </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
    if [ "$status" = 124 ] || [ "$status" = 137 ]; then wrong "still running after $limit s"; fi
    check_sanitizers
}

# in_terminal STREAM COLUMNS LINES COMMAND...: a command of this script, as `run`, for which the program has a
# terminal as standard output (1) or standard error (2).
in_terminal() {
    local shown=$work/terminal/${program##*/}
    mkdir -p "$work/terminal"
    printf '#!/usr/bin/env bash\nexec %q %q %s %q "$@"\n' "$python" \
        "$(readlink -f "$(dirname "${BASH_SOURCE[0]}")")/in_terminal.py" "${*:1:3}" "$program" >"$shown"
    chmod +x "$shown"
    local program=$shown
    "${@:4}"
}

# run_well RANKS ARGUMENT...: and expect no complaint.
run_well() {
    run "$@"
    if [ "$status" = 0 ] && ! has_messages; then good; else wrong "exit status $status"; fi
}

# needs_format NAME PACKAGE: a program that was built without a format leaves the whole test out.
needs_format() {
    run_well 1 --version
    grep -q "^reads images as .*$1" "$work/stdout" || skip "built without $1: $2"
}

# add_run WORD...: one run more that a script compares with others' results: a line of $work/runs, which begins
# with a new folder for what it writes, $folder.
runs=0
add_run() {
    folder=$work/runs.d/$runs
    mkdir -p "$folder"
    echo "$folder" "$@" >>"$work/runs"
    runs=$((runs + 1))
}

# labelled RANKS IMAGE OPTION...: the same, with labels.npy, regions.csv and run.json of `halobeat label`.
labelled() {
    add_run "${@:2}"
    run_well "$1" label "$2" -q -o "$folder/labels.npy" --regions "$folder/regions.csv" --json "$folder/run.json" \
        "${@:3}"
}

# unbroken: standard output with the parts of lines that were broken for a terminal put together.
unbroken() {
    sed -e ':a' -e 'N' -e '$!ba' -e 's/\n  *\([^ ]\)/ \1/g' "$work/stdout"
}

# list_commands: sets all_commands to those that the program has, in its order.
list_commands() {
    mapfile -t all_commands < <("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
    [ ${#all_commands[@]} -gt 1 ] || wrong 'the program does not list its commands'
}

# list_balancers: sets balancers to those that the program has, in its order.
list_balancers() {
    local text
    text=$("$program" run heat --balance '?' 2>&1 | sed -n 's/.*unknown balancer "?"; use \(.*\)/\1/p')
    text=${text//,/}
    read -ra balancers <<<"${text/ or / }"
    [ ${#balancers[@]} -gt 1 ] || wrong 'the program does not list its balancers'
}

# told KEY...: a value in the JSON summary of the last run that wrote one to $work/out/run.json.
told() { "$python" -I -S -c 'import json, sys
value = json.load(open(sys.argv[1]))
for key in sys.argv[2:]:
    value = value[int(key) if isinstance(value, list) else key]
print(value)' "$work/out/run.json" "$@"; }

# mpi_library: the library for MPI beside the program, by the name under which it is loaded. A folder in which another
# version was built before has that one's, too.
mpi_library() {
    find "${program%/bin/*}"/lib* -name 'libhalobeat_mpi.so.*' -type l -printf '%T@ %p\n' | sort -n | sed -n '$s/^[^ ]* //p'
}

# damage FILE AT: leaves $work/damaged, which is the file with one byte changed.
damage() {
    local byte
    cp "$1" "$work/damaged"
    byte=$(od -An -t u1 -j "$2" -N 1 "$1")
    # shellcheck disable=SC2059
    printf "\\$(printf '%03o' $((byte ^ 1)))" |
        dd of="$work/damaged" bs=1 seek="$2" conv=notrunc status=none
}

# messages: what the program itself said on stderr. (To start a program takes longer than most of what this
# does thousands of times: the shell does it.)
messages() {
    local line said=1 from=$work/stderr
    if [ "$launcher" = openmpi ]; then
        from=$work/said
        sed -e '/^-----/,/^-----/d' -e '/^mca_/d' "$work/stderr" >"$from"
    fi
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in '' | ==[0-9]*==WARNING:\ AddressSanitizer\ failed\ to\ allocate*) continue ;; esac
        printf '%s\n' "$line"
        said=0
    done <"$from"
    return $said
}

# has_messages: has it said anything?
has_messages() { [ -s "$work/stderr" ] && messages >/dev/null; }

# wait_until SECONDS COMMAND...: until it succeeds; leaves in $took how many tenths of a second it took.
wait_until() {
    local tenths=$((10 * $1))
    for ((took = 0; took < tenths; took++)); do
        "${@:2}" && return
        sleep 0.1
    done
    false
}

# listing: everything in the output folder, with checksums.
listing() {
    local within=("$work"/out/* "$work"/out/.[!.]*)
    [ -e "${within[0]}" ] || [ -e "${within[-1]}" ] || return 0
    (
        cd "$work/out" || exit
        find . ! -type f | sort
        find . -type f -print0 | sort -z | xargs -0 -r cksum
    )
}

# fails STATUS PATTERN RANKS COMMAND ARGUMENT...: the program must fail with this status and one line
# that matches, and leave the output folder as it was.
fails() {
    local wanted=$1 pattern=$2 before line others sentences name="halobeat $4"
    before=$(listing)
    shift 2
    run "$@"
    [ "$status" = "$wanted" ] || wrong "exit status $status, not $wanted"
    sentences=() others=0
    while IFS= read -r line; do
        case $wanted,$line in
            *,"$name: "?*) sentences+=("$line") ;;
            # Where to find help after an argument that is not understood; the end of that sentence may
            # have a line of its own.
            2,"Try \`$name --help"* | 2,"\`$name --help"* | 2,information.) ;;
            *) others=$((others + 1)) ;;
        esac
    done < <(messages)
    [ "${#sentences[@]}" = 1 ] || wrong "${#sentences[@]} messages, not one"
    grep -q -i -e "^$name: .*$pattern" <<<"${sentences[0]:-}" || wrong "no message about $pattern"
    [ "$others" = 0 ] || wrong "$others lines more than the message"
    # A run that lost an output goes on, and has a summary.
    [ ! -s "$work/stdout" ] || grep -q 'the run goes on' "$work/stderr" ||
        wrong "a failed run wrote to standard output"
    [ "$(listing)" = "$before" ] || wrong "the output folder has changed: $(listing)"
    good
}

# refuse PATTERN ARGUMENT...: the command $refusing does not take these arguments, and says PATTERN;
# now and then on several ranks, of which one speaks.
refusing='' turns=0
refuse() {
    local ranks=1
    case $((turns % 6)) in
        2) ranks=2 ;;
        5) ranks=3 ;;
    esac
    turns=$((turns + 1))
    fails 2 "$1" "$ranks" "$refusing" "${@:2}"
}

# bad OPTION VALUE...: none of these values will do; $besides is what else the command needs. What
# tables of options say by themselves, limits and choices among it, is refusals_rows.py's.
besides=()
bad() {
    local value
    for value in "${@:2}"; do refuse "$1.*$value" "${besides[@]}" "--$1=$value"; done
}

# HALOBEAT_TEST_HOSTS=4: ranks are started on 4 hosts, namespaces of this machine.
if [ -n "${HALOBEAT_TEST_HOSTS:-}" ]; then
    # shellcheck source=tests/hosts/hosts.sh
    source "$(dirname "${BASH_SOURCE[0]}")/../hosts/hosts.sh"
    hosts_needed
    hosts_start "$HALOBEAT_TEST_HOSTS"
fi
