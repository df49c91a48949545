# shellcheck shell=bash
# Sourced by the benchmarks of clustering, motion, snakes and Chan-Vese: options, measurements in
# turn, medians, the peers' Python, and the file of results.
set -euo pipefail
export LC_ALL=C

root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
bin=${HALOBEAT_BENCH_BIN:-$root/build/bench/bin}
# shellcheck disable=SC2034
data=$root/data
peers=$root/tests/bench

# begin NAME ARGUMENT...: take the options; leaves $quick (yes or nothing), $work and $save.
# shellcheck disable=SC2034 # not every benchmark uses all of them
begin() {
    benchmark=$1
    shift
    quick='' baseline=''
    save=$root/build/bench/$benchmark.json
    while [ $# -gt 0 ]; do
        case $1 in
            --quick) quick=yes ;;
            --vs) baseline=${2:?--vs needs the result of an earlier run} && shift ;;
            --save) save=${2:?--save needs a file name} && shift ;;
            *)
                echo "./run bench $benchmark takes --quick, --vs FILE and --save FILE, not '$1'" >&2
                exit 2
                ;;
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

# value NAME LINE: of a line of NAME=VALUE words; nothing if it has none.
value() {
    sed -n "s/.*\b$1=\([^ ]*\).*/\1/p" <<<"$2"
}

# ---- Measurements ------------------------------------------------------------------------------

declare -A samples=() last=()

# measure KEY RANKS PROGRAM ARGUMENT...: run a program of ours once on so many ranks. Every line of
# NAME=VALUE words it prints is a measurement.
measure() {
    local key=$1 ranks=$2 line
    shift 2
    mpiexec.mpich -n "$ranks" "$bin/$1" "${@:2}" >"$work/out" 2>"$work/log" || failed "$@"
    while read -r line; do keep "$key" "$line"; done <"$work/out"
}

# measure_peer KEY PROGRAM.py ARGUMENT...: the same with a peer, on one thread.
measure_peer() {
    local key=$1 line
    shift
    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "$python" "$peers/$1" "${@:2}" >"$work/out" \
        2>"$work/log" || failed "$@"
    while read -r line; do keep "$key" "$line"; done <"$work/out"
}

# keep KEY LINE: ns (of all ranks together, where that is told apart), the same on the processor, by
# whatever name, and the line as a whole.
keep() {
    local ns cpu
    ns=$(value wall "$2")
    cpu=$(value cpu_ns "$2")$(value processor_ns "$2")$(value cpu "$2")
    samples[$1]+=" ${ns:-$(value ns "$2")}"
    samples[$1/cpu]+=${cpu:+ $cpu}
    # shellcheck disable=SC2034
    last[$1]=$2
}

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
    awk -v a="$(median "$1")" -v b="$(median "$2")" 'BEGIN { if (a && b) printf "%.2f", b / a }'
}

# ---- Tables ------------------------------------------------------------------------------------

rows=()

# head_line: of the table that `row` prints.
head_line() {
    printf '%-38s %5s %9s %20s %9s %8s\n' "" ranks ns "low - high" "cpu" "target"
}

# row KEY PROGRAM RANKS TEXT [TARGET]: a line of the table and a row of the results; nothing where
# nothing was measured. A target is for the time on the processor, which does not grow by what else
# the machine does; one that is missed is marked.
row() {
    local key=$1 program=$2 ranks=$3 text=$4 target=${5:-} n cpu
    n=$(median "$key") cpu=$(median "$key/cpu")
    [ -n "$n" ] || return 0
    printf '%-38s %5d %9.3f %9.3f -%9.3f %9s %8s%s\n' "$text" "$ranks" "$n" "$(low "$key")" \
        "$(high "$key")" "${cpu:--}" "${target:--}" \
        "$(awk -v n="${cpu:-$n}" -v t="$target" 'BEGIN { if (t && n > t) printf " missed" }')"
    rows+=("{\"name\": \"$key\", \"program\": \"$program\", \"ranks\": $ranks, \"ns\": $n, \
\"low\": $(low "$key"), \"high\": $(high "$key"), \"cpu_ns\": ${cpu:-null}, \
\"target_ns\": ${target:-null}, \"runs\": $(wc -w <<<"${samples[$key]}")}")
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

finish() {
    local one name before now
    {
        printf '{"benchmark": "%s", "rows": [\n' "$benchmark"
        (IFS=$'\n'; printf '%s' "${rows[*]}") | sed '$!s/$/,/'
        printf '\n]}\n'
    } >"$work/results.json"
    if [ -n "$baseline" ]; then
        echo
        echo "Against $baseline (ns; less is faster):"
        for one in "${rows[@]}"; do
            name=${one#*\"name\": \"} name=${name%%\"*}
            before=$(sed -n "s|.*\"name\": \"$name\".*\"ns\": \([0-9.e+-]*\).*|\1|p" "$baseline")
            now=$(median "$name")
            if [ -n "$before" ]; then
                awk -v n="$name" -v b="$before" -v a="$now" \
                    'BEGIN { printf "%-38s %9.3f -> %9.3f  %+6.1f %%\n", n, b, a, 100 * (a / b - 1) }'
            fi
        done
    fi
    mv "$work/results.json" "$save"
    echo
    echo "Result kept in $save"
}
