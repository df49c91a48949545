#!/usr/bin/env bash
# ./run bench trace: seconds of whole commands that draw a scene, beside POV-Ray where it is installed
# (povray) with the same geometry, lights, size and depth on one thread; and two ranks beside one.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin trace "$@"
rounds=${rounds:-$(either 7 3)}
unit=seconds scenes=(balls mount tetra) words=(rays shadow_rays)
find_python sys || exit 0

# user_seconds COMMAND...: those that it computes, into $taken, and with those of the system into $all.
user_seconds() {
    local TIMEFORMAT='%U %S' times
    times=$({ time "$@" >"$work/log" 2>&1; } 2>&1) || failed "$@"
    taken=${times% *} all=$(calculate "${times/ / + }")
}

# ours KEY RANKS SCENE OPTION...: also the seconds that all tiles take, as they pass.
ours() {
    local key=$1
    user_seconds "$bin/halobeat" trace "$3" --ranks "$2" -o "$work/$key.png" --quiet \
        --json "$work/run.json" "${@:4}"
    keep "$key" "seconds=$taken cpu=$all rays=$(reported rays) shadow_rays=$(reported shadow_rays)"
    samples[$key/tiles]+=" $(sed -n '/"tasks": {/,$s/.*"seconds": \([0-9.e+-]*\).*/\1/p' "$work/run.json" |
        head -n 1)"
}

# theirs KEY RANKS SCENE
theirs() {
    user_seconds povray -V -D -A +WT1 +W512 +H512 File_Gamma=1 "+I$work/$3.pov" "+O$work/$1.png"
    keep "$1" \
        "seconds=$taken cpu=$all rays=$(peer_count Rays) shadow_rays=$(peer_count 'Shadow Ray Tests')"
}
peer_count() { sed -n "s/^$1: *\([0-9]*\).*/\1/p" "$work/log" | head -n 1; }

echo "Scenes of 512 x 512 pixels, a ray each, up to 5 one behind the other: seconds that the whole command"
echo "computes (user), from the scene's file to the PNG, and with the system's (cpu). Medians of $rounds"
echo "rounds in turn. $(nproc) cores."
peer=''
if command -v povray >/dev/null; then peer=yes; else echo "skipped: POV-Ray, not installed: povray"; fi
for scene in "${scenes[@]}"; do
    "$python" "$root/tools/scenes.py" "$scene" >"$work/$scene.nff"
    "$python" "$root/tools/scenes.py" "$scene" --pov >"$work/$scene.pov"
    way "$scene" 1 "$scene" ours "$work/$scene.nff"
    way "$scene-plain" 1 "$scene, plain C" ours "$work/$scene.nff" --instructions plain
    [ -z "$peer" ] || program=povray way "povray-$scene" 1 "$scene, POV-Ray" theirs "$scene"
done
for scene in five-balls room; do
    for ranks in 1 2; do
        way "$scene-$ranks" "$ranks" "$scene, 500 x 500, 2 x 2 subpixels" \
            ours "$data/scenes/$scene.nff" --subpixels 2
    done
done
measure_ways
table
echo
for scene in "${scenes[@]}"; do
    compared "times POV-Ray, $scene" "$scene" "povray-$scene" "at least 3"
done
for scene in five-balls room; do
    compared "times as fast on 2 ranks as on 1, $scene, without reading and writing" \
        "$scene-2/tiles" "$scene-1/tiles"
done

# Both pictures: how far apart their pixels are, in steps of 255.
apart() {
    "$python" - "$work/$1.png" "$work/povray-$1.png" <<'PYTHON'
import sys
import numpy
from PIL import Image
ours, theirs = (numpy.asarray(Image.open(path).convert("RGB"), dtype=int) for path in sys.argv[1:])
print(f"{abs(ours - theirs).mean():.2f}")
PYTHON
}
if [ -n "$peer" ] && find_python PIL numpy; then
    for scene in "${scenes[@]}"; do
        printf '%-62s %8s\n' "steps of 255 from POV-Ray's pixels on average, $scene" "$(apart "$scene")"
    done
fi
finish
