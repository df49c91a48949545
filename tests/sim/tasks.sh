#!/usr/bin/env bash
# ./run sim tasks [PART...]: strategies of handing out tasks on simulated machines. Leaves reports
# (json), tables (csv, table), what came of the findings of the study of master-worker strategies
# (findings.txt) and a picture of each part in out/sim/tasks.
#   PART   an environment of the cluster (SC, 0.1.2.3, LL.LH.HL.HH, LL.LL.HL.HL, LH.LH.HH.HH), grid,
#          robustness; programs-SC, ..., programs-grid; or quick, a few of each; all but quick if none is given
#   --out FOLDER, --build FOLDER   in place of out/sim/tasks, and of build/simgrid
#
# The real programs run: halobeat synthetic --tasks, and walk and trace, which take the virtual time of what
# they count, and find what they found on one rank before (--replay), so that it is computed once. tasks.py
# says what is run, tasks_findings.py what the study found.
set -euo pipefail
export LC_ALL=C

root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
source "$root/tools/simulate.sh"
build=$root/build/simgrid
out=$root/out/sim/tasks
while [[ ${1:-} == --* ]]; do
    case $1 in
        --build) build=${2:?--build needs a folder} ;;
        --out) out=${2:?--out needs a folder} ;;
        *)
            echo "./run sim tasks takes --build FOLDER, --out FOLDER and parts, not '$1'" >&2
            exit 2
            ;;
    esac
    shift 2
done
program=$build/bin/halobeat
parts=("$@")
if [ $# = 0 ]; then
    parts=(SC 0.1.2.3 LL.LH.HL.HH LL.LL.HL.HL LH.LH.HH.HH grid)
    parts+=("${parts[@]/#/programs-}" robustness)
fi

# Messages travel when they are sent, as MPI's eager ones do, and not when their receiver asks for them.
simulation_more=(--cfg=smpi/async-small-thresh:65536)

# The two sites with machines of full speed, a flop a cycle; and with the master at the fast one.
write_platforms() {
    local near
    for near in near far; do
        sed 's/kf"/Mf"/' "$root/data/platforms/two-sites$([ $near = far ] || echo -near).xml" \
            >"$out/two-sites-$near.xml"
        cp "$out/two-sites-$near.xml" "$out/two-sites-fast-$near.xml"
        cp "$root/data/platforms/two-sites.hosts" "$out/two-sites-$near.hosts"
        sort -r "$root/data/platforms/two-sites.hosts" >"$out/two-sites-fast-$near.hosts"
    done
    cp "$root/data/platforms/pentium.xml" "$root/data/platforms/pentium.hosts" "$out/"
    sed 's/100Mf/1Gf/' "$root/data/platforms/uniform.xml" >"$out/even.xml"
    cp "$root/data/platforms/uniform.hosts" "$out/even.hosts"
}

# run_one KEY PLATFORM RANKS TRACE COMMAND OPTION...: leaves KEY.json, and KEY.txt of a run that failed.
run_one() {
    local key=$1 ranks=$3
    local simulation_platform=$out/$2.xml simulation_hosts=$out/$2.hosts
    local -a trace=()
    if [ "$4" != - ]; then trace=(--load-trace "$4"); fi
    HALOBEAT_RANKS=$ranks simulate "$2" "$program" "${@:5}" "${trace[@]}" --quiet \
        --json "$out/$key.json" >"$out/$key.txt" 2>&1 && rm "$out/$key.txt"
    compare_result "$key" "${@:5}"
}

# compare_result KEY OPTION...: of a run that finds what a journal says: leaves KEY.same if its result has the
# bytes that the run that wrote the journal had.
compare_result() {
    local key=$1 journal='' result=''
    shift
    while [ $# -gt 1 ]; do
        case $1 in
            --replay) journal=$2 ;;
            -o) result=$2 ;;
        esac
        shift
    done
    if [ -n "$journal" ] && cmp -s "$result" "${journal%.journal}.${result##*.}"; then
        rm "$result" && touch "$out/$key.same"
    fi
}

# run_all FUNCTION FILE: runs that do not depend on each other, the words of a line each, one for each core.
run_all() {
    local most running=0 line
    most=$(nproc)
    while read -r -a line; do
        if [ "$running" -ge "$most" ]; then
            wait -n || true
            running=$((running - 1))
        fi
        "$1" "${line[@]}" &
        running=$((running + 1))
    done <"$2"
    wait
}

# record_one KEY COMMAND OPTION...: what a program finds, computed by one rank; leaves KEY.journal and its result.
record_one() {
    local simulation_platform=$out/even.xml simulation_hosts=$out/even.hosts
    HALOBEAT_RANKS=1 simulate even "$program" "${@:2}" --quiet >"$out/$1.txt" 2>&1 && rm "$out/$1.txt"
}

pictures() {
    local part
    if ! command -v gnuplot >/dev/null; then
        echo 'skipped: pictures, not installed: gnuplot-nox'
        return
    fi
    for part in "$out"/*.labels; do
        part=$(basename "$part" .labels)
        gnuplot -e "name='$part'; folder='$out'" "$root/tests/sim/tasks.gp" ||
            echo "gnuplot could not draw $out/$part.png" >&2
    done
}

rm -rf "$out"
mkdir -p "$out"
cd "$root"
write_platforms
python3 "$root/tests/sim/tasks.py" plan "$out" "${parts[@]}" >"$out/plan"
python3 "$root/tests/sim/tasks.py" record "$out" "${parts[@]}" >"$out/record"
run_all record_one "$out/record"
run_all run_one "$out/plan"
python3 "$root/tests/sim/tasks.py" report "$out" "${parts[@]}"
python3 "$root/tests/sim/tasks_findings.py" report "$out" "${parts[@]}"
pictures
printf '\nPictures, tables (csv) and reports (json): %s\n' "$out"
