#!/usr/bin/env bash
# Installs into a scratch folder, moves what was installed elsewhere, and builds the examples against
# it: $tools/moved and $tools/examples, for the other tests.
# shellcheck disable=SC2317 # called by holds
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

# Whoever looks for MPI where Halobeat has none finds nothing.
hidden=()
if [ "$launcher" = none ]; then hidden=(-D CMAKE_DISABLE_FIND_PACKAGE_MPI=ON); fi

build_examples() {
    "$CMAKE" -S "$SOURCE/examples" -B "$tools/examples" -G "$GENERATOR" \
        -D CMAKE_C_COMPILER="$CC" -D CMAKE_PREFIX_PATH="$tools/moved" "${hidden[@]}" \
        -D CMAKE_C_FLAGS="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror" &&
        "$CMAKE" --build "$tools/examples" --parallel 2
}

rm -rf "$tools"
mkdir -p "$tools"
what='cmake --install'
holds 'it failed' env DESTDIR="$tools/staged" "$CMAKE" --install "$BUILD" --prefix /opt/halobeat \
    >"$work/stdout" 2>"$work/stderr"
holds 'it wrote outside of DESTDIR' [ ! -e /opt/halobeat ]
mv "$tools/staged/opt/halobeat" "$tools/moved" || exit 1
what='building the examples against what was installed, and moved'
holds 'it failed' build_examples >"$work/stdout" 2>"$work/stderr"
[ "$failures" = 0 ] || tail -n 30 "$work/stdout"
what='an example by itself'
cp -r "$SOURCE/examples/heat" "$work/heat"
holds 'its project cannot be configured' "$CMAKE" -S "$work/heat" -B "$work/heat/build" \
    -G "$GENERATOR" -D CMAKE_C_COMPILER="$CC" -D Halobeat_ROOT="$tools/moved" \
    >"$work/stdout" 2>"$work/stderr"
finish
