# shellcheck shell=bash
# Sourced by all benchmarks: options, measurements in turn, medians, tables, the peers' Python, and the
# file of results.
set -euo pipefail
export LC_ALL=C
# Without a launcher there is one rank, as peers have one thread.
export HALOBEAT_RANKS=1

root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
bin=${HALOBEAT_BENCH_BIN:-$root/build/bench/bin}
# shellcheck disable=SC2034
data=$root/data
peers=$root/tests/bench

# What is measured: ns, us, ms or seconds, of which less is faster, or gcells or gbytes a second, of which
# more is.
unit=ns

# Options with a value besides those of all benchmarks: --NAME VALUE sets the variable NAME.
takes=()

# begin NAME ARGUMENT...: take the options; leaves $quick (yes or nothing), $rounds, $work and $save.
# shellcheck disable=SC2034 # not every benchmark uses all of them
begin() {
    benchmark=$1
    shift
    quick='' rounds='' baseline='' save=$root/build/bench/$benchmark.json
    local name
    for name in "${takes[@]}"; do printf -v "$name" %s ''; done
    while [ $# -gt 0 ]; do
        name=${1#--}
        case $1 in
            --quick) quick=yes ;;
            --help) help ;;
            --vs) baseline=${2:?--vs needs the result of an earlier run} && shift ;;
            --*)
                if [[ " rounds save ${takes[*]} " != *" $name "* ]]; then refuse "$1"; fi
                printf -v "$name" %s "${2:?$1 needs a value}"
                shift
                ;;
            *) refuse "$1" ;;
        esac
        shift
    done
    if [ -n "$baseline" ] && [ ! -r "$baseline" ]; then
        echo "./run bench $benchmark: cannot read $baseline; name the result of an earlier run" >&2
        exit 2
    fi
    work=$root/build/bench/work/$benchmark
    mkdir -p "$work" "$(dirname "$save")"
}

