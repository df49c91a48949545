#!/usr/bin/env bash
# Ray tracing (halobeat trace): rays counted as POV-Ray counts them, the same files for every schedule,
# number of ranks and instruction set, journals, and scenes that are refused with line and column.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
json=$work/out/run.json picture=$work/out/picture.png heat=$work/out/heat.png
scenes=$(dirname "$0")/../../tools/scenes.py
room=$data/scenes/room.nff

# Scripts make the same scenes as those in data/.
for scene in five-balls room; do
    holds "data/scenes/$scene.nff is not what tools/scenes.py makes" cmp -s \
        <("$python" "$scenes" "$scene") "$data/scenes/$scene.nff"
done

# POV-Ray 3.7 counts 262144 and 46349 of tetra, the same geometry; of balls 448962 and 950670, since its
# shortest ray is longer. Another tracer, independent of this one, has 437571 and 950736 of balls: a ray
# passes a ball by less than roundings.
"$python" "$scenes" tetra >"$work/tetra.nff"
run_well 1 trace "$work/tetra.nff" --quiet --json "$json"
holds "rays of tetra" [ "$(told rays) $(told shadow_rays)" = '262144 46349' ]
"$python" "$scenes" balls >"$work/balls.nff"
run_well 2 trace "$work/balls.nff" --quiet --json "$json"
holds "rays of balls" [ "$(told rays) $(told shadow_rays)" = '437572 950735' ]
holds "balls reflect only" [ "$(told reflected) $(told refracted)" = '175428 0' ]

# Every ray of the even scene is reflected as often as it may; tiles cost about the same, and those of
# the other do not.
run_well 1 trace "$data/scenes/five-balls.nff" --size 64x64 --quiet --json "$json"
holds "rays of five balls" [ "$(told rays)" = $((5 * 64 * 64)) ]
run_well 1 trace "$data/scenes/five-balls.nff" --size 64x64 --depth 1 --quiet --json "$json"
holds "rays of the eye alone" [ "$(told rays)" = $((64 * 64)) ]
run_well 2 trace "$room" --size 200x200 --quiet --json "$json"
holds "the room is not uneven" "$python" -c 'import sys; sys.exit(float(sys.argv[1]) < 5)' \
    "$(told cost tile_ratio)"

# files: the names and checksums of the last run's.
files() { cksum <"$picture" && cksum <"$heat" && told cost steps && told rays; }
draw=(trace "$room" --size 150x90 --subpixels 2 -o "$picture" --heat "$heat" --quiet --json "$json")
run_well 1 "${draw[@]}"
first=$(files)
for schedule in static fixed:3 guided factoring awf-b hierarchical:2 diffusive pipeline; do
    run_well 3 "${draw[@]}" --schedule "$schedule"
    holds "another picture with $schedule" [ "$(files)" = "$first" ]
done
run_well 2 "${draw[@]}" --schedule fixed:1 --slow 1:5 --timeline "$work/out/who.csv"
holds "another picture with a slow rank" [ "$(files)" = "$first" ]
holds "no timeline" grep -q '^rank,' "$work/out/who.csv"
for instructions in plain avx2 avx512; do
    run 1 "${draw[@]}" --instructions "$instructions"
    if grep -q 'no instructions' "$work/stderr"; then continue; fi
    holds "another picture with $instructions" [ "$(files)" = "$first" ]
done

# A journal of which some tiles are missing.
run_well 2 "${draw[@]}" --journal "$work/journal"
holds "another picture with a journal" [ "$(files)" = "$first" ]
head -n 40 "$work/journal" >"$work/part" && mv "$work/part" "$work/journal"
rm "$picture" "$heat"
run_well 3 "${draw[@]}" --journal "$work/journal" --schedule guided
holds "$(told tasks before) tiles were in the journal, not 38" [ "$(told tasks before)" = 38 ]
holds "another picture from a journal" [ "$(files)" = "$first" ]
fails 1 'belongs to another job: .*subpixels 2.*subpixels 3' 2 "${draw[@]}" --subpixels 3 --journal "$work/journal"

# The summary.
run_well 2 trace "$room" --size 40x30 --verbose
for word in 'scene .*room.nff: [0-9]* spheres, [0-9]* polygons, [0-9]* cones, 2 lights' \
    'picture    40 x 30 pixels of 1 x 1 rays' 'rays .* reflected .* refracted.* to lights' \
    'cost .* steps .*most expensive of 6 tiles .*times the mean' 'tasks      6 finished' 'instructions'; do
    holds "nothing about $word" grep -q -e "$word" <(unbroken)
