#!/usr/bin/env bash
# ./run sim trace [SCHEDULE...]: the even and the uneven scene of the study of master-worker strategies, drawn
# by 16 simulated machines with each schedule: time, load imbalance (IDC) and efficiency. Pictures must be
# the same bytes.
#   --subpixels N   rays across and down a pixel (4, as the study has it)
#   --ranks N       machines (16)
#
# The real program runs (halobeat trace), and rays are traced; that takes virtual time by what is counted.
set -euo pipefail
export LC_ALL=C

root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
source "$root/tools/simulate.sh"
program=$root/build/simgrid/bin/halobeat
out=$root/out/sim/trace
subpixels=4 ranks=16
while [[ ${1:-} == --* ]]; do
    case $1 in
        --subpixels) subpixels=${2:?--subpixels needs a number} ;;
        --ranks) ranks=${2:?--ranks needs a number} ;;
        *)
            echo "./run sim trace takes --subpixels N, --ranks N and schedules, not '$1'" >&2
            exit 2
            ;;
    esac
    shift 2
done
schedules=("$@")
if [ $# = 0 ]; then
    schedules=(static fixed:1 fixed:8 guided tss factoring mfsc exponential:2 diffusive)
fi
rm -rf "$out" && mkdir -p "$out"

# Machines of 1 GFlop/s. Looking for messages costs no virtual time, and messages travel when they are sent.
sed 's/100Mf/1Gf/' "$root/data/platforms/uniform.xml" >"$out/even.xml"
simulation_platform=$out/even.xml simulation_hosts=$root/data/platforms/uniform.hosts
simulation_more=(--cfg=smpi/test:0 --cfg=smpi/iprobe:0 --cfg=smpi/async-small-thresh:65536)

# told KEY: of the tasks of the run.
told() {
    sed -n '/^  "tasks": {/,/"ranks": \[/s/^    "'"$1"'": \([0-9.e+-]*\).*/\1/p' "$out/run.json"
}

faults=0
printf '%-12s %-16s %9s %8s %12s\n' scene schedule seconds IDC efficiency
for scene in five-balls room; do
    first=''
    for schedule in "${schedules[@]}"; do
        HALOBEAT_RANKS=$ranks simulate even "$program" trace "$root/data/scenes/$scene.nff" \
            --subpixels "$subpixels" --schedule "$schedule" --once --quiet --json "$out/run.json" \
            -o "$out/$scene.png" >"$out/log" 2>&1 || { cat "$out/log" >&2 && exit 1; }
        awk -v scene="$scene" -v schedule="$schedule" -v seconds="$(told seconds)" \
            -v idc="$(told imbalance)" -v efficiency="$(told efficiency)" 'BEGIN {
                printf "%-12s %-16s %9.3f %6.1f %% %10.1f %%\n", scene, schedule, seconds, 100 * idc,
                    100 * efficiency }'
        now=$(cksum <"$out/$scene.png")
        first=${first:-$now}
        if [ "$now" != "$first" ]; then
            echo "$schedule makes another picture of $scene" >&2
            faults=1
        fi
    done
done
exit "$faults"
