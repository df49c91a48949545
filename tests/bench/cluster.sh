#!/usr/bin/env bash
# ./run bench cluster: k-means of pixels in memory on one rank and two, beside cv2.kmeans,
# scikit-learn's KMeans (Lloyd, Elkan) and scikit-image's slic, each on one thread, where they are
# installed (python3-opencv, python3-sklearn, python3-skimage).
#   --quick           fewer sizes of K, fewer runs
#   --vs FILE.json    compare with the result of an earlier run
#   --save FILE.json  where to keep the result (build/bench/cluster.json)
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin cluster "$@"

rounds=5 peer_rounds=3 peer_most=1024 counts=(64 256 1024 4096)
if [ -n "$quick" ]; then rounds=3 peer_rounds=1 peer_most=64 counts=(64 1024); fi
camera=$data/camera.png weight=4 small_beats=50 large_beats=20
declare -A small_target=([64]=1.3 [256]=2.2 [1024]=4 [4096]=10)
declare -A large_target=([64]=.6 [256]=.8 [1024]=1.3 [4096]=2.0)

# Repeated, a picture could be cut along its repetitions, and settle at once.
large=$work/blur_24.png
if [ ! -s "$large" ]; then
    "$bin/bench" picture name=blur_24 size=4096 out="$large.new" >"$work/log" 2>&1 || failed picture
    mv "$large.new" "$large"
fi
declare -A pictures=([512]=$camera [4096]=$large)

# ours KEY RANKS SIZE K BEATS [WORD...]
ours() {
    measure "$1" "$2" cluster picture="${pictures[$3]}" weight="$weight" beats="$5" clusters="$4" \
        "${@:6}"
    if [ "$(value beats "${last[$1]}")" != "$5" ]; then
        echo "($1: nothing changes any more after $(value beats "${last[$1]}") beats)"
    fi
}

# theirs PROGRAM SIZE K BEATS
theirs() {
    measure_peer "$1-$2-$3" peer_cluster.py "$1" "${pictures[$2]}" "$2" "$3" "$weight" "$4"
}

echo "k-means of the pixels of data/camera.png (512 x 512, $small_beats beats) and of blurred noise (blur_24,"
echo "4096 x 4096, $large_beats beats) in (x, y, $weight * grey) from rectangles on: ns per pixel and beat as they"
echo "pass, preparations included, medians of $rounds runs in turn; and on one rank's processor, ours"
echo "without the first beat, which puts pixels into order. $(nproc) cores."
peer=''
if find_python cv2 sklearn skimage numpy; then peer=yes; fi
for ((round = 0; round < rounds; round++)); do
    for k in "${counts[@]}"; do
        ours "small-$k" 1 512 "$k" "$small_beats"
        ours "large-$k" 1 4096 "$k" "$large_beats"
        ours "large-2-$k" 2 4096 "$k" "$large_beats"
        if [ -z "$peer" ] || [ "$round" -ge "$peer_rounds" ] || [ "$k" -gt "$peer_most" ]; then
            continue
        fi
        for program in cv2 lloyd elkan slic; do theirs "$program" 512 "$k" 10; done
    done
    for engine in tiles leaves brute; do
        ours "small-64-$engine" 1 512 64 "$small_beats" engine="$engine"
    done
    ours small-64-plain 1 512 64 "$small_beats" instructions=plain
    if [ -n "$peer" ] && [ -z "$quick" ] && [ "$round" = 0 ]; then theirs cv2 4096 64 3; fi
done
head_line
for k in "${counts[@]}"; do
    row "small-$k" halobeat 1 "512 x 512, K = $k" "${small_target[$k]}"
done
for engine in tiles leaves brute plain; do
    row "small-64-$engine" halobeat 1 "512 x 512, K = 64, $engine"
done
for k in "${counts[@]}"; do
    row "large-$k" halobeat 1 "4096 x 4096, K = $k" "${large_target[$k]}"
    row "large-2-$k" halobeat 2 "4096 x 4096, K = $k"
done
declare -A names=([cv2]=cv2.kmeans [lloyd]="scikit-learn, Lloyd" [elkan]="scikit-learn, Elkan"
    [slic]="slic (not exact)")
for program in cv2 lloyd elkan slic; do
    for k in "${counts[@]}"; do
        row "$program-512-$k" "${names[$program]}" 1 "${names[$program]}, 512 x 512, K = $k"
    done
done
row cv2-4096-64 cv2.kmeans 1 "cv2.kmeans, 4096 x 4096, K = 64"
echo
for k in "${counts[@]}"; do
    for program in cv2 lloyd elkan slic; do
        target=''
        if [ "$program-$k" = cv2-64 ]; then target='100 or more'; fi
        compared "times ${names[$program]}, 512 x 512, K = $k" "small-$k" "$program-512-$k" "$target"
    done
done
compared "times cv2.kmeans, 4096 x 4096, K = 64" large-64 cv2-4096-64
for k in "${counts[@]}"; do
    compared "times faster with 2 ranks than with 1, 4096 x 4096, K = $k" "large-2-$k" "large-$k" \
        "1.7 or more"
done
finish
