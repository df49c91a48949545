#!/usr/bin/env bash
# ./run bench paths: distances from the middle of rasters in memory on one rank and two, beside
# scikit-image (python3-skimage) and GRASS's r.cost (grass-core) where they are installed.
#   --quick           fewer runs, and none of 8192 x 8192
#   --vs FILE.json    compare with the result of an earlier run
#   --save FILE.json  where to keep the result (build/bench/paths.json)
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin paths "$@"

rounds=5 peer_rounds=2 small=2048 large=8192
if [ -n "$quick" ]; then rounds=3 peer_rounds=1 large=''; fi
kinds=(smooth noise maze blocks)
words=(taken bytes)

# ours KEY RANKS COSTS SIZE NEIGHBOURS [WORD...]
ours() {
    measure "$1" "$2" paths costs="$3" size="$4" neighbours="$5" "${@:6}"
}

# r_cost KIND: the whole command, which reads and writes maps; its seconds as ns a cell.
r_cost() {
    local costs=$work/$1.costs cells=$((small * small))
    if [ ! -d "$work/location" ]; then grass -c XY "$work/location" -e >"$work/log" 2>&1 || failed grass; fi
    cat >"$work/in.sh" <<SCRIPT
set -e
r.in.bin input=$costs output=costs bytes=1 rows=$small cols=$small north=$small south=0 east=$small \
    west=0 anull=0 --o --q
g.region raster=costs
TIMEFORMAT='%R %U %S'
time r.cost input=costs output=distances memory=2000 --o --q \
    start_coordinates=$((small / 2 | 1)).5,$((small - (small / 2 | 1) - 1)).5
SCRIPT
    grass "$work/location/PERMANENT" --exec bash "$work/in.sh" >"$work/out" 2>&1 || failed r.cost
    keep "grass-$1" "$(awk -v n=$cells '/^[0-9.]+ [0-9.]+ [0-9.]+$/ {
        printf "ns=%.3f cpu_ns=%.3f", $1 * 1e9 / n, ($2 + $3) * 1e9 / n }' "$work/out")"
}

echo "Distances of all cells from the middle of a raster, 8 neighbours but where 4 are said: ns a cell as"
echo "they pass, medians of $rounds runs in turn, and on the processors of all ranks together; how often a"
echo "cell is taken from the queue, and bytes a cell. $(nproc) cores."
peer='' grass=''
if find_python skimage numpy; then peer=yes; fi
if command -v grass >/dev/null; then grass=yes; else echo "skipped: r.cost: no grass here"; fi
for ((round = 0; round < rounds; round++)); do
    for kind in "${kinds[@]}"; do
        ours "$kind" 1 "$kind" "$small" 8 save="$work/$kind.costs"
        ours "$kind-4" 1 "$kind" "$small" 4
        ours "$kind-2" 2 "$kind" "$small" 8
        if [ -n "$large" ] && [ "$round" -lt 2 ]; then ours "$kind-large" 1 "$kind" "$large" 8; fi
        if [ -n "$peer" ] && [ "$round" -lt "$peer_rounds" ]; then
            measure_peer "skimage-$kind" peer_paths.py "$work/$kind.costs" "$small" 8
            measure_peer "skimage-$kind-4" peer_paths.py "$work/$kind.costs" "$small" 4
        fi
        if [ -n "$grass" ] && [ "$round" -lt "$peer_rounds" ]; then r_cost "$kind"; fi
    done
    ours noise-16 1 noise "$small" 16
done
head_line
for kind in "${kinds[@]}"; do
    row "$kind" halobeat 1 "$kind, $small x $small"
    row "$kind-4" halobeat 1 "$kind, 4 neighbours"
    row "$kind-2" halobeat 2 "$kind, 2 ranks"
    row "$kind-large" halobeat 1 "$kind, $large x $large"
    row "skimage-$kind" scikit-image 1 "scikit-image, $kind"
    row "skimage-$kind-4" scikit-image 1 "scikit-image, $kind, 4 neighbours"
    row "grass-$kind" GRASS 1 "r.cost, the whole command, $kind"
done
row noise-16 halobeat 1 "noise, 16 neighbours"

# ratio TEXT KEY OTHER TARGET: how many times the processor's time of the first is that of the second.
ratio() {
    local a b
    a=$(median "$2/cpu") b=$(median "$3/cpu")
    if [ -z "$a" ] || [ -z "$b" ]; then return; fi
    printf '%-62s %8s (target %s)\n' "$1" "$(calculate "$a / $b" %.2f)" "$4"
}
echo
for kind in "${kinds[@]}"; do
    target=12
    if [ "$kind" = maze ]; then target=8; fi
    ratio "processor time of scikit-image in ours, $kind" "skimage-$kind" "$kind" "$target"
    ratio "processor time of r.cost in ours, $kind" "grass-$kind" "$kind" "$target"
    ratio "ns a cell of $large x $large in those of $small x $small, $kind" "$kind-large" "$kind" \
        '1.6 at most'
done
compared "times faster with 2 ranks than with 1, smooth" smooth-2 smooth
compared "times faster with 2 ranks than with 1, noise" noise-2 noise
finish
