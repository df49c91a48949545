#!/usr/bin/env bash
# ./run bench snake: the gradient and the points of active contours in memory, on one rank and two,
# and how well contours find a disk and a star, beside scikit-image's active_contour where it is
# installed (python3-skimage, python3-opencv).
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin snake "$@"
rounds=${rounds:-$(either 5 3)}
peer_rounds=$(either 3 1)
side=$(either 8192 4096)

# gradient KEY RANKS BITS SIGMA [WORD...], points KEY RANKS CONTOURS POINTS WINDOW BEATS
gradient() { measure "$1" "$2" gradient side="$side" bits="$3" sigma="$4" "${@:5}"; }
points() { measure "$1" "$2" points side=4096 contours="$3" points="$4" window="$5" beats="$6"; }

echo "Active contours: the blurred gradient of $side x $side pixels, ns a pixel; the points of one large"
echo "contour and of many, all moving, ns a point and beat: as they pass, and on a rank's processor for"
echo "its own. Medians of $rounds runs in turn. $(nproc) cores. The first gradient of a process is made in"
echo "memory that a virtual machine may have to get from its host; later ones in memory that it has."
target=2 way gradient-8 1 "gradient, 8 bits, sigma 3" gradient 8 3
way gradient-8-sharp 1 "gradient, 8 bits, sigma 1" gradient 8 1
way gradient-16 1 "gradient, 16 bits, sigma 3" gradient 16 3
way gradient-8-plain 1 "gradient, 8 bits, plain C" gradient 8 3 instructions=plain
way gradient-8-2 2 "gradient, 8 bits, sigma 3" gradient 8 3
target=100 way one-3 1 "a contour of 4096 points, 3 x 3" points 1 4096 3 40
target=100 way many-3 1 "4096 contours of 64 points, 3 x 3" points 64 64 3 20
for window in 5 7; do
    way "many-$window" 1 "4096 contours of 64 points, $window x $window" points 64 64 "$window" 20
done
way many-3-2 2 "4096 contours of 64 points, 3 x 3" points 64 64 3 20
scenes=()
if find_python skimage cv2 numpy; then
    mapfile -t scenes < <("$python" "$peers/peer_snake.py" make "$work")
    program=scikit-image most=$peer_rounds way skimage 1 "scikit-image, 400 points" \
        measure_peer peer_snake.py beats "$work/star-0.png" 400 300
fi
measure_ways
table
echo
compared "times scikit-image, for a point and beat, 3 x 3" one-3 skimage
compared "times faster with 2 ranks than with 1, gradient" gradient-8-2-later gradient-8-later
compared "times faster with 2 ranks than with 1, 4096 contours" many-3-2 many-3

# A disk and a star, from a circle around them: what they share with what is found.
[ ${#scenes[@]} = 0 ] || printf '\n%-12s %10s %10s %10s %10s %8s\n' "" seconds Dice "peer's s" Dice target
for scene in "${scenes[@]}"; do
    shape=${scene%%-*}
    wall_seconds "$bin/halobeat" snake "$work/$scene.png" --init circle:255.5,255.5,230 --quiet \
        -o "$work/$scene.csv"
    ours=$(value dice "$("$python" "$peers/peer_snake.py" dice "$shape" "$work/$scene.csv")")
    theirs=$("$python" "$peers/peer_snake.py" skimage "$work/$scene.png" "$shape")
    printf '%-12s %10.3f %10s %10s %10s %8s%s\n' "$scene" "$taken" "$ours" \
        "$(value seconds "$theirs")" "$(value dice "$theirs")" .99 \
        "$(awk -v d="$ours" 'BEGIN { if (d < .99) printf " missed" }')"
    rows+=("{\"name\": \"dice $scene\", \"dice\": $ours, \"peer_dice\": $(value dice "$theirs")}")
done
finish
