#!/usr/bin/env bash
# `halobeat run` refuses these arguments, kernels and files.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
steer=$tools/steer.so rise=$tools/rise.so stripes=$tools/stripes.so

# Help names every kernel.
run 2 run --help
for word in 'heat3d ' './mykernel.so'; do
    holds "nothing about $word" grep -q -F -e "$word" "$work/stdout"
done
run 2 run "$steer" --help
holds "exit status $status" [ "$status" = 0 ]
holds "nothing about the kernel" grep -q 'steer: sums over all cells steer it' "$work/stdout"
holds "nothing about its options" grep -q 'A number to begin with' "$work/stdout"
# Texts of a kernel may have any length, and any signs.
run_well 2 run "$tools/texts.so" --size 5x5 --beats 1 --quiet --json "$work/texts.json" --report "$work/page.html"
run 1 run "$tools/texts.so" --help
holds 'not all of the help' [ "$(grep -o -F '100%;' "$work/stdout" | wc -l)" = 1000 ]
for word in starts stops '%s%d and' 'and ends (default: 0.5)' '--silent' '--choice=one|many' 'unbrokenunbroken' 'Examples:' 'Exit status'; do
    holds "no $word" grep -q -F -e "$word" "$work/stdout"
done
fails 1 'no/such' 2 run ./no/such.so --help
fails 2 'no kernel "warmth"' 2 run warmth --help
refusing=run
besides=(heat)
bad size 0 10x 'x10' 10x0 10x-5 10x10x10x10 1e3x5 '10x10 ' 9999999999x1
bad periodic q x,x x, ,x 'x y' all,x
bad decomposition stripes 2 0x2 2x 2x-2
bad stop-when sometimes
refuse 'one argument too many; give one' heat heat3d
refuse 'unrecognized.*instructions' "$rise" --instructions avx2
refuse 'needs --every N' heat --movie x.gif --stop-when still
refuse 'plane needs --movie' heat3d --plane 3 -o x.npy
refuse 'field needs --output FILE or --movie' "$steer" --field 1

# These options do not fit the kernel.
refuse 'no kernel "warmth"; there are heat, heat3d' warmth
refuse '2 axes.*size has 1' heat --size 10
refuse '2 axes.*size has 3' heat --size 10x10x10
refuse '3 axes.*size has 2' heat3d --size 10x10
refuse 'no axis z' heat --periodic z
refuse 'no field 1' heat --field 1 -o x.npy
refuse 'no options of its own' "$rise" --options a=1
refuse 'does not count what changes' heat --stop-when still
refuse 'line of cells makes no picture' "$rise" --size 100 -o x.png
refuse '100 planes' heat3d --plane 100 -o x.png
refuse '1 plane,' heat --plane 1 -o x.png
refuse 'no option' heat --options warmth=3
fails 2 'seed takes a whole number' 3 run "$steer" --options many
fails 2 'seed takes a whole number' 3 run "$steer" --seed many
fails 2 'shape=linear cannot be given with source=3' 1 run heat --options shape=linear --source 3
refuse 'cannot begin with shape round' heat --shape round
fails 2 'no 13 rows' 2 run "$steer" --size 13x13
fails 2 'makes 6 parts, and there are 4 ranks; use 2x2, or .*mpiexec -n 6' 4 run heat \
    --decomposition 2x3
fails 2 'there is 1 rank' 1 run heat --decomposition 2x1
fails 2 'has only 2' 2 run heat --decomposition 1x1x2
fails 1 'halo' 5 run heat --size 9x9 --halo-depth 2
fails 1 'halo' 4 run heat --size 9x9 --halo-depth 5 --decomposition blocks
fails 1 'memory\|bytes' 2 run heat --size 2147483647x2147483647

# Kernels that cannot be loaded.
fails 1 'no/such.so.*No such file' 2 run ./no/such.so
fails 1 'cannot be loaded.*cc -shared -fPIC' 3 run "$0"
fails 1 'it is no file' 1 run "$work/"
fails 2 'kernel .clash. has an option --size, which all programs have' 2 run "$tools/clash.so"
fails 2 'kernel .twice. has two options --speed; give one another name' 1 run "$tools/twice.so"
fails 2 'a=b,c.* is no name for an option of kernel .unnamed.' 2 run "$tools/unnamed.so"
fails 2 'option .speed. of kernel .outside. is not well described.*options_bytes, which is 7' 2 run "$tools/outside.so"
fails 2 'no kernel .haet.' 3 run haet --speed 1
fails 1 'exports no kernel.*HALO_KERNEL_EXPORT' 2 run "$tools/nothing.so"
fails 1 'another Halobeat.*kernels of version.*build it again' 3 run "$tools/older.so"

# Files that cannot be read.
refuse 'same file' heat -o "$work/x.npy" --input "$work/x.npy"
fails 1 'cannot be opened' 2 run heat --input "$work/no.npy"
fails 1 'not an image of a known format' 3 run heat --input "$0"
what='arrays to begin with'
run_well 1 run "$rise" --size 5x6 --beats 1 --quiet -o "$work/u2.npy"
run_well 1 run heat3d --size 4x5x6 --beats 1 --quiet -o "$work/three.npy"
head -c 300 "$work/three.npy" >"$work/short.npy"
fails 1 'of type uint16.*astype("u1")' 2 run "$stripes" --input "$work/u2.npy"
fails 2 '2 axes.* has 3' 2 run heat --input "$work/three.npy"
fails 2 'size is 6x5.* has 5x6 cells' 2 run "$rise" --input "$work/u2.npy" --size 6x5
for shape in '--shape linear' '--options shape=linear'; do
    # shellcheck disable=SC2086 # an option and its value
    fails 2 'shape says how cells begin.*u2.npy" has them.*leave out' 2 run heat $shape --input "$work/u2.npy"
done
fails 1 'cut off: 5 of 30 rows' 3 run heat3d --input "$work/short.npy"
fails 2 'PGM holds no volumes; use a name ending in .npy, .tif, ' 2 run heat3d --input "$work/three.npy" -o "$work/x.pgm"
finish
