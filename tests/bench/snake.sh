#!/usr/bin/env bash
# ./run bench snake: the gradient and the points of active contours in memory, on one rank and two,
# and how well contours find a disk and a star, beside scikit-image's active_contour where it is
# installed (python3-skimage, python3-opencv).
#   --quick           smaller pictures, fewer runs
#   --vs FILE.json    compare with the result of an earlier run
#   --save FILE.json  where to keep the result (build/bench/snake.json)
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin snake "$@"

rounds=5 peer_rounds=3 side=8192
if [ -n "$quick" ]; then rounds=3 peer_rounds=1 side=4096; fi

# gradient KEY RANKS BITS SIGMA [INSTRUCTIONS]
gradient() {
    measure "$1" "$2" gradient side="$side" bits="$3" sigma="$4" ${5:+"instructions=$5"}
}

# points KEY RANKS SIDE CONTOURS POINTS WINDOW BEATS
points() {
    measure "$1" "$2" points side="$3" contours="$4" points="$5" window="$6" beats="$7"
}

echo "Active contours: the blurred gradient of $side x $side pixels, ns a pixel; the points of one large"
echo "contour and of many, all moving, ns a point and beat: as they pass, and on a rank's processor for"
echo "its own. Medians of $rounds runs in turn. $(nproc) cores. The first gradient of a process is made in"
echo "memory that a virtual machine may have to get from its host; later ones in memory that it has."
peer=''
if find_python skimage cv2 numpy; then
    peer=yes
    mapfile -t scenes < <("$python" "$peers/peer_snake.py" make "$work")
fi
for ((round = 0; round < rounds; round++)); do
    gradient gradient-8 1 8 3
    gradient gradient-8-sharp 1 8 1
    gradient gradient-16 1 16 3
    gradient gradient-8-plain 1 8 3 plain
    gradient gradient-8-2 2 8 3
    points one-3 1 4096 1 4096 3 40
    points many-3 1 4096 64 64 3 20
    points many-5 1 4096 64 64 5 20
    points many-7 1 4096 64 64 7 20
    points many-3-2 2 4096 64 64 3 20
    if [ -n "$peer" ] && [ "$round" -lt "$peer_rounds" ]; then
        measure_peer skimage peer_snake.py beats "$work/star-0.png" 400 300
    fi
done
head_line
row gradient-8-first halobeat 1 "gradient, 8 bits, sigma 3, first" 2
row gradient-8-later halobeat 1 "gradient, 8 bits, sigma 3, later" 2
row gradient-8-sharp-later halobeat 1 "gradient, 8 bits, sigma 1, later"
row gradient-16-later halobeat 1 "gradient, 16 bits, sigma 3, later"
row gradient-8-plain-later halobeat 1 "gradient, 8 bits, plain C, later"
row gradient-8-2-first halobeat 2 "gradient, 8 bits, sigma 3, first"
row gradient-8-2-later halobeat 2 "gradient, 8 bits, sigma 3, later"
row one-3 halobeat 1 "a contour of 4096 points, 3 x 3" 100
row many-3 halobeat 1 "4096 contours of 64 points, 3 x 3" 100
row many-5 halobeat 1 "4096 contours of 64 points, 5 x 5"
row many-7 halobeat 1 "4096 contours of 64 points, 7 x 7"
row many-3-2 halobeat 2 "4096 contours of 64 points, 3 x 3"
row skimage scikit-image 1 "scikit-image, 400 points"
echo
compared "times scikit-image, for a point and beat, 3 x 3" one-3 skimage
compared "times faster with 2 ranks than with 1, gradient" gradient-8-2-later gradient-8-later
compared "times faster with 2 ranks than with 1, 4096 contours" many-3-2 many-3

# A disk and a star, from a circle around them: what they share with what is found.
if [ -n "$peer" ]; then
    echo
    printf '%-12s %10s %10s %10s %10s %8s\n' "" seconds Dice "peer's s" Dice target
    for scene in "${scenes[@]}"; do
        shape=${scene%%-*}
        began=$EPOCHREALTIME
        "$bin/halobeat" snake "$work/$scene.png" --init circle:255.5,255.5,230 --quiet \
            -o "$work/$scene.csv" >"$work/log" 2>&1 || failed halobeat snake
        ended=$EPOCHREALTIME
        ours=$(value dice "$("$python" "$peers/peer_snake.py" dice "$shape" "$work/$scene.csv")")
        theirs=$("$python" "$peers/peer_snake.py" skimage "$work/$scene.png" "$shape")
        printf '%-12s %10.3f %10s %10s %10s %8s%s\n' "$scene" \
            "$(awk -v a="$began" -v b="$ended" 'BEGIN { print b - a }')" "$ours" \
            "$(value seconds "$theirs")" "$(value dice "$theirs")" .99 \
            "$(awk -v d="$ours" 'BEGIN { if (d < .99) printf " missed" }')"
        rows+=("{\"name\": \"dice $scene\", \"dice\": $ours, \"peer_dice\": $(value dice "$theirs")}")
    done
fi
finish
