#!/usr/bin/env bash
# The pages of the interface are made without a warning, and tell what headers say.
# shellcheck disable=SC2317 # called by holds
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

needs doxygen doxygen
what='the target docs'
holds 'it failed' "$CMAKE" --build "$BUILD" --target docs >"$work/stdout" 2>"$work/stderr"
[ "$failures" = 0 ] || cat "$work/stdout"
html=$BUILD/docs/html
tells() {
    sed -e 's/<[^>]*>//g' "$html/$1" | tr -s ' \n' ' ' | grep -q -F -e "$2"
}
what='the pages'
holds 'a function' tells beat_8h.html "Runs until nothing changes, a watcher stops it"
holds 'a function with options, as it is called' \
    tells png__read_8h.html 'halo_png_reader_open (halo_png_reader **out, const char *path, const halo_png_read_options *options)'
holds 'a member' tells structhalo__view.html 'bytes from a cell to the next along each axis'
holds 'a list' tells vote_8h.html 'HALO_VOTE_LIST'
holds 'two functions of one comment' \
    eval "[ \"\$(sed -e 's/<[^>]*>//g' '$html/collect_8h.html' |
        grep -c 'becomes its sum (its maximum, its minimum) over all ranks')\" -ge 2 ]"
holds 'the main page' tells index.html 'Where to find what'
holds 'the tutorial' tells tutorial.html 'A kernel of your own'
finish