done
rm -f "$work"/out/*

# Scenes that cannot be understood. spoilt PATTERN LINE...: behind a view of 7 lines and a surface.
spoilt() {
    printf '%s\n' v 'from 0 0 -5' 'at 0 0 0' 'up 0 1 0' 'angle 45' 'hither 1' 'resolution 20 20' \
        'f 1 .5 .2 .9 .1 8 0 1 # orange' "${@:2}" >"$work/spoilt.nff"
    fails 1 "spoilt.nff\", $1" $((1 + turns++ % 2)) trace "$work/spoilt.nff" -o "$picture"
}
spoilt 'line 9, column 7: a number is expected, not "x"' 's 1 2 x 4'
spoilt 'line 10, column 1: a number is expected, and there is nothing more' 's 1 2 3'
spoilt 'line 9, column 3: a number is expected, not "0x1"' 's 0x1 2 3 4'
spoilt 'line 9, column 3: a number is expected, not "1e999"' 's 1e999 2 3 4'
spoilt 'line 9, column 3: a number is expected, not "nan"' 's nan 2 3 4'
spoilt 'line 10, column 2: v, b, l, f, s, c, p, pp or a comment is expected, not "q"' '' ' q 1'
spoilt 'line 9, column 1: .*at most 1e+09 from 0' 's 1e10 0 0 1'
spoilt 'line 9, column 3: a number of corners is expected, not "0"' 'p 0'
spoilt 'line 9, column 3: a number of corners is expected, not "3.5"' 'p 3.5'
spoilt 'line 9, column 1: corner 2 of a polygon has the normal (0, 0, 0)' 'pp 3' '0 0 0 0 0 1' \
    '1 0 0 0 0 0' '0 1 0 0 0 1'
spoilt 'line 9, column 1: a cone is 1e-12 high and has the radius 2; .*billionth' 'c' '0 0 0 1' '1e-12 0 0 2'
spoilt 'line 9, column 1: a cone has the radii 1 and -1' 'c' '0 0 0 1' '1 0 0 -1'
spoilt 'line 9, column 1: a surface has the transmittance 2; it is 0 to 1' 'f 1 1 1 1 0 0 2 1'
spoilt 'line 9, column 1: the background has the colour -1 0 0' 'b -1 0 0'
spoilt 'line 9, column 1: there is a second view' v 'from 0 0 -5' 'at 0 0 0' 'up 0 1 0' 'angle 45' \
    'hither 1' 'resolution 20 20'
spoilt 'line 9, column 9: a number is expected, not "s"' 'l 1 2 3 s'
# Shapes without area are left out, with one warning.
scene_of() {
    printf '%s\n' v 'from 0 0 -5' 'at 0 0 0' 'up 0 1 0' 'angle 45' 'hither 1' 'resolution 20 20' \
        'l 1 2 -3' 'f 1 .5 .2 .9 .1 8 0 1' "$@" 's 0 0 0 1'
}
scene_of >"$work/whole.nff"
scene_of 's 1 1 1 0' 'p 2' '0 0 0' '1 0 0' 'p 3' '0 0 0' '1 1 1' '2 2 2' 'p 1' '0 0 -1' 'c' '0 0 0 1' '0 0 0 2' \
    'c' '0 0 0 0' '1 0 0 0' 'pp 3' '0 0 0 0 0 1' '0 0 0 0 0 1' '1 0 0 0 0 1' >"$work/empty.nff"
run_well 1 trace "$work/whole.nff" -o "$work/whole.png"
for ranks in 1 3; do
    run $ranks trace "$work/empty.nff" -o "$work/empty.png"
    holds "exit status $status" [ "$status" = 0 ]
    holds 'not the one warning about shapes without area' [ "$(messages)" = \
        "halobeat trace: \"$work/empty.nff\": 7 shapes without area are left out, the first in line 10" ]
    holds 'another picture' cmp "$work/whole.png" "$work/empty.png"
done
# unseen PATTERN LINE...: a file of these lines alone.
unseen() {
    printf '%s\n' "${@:2}" >"$work/spoilt.nff"
    fails 1 "spoilt.nff\"$1" $((1 + turns++ % 2)) trace "$work/spoilt.nff" -o "$picture"
}
unseen ' has no view' ''
unseen ', line 1, column 1: there is no surface yet' 's 0 0 0 1'
unseen ', line 2, column 1: "from" is expected, not "at"' v 'at 0 0 0'
unseen ', line 1, column 1: the eye is at the point' v 'from 0 0 0' 'at 0 0 0' 'up 0 1 0' 'angle 45' \
    'hither 1' 'resolution 20 20'
unseen ', line 1, column 1: the upward direction is' v 'from 0 0 0' 'at 0 2 0' 'up 0 1 0' 'angle 45' \
    'hither 1' 'resolution 20 20'
unseen ', line 1, column 1: the angle of view is 180' v 'from 0 0 0' 'at 0 0 2' 'up 0 1 0' 'angle 180' \
    'hither 1' 'resolution 20 20'
unseen ', line 7, column 12: a number of pixels is expected, not "0"' v 'from 0 0 0' 'at 0 0 2' \
    'up 0 1 0' 'angle 45' 'hither 1' 'resolution 0 20'
unseen ', line 1, column 1: the resolution is 70000 x 9 pixels; it is at most' v 'from 0 0 0' 'at 0 0 2' \
    'up 0 1 0' 'angle 45' 'hither 1' 'resolution 70000 9'
fails 1 'brick.png", line 1, column 1: v, b,' 1 trace "$data/brick.png"
fails 1 'no/such' 2 trace "$work/no/such.nff"
fails 2 'size.*WIDTHxHEIGHT.*not "10"' 1 trace "$room" --size 10
fails 2 'same file' 2 trace "$work/spoilt.nff" -o "$picture" --heat "$picture"
finish
