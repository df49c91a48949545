#!/usr/bin/env bash
# ./run bench cluster: k-means of pixels in memory on one rank and two, beside cv2.kmeans,
# scikit-learn's KMeans (Lloyd, Elkan) and scikit-image's slic, each on one thread, where they are
# installed (python3-opencv, python3-sklearn, python3-skimage).
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin cluster "$@"
rounds=${rounds:-$(either 5 3)}
peer_rounds=$(either 3 1)
peer_most=$(either 1024 64)
counts=$(either '64 256 1024 4096' '64 1024')
weight=4 small_beats=50 large_beats=20
declare -A small_target=([64]=1.3 [256]=2.2 [1024]=4 [4096]=10)
declare -A large_target=([64]=.6 [256]=.8 [1024]=1.3 [4096]=2.0)

# Repeated, a picture could be cut along its repetitions, and settle at once.
make_picture "$work/blur_24.png" name=blur_24 size=4096
declare -A pictures=([512]=$data/camera.png [4096]=$work/blur_24.png)

# ours KEY RANKS SIZE K BEATS [WORD...]
ours() {
    measure "$1" "$2" cluster picture="${pictures[$3]}" weight="$weight" beats="$5" clusters="$4" \
        "${@:6}"
    if [ "$(value beats "${last[$1]}")" != "$5" ]; then
        echo "($1: nothing changes any more after $(value beats "${last[$1]}") beats)"
    fi
}

# theirs KEY RANKS PROGRAM SIZE K BEATS
theirs() { measure_peer "$1" 1 peer_cluster.py "$3" "${pictures[$4]}" "$4" "$5" "$weight" "$6"; }

echo "k-means of the pixels of data/camera.png (512 x 512, $small_beats beats) and of blurred noise (blur_24,"
echo "4096 x 4096, $large_beats beats) in (x, y, $weight * grey) from rectangles on: ns per pixel and beat as they"
echo "pass, preparations included, medians of $rounds runs in turn; and on one rank's processor, ours"
echo "without the first beat, which puts pixels into order. $(nproc) cores."
for k in $counts; do
    target=${small_target[$k]} way "small-$k" 1 "512 x 512, K = $k" ours 512 "$k" "$small_beats"
done
for engine in tiles leaves brute; do
    way "small-64-$engine" 1 "512 x 512, K = 64, $engine" ours 512 64 "$small_beats" engine="$engine"
done
way small-64-plain 1 "512 x 512, K = 64, plain" ours 512 64 "$small_beats" instructions=plain
for k in $counts; do
    target=${large_target[$k]} way "large-$k" 1 "4096 x 4096, K = $k" ours 4096 "$k" "$large_beats"
    way "large-2-$k" 2 "4096 x 4096, K = $k" ours 4096 "$k" "$large_beats"
done
declare -A names=([cv2]=cv2.kmeans [lloyd]="scikit-learn, Lloyd" [elkan]="scikit-learn, Elkan"
    [slic]="slic (not exact)")
if find_python cv2 sklearn skimage numpy; then
    for one in cv2 lloyd elkan slic; do
        for k in $counts; do
            [ "$k" -le "$peer_most" ] || continue
            program=${names[$one]} most=$peer_rounds way "$one-512-$k" 1 "${names[$one]}, 512 x 512, K = $k" \
                theirs "$one" 512 "$k" 10
        done
    done
    [ -n "$quick" ] || program=cv2.kmeans most=1 way cv2-4096-64 1 "cv2.kmeans, 4096 x 4096, K = 64" theirs cv2 4096 64 3
fi
measure_ways
table
echo
for k in $counts; do
    for one in cv2 lloyd elkan slic; do
        asked=''
        if [ "$one-$k" = cv2-64 ]; then asked='100 or more'; fi
        compared "times ${names[$one]}, 512 x 512, K = $k" "small-$k" "$one-512-$k" "$asked"
    done
done
compared "times cv2.kmeans, 4096 x 4096, K = 64" large-64 cv2-4096-64
for k in $counts; do
    compared "times faster with 2 ranks than with 1, 4096 x 4096, K = $k" "large-2-$k" "large-$k" \
        "1.7 or more"
done
finish
