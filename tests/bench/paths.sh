#!/usr/bin/env bash
# ./run bench paths: distances from the middle of rasters in memory on one rank and two, beside
# scikit-image (python3-skimage) and GRASS's r.cost (grass-core) where they are installed.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin paths "$@"
rounds=${rounds:-$(either 5 3)}
peer_rounds=$(either 2 1)
small=2048 large=8192 kinds=(smooth noise maze blocks) words=(taken bytes)

# ours KEY RANKS COSTS SIZE NEIGHBOURS [WORD...]
ours() { measure "$1" "$2" paths costs="$3" size="$4" neighbours="$5" "${@:6}"; }

# r_cost KEY RANKS KIND: the whole command, which reads and writes maps; its seconds as ns a cell.
r_cost() {
    local costs=$work/$3.costs cells=$((small * small))
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
    keep "$1" "$(awk -v n=$cells '/^[0-9.]+ [0-9.]+ [0-9.]+$/ {
        printf "ns=%.3f cpu_ns=%.3f", $1 * 1e9 / n, ($2 + $3) * 1e9 / n }' "$work/out")"
}

echo "Distances of all cells from the middle of a raster, 8 neighbours but where 4 are said: ns a cell as"
echo "they pass, medians of $rounds runs in turn, and on the processors of all ranks together; how often a"
echo "cell is taken from the queue, and bytes a cell. $(nproc) cores."
peer='' grass=''
if find_python skimage numpy; then peer=yes; fi
if command -v grass >/dev/null; then grass=yes; else echo "skipped: r.cost: no grass here"; fi
for kind in "${kinds[@]}"; do
    way "$kind" 1 "$kind, $small x $small" ours "$kind" "$small" 8 save="$work/$kind.costs"
    way "$kind-4" 1 "$kind, 4 neighbours" ours "$kind" "$small" 4
    way "$kind-2" 2 "$kind, 2 ranks" ours "$kind" "$small" 8
    [ -n "$quick" ] || most=2 way "$kind-large" 1 "$kind, $large x $large" ours "$kind" "$large" 8
    for neighbours in ${peer:+8 4}; do
        program=scikit-image most=$peer_rounds way "skimage-$kind-$neighbours" 1 \
            "scikit-image, $kind, $neighbours neighbours" measure_peer peer_paths.py "$work/$kind.costs" "$small" "$neighbours"
    done
    [ -z "$grass" ] || program=GRASS most=$peer_rounds way "grass-$kind" 1 "r.cost, the whole command, $kind" r_cost "$kind"
done
way noise-16 1 "noise, 16 neighbours" ours noise "$small" 16
measure_ways
table

# ratio TEXT KEY OTHER TARGET: how many times the processor's time of the first is that of the second.
ratio() {
    local a b
    a=$(median "$2/cpu") b=$(median "$3/cpu")
    if [ -z "$a" ] || [ -z "$b" ]; then return; fi
    printf '%-62s %8s (target %s)\n' "$1" "$(calculate "$a / $b" %.2f)" "$4"
}
echo
for kind in "${kinds[@]}"; do
    asked=12
    if [ "$kind" = maze ]; then asked=8; fi
    ratio "processor time of scikit-image in ours, $kind" "skimage-$kind-8" "$kind" "$asked"
    ratio "processor time of r.cost in ours, $kind" "grass-$kind" "$kind" "$asked"
    ratio "ns a cell of $large x $large in those of $small x $small, $kind" "$kind-large" "$kind" \
        '1.6 at most'
done
compared "times faster with 2 ranks than with 1, smooth" smooth-2 smooth
compared "times faster with 2 ranks than with 1, noise" noise-2 noise
finish
