#!/usr/bin/env bash
# ./run sim [NAME...]: balancers on simulated clusters. Prints a table for each scenario, and the one
# of the paper on LB1 and LB2; leaves decisions, reports and a picture of each scenario in out/sim.
#   NAME   only these: a scenario, or paper
#
# Times are virtual, so that they are the same on every machine and in every run.
set -euo pipefail
export LC_ALL=C

root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
source "$root/tools/simulate.sh"
build=$root/build/simgrid
out=$root/out/sim
mapfile -t balancers < <(balancers_of "$build/bin/halobeat")
if [ ${#balancers[@]} -lt 2 ]; then
    echo "$build/bin/halobeat does not list its balancers" >&2
    exit 1
fi

# A scenario has a platform, and options of the synthetic kernel. Rows and work are such that a beat is
# worth some tens of delays of its network.
small=(--size 16x4096 --work 500 --beats 150)
declare -A platform=() options=() says=()
names=()
scenario() {
    names+=("$1")
    platform[$1]=$2 says[$1]=$3
    options[$1]="${*:4}"
}
scenario even uniform "16 equal machines, equal rows: nothing to gain" "${small[@]}"
scenario gradient uniform "equal machines, a row's cost rises from 1 to 3" \
    "${small[@]}" --profile linear:ratio=3
scenario hot uniform "equal machines, a tenth of the rows costs 8 times as much, and moves" \
    "${small[@]}" --profile hot:ratio=8,width=.1,speed=4
scenario noisy uniform "16 equal machines, equal rows, but speeds vary by 10 % from beat to beat" \
    "${small[@]}" --load-trace "$out/noise.trace"
scenario slow-noisy slow-node "one of 16 machines is 3 times slower, and all vary by 10 %" \
    "${small[@]}" --load-trace "$out/noise.trace"
scenario slow-node slow-node "one of 16 machines is 3 times slower" "${small[@]}"
scenario slow-later uniform "rank 5 becomes 3 times slower after 50 of 150 beats" \
    "${small[@]}" --slow 5:3@50
scenario halves halves "every other machine is 6.66 times faster" "${small[@]}"
scenario trace trace "the speed of rank 9 follows a trace" "${small[@]}"
scenario laboratory laboratory "a PC and four Suns, Ethernet and ATM" \
    --size 16x1000 --work 3000 --beats 100
scenario laboratory-loaded laboratory-loaded "the same, other programs on computer 3" \
    --size 16x1000 --work 3000 --beats 100
scenario two-sites-near two-sites-near "two sites of 15 machines, 2.5 ms apart" \
    --size 16x3000 --work 1000 --beats 100
scenario two-sites two-sites "two sites of 15 machines, 250 ms apart" \
    --size 16x3000 --work 1000 --beats 100
scenario cluster-256 cluster-256 "256 machines, 6 of them slow" \
    --size 16x16384 --work 500 --beats 40

# Other programs take from nothing to a quarter of every machine, something else every 20 ms: a beat.
# Lehmer's generator, which awk's numbers hold exactly, so that it is the same everywhere.
write_noise() {
    awk 'BEGIN {
        x = 1
        for (rank = 0; rank < 16; rank++)
            for (second = 0; second < 12; second += .02) {
                x = (x * 16807) % 2147483647
                printf "%.2f %d %.3f\n", second, rank, .35 * x / 2147483647
            }
    }' >"$out/noise.trace"
}

# run_one SCENARIO BALANCER: leaves SCENARIO-BALANCER.{txt,json,csv}.
run_one() {
    local base=$out/$1-$2
    # shellcheck disable=SC2086 # the options' words
    simulate "${platform[$1]}" "$build/bin/halobeat" synthetic ${options[$1]} --balance "$2" \
        --balance-log "$base.csv" --json "$base.json" >"$base.txt" 2>&1 &&
        grep -q '^digest .* checked$' "$base.txt"
}

# value FILE KEY: the first number or word of that key.
value() { sed -n "s/.*\"$2\": \"\{0,1\}\([^\",}]*\).*/\1/p" "$1" | head -n 1; }

table() {
    local name=$1 balancer base seconds none
    printf '\n%s: %s\n' "$name" "${says[$name]}"
    printf '  %-10s %10s %8s %11s %7s %6s %11s\n' \
        balancer seconds gain efficiency IDC moves 'rows moved'
    none=$(value "$out/$name-none.json" beats_seconds)
    for balancer in "${balancers[@]}"; do
        base=$out/$name-$balancer
        seconds=$(value "$base.json" beats_seconds)
        awk -v b="$balancer" -v s="$seconds" -v n="$none" \
            -v e="$(value "$base.json" efficiency)" -v i="$(value "$base.json" imbalance)" \
            -v m="$(value "$base.json" moves)" -v r="$(value "$base.json" rows_moved)" \
            'BEGIN { printf "  %-10s %10.4f %7.2fx %10.1f%% %6.1f%% %6d %11d\n",
                     b, s, n / s, 100 * e, 100 * i, m, r }'
    done
}

