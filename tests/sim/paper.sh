#!/usr/bin/env bash
# ./run sim paper: the table of the paper on LB1 and LB2 beside the simulated laboratory's, and how many
# of its orders hold over all combinations of other values of what was chosen; and what balancing costs
# where processes share a computer by time slices. Leaves the tables (paper.txt), a line for each
# combination (paper-sweep.csv) and for each run with time slices (paper-turns.csv) in out/sim.
#   --build FOLDER, --out FOLDER   in place of build/simgrid, and of out/sim
set -euo pipefail
export LC_ALL=C

root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
source "$root/tools/simulate.sh"
build=$root/build/simgrid
out=$root/out/sim
while [ $# -gt 0 ]; do
    case $1 in
        --build) build=${2:?--build needs a folder} ;;
        --out) out=${2:?--out needs a folder} ;;
        *)
            echo "./run sim paper takes --build FOLDER and --out FOLDER, not '$1'" >&2
            exit 2
            ;;
    esac
    shift 2
done

failed() {
    echo "a simulation failed; what it printed is among the files in $out" >&2
    exit 1
}

# run_all: each line of the input is a file, and arguments of sim_paper that write it; as many at a time as
# there are cores. (One program for all would take ever longer: SMPI looks through all that it sent before.)
run_all() {
    local running=0 most file arguments
        most=$(nproc)
    while read -r file arguments; do
        if [ "$running" -ge "$most" ]; then
            wait -n || failed
            running=$((running - 1))
        fi
        # shellcheck disable=SC2086 # words
        simulate_paper "$build" $arguments </dev/null >"$out/$file" 2>&1 &
        running=$((running + 1))
    done
    while [ "$running" -gt 0 ]; do
        wait -n || failed
        running=$((running - 1))
    done
}

# joined NAME HEADER: NAME.csv from the parts that run_all wrote.
joined() {
    local -a parts=("$out/$1".[0-9]*)
    { echo "$2" && cat "${parts[@]}"; } >"$out/$1.csv"
    rm "${parts[@]}"
}

# All combinations of the sweep, in 54 programs.
sweep() {
    local first
    for ((first = 0; first < 54; first++)); do
        echo "paper-sweep.$first sweep $first 54"
    done | run_all
    joined paper-sweep iterations,pc,ultra1,conversion,clusters,spins,possible,1,2,3,4,5,6,7
}

# Rows in which processes share a computer, with time slices: row, iterations, do workers spin?
turns() {
    local what first
    for what in "6 2 0" "6 3 0" "6 4 0" "6 2 1" "6 3 1" "6 4 1" "3 3 0" "5 3 0"; do
        for ((first = 0; first < 10; first++)); do
            echo "paper-turns.${what// /-}-$first turns $what $first"
        done
    done | run_all
    joined paper-turns row,iterations,spin,phase,none,none_lines,lb1,lb1_lines,lb2,lb2_lines
}

# Means of them, and of the balancers' loss or gain, with its standard error.
turns_summary() {
    printf '\nWith time slices; means over 40 moments at which the system raises waiting processes\n'
    printf '%-5s %10s %-10s %8s %20s %20s\n' row iterations workers none 'LB1, against none' 'LB2, against none'
    awk -F, '
        NR == 1 { next }
        NF != 10 { print "a line that is none: " $0; bad = 1; next }
        {
            key = sprintf("%-5s %10s %-10s", $1, $2, $3 ? "spin" : "sleep")
            if (!(key in count)) keys[++n] = key
            count[key]++
            none[key] += $5
            for (b = 1; b <= 2; b++) {
                x = 100 * ($(5 + 2 * b) / $5 - 1)
                sum[key, b] += x
                squares[key, b] += x * x
            }
        }
        function text(key, b,    mean, square) {
            mean = sum[key, b] / count[key]
            square = squares[key, b] / count[key] - mean ^ 2
            return sprintf("%+.1f %% (error %.1f)", mean, square > 0 ? sqrt(square / (count[key] - 1)) : 0)
        }
        END {
            for (i = 1; i <= n; i++)
                printf "%s %8.3f %20s %20s\n", keys[i], none[keys[i]] / count[keys[i]], text(keys[i], 1), text(keys[i], 2)
            exit bad
        }' "$out/paper-turns.csv"
}

# summary: from the lines, how often each row, and how many rows, are in order; and the same for each
# value of each constant.
summary() {
    awk -F, '
        NR == 1 { for (i = 1; i <= 6; i++) name[i] = $i; next }
        NF != 14 { print "a line that is none: " $0; bad = 1; next }
        {
            all++
            if (!$7) next
            possible++
            good = 0
            for (row = 1; row <= 7; row++) { good += $(7 + row); rows[row] += $(7 + row) }
            hold[good]++
            for (i = 1; i <= 6; i++) {
                key = i SUBSEP $i
                if (!(key in count)) values[i] = values[i] " " $i
                count[key]++
                total[key] += good
                for (row = 1; row <= 7; row++) by[key, row] += $(7 + row)
            }
        }
        END {
            printf "\nOther values of what was chosen: %d combinations, of which %d can be calibrated\n",
                all, possible
            for (good = 7; good >= 0; good--)
                if (hold[good]) printf "  %d of 7 rows in order in %d\n", good, hold[good]
            printf "\n%-20s %12s %9s   in order, of 100: row\n%-20s %12s %9s ", "", "combinations", "mean rows",
                "", "", ""
            for (row = 1; row <= 7; row++) printf "%5d", row
            printf "\n%-20s %12d %9s ", "all", possible, ""
            for (row = 1; row <= 7; row++) printf "%5.0f", 100 * rows[row] / possible
            printf "\n"
            for (i = 1; i <= 6; i++) {
                n = split(values[i], value, " ")
                for (v = 1; v <= n; v++) {
                    key = i SUBSEP value[v]
                    printf "%-20s %12d %9.2f ", name[i] " " value[v], count[key], total[key] / count[key]
                    for (row = 1; row <= 7; row++) printf "%5.0f", 100 * by[key, row] / count[key]
                    printf "\n"
                }
            }
            exit bad
        }' "$out/paper-sweep.csv"
}

mkdir -p "$out"
simulate_paper "$build" | tee "$out/paper.txt"
turns
turns_summary | tee -a "$out/paper.txt"
sweep
summary | tee -a "$out/paper.txt"
