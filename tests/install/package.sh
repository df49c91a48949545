#!/usr/bin/env bash
# The libraries, the program, the versions, and pkg-config.
# shellcheck disable=SC2317 # called by holds
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

prefix=$tools/moved
shared=$(find "$prefix" -name libhalobeat.so)
static=$(find "$prefix" -name libhalobeat.a)
folder=$(dirname "$shared")
export PKG_CONFIG_PATH=$folder/pkgconfig
version=$(sed -n 's/^project(Halobeat VERSION \([0-9.]*\).*/\1/p' "$SOURCE/CMakeLists.txt")

what='the shared library'
shown=$(nm -D --defined-only "$shared" | awk '{ print $3 }')
holds 'it shows other than halo_...' [ -z "$(grep -v '^halo_' <<<"$shown")" ]
for name in halo_main halo_beat_run halo_label_run halo_life_run halo_random_fill halo_png_write; do
    holds "it does not show $name" grep -q -x "$name" <<<"$shown"
done
holds 'its links are not there' [ "$(readlink "$shared")" = "libhalobeat.so.${version%.*}" ]
holds 'a version is missing' [ -f "$folder/libhalobeat.so.$version" ]

what='the program'
holds 'it does not run' [ "$("$program" --version | head -n 1)" = "halobeat $version" ]
run_well 2 life soup:64x64:35% -g 10 --quiet
kept=$work/out/cells.npy
keep_going=$(dirname "$program")/halobeat-keep-going
if [ "$launcher" = none ]; then
    holds 'halobeat-keep-going, which starts MPI, is there' [ ! -e "$keep_going" ]
else
    holds 'halobeat-keep-going does not find it' "$keep_going" \
        --mpiexec "$mpiexec ${flags[*]}" -n 2 life soup:64x64:35% -n 10 --quiet -o "$kept" \
        --checkpoint "$work/state" 2>"$work/stderr"
    holds 'halobeat-keep-going wrote nothing' [ -s "$kept" ]
fi

what='versions'
cat >"$work/version.c" <<'END'
#include <halobeat/version.h>
#include <stdio.h>
int main(void)
{
    printf("%d.%d.%d %s %s %d\n", HALOBEAT_VERSION_MAJOR, HALOBEAT_VERSION_MINOR,
           HALOBEAT_VERSION_PATCH, HALOBEAT_VERSION, halo_version(),
           HALOBEAT_VERSION_NUMBER == halo_version_number());
    return 0;
}
END

# build_with WHAT OUT SOURCE FLAG...
build_with() {
    what=$1
    holds 'it does not compile' "$CC" -std=c11 -O2 "$3" -o "$2" "${@:4}" 2>"$work/stderr"
}
read -ra dynamic_flags <<<"$(pkg-config --cflags --libs halobeat)"
static_text=$(pkg-config --static --cflags --libs halobeat)
read -ra static_flags <<<"${static_text/-lhalobeat/$static}"
build_with 'pkg-config' "$work/version" "$work/version.c" "${dynamic_flags[@]}" "-Wl,-rpath,$folder"
holds 'versions do not agree' [ "$("$work/version")" = "$version $version $version 1" ]
holds 'pkg-config has another version' [ "$(pkg-config --modversion halobeat)" = "$version" ]
build_with 'pkg-config --static' "$work/heat" "$SOURCE/examples/heat/heat.c" "${static_flags[@]}"
holds 'it wants the shared library' eval "! ldd '$work/heat' | grep -q libhalobeat"
# The static library and the shared one compute the same.
for program in "$work/heat" "$tools/examples/bin/heat"; do
    run_well 2 --size 60x50 --beats 20 --quiet -o "$work/out/$(basename "$(dirname "$program")").npy"
done
holds 'static and shared differ' [ "$(cksum <"$work/out/$(basename "$work").npy")" = \
    "$(cksum <"$work/out/bin.npy")" ]

# HDF5 is read by a program that is found beside the shared library, and is named to the static one.
if [ -x "$prefix/libexec/halobeat/halobeat-hdf5" ]; then
    program=$tools/examples/bin/heat
    run_well 1 --size 60x50 --beats 20 --quiet -o "$work/out/heat.h5"
    run_well 2 --input "$work/out/heat.h5" --beats 1 --quiet -o "$work/out/shared.npy"
    program=$work/heat
    HALOBEAT_LIBEXEC=$prefix/libexec/halobeat run_well 2 --input "$work/out/heat.h5" --beats 1 --quiet \
        -o "$work/out/static.npy"
    holds 'static and shared read other samples' cmp -s "$work/out/shared.npy" "$work/out/static.npy"
else
    echo 'skipped: HDF5 in an installed library: built without HDF5: libhdf5-dev'
fi

what='find_package(Halobeat COMPONENTS static)'
mkdir "$work/static"
cat >"$work/static/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.20)
project(Static C)
find_package(Halobeat ${version%.*} REQUIRED COMPONENTS static)
add_executable(heat $SOURCE/examples/heat/heat.c)
target_link_libraries(heat PRIVATE Halobeat::static)
END
static_project() {
    "$CMAKE" -S "$work/static" -B "$work/static/build" -G "$GENERATOR" -D CMAKE_C_COMPILER="$CC" \
        -D CMAKE_PREFIX_PATH="$prefix" && "$CMAKE" --build "$work/static/build"
}
holds 'it failed' static_project >"$work/stdout" 2>"$work/stderr"
holds 'it wants the shared library' eval "! ldd '$work/static/build/heat' | grep -q libhalobeat"
finish