# All scenarios in one table: virtual seconds.
overview() {
    local name balancer
    printf '\n%-18s' 'virtual seconds'
    printf ' %10s' "${balancers[@]}"
    printf '\n'
    for name in "$@"; do
        printf '%-18s' "$name"
        for balancer in "${balancers[@]}"; do
            printf ' %10.4g' "$(value "$out/$name-$balancer.json" beats_seconds)"
        done
        printf '\n'
    done
}

# cuts_over_time SCENARIO BALANCER BEATS: a line "BEAT CUT_0 CUT_1 ..." for each plan, for the beginning
# (cuts that nobody moves are as they began) and for the end.
cuts_over_time() {
    awk -v beats="$3" '
        function cuts(    text, i) {
            gsub(/"[^"]*"/, "")
            text = ""
            split($0, field, ",")
            for (i = 6; i in field; i++) text = text " " field[i]
            return text
        }
        FNR == 1 { next }
        FNR == NR { if (FNR == 2) print 0 cuts(); next }
        { split($0, field, ","); beat = field[1]; last = cuts(); print beat last }
        END { print beats last }' "$out/$1-none.csv" "$out/$1-$2.csv" >"$out/$1-$2.cuts"
}

picture() {
    if ! command -v gnuplot >/dev/null; then
        echo 'skipped: pictures of scenarios, not installed: gnuplot-nox'
        return
    fi
    local name=$1 balancer beats
    beats=$(value "$out/$name-none.json" beats)
    for balancer in "${balancers[@]}"; do
        echo "$balancer $(value "$out/$name-$balancer.json" beats_seconds)" >&3
        cuts_over_time "$name" "$balancer" "$beats"
    done 3>"$out/$name.times"
    SAYS=${says[$name]} gnuplot -e "name='$name'; folder='$out'; \
        ranks=$(platform_ranks "${platform[$name]}"); \
        rows=$(value "$out/$name-none.json" rows); beats=$beats; moving='${balancers[*]/none/}'" \
        "$root/tests/sim/picture.gp" || echo "gnuplot could not draw $out/$name.png" >&2
}

# Runs that do not depend on each other, one for each core.
run_all() {
    local name balancer running=0 most
    most=$(nproc)
    for name in "$@"; do
        for balancer in "${balancers[@]}"; do
            if [ "$running" -ge "$most" ]; then
                wait -n || true
                running=$((running - 1))
            fi
            run_one "$name" "$balancer" &
            running=$((running + 1))
        done
    done
    wait
}

# A run that failed has left no line that says it was checked.
check_all() {
    local name balancer bad=0
    for name in "$@"; do
        for balancer in "${balancers[@]}"; do
            if ! grep -q '^digest .* checked$' "$out/$name-$balancer.txt"; then
                echo "The run of $name with $balancer failed:" >&2
                cat "$out/$name-$balancer.txt" >&2
                bad=1
            fi
        done
    done
    return "$bad"
}

main() {
    local name paper=yes
    local -a wanted=("${names[@]}")
    if [ $# -gt 0 ]; then
        wanted=() paper=no
        for name in "$@"; do
            if [ "$name" = paper ]; then
                paper=yes
            elif [ -n "${platform[$name]:-}" ]; then
                wanted+=("$name")
            else
                echo "./run sim knows no '$name'; there are: paper ${names[*]}" >&2
                exit 2
            fi
        done
    fi
    mkdir -p "$out"
    if [ "$paper" = yes ]; then
        bash "$root/tests/sim/paper.sh"
    fi
    [ ${#wanted[@]} -gt 0 ] || return 0
    write_noise
    run_all "${wanted[@]}"
    check_all "${wanted[@]}" || exit 1
    for name in "${wanted[@]}"; do
        table "$name" | tee "$out/$name.table"
        picture "$name"
    done
    if [ ${#wanted[@]} -gt 1 ]; then overview "${wanted[@]}" | tee "$out/overview.table"; fi
    printf '\nPictures of boundaries over time, decisions (csv) and reports (json): %s\n' "$out"
}

main "$@"
