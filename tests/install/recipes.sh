#!/usr/bin/env bash
# Every recipe of docs/how-it-works.md is followed in a copy of the sources, whose sources are then compiled as
# far as errors go. With `more` the program is built from the copy, and has what the recipes add.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

copy=$work/copy
mkdir "$copy"
tar -C "$SOURCE" --exclude ./build --exclude ./.git --exclude ./data -cf - . | tar -C "$copy" -xf -
what='the recipes'
holds 'they cannot be followed' "$python" "$(dirname "$0")/recipes.py" "$copy/docs/how-it-works.md" "$SOURCE" \
    "$copy" "$BUILD" >"$work/stdout" 2>"$work/stderr"
cat "$work/stdout"
[ "$failures" = 0 ] || { head -n 30 "$work/stderr"; finish; }
more || finish

made=$work/made
holds 'the copy is not configured' "$CMAKE" -G "$GENERATOR" -S "$copy" -B "$made" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG=-O0 -DCMAKE_C_COMPILER="$CC" -DHALOBEAT_TESTS=ON \
    -DMPI_C_COMPILER="$(sed -n 's/^MPI_C_COMPILER:[A-Z]*=//p' "$BUILD/CMakeCache.txt")" \
    -DMPIEXEC_EXECUTABLE="$mpiexec" >"$work/stdout" 2>"$work/stderr"
holds 'the copy is not built' "$CMAKE" --build "$made" --parallel 2 --target bin/halobeat \
    test_array_formats test_balance_plan >"$work/stdout" 2>&1
[ "$failures" = 0 ] || { tail -n 30 "$work/stdout"; finish; }
program=$made/bin/halobeat
"$python" - "$work/shapes.npy" <<'PYTHON'
import sys, numpy
image = numpy.zeros((9, 20), numpy.uint8)
image[1:3, 2:12] = image[5:9, 4:8] = 200
numpy.save(sys.argv[1], image)
PYTHON


# own_test NAME: a test of the tree that goes through all rows.
own_test() {
    what=$1
    "$made/tests/$1" >"$work/stdout" 2>"$work/stderr"
    holds 'it fails' [ $? = 0 ]
}
run_well 2 label "$work/shapes.npy" -q --regions "$work/out/is.csv" --properties aspect
holds 'other figures' [ "$(paste -s -d ' ' "$work/out/is.csv")" = 'label,aspect 1,5.744562646538029 2,1' ]
run_well 1 label --help
holds 'no help on it' grep -q 'extent, .*\baspect\|aspect, extent' <(tr -s '\n ' ' ' <"$work/stdout")
run_well 2 label "$work/shapes.npy" -q -o "$work/out/is.pam"
holds 'another head' [ "$(head -c 48 "$work/out/is.pam" | head -n 3 | paste -s -d ' ')" = 'P7 WIDTH 20 HEIGHT 9' ]
own_test mpi/test_array_formats
run_well 1 run heat --size 9x9 -n 3 -q -o "$work/should.npy" --source .5
for options in '--source .25 --growth 2' '--source 2 --most .5' '--source -.5 --sink'; do
    # shellcheck disable=SC2086 # the options' words
    run_well 1 run heat --size 9x9 -n 3 -q -o "$work/out/is.npy" $options
    holds 'other cells' cmp -s "$work/out/is.npy" "$work/should.npy"
done
fails 2 'most takes a number from 0 to 9' 1 run heat --size 9x9 -n 3 --most 10
run_well 3 synthetic --size 60x5 --beats 8 --balance even --json "$work/out/is.json" -q
holds 'it has another name' grep -q '"name": "even"' "$work/out/is.json"
own_test unit/test_balance_plan
finish
