#!/usr/bin/env bash
# One command, the sixth argument, writes the same bytes in every file, whatever the number of ranks,
# decomposition, method, balancer, vote, way of waiting and instruction set. (tests/mpi/test_same_bytes.c
# tries all pairs of such choices on the kernels themselves.)
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
command=$6 one=$work/one out=$work/out scripts=$(dirname "$0")
mkdir "$one"

# Sets of results, which runs write in turn, and what only the reference is given.
reference=()
case $command in
    label)
        sets=('-o labels.png --colour colour.png --regions regions.csv'
            '-o labels.npy --regions regions.json' '--regions shapes.csv --properties all')
        ;;
    cluster)
        sets=('-o labels.png --mosaic mosaic.png --outline outline.png --centres centres.csv
            --checkpoint state' '-o labels.npy --centres centres.json')
        reference=(--engine brute)
        ;;
    chan-vese) sets=('-o inside.npy --overlay overlay.png --checkpoint state') ;;
    run) sets=('-o cells.npy' '-o cells.png') ;;
    motion)
        sets=('-o flow.flo --vectors vectors.csv --arrows arrows.png' '-o flow.npy' '-o flow.png')
        ;;
    paths)
        sets=('-o distances.npy --path path.csv --overlay overlay.png'
            '-o distances.npy --nearest nearest.png' '--nearest nearest.npy')
        ;;
    life) sets=('-o cells.rle --population table.csv') ;;
    *) skip "no table for $command" ;;
esac

# write FOLDER SET RANKS ARGUMENT...: leaves in $written the names of the files.
write() {
    local word
    local -a files=(--quiet)
    written=()
    for word in ${sets[$2]}; do
        case $word in
            *.* | state) files+=("$1/$word") && written+=("$word") ;;
            *) files+=("$word") ;;
        esac
    done
    run_well "$3" "$command" "${@:4}" "${files[@]}"
}