refuse() {
    {
        printf './run bench %s takes --quick, --rounds N, --vs FILE, --save FILE' "$benchmark"
        [ ${#takes[@]} = 0 ] || printf ', --%s VALUE' "${takes[@]}"
        echo ", not '$1'"
    } >&2
    exit 2
}

# help: the comment at the top of the benchmark, and the options of all.
help() {
    sed -n '2,${/^# shellcheck/d; /^#/!q; s/^# \{0,1\}//p}' "$0"
    cat <<END
  --quick           smaller, and fewer rounds
  --rounds N        of all that is compared, in turn
  --vs FILE.json    compare with the result of an earlier run
  --save FILE.json  where to keep the result (build/bench/$benchmark.json)
END
    exit
}

# either VALUE QUICK: the first, or with --quick the second.
either() { if [ -z "$quick" ]; then echo "$1"; else echo "$2"; fi; }

# value NAME LINE: of a line of NAME=VALUE words; nothing if it has none.
value() {
    sed -n "s/.*\b$1=\([^ ]*\).*/\1/p" <<<"$2"
}

# skip WHY...: leave the benchmark out.
skip() {
    echo "./run bench $benchmark: skipped: $*"
    exit
}

# begin_hosts COUNT: so many hosts, namespaces of this machine, with the functions of tests/hosts, and a
# new $work. They need root.
begin_hosts() {
    # shellcheck disable=SC2034 # for hosts.sh
    mpiexec=mpiexec.mpich launcher=mpich flags=() HALOBEAT_WIRE=$bin/wire
    rm -rf "$work" && mkdir -p "$work"
    # shellcheck source=tests/hosts/hosts.sh
    source "$root/tests/hosts/hosts.sh"
    clean_up() { :; } # hosts.sh calls it in the end
    hosts_needed
    hosts_start "$1"
}

# ---- Measurements ------------------------------------------------------------------------------

words=() # of the lines measured, that a row also shows, as medians

# [target=TARGET] [program=NAME] [most=N] way KEY RANKS TEXT FUNCTION ARGUMENT...: what measure_ways
# measures by FUNCTION KEY RANKS ARGUMENT... in each round, or in N of them, and what table says of it.
ways=()
declare -A way_ranks=() way_text=() way_target=() way_program=() way_most=() way_call=()
way() {
    local key=$1
    ways+=("$key")
    way_ranks[$key]=$2 way_text[$key]=$3 way_target[$key]=${target:-}
    way_program[$key]=${program:-halobeat} way_most[$key]=${most:-$rounds}
    way_call[$key]=$(printf ' %q' "$4" "$key" "$2" "${@:5}")
}

# measure_ways: all of them in turn, $rounds times.
measure_ways() {
    local key
    for ((round = 0; round < rounds; round++)); do
        for key in "${ways[@]}"; do
            if [ "$round" -lt "${way_most[$key]}" ]; then eval "${way_call[$key]}"; fi
        done
    done
}

# samples[KEY], samples[KEY/cpu], samples[KEY/WORD]: all that was measured; last[KEY]: the last line;
# parts[KEY]: the keys of its lines.
declare -A samples=() last=() parts=()

# measure KEY RANKS NAME WORD...: measure once on so many ranks, which are threads. Every line of NAME=VALUE
# words that is printed is a measurement, of KEY or, if the line has a key, of KEY-key.
measure() { keep_lines "$1" "$bin/bench" "${@:3}" threads="$2"; }

# measure_processes KEY RANKS NAME WORD...: the same on processes of MPI.
measure_processes() { keep_lines "$1" mpiexec.mpich -n "$2" "$bin/bench" "${@:3}"; }

# measure_peer KEY RANKS PROGRAM.py ARGUMENT...: the same with a peer, on one thread.
measure_peer() {
    local key=$1 peer=$3
    shift 3
    keep_lines "$key" env OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "$python" "$peers/$peer" "$@"
}

# keep_lines KEY COMMAND...
keep_lines() {
    local key=$1 line inner
    shift
    "$@" >"$work/out" 2>"$work/log" || failed "$@"
    while read -r line; do
        inner=$(value key "$line")
        if [ -n "$inner" ] && [ -z "${last[$key-$inner]:-}" ]; then parts[$key]+=" $inner"; fi
        keep "$key${inner:+-$inner}" "$line"
    done <"$work/out"
}

# keep KEY LINE: the value (of all ranks together, where that is told apart), the same on the
# processor, by whatever name, and the line as a whole.
keep() {
    local wall cpu word
    wall=$(value wall "$2")
    cpu=$(value "cpu_$unit" "$2")$(value processor_ns "$2")$(value cpu "$2")
    samples[$1]+=" ${wall:-$(value "$unit" "$2")}"
    samples[$1/cpu]+=${cpu:+ $cpu}
    for word in "${words[@]}"; do samples[$1/$word]+=" $(value "$word" "$2")"; done
    # shellcheck disable=SC2034
    last[$1]=$2
}

# make_picture FILE WORD...: one of the program's pictures, unless it is there.
make_picture() {
    [ ! -s "$1" ] || return 0
    "$bin/bench" picture threads=1 out="$1.new" "${@:2}" >"$work/log" 2>&1 || failed picture
    mv "$1.new" "$1"
}

# timed COMMAND...: how long it takes, into $passed, and on the processor, into $worked; both in seconds.
# wall_seconds COMMAND..., processor_seconds COMMAND...: one of them, into $taken.
timed() {
    local TIMEFORMAT='%R %U + %S' times
    times=$({ time "$@" >"$work/log" 2>&1; } 2>&1) || failed "$@"
    passed=${times%% *} worked=$(calculate "${times#* }")
}
# shellcheck disable=SC2034 # for benchmarks
wall_seconds() { timed "$@" && taken=$passed; }
# shellcheck disable=SC2034 # for benchmarks
processor_seconds() { timed "$@" && taken=$worked; }

# reported KEY: a number of the report of a run, $work/run.json.
reported() { sed -n "s/.*\"$1\": \([0-9.e+-]*\).*/\1/p" "$work/run.json" | tail -n 1; }

# peak_memory: bytes that the run held at most.
peak_memory() { sed -n 's/^  "peak_memory_bytes": \([0-9]*\).*/\1/p' "$work/run.json"; }

# calculate EXPRESSION [FORMAT]: with awk.
calculate() { awk "BEGIN { printf \"${2:-%.6g}\", $1 }"; }

failed() {
    echo "./run bench $benchmark: failed: $*" >&2
    cat "$work/log" >&2
    exit 1
}

# median|low|high KEY: of what was measured; nothing where nothing was.
statistic() {
    local which=$1
    # shellcheck disable=SC2086
    printf '%s\n' ${samples[$2]:-} | sort -g | awk -v which="$which" 'NF { v[++n] = $1 }
        END { if (n) print v[which == "low" ? 1 : which == "high" ? n : int((n + 1) / 2)] }'
}
median() { statistic median "$1"; }
low() { statistic low "$1"; }
high() { statistic high "$1"; }

# times KEY OTHER: how many times faster the first is than the second, or nothing.
times() {
    awk -v a="$(median "$1")" -v b="$(median "$2")" -v unit="$unit" \
        'BEGIN { if (a && b) printf "%.2f", unit ~ /^g/ ? a / b : b / a }'
}

# ---- Tables ------------------------------------------------------------------------------------

rows=()

# head_line: of the table that `row` prints.
head_line() {
    printf '%-38s %5s %9s %20s %9s %8s' "" ranks "$unit" "low - high" cpu target
    [ ${#words[@]} -eq 0 ] || printf ' %12s' "${words[@]}"
    printf '\n'
}

# table: the rows of all ways, which are then forgotten.
table() {
    local key part text
    head_line
    for key in "${ways[@]}"; do
        text=${way_text[$key]}
        for part in '' ${parts[$key]:-}; do
            row "$key${part:+-$part}" "${way_program[$key]}" "${way_ranks[$key]}" \
                "$text${text:+${part:+, }}$part" "${way_target[$key]}"
        done
    done
    ways=()
}

# row KEY PROGRAM RANKS TEXT [TARGET]: a line of the table and a row of the results; nothing where
# nothing was measured. A target is for the time on the processor, which does not grow by what else
# the machine does; one that is missed is marked.
row() {
    local key=$1 ranks=$3 text=$4 target=${5:-} n cpu word
    n=$(median "$key") cpu=$(median "$key/cpu")
    [ -n "$n" ] || return 0
    printf '%-38s %5d %9.3f %9.3f -%9.3f %9s %8s%s' "$text" "$ranks" "$n" "$(low "$key")" \
        "$(high "$key")" "${cpu:--}" "${target:--}" \
        "$(awk -v n="${cpu:-$n}" -v t="$target" 'BEGIN { if (t && n > t) printf " missed" }')"
    for word in "${words[@]}"; do printf ' %12s' "$(median "$key/$word")"; done
    printf '\n'
    result "$key" "$2" "$ranks" "$target"
}

# result KEY PROGRAM RANKS [TARGET]: the row of the results alone.
result() {
    local key=$1 cpu more='' word
    cpu=$(median "$key/cpu")
    for word in "${words[@]}"; do more+=", \"$word\": \"$(median "$key/$word")\""; done
    rows+=("{\"name\": \"$key\", \"program\": \"$2\", \"ranks\": $3, \"$unit\": $(median "$key"), \
\"low\": $(low "$key"), \"high\": $(high "$key"), \"cpu_$unit\": ${cpu:-null}, \
\"target_$unit\": ${4:-null}, \"runs\": $(wc -w <<<"${samples[$key]}")$more}")
}

# compared TEXT KEY OTHER [TARGET]: a ratio, if both were measured.
compared() {
    local ratio
    ratio=$(times "$2" "$3")
    [ -n "$ratio" ] || return 0
    printf '%-62s %8s %s\n' "$1" "$ratio" "${4:+(target $4)}"
}

# ---- Peers -------------------------------------------------------------------------------------

# find_python MODULE...: into $python, the first that has all of them; else a line that says so.
find_python() {
    local candidate
    for candidate in /usr/bin/python3 python3; do
        python=$candidate
        if "$python" -c "import $(IFS=,; echo "$*")" 2>/dev/null; then return 0; fi
    done
    python=''
    echo "skipped: no python3 here has $*"
    return 1
}

# ---- Results -----------------------------------------------------------------------------------

# compare_baseline: row by row with those of $baseline; less than the spread counts for nothing.
compare_baseline() {
    local one name old
    echo
    echo "Against $baseline:"
    for one in "${rows[@]}"; do
        name=${one#*\"name\": \"} name=${name%%\"*}
        old=$(grep -F "\"name\": \"$name\"" "$baseline") || continue
        printf '%s\n%s\n' "$old" "$one" | sed -n "s/.*\"ranks\": [0-9]*, \"\([a-z]*\)\": \([0-9.e+-]*\), \
\"low\": \([0-9.e+-]*\), \"high\": \([0-9.e+-]*\).*/\1 \2 \3 \4/p" | awk -v name="$name" '
            NR == 1 { before = $2; low = $3; high = $4 }
            NR == 2 { printf "%-38s %9.3f -> %9.3f %s  %+6.1f %%%s\n", name, before, $2, $1,
                100 * ($2 / before - 1), $3 <= high && low <= $4 ? "  within the spread" : "" }'
    done
}

finish() {
    {
        printf '{"benchmark": "%s", "rows": [\n' "$benchmark"
        (IFS=$'\n'; printf '%s' "${rows[*]}") | sed '$!s/$/,/'
        printf '\n]}\n'
    } >"$work/results.json"
    if [ -n "$baseline" ]; then compare_baseline; fi
    mv "$work/results.json" "$save"
    echo
    echo "Result kept in $save"
}
