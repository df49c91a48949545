#!/usr/bin/env bash
# Words that are nearly right are refused with the one that was meant; shapes and types of raw samples
# are understood as people write them.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
photo=$data/brick.png

# mistaken PATTERN ARGUMENT...: refused by one message that ends in PATTERN; now and then on two ranks, of which one
# speaks.
mistakes=0
mistaken() {
    local ranks=1
    if more || [ $((mistakes % 6)) = 5 ]; then ranks=2; fi
    mistakes=$((mistakes + 1))
    run $ranks "${@:2}"
    [ "$status" = 2 ] || wrong "exit status $status, not 2"
    holds 'not one message' [ "$(messages | grep -c '^halobeat')" = 1 ]
    holds "no message like $1" grep -q -e "$1\$" <(messages)
}
mistaken 'no command "labl"; did you mean label? .halobeat --help. lists them' labl
mistaken 'no command "kluster"; did you mean cluster? .halobeat --help. lists them' kluster
mistaken 'no command "segment"; .halobeat --help. lists them' segment
HALOBEAT_RUN_WORDS='demo|test' mistaken 'no command "tets"; did you mean test? .halobeat --help. lists them' tets
mistaken 'no command "-x".*' -x
mistaken 'no command "-help"; did you mean --help? .halobeat --help. lists them' -help
mistaken 'no command "version"; did you mean --version? .halobeat --help. lists them' version
mistaken 'no command "heat"; did you mean run heat? .halobeat --help. lists them' heat
mistaken "unrecognized option '--reigons'; did you mean --regions?" label "$photo" --reigons x.csv
mistaken "unrecognized option '--conectivity'; did you mean --connectivity?" label "$photo" --conectivity=8
mistaken "unrecognized option '--qwertz'" label "$photo" --qwertz
# No words at all
run 2
holds "exit status $status, not 2" [ "$status" = 2 ]
holds 'standard output is not empty' [ ! -s "$work/stdout" ]
holds 'nothing on standard error' [ -n "$(messages)" ]
# Options of another command, or of another kernel, are named.
mistaken "unrecognized option '--regions': it is an option of label and measure" life soup:9x9:30% --regions x.csv
mistaken "unrecognized option '--halo-depth': it is an option of .*run.* and .*" label "$photo" --halo-depth 3
mistaken "unrecognized option '--tolerance': it is an option of heat, whose name goes in front of it" \
    run --tolerance 1 heat
mistaken "unrecognized option '--tolerence'; did you mean --tolerance?" run heat --tolerence 1
# Values of choices, words, kernels, benchmarks.
mistaken 'not "sttle"; did you mean settle?' label "$photo" --method sttle
mistaken 'not "Viridus"; did you mean viridis?' run heat --colours Viridus -o x.png
mistaken 'not "xyz"' run heat --colours xyz -o x.png
mistaken 'no kernel "heta"; there are heat, .*; did you mean heat?' run heta
mistaken 'not "exchagne"; did you mean exchange?' bench exchagne
# The same of values that have parameters, or are several.
mistaken 'unknown balancer "chian"; use .*; did you mean chain?' label "$photo" --balance chian:gain=.05
mistaken 'has no option .gian.; it has gain, [a-z, ]*, as NAME=VALUE with commas between them' label "$photo" --balance chain:gian=.05
mistaken 'unknown schedule "gided:1987"; use .*; did you mean guided?' label "$photo" --schedule gided:1987
mistaken 'not "ostu"; did you mean otsu?' label "$photo" -t ostu
mistaken 'not "locl:5"; did you mean local?' label "$photo" -t locl:5
mistaken 'not "gird:2x2"; did you mean grid?' snake "$photo" --init gird:2x2
mistaken 'no profile .ramdom.; .*; did you mean random?' synthetic --profile ramdom
mistaken 'not "bloks"; did you mean blocks?' run heat --decomposition bloks
mistaken 'not "periodic,reflectin"; did you mean reflecting?' walk "$photo" --edges periodic,reflectin
mistaken 'not "soom,fail=2"; did you mean soon?' tasks --halt soom,fail=2 true
mistaken 'not "soon,fail"' tasks --halt soon,fail true
# A value is no option, nor is anything behind --.
mistaken '--output takes a name ending in .*, not "--reigons"' label "$photo" -o --reigons
mistaken '--output takes a name ending in .*, not "--reigons"' label "$photo" -qo --reigons
run 1 label "$photo" -q -- --reigons
holds 'no file is missed' grep -q '^halobeat label: --reigons: ' "$work/stderr"
run_well 1 label "$photo" -q --help --reigons

# Raw samples: 10 x 20 x 15 of two bytes, low byte first.
for ((i = 0; i < 6000; i++)); do
    printf -v byte '\\0%03o' $((i * i * 7 % 251))
    printf '%b' "$byte"
done >"$work/samples"
fails 1 'samples: not an image of a known format: .*; if it is samples without a header, give --shape \[DEPTHx\]HEIGHTxWIDTH and --dtype TYPE' \
    2 label "$work/samples"
# same THRESHOLD SHAPE TYPE...: all of them are read alike.
same() {
    local threshold=$1 shape=$2 type=$3 other
    run_well 1 label "$work/samples" -q -t "$threshold" --shape "$shape" --dtype "$type" -o "$work/wanted.npy"
    for other in "${@:4}"; do
        run_well 1 label "$work/samples" -q -t "$threshold" --shape "$shape" --dtype "$other" -o "$work/other.npy"
        holds 'other labels' cmp -s "$work/wanted.npy" "$work/other.npy"
    done
}
same 20000 10x20x15 '<u2' u2 uint16 ushort 'unsigned short' uint16_t MET_USHORT u16 H '<uint16' '=u2'
same 20000 10x20x15 '>u2' '>uint16' '>H' '>ushort'
same 20000 10x20x15 '<i2' int16 short MET_SHORT i16 h
same 100 20x20x15 u1 '|u1' uint8 byte uchar 'unsigned char' MET_UCHAR B
same 1 5x20x15 '<f4' float single float32 f32 MET_FLOAT f
same 1000000000 5x20x15 '<i4' int int32 i
same 1 50x15 '<f8' double float64 d
fails 2 '--dtype takes u1, .*, or a name such as uint16, short or float, .*not "floot"' 1 \
    label "$work/samples" --shape 10x20x15 --dtype floot
run_well 1 label "$work/samples" -q -t 20000 --dtype u2 --shape 10x20x15 -o "$work/wanted.npy"
for shape in 10X20X15 10,20,15 '10 20 15' '(10, 20, 15)' '[10,20,15]' '10*20*15' 10×20×15; do
    run_well 1 label "$work/samples" -q -t 20000 --dtype u2 --shape "$shape" -o "$work/other.npy"
    holds 'other labels' cmp -s "$work/wanted.npy" "$work/other.npy"
done
refusing=label
for shape in '10,20,15,' '(10,20,15' '10,20,15)' 10xx20x15 3000 10x20x15x1 10x-20x15; do
    refuse '--shape takes HEIGHTxWIDTH or DEPTHxHEIGHTxWIDTH' "$work/samples" --shape "$shape"
done
finish
