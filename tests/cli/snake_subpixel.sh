#!/usr/bin/env bash
# `halobeat snake --subpixel`: points between pixels, nearer to edges than those on them.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
out=$work/out shapes=$(dirname "$0")/snake_shapes.py
"$python" "$shapes" make disk 256 0 "$work/disk.png"
disk=("$work/disk.png" --init 'circle:128,128,115')

# same NAME ARGUMENT...: the same files on several ranks, and after a checkpoint at any beat.
same() {
    local name=$1 ending ranks beats
    shift
    what="$name"
    for ranks in 1 2 3 5; do
        run_well "$ranks" snake "$@" --subpixel --until-beat 150 --quiet --balance random \
            -o "$out/$name$ranks.csv" \
            --balance-every 2 --overlay "$out/$name$ranks.png" --checkpoint "$out/$name$ranks.state"
        for ending in csv png state; do
            holds "another .$ending on $ranks ranks" \
                cmp -s "$out/${name}1.$ending" "$out/$name$ranks.$ending"
        done
    done
    for beats in 3 66 71 77; do
        run_well 2 snake "$@" --subpixel --beats "$beats" --checkpoint "$work/part" --quiet
        run_well 3 snake "$1" --restore "$work/part" --until-beat 150 -o "$out/again.csv" --quiet
        holds "another contour of $name after $beats beats" cmp -s "$out/${name}1.csv" "$out/again.csv"
    done
}

same disk "${disk[@]}"
same jacobi "${disk[@]}" --order jacobi --window 7
same oscillating "${disk[@]}" --order jacobi --window 3
same grid "$data/coffee.png" --init grid:2x3 --window 3

what='formats'
run_well 1 snake "${disk[@]}" -o "$out/whole.csv" --quiet
run_well 2 snake "${disk[@]}" --subpixel -o "$out/disk.json" --json "$out/run.json" -v
holds 'nothing about subpixels' grep -q '^energy .*16ths of a pixel' <(unbroken)
run_well 2 snake "${disk[@]}" --subpixel -o "$out/disk.svg" --quiet
holds 'not as near as they should be, or formats differ' "$python" - "$out" <<'PYTHON'
import csv, json, math, re, sys
import xml.etree.ElementTree as tree

def points(name):
    with open(f"{sys.argv[1]}/{name}.csv", newline="") as file:
        return [[float(row["x"]), float(row["y"])] for row in csv.DictReader(file)]

def errors(places):  # the disk's middle is a pixel
    away = [math.hypot(x - 128, y - 128) - 76.8 for x, y in places]
    return math.sqrt(sum(error * error for error in away) / len(away))

fine, whole = points("disk1"), points("whole")
assert any(x % 1 for x, y in fine) and all(x * 16 % 1 == 0 for x, y in fine)
assert errors(fine) < .2 and errors(fine) < errors(whole) / 2, (errors(fine), errors(whole))
told = json.load(open(sys.argv[1] + "/disk.json"))["contours"][0]
assert told["points"] == fine
twice = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(fine, fine[1:] + fine[:1]))
assert told["area"] == abs(twice) / 2
run = json.load(open(sys.argv[1] + "/run.json"))
assert math.isclose(run["enclosed_area_pixels"], told["area"], rel_tol=1e-8) and run["settled"]
assert run["parameters"]["subpixel"] is True and 25 < run["mean_displacement_pixels"] < 45
path = tree.parse(sys.argv[1] + "/disk.svg").getroot().find(".//{http://www.w3.org/2000/svg}path").get("d")
assert [float(number) for number in re.findall(r"[\d.]+", path)] == [v for p in fine for v in p]
PYTHON
run_well 2 snake "${disk[@]}" --subpixel
holds 'it does not say that it has refined' grep -q 'settled, and refined to 16ths' <(unbroken)

# In the overlay and in movies contours lie where they lie without.
run_well 1 snake "${disk[@]}" --overlay "$work/whole.png" --quiet
holds 'the overlay is elsewhere' "$python" "$(dirname "$0")/snake_overlays.py" "$work/whole.png" \
    "$out/disk1.png"

# With Jacobi's order points come to oscillate: that is rest, after which steps become smaller, and the
# end; in the same beat wherever a checkpoint was between.
run_well 3 snake "${disk[@]}" --order jacobi --window 3 --subpixel --json "$out/run.json" -q
holds 'oscillating points are no rest' [ "$(told settled)" = True -a "$(told beats)" -lt 200 ]
moves=("${disk[@]}" --order jacobi --window 3 --until change:0)
run_well 2 snake "${moves[@]}" --beats 1000 -o "$out/moved.csv" --json "$out/run.json"
holds 'it does not say that points oscillate' grep -q 'settled, points only oscillate' <(unbroken)
last=$(told beats)
for ((beats = last - 10; beats <= last; beats++)); do
    run_well 1 snake "${moves[@]}" --beats "$beats" --checkpoint "$work/part" -q
    run_well 3 snake "$work/disk.png" --restore "$work/part" --beats 1000 -o "$out/again.csv" --json "$out/run.json"
    holds "another end with a checkpoint after beat $beats" [ "$(told beats)" = "$last" ]
    holds "another word with a checkpoint after beat $beats" grep -q 'only oscillate' <(unbroken)
    holds "another contour with a checkpoint after beat $beats" cmp -s "$out/moved.csv" "$out/again.csv"
done

what='checkpoints'
run_well 1 snake "${disk[@]}" --beats 5 --checkpoint "$work/part" --quiet
fails 2 'subpixel.*made without it' 2 snake "$work/disk.png" --restore "$work/part" --subpixel
finish