# check_run RANKS ARGUMENT...: the files are those of the reference, and there are no others.
turn=0
check_run() {
    local file
    local -a waits=("${slept[@]}")
    case " $* " in *' --wait '*) waits=() ;; esac
    write "$out" "${chosen[turn % ${#chosen[@]}]}" "$@" "${waits[@]}"
    turn=$((turn + 1))
    for file in "${written[@]}"; do holds "another $file" cmp -s "$one/$file" "$out/$file"; done
    holds "other files: $(ls -A "$out")" [ "$(find "$out" -type f | wc -l)" = "${#written[@]}" ]
    rm -f "${out:?}"/*
}

# Hosts and sanitized programs start slowly, and without MPI threads are the same ones: they have every command and
# way, but not each with each, which `.ci/run --all` has on hosts.
fewer=${HALOBEAT_TEST_HOSTS:-${HALOBEAT_TEST_LIMIT:-}} slept=()
if [ "$launcher" = none ]; then fewer=yes; fi
if more; then fewer=''; fi
# Hosts that are one machine take its cores from each other while they spin.
if [ -n "${HALOBEAT_TEST_HOSTS:-}" ]; then slept=(--wait sleep); fi

# same: reads a table. "= ARGUMENTS" is what one rank does for the reference, in all sets; "=1" only
# in that one. Below it stand ranks and further options of runs that do the same; "~" begins those that
# do without the arguments above, "+" those that are left out where fewer will do.
same() {
    local -a words given
    local set
    while read -ra words; do
        if [ "${words[0]:-}" = + ]; then
            [ -z "$fewer" ] || continue
            words=("${words[@]:1}")
        fi
        case ${words[0]:-} in
            =*)
                given=("${words[@]:1}") chosen=("${!sets[@]}")
                if [ "${words[0]}" != = ]; then chosen=("${words[0]#=}"); fi
                for set in "${chosen[@]}"; do
                    write "$one" "$set" 1 "${given[@]}" "${reference[@]}"
                done
                ;;
            '~') check_run "${words[@]:1}" ;;
            [0-9]*) check_run "${words[0]}" "${given[@]}" "${words[@]:1}" ;;
        esac
    done
}

# Find the instruction sets that this machine has, so that a set it lacks is not an error.
fast=plain faster=plain
for isa in avx2 avx512; do
    if "$program" label "$data/microaneurysms.png" --quiet --instructions "$isa" 2>/dev/null; then
        if [ "$isa" = avx2 ]; then fast=avx2; fi
        faster=$isa
    else
        echo "skipped: $isa, which this machine lacks"
    fi
done

list_balancers
random='--balance random --balance-every 1' trace=$work/trace.txt
printf '# seconds rank load\n0 1 1.5\n0.01 1 0\n0 0 .5 # half the time\n' >"$trace"

# balanced [AT]: rows with every balancer, and with ranks that are slow, from AT on.
balanced() {
    local -a ways=(auto neighbour direct)
    local i
    for i in "${!balancers[@]}"; do
        echo "$((2 + i % 3)) --balance ${balancers[i]} --balance-every $((1 + i % 2))" \
            "--migrate ${ways[i % 3]}"
    done
    echo "5 --balance random:seed=9,empty=0 --balance-every 1 --slow 3:2"
    echo "3 --balance chain --load-trace $trace --slow 1:2$1 --slow 2:1.5"
    echo "3 --slow 2:3 --slow 2:1$1"
}

# third NUMBER: with fewer runs, the 0th, first or second third of these rows; else all of them.
third() {
    if [ -n "$fewer" ]; then awk -v number="$1" 'NR % 3 == number'; else cat; fi
}

picture() { "$python" "$scripts/pictures.py" "$@" || exit 1; }

test_label() {
    local spots=$data/microaneurysms.png text=$data/text.png image size
    local images=("$data"/*.png) sizes=('1 1' '65 3' '1 70' '70 1')
    # How files are read is the same everywhere: what ranks send, one image has.
    if [ -n "$fewer" ]; then images=("$spots") sizes=("${sizes[@]::2}"); fi
    for image in "${images[@]}"; do # union, which all images can afford
        same <<TABLE
= $image -c 8 --min-area 20
2 --vote tree --instructions $fast
5 --vote broadcast --instructions $faster
TABLE
        holds "PNG and .npy differ" "$tools/same_pixels" "$one/labels.png" "$one/labels.npy"
    done
    same <<TABLE
= $text -c 8 --periodic --invert --min-area 5
3 --method settle --vote coordinator --instructions plain
+ 2 --method sweep --instructions $fast
4 --method async --decomposition blocks --detector dual-ring
3 --method async --balance random --balance-every 1 --detector fixed-energy
+ 4 --decomposition blocks
3 --decomposition auto
= $spots --periodic --invert
5 --method sweep --vote tree --instructions plain
+ 2 --decomposition 1x2
+ 3 --decomposition 1x3
4 --decomposition 2x2
+ 4 --decomposition 2x2 --method settle
= $data/horse.png -c 8 --periodic --min-area 5 --invert
+ 4 --decomposition 2x2
5 --decomposition 1x5 --method settle --packing copy --corners phases
4 --decomposition 2x2 --method settle --packing datatype --corners direct
4 --decomposition 2x2 --method settle --exchange persistent --balance chain
+ 2 --decomposition 1x2 --method sweep
3 --decomposition strips --method sweep --exchange persistent
=1 $text --numbering seed
2 --method settle --wait spin
2 --decomposition 1x2 --wait yield
+ 4 --decomposition 2x2 --wait sleep
+ 5 --decomposition 1x5
= $text --threshold 51
~ 2 $text --threshold 20%
+ ~ 3 $text --threshold 50.5
= $text --threshold 20%..150 --invert
+ 3
3 --decomposition 1x3 --method settle
= $text --threshold local:12:4.5 --invert -c 8
+ 3
4 --decomposition 2x2
+ 2 --balance chain --method settle
+ 5 --balance random --method sweep
= $text --threshold 30%,60% -c 8 --fill-holes --clear-border --largest 9
+ 3
4 --decomposition 2x2 --method settle
+ 5 --decomposition 1x5 --instructions plain
= $spots -c 8 --method union
$(balanced '' | third 0)
= $spots -c 8 --method settle
$(balanced @3 | third 1)
= $spots -c 8 --method sweep
$(balanced @3 | third 2)
TABLE
    # More ranks than rows: surplus ranks own nothing and nobody notices.
    for size in "${sizes[@]}"; do
        # shellcheck disable=SC2086 # two words
        picture make $size 8 "$work/few.png"
        same <<TABLE
= $work/few.png
8
= $work/few.png -c 8 --periodic
+ 8
8 --method sweep
TABLE
    done
}

test_cluster() {
    local p=$work/pictures
    mkdir "$p"
    picture cluster "$p"
    same <<TABLE
= $p/noise.png -k 37 --weight 2.5 --beats 12
1 --engine tiles --instructions plain
2 --engine leaves --instructions $fast --vote tree
3 --engine leaves $random --instructions $faster
5 --engine tiles $random --wait yield
4 --engine brute --instructions plain $random --migrate direct
= $p/grey16.png -k 50 --beats 20
3 --engine auto $random
2 --engine leaves --instructions $faster
= $p/rgb.png -k 12 --weight 4
3 --engine tiles $random
2
= $p/rgb.png -k 12 --weight 4 --colour
2 --engine leaves $random --instructions plain
3 --engine tiles --instructions $faster
= $p/rgb16.png -k 7 --colour
2 $random
3
= $p/bits.png -k 8 --weight .1
3 $random
5
= $p/bits.png -k 8 --weight .1 --colour
5
2
= $p/line.png -k 6
5 $random
8
= $data/text.png -k 9 --until change:0.5% --weight .5
2 --engine tiles $random --instructions plain
5 --engine leaves --balance chain --slow 1:3
= $data/text.png -k 4 --beats 2 --weight 9
5
2
TABLE
    holds "PNG and .npy differ" "$tools/same_pixels" "$one/labels.png" "$one/labels.npy"
}

test_chan_vese() {
    local moves="$random --instructions plain"
    picture make 130 90 8 "$work/grey.png"
    picture make 70 61 16 "$work/deep.png"
    picture colour 97 55 "$work/colour.png"
    # Halos deeper than the strips of eight ranks: some own nothing.
    same <<TABLE
= $work/grey.png -n 20
2 $moves
= $work/grey.png --init disk:100,20,30.5 --smoothing 3 -n 9
3 $moves
= $work/deep.png --init checkerboard:9 --smoothing 2 --lambda1 2.5
4 $moves
= $work/colour.png --smoothing 0 --lambda2 0.25 -n 12
5 $moves
= $work/colour.png --smoothing 12 -n 3
8 $moves
TABLE
}

test_run() {
    local plate='heat --size 53x37 --beats 33 --shape square --source .5'
    local block='heat3d --size 11x14x9 --beats 12 --periodic z,x' size
    local steer="$tools/steer.so --size 17x20 --beats 19 --seed 5"
    local stripes="$tools/stripes.so --size 70x30 --beats 9"
    # Two axes, three and one; fields, and a sum that steers; bits, which are not cut within a row.
    same <<TABLE
= $plate
+ 2 --halo-depth 4
3 --decomposition 1x3 --exchange persistent
4 --decomposition blocks --halo-depth 3 --corners phases
4 --decomposition 2x2 $random
+ 5 --balance random:empty=0 --balance-every 2 --halo-depth 2
5 --decomposition auto --vote tree --wait yield --packing datatype
= $plate --periodic x
4 --decomposition blocks --halo-depth 2
+ 2 --decomposition 1x2 --packing copy
=0 $block
+ 2 --decomposition 1x2
3 --halo-depth 3
4 --decomposition 1x2x2 --halo-depth 2
5 --decomposition 1x1x5 --exchange persistent
=1 $block --plane 3
3 --decomposition 1x3
=1 $block
+ 4 --plane 4 --decomposition 1x2x2
=0 $steer --field 0
+ 4 --decomposition 2x2
3 $random
=0 $steer --field 1
4 --decomposition 2x2
+ 3 $random
= $stripes
3 --decomposition blocks --halo-depth 2
+ 2
TABLE
    for size in 61 9x7 6x5x4; do
        same <<TABLE
=0 $tools/rise.so --size $size --until steady
+ 3
4 --decomposition auto
TABLE
    done
}

test_motion() {
    "$tools/flow_tool" make "$work/m-%d.png" 2 12 -7 160 120 8 || wrong 'no frames'
    same <<TABLE
= $work/m-0.png $work/m-1.png -k 24 --radius 16
2 --balance none
3 --balance lb1
5 --balance lb2 --slow 1:3
1 --instructions plain
3 --vote tree
5 --balance lb1
TABLE
}

# Distances, and what follows from them, do not depend on the order of work; beats do.
test_paths() {
    local places='--from 3,4 --from 100,70 --to 120,3 --to 0,80' size
    picture make 130 90 8 "$work/grey.png"
    picture make 70 61 16 "$work/deep.png"
    picture colour 97 55 "$work/colour.png"
    picture make 97 55 8 "$work/mask.png"
    picture make 70 5 8 "$work/low.png" # of which few ranks own two rows
    same <<TABLE
= $work/grey.png $places
2 --quota 100
3 --quota 0 --vote tree --method settle
3 --method central
4 --method decentral --decomposition blocks --detector fixed-energy
4 --decomposition blocks --quota 700 --exchange persistent --method settle
5 --decomposition 1x5 --packing copy --corners phases
4 --decomposition 2x2 --quota 50 --packing datatype --detector fixed-energy
2 --balance random --balance-every 1 --quota 200 --method settle
3 --balance random --balance-every 1 --quota 90 --detector ack-tree
3 --balance chain --quota 90 --slow 1:3
1 --instructions plain
2 --instructions $fast
= $work/grey.png --from 3,4 --to 30,20 --neighbours 16 --max-distance 6000
3 --quota 300
4 --decomposition 2x2
1 --method bucket --quota 10
1 --method async --quota 10
2 --method settle
= $work/deep.png --from 9,9 --to 60,60 --neighbours 4 --cell-size 2,3.5
2 --decomposition 1x2
5 --quota 20
= $work/low.png --from 2,2 --to 60,4 --neighbours 16
4
8
4 --method decentral
= $work/colour.png --from $work/mask.png --to 90,50
3 --decomposition strips
4 --decomposition blocks
TABLE
}

test_life() {
    same <<TABLE
= soup:150x120:35%:4 -n 90 --halo-depth 4
$(balanced @3)
= $data/patterns/glider-gun.rle -n 120
$(balanced @3)
= soup:150x120:35%:4 -n 40 --rule 345/2/4 --until cycle:6
$(balanced @3)
TABLE
}

case $command in
    label) test_label ;;
    cluster) test_cluster ;;
    chan-vese) test_chan_vese ;;
    run) test_run ;;
    motion) test_motion ;;
    paths) test_paths ;;
    life) test_life ;;
esac
finish
